"""UIMA CAS as JSON (version 0.4), as INCEpTION and dkpro-cassis write it: structures by id, in an array or an object.

The names of features that are references begin with ``@``. Several structures are referenced through an array, which is
a structure itself; arrays of texts and numbers are structures, too, but are read as values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.cas import INITIAL, Cas, CasOptions, Structure
from karat.formats.parts.heads import first_object
from karat.formats.parts.json_items import JsonItem, documents_of, text_of
from karat.model import Document

_STRUCTURES, _VIEWS = "%FEATURE_STRUCTURES", "%VIEWS"
_ELEMENTS, _TYPE, _ID = "%ELEMENTS", "%TYPE", "%ID"
_REFERENCE, _OTHERS = "@", "%^"
_VALUES = re.compile(r"uima\.cas\.(?!FS)\w+Array")
"""The types of arrays of values."""

Structures = list[dict[str, Any]] | dict[str, dict[str, Any]]


class _File(msgspec.Struct, rename={"structures": _STRUCTURES, "views": _VIEWS}):
    structures: Structures = []
    views: dict[str, Any] = {}


def read(path: str, *, problems: Problems, want: Want, options: CasOptions) -> Iterator[Document]:
    """Yield the document of a file."""
    del want

    def build(item: JsonItem) -> Iterator[Document]:
        file = item.read(_File)
        if not file.structures and INITIAL in file.views:
            yield Document(item.stem)
            return
        yield Cas(_structures(file.structures), path, problems, options.view).document(item.stem)

    return documents_of(path, problems, build)


def _structures(given: Structures) -> Iterator[Structure]:
    """Yield the structures in file order, with references to arrays replaced by those to their elements."""
    by_id = given if isinstance(given, dict) else {text_of(values.get(_ID)): values for values in given}
    named = given.items() if isinstance(given, dict) else ((text_of(values.get(_ID)), values) for values in given)
    for name, values in named:
        features: dict[str, str] = {}
        references = []
        for key, value in values.items():
            array = by_id.get(text_of(value), {}) if key.startswith(_REFERENCE) else {}
            if _VALUES.fullmatch(text_of(array.get(_TYPE, ""))):
                features[key[1:]] = text_of(array.get(_ELEMENTS, []))
            elif key.startswith(_REFERENCE):
                references.append(key[1:])
                features[key[1:]] = _ids(value, array)
            elif not key.startswith(tuple(_OTHERS)) and value is not None:
                features[key.removeprefix("#")] = text_of(value)
        texts = frozenset(key for key, value in values.items() if isinstance(value, str))
        yield Structure(name, text_of(values.get(_TYPE, "")), features, tuple(references), texts)


def _ids(reference: Any, array: dict[str, Any]) -> str:
    """Return the ids for a reference: those of the elements of an array, separated by blanks, or else its own."""
    name = text_of(reference)
    elements = array.get(_ELEMENTS)
    if elements is None:
        return name
    if not isinstance(elements, list):
        raise InputError(f"the array {name} has {_ELEMENTS} that are not a list")
    return " ".join(map(text_of, elements))


def sniff(head: str) -> bool:
    """Tell whether the first object has views, with or without structures.

    >>> sniff('{"%TYPES": {}, "%VIEWS": {}}'), sniff('{"views": {}}')
    (True, False)
    """
    first = first_object(head)
    return _VIEWS in first or _STRUCTURES in first


FORMAT = Format(
    name="casjson",
    title="UIMA CAS as JSON, as INCEpTION exports it",
    known_by="`%FEATURE_STRUCTURES`, `%TYPES` or `%VIEWS`",
    read=read,
    sniff=sniff,
    options=CasOptions,
    layers="mentions in layers, links, relations, events, chains, attributes",
)
