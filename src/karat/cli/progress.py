"""Progress of a command on one line of a terminal, updated by a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from karat.io.progress import Watcher, watching
from karat.io.terminal import show_status, when_results_begin

_PATIENCE = 2.0
"""Seconds before progress is shown."""
_BETWEEN = 0.2
"""Seconds between two updates."""


class Progress(Watcher):
    """The progress of a command as one line: the current step, the rate, and the remaining time.

    It shows steps if there are any, else documents, else the bytes read of the current file.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._begun = self._phase = time.monotonic()
        self._read = self._expected = self._before = 0
        self._path, self._bytes, self._size = "", 0, 0
        self._step = ""

    def expect(self, documents: int) -> None:
        """Begin a phase with a known number of documents, or an unknown one."""
        self._expected, self._before, self._phase = documents, self._read, time.monotonic()

    def see(self, documents: int) -> None:
        """Count documents."""
        self._read += documents

    def take(self, path: str, size: int) -> None:
        """Count the bytes of a file."""
        if path != self._path:
            file = Path(path)
            self._size = file.stat().st_size if file.is_file() else 0
            self._path, self._bytes = path, 0
        self._bytes += size

    def step(self, done: int, total: int, what: str) -> None:
        """Record the current step."""
        self._step = f"[{done}/{total}] {what}"

    def line(self) -> str:
        """Return the current progress line."""
        now = time.monotonic()
        return f"{self._command}: {self._news(now)}{_clock(now - self._begun)}"

    def _news(self, now: float) -> str:
        if self._step:
            return f"{self._step}, "
        if self._read:
            rate = f"{self._read:,} documents read, {self._read / (now - self._begun):,.0f} a second, "
            done = self._read - self._before
            if not self._expected or not done:
                return rate
            return f"{rate}about {_clock((now - self._phase) / done * max(self._expected - done, 0))} left, "
        if not self._path:
            return ""
        read, size = self._bytes, self._size
        part = f"{read / size:.0%}" if size and read <= size else f"{read / 1e6:,.0f} MB"
        return f"{Path(self._path).name}, {part} read, "


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


@contextmanager
def showing_progress(command: str) -> Iterator[None]:
    """Within this context, show progress after two seconds, until results are printed.

    A thread shows it, so that it is updated also while no input is read.
    """
    progress, over, speaking = Progress(command), threading.Event(), threading.Lock()

    def show() -> None:
        wait = _PATIENCE
        while not over.wait(wait):
            with speaking:
                if not over.is_set():
                    show_status(progress.line())
            wait = _BETWEEN

    clock = threading.Thread(target=show, name="progress", daemon=True)

    def end() -> None:
        with speaking:
            over.set()
            show_status("")

    clock.start()
    try:
        with watching(progress), when_results_begin(end):
            yield
    finally:
        over.set()
        clock.join()
        show_status("")
