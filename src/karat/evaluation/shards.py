"""The files of a side that is given as several: which they are, which belong together, and what they are called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from karat.errors import InputError
from karat.io import STDIN, entries_of, is_file, is_folder, name_of
from karat.io.addresses import is_address

if TYPE_CHECKING:
    from karat.formats.base import Format


def shard_paths(source: Any, format: str | None = None) -> list[str] | None:  # noqa: A002 - the word users know
    """Return the files that a source stands for; None if it is a single input.

    Several files are a list of paths, a pattern such as ``gold/*.conll``, or a folder whose files are each of a format
    that keeps all documents in one file; those of patterns and folders are sorted by name. A folder of BRAT or NAF is a
    single input.
    """
    if isinstance(source, list | tuple):
        paths = [os.fspath(path) for path in source if isinstance(path, str | os.PathLike) and is_file(path)]
        return paths if paths and len(paths) == len(source) else None
    if not isinstance(source, str | os.PathLike) or str(source) == STDIN or is_address(source):
        return None
    path = os.fspath(source)
    if is_folder(path):
        return _in_folder(path, format)
    if not any(mark in path for mark in "*?[") or os.path.exists(path):  # noqa: PTH110 - small commands do without pathlib
        return None
    from glob import glob

    found = _sorted(glob(path))  # noqa: PTH207 - as above
    if not found:
        raise InputError("no file matches this pattern", path=path)
    return found


def _in_folder(folder: str, format: str | None) -> list[str] | None:  # noqa: A002 - the word users know
    from karat.formats import format_named, sniff

    try:
        declared = sniff(folder) if format is None else format_named(format)
    except InputError:
        declared = None
    if declared is not None and declared.folder:
        return None
    visible = [entry for entry in entries_of(folder) if not entry.name.startswith(".")]
    files = _sorted(entry.path for entry in visible if entry.is_file())
    kind = declared or _first_format(files)
    if kind is None or not files:
        return None
    if folders := sorted(entry.name for entry in visible if entry.is_dir()):
        raise InputError(f"has the folder {folders[0]!r} beside files; a folder of shards has files only", path=folder)
    if format is None:
        _check_alike(files, kind)
    return files


def _check_alike(files: Iterable[str], kind: Format) -> None:
    """Refuse a file that is not of the format of the others: none is passed over in silence."""
    from karat.formats import sniff

    for path in files:
        if os.path.getsize(path) and sniff(path).name != kind.name:  # noqa: PTH202 - small commands do without pathlib
            raise InputError(f"is not of the format {kind.name}, as others of its folder are; move it away", path=path)


def _first_format(files: Iterable[str]) -> Format | None:
    """Return the format of the first file that is recognised; one that lives in folders does not count."""
    from karat.formats import sniff

    for path in files:
        try:
            declared = sniff(path)
        except InputError:
            continue
        return None if declared.folder else declared
    return None


def _sorted(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (name_of(path), path))


def partners(golds: Sequence[str], systems: Sequence[str]) -> list[str]:
    """Return the system's file for each of the gold: that of the same name, or in order if no name is the same.

    >>> partners(["gold/a.conll", "gold/b.conll"], ["system/a.conll", "system/b.conll"])
    ['system/a.conll', 'system/b.conll']
    """
    names = [[name_of(path) for path in side] for side in (golds, systems)]
    if sorted(names[0]) == sorted(names[1]) and len(set(names[0])) == len(golds):
        by_name = dict(zip(names[1], systems, strict=True))
        return [by_name[name] for name in names[0]]
    if len(golds) == len(systems) and not set(names[0]).intersection(names[1]):
        return list(systems)
    alone = [name for name in names[0] if name not in names[1]] or [name for name in names[1] if name not in names[0]]
    counts = f"the gold has {len(golds)} shards and the system {len(systems)}"
    without = f"; {', '.join(alone[:5])}{', …' if len(alone) > 5 else ''} has no partner" if alone else ""
    raise InputError(f"{counts}{without}; cut both with karat split into as many, or name them alike")


def distinct(names: Sequence[str]) -> list[str]:
    """Return names of which equal ones are numbered in their order.

    >>> distinct(["gold.conll", "gold.conll", "more.conll"])
    ['gold.conll (1)', 'gold.conll (2)', 'more.conll']
    """
    times, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})" if times[name] > 1 else name)
    return numbered


def pattern_of(names: Sequence[str]) -> str:
    """Return what several files are called together.

    >>> pattern_of(["gold-1-of-2.conll", "gold-2-of-2.conll"]), pattern_of(["gold.conll"])
    ('gold-*-of-2.conll', 'gold.conll')
    """
    several = list(dict.fromkeys(names))
    if len(several) == 1:
        return several[0]
    start = os.path.commonprefix(several)  # noqa: RUF071 - of names, not of folders
    rest = [name[len(start) :][::-1] for name in several]
    return f"{start}*{os.path.commonprefix(rest)[::-1]}"  # noqa: RUF071 - as above
