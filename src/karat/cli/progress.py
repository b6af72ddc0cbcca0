"""How far a command has come with a large file, where somebody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from karat.files.watching import watching
from karat.terminal import show_status, tell

_LINES_BETWEEN_NEWS = 50_000
_PATIENCE = 2.0
"""Seconds for which nobody wonders what is going on."""
_BETWEEN = 0.2
"""Seconds between two lines of news."""


class DocumentProgress:
    """Shows how many documents a command has read, once that takes longer than two seconds: rate, and time left."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._begun = self._shown = self._phase = time.monotonic()
        self._read = self._expected = self._before = 0

    def expect(self, documents: int) -> None:
        """Begin a stretch of which the length is known, if it is."""
        self._expected, self._before, self._phase = documents, self._read, time.monotonic()

    def see(self, documents: int) -> None:
        """Count documents, and show how far it is, not too often."""
        self._read += documents
        now = time.monotonic()
        if now - self._begun > _PATIENCE and now - self._shown > _BETWEEN:
            self._shown = now
            show_status(self._line(now))

    def end(self) -> None:
        """Leave nothing on the terminal."""
        if self._shown > self._begun:
            show_status("")
            self._shown = self._begun

    def _line(self, now: float) -> str:
        rate = self._read / (now - self._begun)
        line = f"{self._command}: {self._read:,} documents read, {rate:,.0f} a second"
        done = self._read - self._before
        if not self._expected or not done:
            return line
        left = int((now - self._phase) / done * max(self._expected - done, 0))
        return f"{line}, about {left // 60}:{left % 60:02d} left"


@contextmanager
def document_progress(command: str) -> Iterator[None]:
    """Within this context, show how many documents are read, where somebody watches."""
    progress = DocumentProgress(command)
    try:
        with watching(progress):
            yield
    finally:
        progress.end()


@contextmanager
def reading_progress(name: str) -> Iterator[Callable[[int], None]]:
    """Give a function that shows how many lines of a file have been read, where somebody watches."""
    told = 0

    def count(lines: int) -> None:
        nonlocal told
        if lines - told >= _LINES_BETWEEN_NEWS:
            told = lines
            show_status(f"{name}: {lines:,} lines")

    yield count
    if told:
        show_status("")


def report(done: int, total: int, what: str) -> None:
    """Show how many of some steps are done: on one line of a terminal, line by line elsewhere."""
    message = f"[{done}/{total}] {what}"
    if not sys.stderr.isatty():
        tell(message)
        return
    show_status(message)
    if done == total:
        click.echo(err=True)
