"""Describes files that no format recognises, and suggests formats with similar keys, elements or columns."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from karat.annotations.faults import shown
from karat.formats.base import Format
from karat.formats.catalogue import format_named, formats, likely_formats
from karat.formats.parts.heads import first_object, objects, root_of
from karat.io import IS_UTF16

_NAME = re.compile(r"`([^`]+)`")
_EVERYWHERE = frozenset(("id", "text", "type", "name", "tokens", "start", "end", "FORM", "ID"))
"""Names that are in so many files that one of them alone says nothing."""
_MOST_NAMES = 8
_ARCHIVE = b"PK\x03\x04"
_EXPORTED_AS_TABLES = ("labelstudio", "doccano")
"""Tools that export tables, too, which have less than their JSON."""
_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}
_PICKLE = "it is a Python pickle, which is never read; save the data as JSON lines"
_PICTURE = "it is a picture ({}); the annotations stand in another file"
_OFFICE = "it is an office document; save the sheet as CSV"
_ZIPPED_OFFICE = ("[Content_Types].xml", "_rels/", "docProps/", "mimetype")
"""How the first file in an office document that is an archive begins."""
_BINARY = {
    b"\xd0\xcf\x11\xe0": _OFFICE,
    b"%PDF": "it is a PDF; the annotations stand in another file",
    b"{\\rtf": "it is a document of a word processor (RTF); save it as plain text",
    b"\x89PNG": _PICTURE.format("PNG"),
    b"\xff\xd8\xff": _PICTURE.format("JPEG"),
    b"GIF8": _PICTURE.format("GIF"),
    b"RIFF": "it is a sound or a picture; the annotations stand in another file",
    b"\x1f\x8b": "it is packed by gzip; its name must end in .gz",
    b"BZh": "it is packed by bzip2; its name must end in .bz2",
    b"\xfd7zXZ": "it is packed by xz; its name must end in .xz",
    b"\x28\xb5\x2f\xfd": "it is packed by zstd; unpack it first",
    b"7z\xbc\xaf": "it is packed by 7-Zip; unpack it first",
    b"SQLite format 3": "it is an SQLite database; export the annotations as JSON lines",
    b"\x93NUMPY": "it is an array of NumPy; save the data as JSON lines",
    b"\x89HDF": "it is HDF5; save the data as JSON lines",
    b"\x7fELF": "it is a program",
    b"MZ\x90": "it is a program",
} | {b"\x80" + bytes([version]): _PICKLE for version in range(2, 6)}
_NO_TEXT = "it is no text, and none of the formats that are none: a .spacy file, Parquet or Arrow, a zip with XMI"
_NO_DOCUMENTS = {
    "typeSystemDescription": "a type system of UIMA without a document; give the .xmi file beside it",
    "TEI.2": "which is TEI P4; convert it to P5, which is read as tei",
}
"""What files with these root elements are instead of documents, and what to do."""


def _is_wide(raw: bytes) -> bool:
    """Tell whether every second byte is zero, as in UTF-16 without a byte-order mark."""
    return any(2 * raw[first::2].count(0) > len(raw[first::2]) and 0 not in raw[1 - first :: 2] for first in (0, 1))


def is_markup(head: str) -> bool:
    """Tell whether a file begins like XML, HTML or JSON, so that an extension of another format does not count."""
    return bool(root_of(head).name) or head.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype") or _is_json(head)


def _is_json(head: str) -> bool:
    """Tell whether a file begins like JSON: with a brace or a bracket, and a valid continuation."""
    return re.match(r"[\ufeff\s]*(\{\s*[\"}]|\[\s*[\[{\]\"\d])", head) is not None


def appearance(raw: bytes, head: str) -> str:
    """Return what a file looks like, as the middle of a sentence.

    >>> appearance(b"", '{"text": "Bern", "tags": []}'), appearance(b"", "<html><body>")
    ("its first object has the keys 'text', 'tags'", 'it is a web page (HTML)')
    >>> appearance(b"", "id;text;label")
    "its first line has the columns 'id', 'text', 'label', separated by semicolons"
    """
    if raw.startswith(_ARCHIVE):
        return _archive(raw)
    for first_bytes, words in _BINARY.items():
        if raw.startswith(first_bytes):
            return words
    if b"\0" in raw[:1024]:
        return IS_UTF16 if _is_wide(raw[:1024]) else _NO_TEXT
    root = root_of(head).name
    if root.lower() == "html" or head.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype html"):
        return "it is a web page (HTML)"
    if root:
        return f"its root element is {shown(root)}"
    if _is_json(head):
        keys = list(first_object(head))
        return f"its first object has the keys {_some(keys)}" if keys else "it is JSON without an object that has keys"
    line, separator, cells = _first_line(head)
    if len(cells) > 1:
        return f"its first line has the columns {_some(cells)}, separated by {_SEPARATORS[separator]}"
    return f"its first line is {shown(line)}"


def _archive(raw: bytes) -> str:
    """Return the description of a ZIP archive with the name of its first member, which follows a header of 30 bytes.

    >>> _archive(_ARCHIVE + bytes(22) + bytes([9, 0, 0, 0]) + b"ada.jsonl")
    "it is a ZIP archive with 'ada.jsonl'; unpack it, and name the file in it that is meant"
    """
    name = raw[30 : 30 + int.from_bytes(raw[26:28], "little")].decode("utf-8", "replace")
    if name.startswith(_ZIPPED_OFFICE):
        return _OFFICE
    within = f" with {shown(name)}" if name else ""
    return f"it is a ZIP archive{within}; unpack it, and name the file in it that is meant"


def advice(raw: bytes, head: str, ending: str) -> str:
    """Return what a file looks like and what to do: the similar formats, or how to name a format."""
    looks = appearance(raw, head)
    if raw.startswith(_ARCHIVE) or looks in (*_BINARY.values(), IS_UTF16, _NO_TEXT):
        return looks
    if "web page" in looks:
        return f"{looks}, perhaps the error message of a server; download the data themselves"
    if f"separated by {_SEPARATORS[';']}" in looks:
        looks += ", where tables have commas or tabs"
    is_table = not is_markup(head)
    if (root := root_of(head).name) in _NO_DOCUMENTS:
        return f"{looks}, {_NO_DOCUMENTS[root]}"
    if looks.startswith("its first line is '#FORMAT=WebAnno TSV"):
        return f"{looks}; of WebAnno TSV the version 3 is read: export that"
    near = list(_near(head))
    if near:
        listed = " or ".join(f"{declared.name} ({', '.join(names)})" for declared, names in near)
        return f"{looks}; it looks like {listed}: see karat formats {near[0][0].name}, or name it with --from"
    if is_table and (exported := list(_near(head, in_json=True))):
        declared, names = exported[0]
        what = f"it looks like a table of {declared.name} ({', '.join(names)})"
        return f"{looks}; {what}, which is read from JSON: export that"
    owner = next((declared for declared in formats().values() if is_table and ending in declared.suffixes), None)
    if owner is not None:
        expected = owner.known_by.replace("`", "'")
        looks += f"; files {ending} are read as {owner.name} if they have {expected}"
    return f"{looks}; name the format with --from (karat formats lists them by kind)"


def _names(head: str) -> Iterator[str]:
    """Yield the names in a file: keys of its first object and of nested ones, its root element, or its columns."""
    if root := root_of(head).name:
        yield from (root, root.partition(".")[0])
    elif _is_json(head):
        yield from _keys(first_object(head))
    else:
        yield from _first_line(head)[2]


def _keys(value: dict[str, Any]) -> Iterator[str]:
    for key, inner in value.items():
        yield key
        for item in ([inner] if isinstance(inner, dict) else objects(inner))[:1]:
            yield from item


def _near(head: str, *, in_json: bool = False) -> Iterator[tuple[Format, list[str]]]:
    """Yield the two formats that share most names (one letter may differ), with the shared names.

    They are those that a file with this beginning may be of, or the formats of tools that are read from JSON.
    """
    names, is_root = set(_names(head)), bool(root_of(head).name)
    likely, _, unlikely = likely_formats(head, near=True)
    ranked = []
    for declared in map(format_named, _EXPORTED_AS_TABLES) if in_json else (*likely, *unlikely):
        wanted = dict.fromkeys(_NAME.findall(declared.known_by))
        agreeing = [name for name in wanted if _is_there(name, names)]
        telling = [name for name in agreeing if name not in _EVERYWHERE]
        if telling and (is_root or len(agreeing) > 1):
            ranked.append((-len(telling), -len(agreeing) / len(wanted), declared.name, declared, agreeing))
    for *_, declared, agreeing in sorted(ranked, key=lambda entry: entry[:3])[:2]:
        yield declared, agreeing


def _is_there(name: str, names: Iterable[str]) -> bool:
    return name in names or (len(name) > 4 and bool(difflib.get_close_matches(name, names, n=1, cutoff=0.8)))


def _first_line(head: str) -> tuple[str, str, list[str]]:
    """Return the first non-blank line, its separator and its cells, if these are names of columns."""
    line = next((line for line in head.removeprefix("\ufeff").split("\n") if line.strip()), "").rstrip("\r")[:10_000]
    separator = max(_SEPARATORS, key=line.count)
    cells = [cell.strip(' "') for cell in line.split(separator)] if separator in line else []
    return line, separator, cells if all(len(cell) <= 40 and cell.count(" ") < 3 for cell in cells) else []


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(map(shown, names[:_MOST_NAMES])) + more
