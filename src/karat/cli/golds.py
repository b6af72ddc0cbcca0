"""Which gold of several a submission belongs to: the one that has its documents or, without names, its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_ALIKE = 0.8
"""The share of words that a submission must have in common with its gold."""


class _Known(NamedTuple):
    """What a file is known by: the names of its documents, and how often each word occurs in it."""

    names: frozenset[str]
    words: Counter[str]

    def likeness(self, other: _Known) -> tuple[int, float]:
        """Return how many names two files have in common, and what share of their words."""
        most = max(self.words.total(), other.words.total())
        shared = (self.words & other.words).total() / most if most else 0.0
        return len(self.names & other.names), shared


def golds_of(systems: Mapping[str, Sequence[str]], parameters: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return for each gold, by name and path, the systems that are made for it, as NAME=FILE.

    Golds stand in the order of their names; of two with the same documents the first has the systems.
    """
    from pathlib import Path

    from karat.cli.folders import files_in
    from karat.errors import InputError, UsageError
    from karat.files import is_folder

    folder, source, system_source = (parameters[name] for name in ("gold", "source_format", "system_format"))
    if not is_folder(folder):
        raise UsageError(f"--golds takes a folder of golds, but {folder} is none")
    paths = files_in(folder, source, what="golds")
    golds = {path: _known(path, source) for path in paths}
    systems_by_gold: dict[tuple[str, str], list[str]] = {(Path(path).name, path): [] for path in paths}
    for name, files in systems.items():
        own = _known(files[0], system_source or source)
        likeness = {path: own.likeness(known) for path, known in golds.items()}
        best = max(paths, key=likeness.__getitem__)
        if not (likeness[best][0] or likeness[best][1] >= _ALIKE):
            raise InputError(f"no gold in {folder} has its documents, nor its words", path=files[0])
        systems_by_gold[Path(best).name, best].append(f"{name}={','.join(files)}")
    return {gold: own for gold, own in systems_by_gold.items() if own}


def _known(path: str, format: str | None) -> _Known:  # noqa: A002 - the word users know
    from karat.formats import read

    names, words = set(), Counter[str]()
    for document in read(path, format):
        names.add(document.id)
        words.update(document.text.split() if document.table is None else document.table.forms)
    return _Known(frozenset(names), words)
