"""Which files of a folder are meant, where others lie beside them: a README, the keys of teams, what a system left."""

from __future__ import annotations

from collections.abc import Callable

_CLUTTER = (".", "__MACOSX")
"""How names begin of what systems leave in folders and archives."""

_MOST_NAMES = 20
"""Files that are left out which a note names."""


def files_in(folder: str, format: str | None, *, what: str) -> list[str]:  # noqa: A002 - the word users know
    """Return the annotated files of a folder, or folders in it, which are ``what`` was expected there."""
    return _meant(folder, lambda path: _is_annotated(path, format), what)


def submission_in(folder: str, format: str | None = None) -> str:  # noqa: A002 - the word users know
    """Return what was handed in as a folder: the only file that is meant, or the folder, if it is a corpus itself.

    Where several are meant it is the folder, too, as reading says best what is wrong with it.
    """
    if _holds(lambda path: _is_corpus(path, format), folder):
        return folder
    meant = files_in(folder, format, what="submission")
    return meant[0] if len(meant) == 1 else folder


def runs_in(folder: str) -> list[str]:
    """Return the run files of a folder."""
    return _meant(folder, _is_run, "run files")


def _meant(folder: str, is_known: Callable[[str], bool], what: str) -> list[str]:
    """Return the files that have the ending of one that is known; others, and hidden ones, are named in a note.

    So a broken file stays an error, if there are better ones with its ending. Where none is known all are meant, as
    reading says best what is wrong with them.
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
    """Return the ending of a file, without that of an archive; a folder has one of its own."""
    from karat.files import is_folder
    from karat.files.archives import bare_name

    return "/" if is_folder(path) else bare_name(path)[1]


def _is_annotated(path: str, format: str | None) -> bool:  # noqa: A002 - the word users know
    """Say whether a file looks as if it had annotations, in this format if one is named; else it is refused."""
    from karat.files import is_folder
    from karat.formats import claimants, format_named, sniff

    if format and not is_folder(path):
        declared = format_named(format)
        return _ending(path) in declared.suffixes or declared in claimants(path)
    sniff(path)
    return True


def _is_corpus(folder: str, format: str | None) -> bool:  # noqa: A002 - the word users know
    """Say whether several files of a format that lives in folders lie in this one, and not only in folders within."""
    from pathlib import Path

    from karat.formats import format_named, sniff

    declared = format_named(format) if format else sniff(folder)
    visible = (str(path) for path in Path(folder).iterdir() if not path.name.startswith(_CLUTTER))
    return declared.folder and sum(_ending(path) in declared.suffixes for path in visible) > 1


def _is_run(path: str) -> bool:
    from karat.cli.fitting import is_run_file
    from karat.files import is_folder

    return not is_folder(path) and is_run_file(path)
