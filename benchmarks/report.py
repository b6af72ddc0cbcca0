"""``python -m benchmarks report``: how long the report on many documents takes to be made, seen and filtered.

The page is opened from disk in Chromium (with Playwright), and the times are those of the browser: until the first
paint, until the reader shows documents, until a filter over all items is drawn, and until a search has looked at every
text, the first time and again. Only a quiet machine says anything about the time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
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
_CLICK = """(name) => new Promise((done) => {
  const began = performance.now();
  [...document.querySelectorAll(".segment")].find((button) => button.textContent.includes(name)).click();
  setTimeout(() => requestAnimationFrame(() => done(performance.now() - began)));
})"""


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
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "karat", "report", "semeval2013", *files, "-o", str(page)], check=True)
        made = time.perf_counter() - began
        times = _times(page)
        print(f"| documents | items | made s | page MB | {' | '.join(times)} |")
        print("|---" * (4 + len(times)) + "|")
        shown = " | ".join(f"{number:.0f}" for number in times.values())
        size = page.stat().st_size / 1e6
        print(f"| {options.documents} | {options.documents * options.items} | {made:.0f} | {size:.1f} | {shown} |")


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


def _times(page: Path) -> dict[str, float]:
    """Return how many milliseconds a reader waits for what."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=which("chromium"), args=_FLAGS)
        opened = running.new_page()
        began = time.perf_counter()
        opened.goto(page.as_uri())
        paints = opened.evaluate("performance.getEntriesByType('paint').map((entry) => entry.startTime)")
        opened.locator("#tabs a", has_text="Reader").click()
        opened.locator(".doc-row").first.wait_for()
        times = {"first paint ms": min(paints), "reader ms": 1000 * (time.perf_counter() - began)}
        opened.wait_for_timeout(2000)
        for name in ("missed", "All"):
            times[f"filter {name} ms"] = opened.evaluate(_CLICK, name)
            opened.wait_for_timeout(1000)
        times["search ms"] = _searched(opened, "geneva")
        times["again ms"] = _searched(opened, "basel")
        running.close()
    return times


def _searched(opened: Any, words: str) -> float:
    began = time.perf_counter()
    opened.evaluate("document.querySelector('#polite').textContent = ''")
    opened.locator("#search").fill(words)
    opened.locator("#polite:not(:has-text('Searching')):has-text('items in')").wait_for(
        state="attached", timeout=120_000
    )
    return 1000 * (time.perf_counter() - began)
