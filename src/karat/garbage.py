"""The garbage collector, paused where millions of objects come into being and none is garbage; freed memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 100_000
"""New objects from which on it pays not to go through them again."""


@contextmanager
def without_collection() -> Iterator[None]:
    """Let no garbage be looked for: to go through all objects while there are more and more takes longest of all.

    What came into being, if it is much, counts as old afterwards, so that the next search does not begin with all of
    it; who keeps frozen objects keeps them so.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_count()[0] > _MANY and not gc.get_freeze_count():  # to count frozen objects takes time
                gc.freeze()
                gc.unfreeze()
            gc.enable()


_KEPT = 1 << 24
"""Bytes: larger than any block that is read again and again."""


def keep_freed_memory() -> None:
    """Keep memory that is freed for what is read next, instead of giving it back and asking for it again.

    Allocators learn how much that is from the largest block that was ever freed; this one is not even written to.
    """
    bytes(_KEPT)
