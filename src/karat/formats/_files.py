"""The files of a folder in which every document is a file of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from karat.formats.base import Problems
from karat.io import entries_below, is_folder
from karat.io.names import leading_fault


def files_below(path: str, suffix: str, problems: Problems) -> Iterator[tuple[Path, str]]:
    """Yield each file with the id of its document, by name; a file is known by its name, whatever the ending."""
    root = Path(path)
    if not is_folder(root):
        yield root, root.name.removesuffix(suffix)
        return
    names = names_below(root, suffix)
    if not names:
        problems.error(path, None, f"holds no {suffix} file")
    for name in names:
        stem = name.removesuffix(suffix)
        file = os.path.join(root, name)  # noqa: PTH118 - a folder may have very many, and pathlib remembers every name
        fault = leading_fault(stem) or (None if os.path.isfile(file) else "is that of no regular file")  # noqa: PTH113
        if fault is None:
            yield root / name, stem
        else:
            problems.error(path, None, f"the file name {name!a} {fault}; rename the file")


def names_below(root: Path, suffix: str) -> Sequence[str]:
    """Return the files below a folder with an ending, relative to it, sorted; hidden and linked folders aside."""
    entries = entries_below(str(root), hidden=False)
    return sorted(start + entry.name for start, entry in entries if entry.name.endswith(suffix) and not entry.is_dir())
