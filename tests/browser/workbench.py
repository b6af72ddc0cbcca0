"""A workbench in a process of its own, and a browser that opens it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(which, _BROWSERS)), None)
"""The first browser there is: one without windows needs little more than half the processor time."""


@contextmanager
def browser() -> Iterator:
    """Open a browser, or skip the test and say what is absent."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        try:
            yield running
        finally:
            running.close()


class Server:
    """``karat judge serve`` on a free port."""

    def __init__(self, pool: Path, scheme: str = "omin", answers: str | None = None, port: int = 0) -> None:
        self.pool, self.scheme, self.answers, self.token = pool, scheme, answers, ""
        self.port = port
        self.start()

    def start(self) -> None:
        """Begin, or begin again on the same port, and read the address and, the first time, the owner's token."""
        command = [sys.executable, "-m", "karat", "judge", "serve", str(self.pool), "--scheme", self.scheme]
        command += ["--port", str(self.port)] + (["--answers", self.answers] if self.answers else [])
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.token = line.split()[-1] if "token" in line else self.token
            found = re.match(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError(f"the workbench did not start: {self.process.wait()}")

    @property
    def address(self) -> str:
        """Where the workbench is."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End the process without a word of warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the process as Ctrl-C does."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.communicate(timeout=60)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *args: object) -> None:
        self.kill()


def enter(page, server: Server, name: str, token: str = "") -> None:
    """Say who is there, and wait for the work."""
    page.goto(f"{server.address}/login")
    page.fill("[name=name]", name)
    page.fill("[name=token]", token)
    page.click("button[type=submit]")
    page.wait_for_url("**/judge")


def act(page, *keys: str) -> None:
    """Press keys, each when the page has stored what the one before it did."""
    for key in keys:
        with page.expect_response(lambda response: response.request.method == "POST") as stored:
            page.keyboard.press(key)
        assert stored.value.ok
        settled(page)


def settled(page) -> None:
    """Wait until the page has moved on: while an act is stored, no button can be pressed."""
    page.locator("button[disabled]").first.wait_for(state="detached")
