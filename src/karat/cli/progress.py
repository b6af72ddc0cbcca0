"""How far a command has come with a large file, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from karat.terminal import show_status, tell

_LINES_BETWEEN_NEWS = 50_000


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
