"""The dimensions of a sample: whatever can be repeated, made longer or put into itself in a file of its kind."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.grammar.nodes import places
from tests.fuzz.grammar.rows import separator_of

Grown = Callable[[int], bytes]
"""Makes the content of a file in which something is there so many times."""

_NAME = re.compile(r"(?<![\w/])([A-Za-z_]{1,3})(\d{1,6})(?!\w)")
_SHAPE = re.compile(r"\w+")
_ELEMENT = re.compile(r"<(\w+)\b[^>]*?(?:/>|>.*?</\1>)", re.DOTALL)


def renamed(text: str, number: int) -> str:
    """Return a piece of a sample with other names: T1 becomes T1007; the first copy keeps its own."""
    return _NAME.sub(lambda found: f"{found[1]}{int(found[2]) + 1000 * number}", text) if number else text


def dimensions(content: bytes) -> Iterator[tuple[str, Grown]]:
    """Yield the dimensions of a file by name."""
    text = content.decode("utf-8", "replace")
    head = text.lstrip()[:1]
    if head and head in "{[":
        yield from _of_json(text)
    elif head == "<" and "</" in text:
        yield from _of_xml(text)
    else:
        yield from _of_lines(text)


def _copies(piece: str, number: int, mark: str, *, new: bool) -> str:
    return mark.join(renamed(piece, place) if new else piece for place in range(number))


def _of_lines(text: str) -> Iterator[tuple[str, Grown]]:
    lines = text.split("\n")
    seen: set[str] = set()
    for place, line in enumerate(lines):
        shape = _SHAPE.sub("x", line)
        if not line or shape in seen:
            continue
        seen.add(shape)
        for new in (False, True):
            yield (
                f"line {place + 1} {'renamed' if new else 'repeated'}",
                lambda number, place=place, new=new: "\n".join(
                    [*lines[:place], _copies(lines[place], number, "\n", new=new), *lines[place + 1 :]]
                ).encode(),
            )
    yield "all lines", lambda number: _copies(text.rstrip("\n") + "\n", number, "", new=True).encode()
    yield from _of_cells(lines, separator_of(text))


def _of_cells(lines: list[str], mark: str) -> Iterator[tuple[str, Grown]]:
    """Yield the cells of the line that has most of them, each repeated inside and beside itself, and all columns."""
    place = max(range(len(lines)), key=lambda place: (lines[place].count(mark), place))
    cells = lines[place].split(mark)

    def with_cells(changed: list[str]) -> bytes:
        return "\n".join([*lines[:place], mark.join(changed), *lines[place + 1 :]]).encode()

    for column, cell in enumerate(cells):
        if cell:
            yield (
                f"cell {column + 1} longer",
                lambda number, column=column, cell=cell: with_cells(
                    [*cells[:column], cell * number, *cells[column + 1 :]]
                ),
            )
            yield (
                f"cell {column + 1} listed",
                lambda number, column=column, cell=cell: with_cells(
                    [*cells[:column], _copies(cell, number, "|", new=True), *cells[column + 1 :]]
                ),
            )
    yield (
        "columns",
        lambda number: "\n".join(mark.join([line] + [line.split(mark)[-1]] * number) for line in lines).encode(),
    )


def _of_json(text: str) -> Iterator[tuple[str, Grown]]:
    try:
        roots, lines = [json.loads(text)], False
    except ValueError:
        roots, lines = [json.loads(line) for line in text.split("\n") if line.strip()], True
    for index, (holder, key) in enumerate(list(places(roots))):
        kind = {list: ("repeated", "renamed", "nested"), dict: ("keys",), str: ("longer",)}.get(type(holder[key]), ())
        name = key if isinstance(key, str) else f"item {key + 1}"
        for way in kind:
            if holder[key] or way == "nested":
                yield (
                    f"{name} {way} ({index})",
                    lambda number, index=index, way=way: _json(roots, lines, index, way, number),
                )
    yield (
        "all lines",
        lambda number: "\n".join(
            renamed(json.dumps(roots[place % len(roots)]), place) for place in range(number)
        ).encode(),
    )


def _json(roots: list[Any], lines: bool, index: int, way: str, number: int) -> bytes:
    """Return the values with one of their nodes grown."""
    changed = copy.deepcopy(roots)
    holder, key = list(places(changed))[index]
    node = holder[key]
    if way == "longer":
        holder[key] = f"{node} " * number
    elif way == "keys":
        holder[key] = {**node, **{f"{name}{place}": node[name] for place in range(number) for name in list(node)[:1]}}
    elif way == "nested":
        for _ in range(number):
            node = [node]
        holder[key] = node
    else:
        written = [json.dumps(item) for item in node]
        copies = (renamed(item, place) if way == "renamed" else item for place in range(number) for item in written)
        holder[key] = [json.loads(item) for item in copies]
    if len(changed) == 1 and not lines:
        return json.dumps(changed[0]).encode()
    return "\n".join(map(json.dumps, changed)).encode()


def _of_xml(text: str) -> Iterator[tuple[str, Grown]]:
    seen: set[str] = set()
    waiting = list(_ELEMENT.finditer(text))
    while waiting:
        found = waiting.pop()
        start, end = found.span()
        name, piece = found[1], found[0]
        inside = text.find(">", start) + 1
        waiting += [inner for inner in _ELEMENT.finditer(text, inside, end) if inner.start() >= inside]
        if name in seen:
            continue
        seen.add(name)
        for new in (False, True):
            yield (
                f"{name} {'renamed' if new else 'repeated'}",
                lambda number, start=start, end=end, piece=piece, new=new: (
                    text[:start] + _copies(piece, number, "", new=new) + text[end:]
                ).encode(),
            )
        yield (
            f"{name} nested",
            lambda number, start=start, end=end, piece=piece: (
                f"{text[:start]}{'<x>' * number}{piece}{'</x>' * number}{text[end:]}".encode()
            ),
        )
        yield (
            f"{name} longer",
            lambda number, end=end, name=name: (
                text[:end].replace(f"</{name}>", "x y " * number + f"</{name}>") + text[end:]
            ).encode(),
        )
