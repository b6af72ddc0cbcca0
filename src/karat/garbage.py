"""The garbage collector, which is paused where millions of objects come into being and none of them is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Let no garbage be looked for: to go through all objects while there are more and more takes longest of all.

    What came into being counts as old afterwards, so that the next search does not begin with all of it; who keeps
    frozen objects keeps them so.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
