"""Progress of a command: readers and scoring report it to the current watcher, if there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Watcher:
    """Receives reports on progress; this base class ignores them."""

    def expect(self, documents: int) -> None:
        """Called before documents are read, with their number."""

    def see(self, documents: int) -> None:
        """Called when this many more documents have been read."""

    def take(self, path: str, size: int) -> None:
        """Called when this many more bytes of a file, after decompression, have been read."""

    def step(self, done: int, total: int, what: str) -> None:
        """Called when ``done`` of ``total`` steps are complete; ``what`` names the next step."""


_NOBODY = Watcher()
_watcher: ContextVar[Watcher] = ContextVar("watcher", default=_NOBODY)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Within this context, report progress to a watcher."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def unwatch() -> None:
    """Stop reporting progress in this process: for a worker, the parent process reports."""
    _watcher.set(_NOBODY)


def watched(documents: Iterable[T]) -> Iterator[T]:
    """Yield the documents, each of which is reported to the current watcher."""
    watcher = _watcher.get()
    return iter(documents) if watcher is _NOBODY else _telling(documents, watcher)


def _telling(documents: Iterable[T], watcher: Watcher) -> Iterator[T]:
    for document in documents:
        watcher.see(1)
        yield document


def expect(documents: int) -> None:
    """Report how many documents will be read."""
    _watcher.get().expect(documents)


def see(documents: int) -> None:
    """Report that this many more documents have been read."""
    _watcher.get().see(documents)


def take(path: str | os.PathLike[str], size: int) -> None:
    """Report that this many more bytes of a file, after decompression, have been read."""
    _watcher.get().take(os.fspath(path), size)


def step(done: int, total: int, what: str) -> None:
    """Report that ``done`` of ``total`` steps are complete; ``what`` names the next step."""
    _watcher.get().step(done, total, what)
