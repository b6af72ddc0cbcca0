"""When more than one process pays: known before anything is loaded that starts one."""

from __future__ import annotations

import os
from itertools import islice

from karat.io import entries_below, is_file, is_folder

PAYS = 8_000_000
"""Bytes of input from which on a second process pays for its start."""
_FILE = 4096
"""What a file of a folder is taken to be worth in bytes."""
_ENOUGH = 2 * PAYS // _FILE
"""Files of a folder from which on it does not matter how many more there are."""


def cores() -> int:
    """Return how many processes can work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pays(count: int | None, size: int) -> bool:
    """Say whether input of so many bytes is worth more than one process, if nobody has said how many there are.

    >>> pays(None, 1_000_000), pays(2, 1), pays(1, 10**12)
    (False, True, False)
    """
    return count > 1 if count is not None else min(cores(), size // PAYS) > 1


def size_of(path: str | None) -> int:
    """Return about how many bytes a file or folder has; how large files of a folder are is not looked at, nor all."""
    if path is None:
        return 0
    if not is_folder(path):
        return os.path.getsize(path) if is_file(path) else 0  # noqa: PTH202 - small commands do without pathlib
    return _FILE * sum(1 for _ in islice(entries_below(path), _ENOUGH))
