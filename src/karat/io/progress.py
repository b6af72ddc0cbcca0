"""Who watches how far a command has come: whoever shows progress, and nobody else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Watcher:
    """Is told what is read and done, and how much there will be where that is known; this one lets it pass."""

    def expect(self, documents: int) -> None:
        """Hear that so many documents will be read from now on."""

    def see(self, documents: int) -> None:
        """Hear that so many more documents have been read."""

    def take(self, path: str, size: int) -> None:
        """Hear that so many more bytes of a file, unpacked, have been read."""

    def step(self, done: int, total: int, what: str) -> None:
        """Hear that so many of some steps are done, and which one is next."""


_NOBODY = Watcher()
_watcher: ContextVar[Watcher] = ContextVar("watcher", default=_NOBODY)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Within this context, a watcher is told what is read and done."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def unwatch() -> None:
    """Let nobody watch from now on: what a worker reads is told by whoever has sent it."""
    _watcher.set(_NOBODY)


def watched(documents: Iterable[T]) -> Iterator[T]:
    """Yield documents, of which a watcher is told, if there is one."""
    watcher = _watcher.get()
    return iter(documents) if watcher is _NOBODY else _telling(documents, watcher)


def _telling(documents: Iterable[T], watcher: Watcher) -> Iterator[T]:
    for document in documents:
        watcher.see(1)
        yield document


def expect(documents: int) -> None:
    """Tell a watcher, if there is one, how many documents others will read."""
    _watcher.get().expect(documents)


def see(documents: int) -> None:
    """Tell a watcher, if there is one, that others have read so many more documents."""
    _watcher.get().see(documents)


def take(path: str | os.PathLike[str], size: int) -> None:
    """Tell a watcher, if there is one, that so many more bytes of a file have been read."""
    _watcher.get().take(os.fspath(path), size)


def step(done: int, total: int, what: str) -> None:
    """Tell a watcher, if there is one, how many of some steps are done, and which one is next."""
    _watcher.get().step(done, total, what)
