"""The items of a JSON file: one object per line, the elements of an array, or one object over many lines.

Lines are tried first. Only the current item is decoded; a value over many lines is held as bytes. Items may be wrapped,
in an object with a list of them, such as the documents of a collection.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.parts.assembly import Fresh
from karat.formats.parts.unread_names import Unread
from karat.io import open_bytes, read_bytes
from karat.io.archives import bare_name
from karat.io.held import Held
from karat.model import Document

MAX_BYTES = 1 << 30
"""Bytes of one JSON value, such as the array of a whole corpus; beyond it a file is refused."""

_BLOCK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_ARRAY, _OBJECT = re.compile(rb"\s*\["), re.compile(rb"\s*\{")
"""How arrays and objects begin."""
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}

T = TypeVar("T")


class JsonItem(NamedTuple):
    """An item of a file: its content and location. An element of an array has a number instead of a line.

    ``wrapper`` is the key under which a wrapped item stands.
    """

    path: str
    line: int | None
    number: int
    value: Any
    problems: Problems
    wrapper: str = ""

    def read(self, shape: type[T]) -> T:
        """Return the item converted to a struct, or raise an error that says what was expected and where."""
        return read_as(self.value, shape)

    def named(self, given: str | int | None) -> str:
        """Return the given id of a document, or else the number of the item."""
        return str(self.number if given is None else given)

    def has(self, key: str) -> bool:
        """Tell whether the item is an object with that key."""
        return isinstance(self.value, dict) and key in self.value

    @property
    def stem(self) -> str:
        """The name of a document without an id: that of its file, or its number if that is not a file."""
        return str(self.number) if isinstance(self.path, Held) else bare_name(self.path)[0]

    def repair(self, message: str) -> None:
        """Report that something was read differently from how it is written."""
        self.problems.repair(self.path, self.line, self.placed(message))

    def drop(self, what: str, message: str, times: int = 1) -> None:
        """Report that something is not read, which is noted beside scores."""
        self.problems.drop(self.path, self.line, what, self.placed(message), times)

    def error(self, message: str) -> None:
        """Report an error; returns only if errors are collected."""
        self.problems.error(self.path, self.line, self.placed(message))

    def placed(self, message: str) -> str:
        """Return the message, with the number of the item if it has no line."""
        return message if self.line is not None else f"item {self.number}: {message}"


def json_items(path: str, problems: Problems, wrappers: Sequence[str] = ()) -> Iterator[JsonItem]:
    """Yield the items of a file; invalid JSON is an error.

    ``wrappers`` are keys of objects whose elements are the items.
    """
    lines = enumerate(_lines(path), start=1)
    has_lines, item_numbers = False, count(1)
    for line_number, line in lines:
        content = line.removeprefix(_BOM) if line_number == 1 else line
        if not content or content.isspace():
            continue
        try:
            opened = _opened(content, wrappers) if has_lines or _OBJECT.match(content) else None
        except InputError as error:
            if has_lines:
                problems.error(path, line_number, f"{error.message}; expected one JSON value a line")
                continue
            opened = None
        if opened is None:
            rest = b"\n".join([content, *(line for _, line in lines)])
            yield from _elements(path, rest, line_number, problems, wrappers)
            return
        has_lines = True
        values, wrapper = opened
        try:
            for value in values:
                yield JsonItem(path, line_number, next(item_numbers), value, problems, wrapper)
        except InputError as error:
            problems.error(path, line_number, error.message)


def _opened(content: bytes | msgspec.Raw, wrappers: Sequence[str]) -> tuple[Iterable[Any], str]:
    """Return the value of some JSON, or the lazily decoded elements below a wrapper key, and that key."""
    if not wrappers or not _OBJECT.match(content):
        return [decode(content)], ""
    members = _decoded(content, dict[str, msgspec.Raw])
    wrapper = next((key for key in wrappers if key in members), "")
    if not wrapper:
        return [{key: decode(member) for key, member in members.items()}], ""
    wrapped = members[wrapper]
    if not _ARRAY.match(wrapped):
        return read_as(decode(wrapped), list[Any]), wrapper
    return map(decode, _decoded(wrapped, list[msgspec.Raw])), wrapper


def _lines(path: str) -> Iterator[bytes]:
    """Yield the lines of a file without their ends."""
    parts: list[bytes] = []
    size = 0
    with open_bytes(path) as stream:
        while block := read_bytes(stream, _BLOCK, path):
            first, *later_lines = block.split(b"\n")
            parts.append(first)
            size += len(first)
            if size > MAX_BYTES:
                raise InputError(f"a line is longer than {MAX_BYTES:,} bytes; split the file", path=path)
            if later_lines:
                yield b"".join(parts)
                yield from later_lines[:-1]
                parts, size = [later_lines[-1]], len(later_lines[-1])
    yield b"".join(parts)


def _elements(
    path: str, content: bytes, first_line: int, problems: Problems, wrappers: Sequence[str]
) -> Iterator[JsonItem]:
    """Yield the elements of an array, or the one object, that a file holds from a line on."""
    if len(content) > MAX_BYTES:
        raise InputError(f"the file is longer than {MAX_BYTES:,} bytes; split it, or write an item a line", path=path)
    is_array = _ARRAY.match(content) is not None
    try:
        parts = _decoded(content, list[msgspec.Raw]) if is_array else [msgspec.Raw(content)]
        line, item_numbers = None if is_array else first_line, count(1)
        for part in parts:
            values, wrapper = _opened(part, wrappers)
            for value in values:
                yield JsonItem(path, line, next(item_numbers), value, problems, wrapper)
    except InputError as error:
        byte = re.search(r"\(byte (\d+)\)", error.message)
        line = first_line + content[: int(byte[1])].count(b"\n") if byte else None
        problems.error(path, line, error.message)


def decode(content: bytes | msgspec.Raw) -> Any:
    """Return the value of some JSON; an error has no location yet."""
    return _decoded(content, Any)


def _decoded(content: bytes | msgspec.Raw, shape: Any) -> Any:
    try:
        return msgspec.json.decode(content, type=shape)
    except msgspec.DecodeError as error:
        raise InputError(f"not JSON: {error}") from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise InputError(f"byte 0x{error.object[error.start]:02x} is not UTF-8; convert the file to UTF-8") from error


def read_as(value: Any, shape: type[T]) -> T:
    """Return a value converted to a struct, or raise an error that says what was expected and where."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        place = f" at {where.strip('`')}" if where else ""
        raise InputError(f"{what[:1].lower()}{what[1:]}{place}") from error


