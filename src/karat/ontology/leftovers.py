"""Folders in the making, which a build that is killed leaves behind, and which the next one removes.

A build holds a lock on its folder. The system lets go of it when the process ends, however it ends, so what nobody has
locked belongs to nobody. Where folders cannot be locked, nothing is ever removed.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

_PARTS = re.compile(r"[a-z_]+|manifest\.json")
"""The names of what a build writes."""


@contextmanager
def temporary_folder(target: Path, suffix: str) -> Iterator[Path]:
    """Make a hidden folder beside the target, and remove it at the end if it is still there."""
    while True:
        made = Path(tempfile.mkdtemp(prefix=_prefix(target), suffix=suffix, dir=target.parent))
        lock = _locked(made, wait=True)
        if made.is_dir():
            break
        _let_go(lock)  # another build took it for a leftover before it was locked
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        _let_go(lock)


def remove_leftovers(target: Path, suffix: str) -> None:
    """Remove the hidden folders beside the target that no process holds."""
    shape = re.compile(re.escape(_prefix(target)) + r"[a-z0-9_]{8}" + re.escape(suffix))
    for folder in target.parent.iterdir():
        if shape.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink():
            lock = _locked(folder, wait=False)
            if lock is not None and _is_of_a_build(folder):
                shutil.rmtree(folder, ignore_errors=True)
            _let_go(lock)


def _is_of_a_build(folder: Path) -> bool:
    try:
        return all(_PARTS.fullmatch(entry.name) for entry in folder.iterdir())
    except OSError:  # it is gone, or not ours to look into
        return False


def _prefix(target: Path) -> str:
    return f".{target.name[:64]}."


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
