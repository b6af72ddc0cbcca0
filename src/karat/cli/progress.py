"""How far a command has come with a large file, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_LINES_BETWEEN_NEWS = 50_000


@contextmanager
def reading_progress(name: str) -> Iterator[Callable[[int], None]]:
    """Give a function that shows how many lines of a file have been read, where somebody watches."""
    told = 0

    def tell(lines: int) -> None:
        nonlocal told
        if sys.stderr.isatty() and lines - told >= _LINES_BETWEEN_NEWS:
            told = lines
            click.echo(f"\r{name}: {lines:,} lines", nl=False, err=True)

    yield tell
    if told:
        click.echo("\r\033[K", nl=False, err=True)
