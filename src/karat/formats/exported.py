"""Python dictionaries in the shape of a tool's export, read like the JSON lines file with the same content.

Recognition, reader, options, notes and errors are those of the file; messages have item numbers instead of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.recognition import claimed
from karat.io.held import Held
from karat.model import Document

_MOST_SEEN = 20
"""Items, elements of their lists, and characters of their texts that are looked at for the format."""
_MOST_DEEP = 8
_OWN = frozenset(("jsonl", "plain"))
"""Formats whose dictionaries are read as they are, among other objects."""


def format_of(objects: Any) -> str | None:
    """Return the format whose export the objects are, or None; raises an error if two formats recognise them.

    >>> format_of([{"text": "Bern", "label": [(0, 4, "LOC")]}]), format_of([["B-LOC"]])
    ('doccano', None)
    """
    items = [objects] if isinstance(objects, Mapping) else objects
    if not isinstance(items, list | tuple) or not items or not all(isinstance(item, Mapping) for item in items):
        return None
    seen = [_glimpse(item, _MOST_DEEP) for item in islice(items, _MOST_SEEN)]
    known = claimed(Held("objects", _lines(seen)))
    names = [declared.name for declared in known if declared.name not in _OWN]
    if len(known) > 1:
        raise InputError(f"the documents may be of the formats {' and '.join(names)}; name the right one with --from")
    return names[0] if names else None


def _glimpse(value: Any, depth: int) -> Any:
    """Return the beginning of a value: the first elements of each list, without anything that JSON cannot hold."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Mapping):
        return {str(key): _glimpse(part, depth - 1) for key, part in value.items()} if depth else {}
    if isinstance(value, list | tuple):
        return [_glimpse(part, depth - 1) for part in value[:_MOST_SEEN]] if depth else []
    if isinstance(value, str):
        return value[:_MOST_SEEN].encode(errors="replace").decode()
    return value if isinstance(value, int | float) else None


def read_exported(
    objects: Any, declared: Format, *, name: str, problems: Problems, want: Want, options: Any
) -> Iterator[Document]:
    """Yield the documents that a format's reader makes of the objects; messages show ``name`` as their path."""
    items = [objects] if isinstance(objects, Mapping) else list(objects)
    try:
        held = Held(name, _lines(items))
        yield from declared.read(held, problems=problems, want=want, options=options)
    except InputError as error:
        if error.path not in (None, name):
            raise
        message = re.sub(r"on line (\d+)", r"item \1", error.message)
        raise InputError(message if error.line is None else f"item {error.line}: {message}", path=name) from None


def _lines(items: Sequence[Any]) -> bytes:
    """Return a line of JSON for each item; if they are not dictionaries, one line with an array of them."""
    lines = [_encoded(item, position) for position, item in enumerate(items, 1)]
    are_documents = all(isinstance(item, Mapping) for item in items)
    return b"\n".join(lines) if are_documents else b"[" + b",".join(lines) + b"]"


def _encoded(item: Any, position: int) -> bytes:
    try:
        return msgspec.json.encode(item, enc_hook=_plain)
    except UnicodeEncodeError:
        what = "half a surrogate pair"
    except TypeError as error:
        what = str(error)
    except RecursionError:
        what = "too many levels"
    raise InputError(f"item {position} has {what}, which JSON cannot hold")


def _plain(value: Any) -> Any:
    """Return the Python list or number for a NumPy array, column or number."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"an object of the type {type(value).__name__}")
