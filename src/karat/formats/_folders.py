"""The files that a path stands for: one, or those of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from karat.files import is_folder
from karat.formats._brat_write import name_fault
from karat.formats.base import Problems


def files_below(path: str, suffix: str, problems: Problems) -> Iterator[tuple[Path, str]]:
    """Yield each file with the id of its document, by name; a file is known by its name, whatever the ending."""
    root = Path(path)
    if not is_folder(root):
        yield root, root.name.removesuffix(suffix)
        return
    names = sorted(_names(root, suffix))
    if not names:
        problems.error(path, None, f"holds no {suffix} file")
    for name in names:
        stem = name.removesuffix(suffix)
        fault = name_fault(stem) or (None if (root / name).is_file() else "is that of no regular file")
        if fault is None:
            yield root / name, stem
        else:
            problems.error(path, None, f"the file name {name!a} {fault}; rename the file")


def _names(root: Path, suffix: str) -> Iterator[str]:
    """Yield the files below a folder, relative to it."""
    for folder, inner, files in os.walk(root, followlinks=False):
        inner[:] = [name for name in inner if not name.startswith(".")]
        below = Path(folder).relative_to(root)
        for name in files:
            if name.endswith(suffix) and not name.startswith("."):
                yield (below / name).as_posix()
