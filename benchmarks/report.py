"""``python -m benchmarks report``: how long the report on many documents takes to be made, seen and filtered.

The page is opened from disk in Chromium (with Playwright): until the first paint, until the reader shows documents,
until filters over all items are drawn, until a key has moved to the next error, and until a search has looked at every
text, the first time and again. Each is told as somebody waits for it, and as the page's thread works for it, which is
what says something on a machine that does other things as well; ``longest`` is how long the page was deaf at most.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

WORDS = [
    "the",
    "council",
    "met",
    "in",
    "spring",
    "and",
    "an",
    "old",
    "company",
    "sold",
    "grain",
    "to",
    "towns",
    "near",
    "a",
    "river",
    "while",
    "people",
    "read",
    "news",
]
NAMES = ["Bern", "Basel", "Geneva", "Zürich", "Lausanne", "Ada", "Clara", "Anton", "Rhine", "Aare"]
LABELS = ("LOC", "PER", "ORG", "PROD", "TIME")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
_WATCH = """() => { window.longest = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
}).observe({ type: "longtask", buffered: true }); }"""
_CLICK = """(name) => [...document.querySelectorAll(".segment")].find((b) => b.textContent.includes(name)).click()"""


def main(words: Sequence[str]) -> None:
    """Make a page of many documents, open it, and print the table."""
    parser = argparse.ArgumentParser("benchmarks report", description=__doc__)
    parser.add_argument("--documents", type=int, default=3000, help="documents (default: 3000)")
    parser.add_argument("--items", type=int, default=60, help="gold items of each (default: 60)")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, errors in (("gold", 0.0), ("a", 0.2), ("b", 0.3)):
            _write(folder / f"{side}.jsonl", options.documents, options.items, errors)
        files = [str(folder / f"{side}.jsonl") for side in ("gold", "a", "b")]
        page = folder / "report.html"
        before = _worked()
        subprocess.run([sys.executable, "-m", "karat", "report", "semeval2013", *files, "-o", str(page)], check=True)
        made = _worked() - before
        size = page.stat().st_size / 1e6
        steps = _steps(page)
        print(f"{options.documents} documents, {options.documents * options.items} items of the gold, two systems:")
        print(f"made in {made:.0f} s of CPU, {size:.1f} MB")
        print("| step | waited ms | worked ms |\n|---|---|---|")
        for name, (waited, worked) in steps.items():
            print(f"| {name} | {waited:.0f} | {'–' if worked is None else f'{worked:.0f}'} |")


def _worked() -> float:
    """Return the CPU seconds of all programs that were run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _write(path: Path, documents: int, items: int, errors: float) -> None:
    """Write invented documents, or what a system with errors makes of them."""
    with path.open("w", encoding="utf-8") as lines:
        for number in range(documents):
            chance, slips = Random(number), Random(f"{errors} {number}")
            text, mentions = "", []
            for index in range(items):
                text += " ".join(chance.sample(WORDS, 6)) + " "
                name, label, slip = chance.choice(NAMES), chance.choice(LABELS), slips.random()
                if slip >= errors * 0.4:
                    label = slips.choice(LABELS) if slip < errors * 0.7 else label
                    start = len(text) - (2 if errors * 0.7 <= slip < errors else 0)
                    span = [[start, len(text) + len(name)]]
                    mentions.append({"id": f"T{index}", "spans": span, "labels": [label]})
                text += f"{name} "
            lines.write(json.dumps({"id": f"doc-{number:05}", "text": text.strip(), "mentions": mentions}) + "\n")


class _Clock:
    """Measures a step: how long one waits, and how long the thread of the page works."""

    def __init__(self, opened: Any) -> None:
        self.session = opened.context.new_cdp_session(opened)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.steps: dict[str, tuple[float, float | None]] = {}

    def worked(self) -> float:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def __call__(self, name: str, act: Callable[[], Any]) -> None:
        before, began = self.worked(), time.perf_counter()
        act()
        waited = 1000 * (time.perf_counter() - began)
        self.steps[name] = waited, self.worked() - before


def _steps(page: Path) -> dict[str, tuple[float, float | None]]:
    """Return how many milliseconds a reader waits for what, and how many of them the page works."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=which("chromium"), args=_FLAGS)
        opened = running.new_page()
        opened.add_init_script(f"({_WATCH})()")
        clock = _Clock(opened)
        clock("load", lambda: opened.goto(page.as_uri()))
        paints = opened.evaluate("performance.getEntriesByType('paint').map((entry) => entry.startTime)")
        clock.steps["first paint"] = min(paints), None

        def read() -> None:
            opened.locator("#tabs a", has_text="Reader").click()
            opened.locator(".doc-row").first.wait_for(timeout=120_000)

        clock("reader", read)
        clock("first search", lambda: _searched(opened, "geneva"))
        clock("search again", lambda: _searched(opened, "basel"))
        clock("search dropped", lambda: _searched(opened, ""))
        opened.wait_for_timeout(1000)
        opened.evaluate("window.longest = 0")
        for name in ("missed", "incorrect", "All"):
            clock(f"filter: {name}", lambda name=name: _settled(opened, lambda: opened.evaluate(_CLICK, name)))
        clock("next error", lambda: _settled(opened, lambda: opened.keyboard.press("n")))
        clock.steps["longest of these"] = opened.evaluate("window.longest"), None
        running.close()
    return clock.steps


def _searched(opened: Any, words: str) -> None:
    _settled(opened, lambda: opened.locator("#search").fill(words), timeout=120_000)


def _settled(opened: Any, act: Callable[[], Any], timeout: int = 30_000) -> None:
    """Do something, and wait until the page has shown what came of it."""
    turn = opened.evaluate("Number(document.body.dataset.turn || 0)")
    act()
    opened.locator(f"body:not([data-turn='{turn}'])").wait_for(timeout=timeout)
    opened.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
