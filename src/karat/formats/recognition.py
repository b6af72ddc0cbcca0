"""Recognition of formats: by content that is certain; a similar format is suggested, never assumed.

The extension decides where the content does not, and only if no other format uses it, as for ``.conll``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.formats.base import Format
from karat.formats.catalogue import format_named, formats, likely_formats, likely_in_folder
from karat.formats.parts.heads import beginning
from karat.io import IS_UTF16, UTF16, entries_of, is_folder, peek_bytes
from karat.io.archives import bare_name

if TYPE_CHECKING:
    from pathlib import Path

COMMON = frozenset((".json", ".jsonl", ".ndjson", ".xml", ".tsv", ".conllu"))
"""Endings that files of many kinds have, so that they say nothing."""
_MOST_FOLDERS = 10_000
"""Folders that are looked into to know what the files are."""
_MOST_DEEP = 100
"""How many folders inside of each other are looked into to know what the files are."""


def claimants(path: str | os.PathLike[str]) -> Iterator[Format]:
    """Yield the formats that recognise a file by its beginning, likely ones first."""
    return chain.from_iterable(_claims(path))


def claimed(path: str | os.PathLike[str]) -> list[Format]:
    """Return the formats that recognise a file by its beginning, from the first list that has any."""
    return next(filter(None, _claims(path)), [])


def _claims(path: str | os.PathLike[str]) -> Iterator[list[Format]]:
    """Yield, list by list, the formats that recognise a file; tools with the same mark count as one."""
    raw, head = peek_bytes(path), beginning(path)
    for candidates in likely_formats(head):
        claims = [declared for declared in candidates if declared.sniff_bytes(raw) or declared.sniff(head)]
        yield list({declared.sniff: declared for declared in reversed(claims)}.values())[::-1]


def sniff(path: str | os.PathLike[str], empty: str = "") -> Format:
    """Return the format of a file or folder, recognised by its content.

    The likely formats are tried first, and the others if none of these recognises the file; if two do, the error names
    them. In a folder, files of the formats of folders are looked for. A file without content is an error, unless
    ``empty`` names its format.
    """
    if is_folder(path):
        from pathlib import Path

        return _of_folder(Path(path))
    raw = peek_bytes(path)
    if empty and not raw.strip():
        return format_named(empty)
    _, ending = bare_name(path)
    if not raw.strip(b"\xef\xbb\xbf \t\r\n"):
        for declared in formats().values() if not raw else ():
            if declared.may_be_empty and ending in declared.suffixes:
                return declared
        holds = "holds nothing but blanks" if raw else "is empty"
        raise InputError(f"the file {holds}; name its format with --from if that is right", path=path)
    if raw.startswith(UTF16):
        raise InputError(IS_UTF16, path=path)
    known = claimed(path)
    if len(known) > 1:
        names = " and ".join(declared.name for declared in known)
        raise InputError(f"the file may be of the formats {names}; name the right one with --from", path=path)
    if known:
        return known[0]
    head = beginning(path)
    by_ending = _by_ending(ending, head)
    if by_ending is not None:
        return by_ending
    from karat.formats.appearance import advice

    raise InputError(f"the format is not recognised: {advice(raw, head, ending)}", path=path)


def _by_ending(ending: str, head: str) -> Format | None:
    """Return the format that alone uses this extension, if the content does not contradict it."""
    from karat.formats.appearance import is_markup

    if not ending or ending in COMMON or is_markup(head):
        return None
    return next((declared for declared in formats().values() if ending in declared.suffixes), None)


def _of_folder(folder: Path) -> Format:
    """Return the format of a folder's files, by their extension, or by the first file with it."""
    first = _first_files(folder)
    known = next(filter(None, _inhabitants(first)), [])
    if len(known) > 1:
        candidates = " and ".join(declared.name for declared in known)
        raise InputError(f"the folder has files of the formats {candidates}; name one with --from", path=folder)
    if known:
        return known[0]
    raise InputError(f"no format is known for this folder: {_holds(first)}", path=folder)


def _first_files(folder: Path) -> dict[str, Path]:
    """Return the first file of each extension by name, folders before their content; only these names are held."""
    first: dict[str, Path] = {}
    waiting, looked_into = [(folder, 0)], 0
    while waiting and looked_into < _MOST_FOLDERS:
        place, depth = waiting.pop()
        looked_into += 1
        least: dict[str, str] = {}
        inner = []
        for entry in entries_of(str(place)):
            if entry.name.startswith("."):
                continue
            if not entry.is_dir():
                ending = os.path.splitext(entry.name)[1].lower()  # noqa: PTH122 - pathlib remembers every name
                least[ending] = min(entry.name, least.get(ending, entry.name))
            elif not entry.is_symlink():
                inner.append(entry.name)
        for ending, name in sorted(least.items(), key=itemgetter(1)):
            first.setdefault(ending, place / name)
        if depth <= _MOST_DEEP:
            waiting += [(place / name, depth + 1) for name in sorted(inner, reverse=True)]
    return first


def _inhabitants(first: dict[str, Path]) -> Iterator[list[Format]]:
    """Yield, list by list, the formats whose folders have such files."""
    for candidates in likely_in_folder(first):
        yield [declared for declared in candidates if _lives_in(declared, first)]


def _lives_in(declared: Format, first: dict[str, Path]) -> bool:
    files = [first[suffix] for suffix in declared.suffixes if suffix in first]
    return any(bare_name(file)[1] not in COMMON or declared.sniff(beginning(file)) for file in files)


def _holds(first: dict[str, Path]) -> str:
    """Return a description of the files that the folder has instead, with the format of the first recognised one."""
    for file in first.values():
        try:
            declared = sniff(file)
        except InputError:
            continue
        return f"{file.name} is of the format {declared.name}, whose files are read one by one; name a file"
    if not first:
        return "it is empty"
    return f"it has files such as {next(iter(first.values())).name}; name a file, or the format with --from"


def described(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield, line by line, which format a file is recognised as and why; raises an error if none."""
    declared = sniff(path)
    yield f"{path}: {declared.name}"
    yield f"  {declared.title}"
    if is_folder(path):
        yield f"  The folder has files {' or '.join(declared.suffixes)}."
        return
    from karat.formats.appearance import appearance

    certain = any(declared.name == claimant.name for claimant in claimants(path))
    yield f"  Known by {declared.known_by or 'its content'}." if certain else "  Known by its ending alone."
    yield f"  Here {appearance(peek_bytes(path), beginning(path))}."
