"""Hidden folders in which outputs are made before they take their place; what a killed run leaves, the next removes.

Whoever makes such a folder holds a lock on it. The system lets go of it when the process ends, however it ends, so what
nobody has locked belongs to nobody. Where folders cannot be locked, nothing is ever removed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

PART = ".karat-part"
"""How the name of a folder ends in which something is made."""


@contextmanager
def temporary_folder(target: Path, suffix: str = PART) -> Iterator[Path]:
    """Make a hidden folder beside the target, and remove it at the end if it is still there."""
    made = target.with_name(f"{_prefix(target)}{os.urandom(8).hex()}{suffix}")
    lock = None
    try:  # from before it is made, so that an interrupt leaves nothing
        while True:
            made.mkdir(mode=0o700)
            lock = _locked(made, wait=True)
            if made.is_dir():
                break
            _let_go(lock)  # another run took it for a leftover before it was locked
        yield made
    finally:
        _remove(made)
        _let_go(lock)


def remove_leftovers(target: Path, suffix: str = PART) -> None:
    """Remove the hidden folders beside the target that no process holds."""
    shape = re.compile(re.escape(_prefix(target)) + r"[0-9a-f]{16}" + re.escape(suffix))
    for name in filter(shape.fullmatch, os.listdir(target.parent)):  # noqa: PTH208 - others, of which there may be very many, cost nothing
        folder = target.parent / name
        if folder.is_dir() and not folder.is_symlink():
            lock = _locked(folder, wait=False)
            if lock is not None:
                _remove(folder)
            _let_go(lock)


def _remove(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as possible; most often that is nothing any more."""
    try:
        folder.rmdir()
    except OSError:
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    """Return how the names of the folders begin: a name may have 255 bytes, and a character four."""
    return f".{target.name[:32]}."


def _locked(folder: Path, *, wait: bool) -> int | None:
    """Lock a folder until what is returned is closed; nothing if it cannot be locked, or is."""
    try:
        fcntl = import_module("fcntl")
    except ImportError:  # not everywhere
        return None
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        _let_go(handle)
        return None
    return handle


def _let_go(lock: int | None) -> None:
    if lock is not None:
        with suppress(OSError):
            os.close(lock)