def kind(value: Any) -> str:
    """Return a phrase for the type of a JSON value."""
    return _KINDS.get(type(value), "a number")


def text_of(value: Any) -> str:
    """Return a value as the text of an attribute: a text unchanged, anything else as JSON.

    >>> text_of("a"), text_of(["a", True]), text_of(0.5)
    ('a', '["a", true]', '0.5')
    """
    if isinstance(value, str):
        return value
    import json

    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError as error:  # a whole number of thousands of digits
        raise InputError("a number has too many digits to be kept") from error


def texts_of(values: Mapping[str, Any], besides: Iterable[str] = ()) -> dict[str, str]:
    """Return the fields of an object except some keys as attributes or metadata; null is left out.

    >>> texts_of({"id": 1, "source": "wiki", "note": None, "sure": True}, ["id"])
    {'source': 'wiki', 'sure': 'true'}
    """
    known = set(besides)
    return {key: text_of(value) for key, value in values.items() if key not in known and value is not None}


@cache
def fields_of(*shapes: type[msgspec.Struct]) -> frozenset[str]:
    """Return the keys that structs read."""
    return frozenset(name for shape in shapes for name in shape.__struct_encode_fields__)


def _built(item: JsonItem, build: Callable[[JsonItem], Iterable[Document]]) -> Iterator[Document]:
    """Yield the documents of an item up to the first fault."""
    try:
        yield from build(item)
    except InputError as error:
        item.error(error.message)


def documents_of(
    path: str,
    problems: Problems,
    build: Callable[[JsonItem], Iterable[Document]],
    unread: Unread | None = None,
    *,
    wrappers: Sequence[str] = (),
    repeated: str = "",
    advice: str = "remove one",
) -> Iterator[Document]:
    """Yield the documents that are built from each item; a faulty item or a repeated id is an error.

    Args:
        path: the file.
        problems: collects what is wrong.
        build: yields the documents of an item.
        unread: counts the keys that nobody reads.
        wrappers: keys of objects that wrap the items.
        repeated: what the file calls an id that may be repeated; the second document with it is then ``ID#2``.
        advice: what to do about two documents with the same id.

    """
    places: dict[str, str] = {}
    fresh = Fresh()
    for item in json_items(path, problems, wrappers):
        place = f"item {item.number}" if item.line is None else f"on line {item.line}"
        for document in _built(item, build):
            if repeated and (name := fresh.name(document.id)) != document.id:
                item.repair(f"{repeated} {document.id} is there twice; the second is called {name}")
                document.id = name
            if document.id in places:
                item.error(f"document {shown(document.id)} is there twice, first {places[document.id]}; {advice}")
                continue
            places[document.id] = place
            document.source = path
            yield document
    if unread is not None:
        unread.report(path, problems)
