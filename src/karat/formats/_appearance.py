"""What a file that no format knows looks like, in words, and which formats are near: those with the same names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from karat.annotations.faults import shown
from karat.formats._json_head import first_object, objects
from karat.formats._xml_head import root_of
from karat.formats.base import Format
from karat.formats.catalogue import circles, formats

_NAME = re.compile(r"`([^`]+)`")
_EVERYWHERE = frozenset(("id", "text", "type", "name", "tokens", "start", "end", "FORM", "ID"))
"""Names that are in so many files that one of them alone says nothing."""
_MOST_NAMES = 8
_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}
_BINARY = {
    b"PK": "it is an archive or an office document; unpack it, or save the sheet as CSV",
    b"%PDF": "it is a PDF; the annotations stand in another file",
    b"\x1f\x8b": "it is packed by gzip; its name must end in .gz",
    b"\x80\x04": "it is a Python pickle, which is never read; save the data as JSON lines",
}
_NO_DOCUMENTS = {
    "typeSystemDescription": "a type system of UIMA without a document; give the .xmi file beside it",
    "TEI.2": "which is TEI P4; convert it to P5, which is read as tei",
}
"""What files with these root elements are instead of documents, and what to do."""


def is_markup(head: str) -> bool:
    """Say whether a file begins like XML, HTML or JSON, so that an ending of something else means nothing."""
    return bool(root_of(head).name) or head.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype") or _is_json(head)


def _is_json(head: str) -> bool:
    """Say whether a file begins like JSON: with a brace or a bracket, and what may follow it."""
    return re.match(r"[\ufeff\s]*(\{\s*[\"}]|\[\s*[\[{\]\"\d])", head) is not None


def appearance(raw: bytes, head: str) -> str:
    """Return what a file looks like, in words.

    >>> appearance(b"", '{"text": "Bern", "tags": []}'), appearance(b"", "<html><body>")
    ("its first object has the keys 'text', 'tags'", 'it is a web page (HTML)')
    >>> appearance(b"", "id;text;label")
    "its first line has the columns 'id', 'text', 'label', separated by semicolons"
    """
    for first_bytes, words in _BINARY.items():
        if raw.startswith(first_bytes):
            return words
    if b"\0" in raw[:1024]:
        return "it is no text"
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


def advice(raw: bytes, head: str, ending: str) -> str:
    """Return what a file looks like, and what to do about it: which formats are near, or how to name one."""
    looks = appearance(raw, head)
    if looks in _BINARY.values():
        return looks
    if "web page" in looks:
        return f"{looks}, perhaps the error message of a server; download the data themselves"
    if f"separated by {_SEPARATORS[';']}" in looks:
        looks += ", where tables have commas or tabs"
    is_table = not is_markup(head)
    if (root := root_of(head).name) in _NO_DOCUMENTS:
        return f"{looks}, {_NO_DOCUMENTS[root]}"
    near = list(_near(head))
    if near:
        listed = " or ".join(f"{declared.name} ({', '.join(names)})" for declared, names in near)
        return f"{looks}; it looks like {listed}: see karat formats {near[0][0].name}, or name it with --from"
    owner = next((declared for declared in formats().values() if is_table and ending in declared.suffixes), None)
    if owner is not None:
        expected = owner.known_by.replace("`", "'")
        looks += f"; files {ending} are read as {owner.name} if they have {expected}"
    return f"{looks}; name the format with --from (karat formats lists them by kind)"


def _names(head: str) -> Iterator[str]:
    """Yield the names in a file: keys of its first object and of those in it, its root element, or its columns."""
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


def _near(head: str) -> Iterator[tuple[Format, list[str]]]:
    """Yield the two formats with most of the names, one letter more or less, each with the names that agree."""
    names, is_root = set(_names(head)), bool(root_of(head).name)
    likely, _, others = circles(head, near=True)
    ranked = []
    for declared in (*likely, *others):
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
    """Return the first line that is not blank, what separates its cells, and these, if they are names of columns."""
    line = next((line for line in head.removeprefix("\ufeff").split("\n") if line.strip()), "").rstrip("\r")[:10_000]
    separator = max(_SEPARATORS, key=line.count)
    cells = [cell.strip(' "') for cell in line.split(separator)] if separator in line else []
    return line, separator, cells if all(len(cell) <= 40 and cell.count(" ") < 3 for cell in cells) else []


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(map(shown, names[:_MOST_NAMES])) + more
