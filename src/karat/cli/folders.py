"""Selection of the annotated files or run files in a folder, and assignment of systems to several golds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

_CLUTTER = (".", "__MACOSX")
"""Prefixes of file names that operating systems leave in folders and archives."""

_MOST_NAMES = 20
"""The number of left-out files that a note names."""


def files_in(folder: str, format: str | None, *, what: str) -> list[str]:  # noqa: A002 - the word users know
    """Return the annotated files or subfolders of a folder; ``what`` names them in messages."""
    return _meant(folder, lambda path: _is_annotated(path, format), what)


def submission_in(folder: str, format: str | None = None) -> str:  # noqa: A002 - the word users know
    """Return the submission in a folder: its only annotated file, or the folder itself if it is a corpus.

    With several annotated files it is the folder, too, because reading it gives the best error message.
    """
    if _holds(lambda path: _is_corpus(path, format), folder):
        return folder
    meant = files_in(folder, format, what="submission")
    return meant[0] if len(meant) == 1 else folder


def runs_in(folder: str) -> list[str]:
    """Return the run files of a folder."""
    return _meant(folder, _is_run, "run files")


def _meant(folder: str, is_known: Callable[[str], bool], what: str) -> list[str]:
    """Return the files with the same ending as a recognised one; a note names the others and hidden files.

    A broken file is therefore still an error if others with its ending are recognised. If no file is recognised, all
    are returned, because reading them gives the best error message.
    """
    from pathlib import Path

    from karat.cli import complain
    from karat.errors import InputError

    names = sorted(path.name for path in Path(folder).iterdir())
    paths = {name: str(Path(folder, name)) for name in names if not name.startswith(_CLUTTER)}
    known = {_ending(path) for path in paths.values() if _holds(is_known, path)}
    meant = {name: path for name, path in paths.items() if not known or _ending(path) in known}
    if not meant:
        raise InputError(f"the folder is empty; expected {what} in it", path=folder)
    texts = {str(Path(name).with_suffix(".txt")) for name in meant if name.endswith(".ann")}  # of BRAT, read with them
    if left_out := [name for name in names if name not in meant and name not in texts]:
        more = f" and {len(left_out) - _MOST_NAMES} more" if len(left_out) > _MOST_NAMES else ""
        complain(f"note: {folder}: left out as no {what}: {', '.join(left_out[:_MOST_NAMES])}{more}")
    return list(meant.values())


def _holds(is_known: Callable[[str], bool], path: str) -> bool:
    from karat.errors import InputError

    try:
        return is_known(path)
    except InputError:  # it is of no format, or cannot be unpacked
        return False


def _ending(path: str) -> str:
    """Return the ending of a file, without that of a compression; all folders have the same special one."""
    from karat.io import is_folder
    from karat.io.archives import bare_name

    return "/" if is_folder(path) else bare_name(path)[1]


def _is_annotated(path: str, format: str | None) -> bool:  # noqa: A002 - the word users know
    """Return whether a file has annotations, in this format if one is named; raise an error if it has none."""
    from karat.formats import claimants, format_named, sniff
    from karat.io import is_folder

    if format and not is_folder(path):
        declared = format_named(format)
        return _ending(path) in declared.suffixes or declared in claimants(path)
    sniff(path)
    return True


def _is_corpus(folder: str, format: str | None) -> bool:  # noqa: A002 - the word users know
    """Return whether a folder directly holds several files of a folder format."""
    from pathlib import Path

    from karat.formats import format_named, sniff

    declared = format_named(format) if format else sniff(folder)
    visible = (str(path) for path in Path(folder).iterdir() if not path.name.startswith(_CLUTTER))
    return declared.folder and sum(_ending(path) in declared.suffixes for path in visible) > 1


def _is_run(path: str) -> bool:
    from karat.cli.protocol_hints import is_run_file
    from karat.io import is_folder

    return not is_folder(path) and is_run_file(path)


_ALIKE = 0.8
"""The minimum share of words that a submission must have in common with its gold."""


class _Known(NamedTuple):
    """The fingerprint of a file: the names of its documents, and the counts of its words."""

    names: frozenset[str]
    words: Counter[str]

    def likeness(self, other: _Known) -> tuple[int, float]:
        """Return the number of common document names of two files, and the share of common words."""
        most = max(self.words.total(), other.words.total())
        shared = (self.words & other.words).total() / most if most else 0.0
        return len(self.names & other.names), shared


def golds_of(systems: Mapping[str, Sequence[str]], parameters: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the systems (as NAME=FILE) for each gold, by its name and path.

    Golds are sorted by name; of two golds with the same documents, the first gets the systems.
    """
    from pathlib import Path

    from karat.errors import InputError, UsageError
    from karat.io import is_folder

    folder, source, system_source = (parameters[name] for name in ("gold", "source_format", "system_format"))
    if not is_folder(folder):
        raise UsageError(f"--golds takes a folder of gold files, but {folder} is not a folder")
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
