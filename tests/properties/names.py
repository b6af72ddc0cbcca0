"""Files in which a name is removed, renamed or misspelt: a key, an element, an attribute, a column, a line."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import msgspec

_HEADER = re.compile(r"\A\ufeff?(?:TOKEN\t.*|#.*global\.\w+ = .*|[\w,]+(?:,\w+)+$|#FORMAT.*(?:\n#T_.*)*)", re.M)
"""The line that names columns, where a file has one."""
_PREFIXED = re.compile(r"(?<![\w<\"])[a-z]\w*:([A-Za-z]\w+)")
"""A name in Turtle."""


class Change(NamedTuple):
    """What was done to a file, and what it holds then."""

    what: str
    content: bytes


def changes(content: bytes) -> Iterator[Change]:
    """Yield what a file becomes if a name in it is removed or misspelt, everywhere or in one place."""
    if content.startswith(b"PAR1") or content[:4] == b"\xff\xff\xff\xff":
        yield from _of_arrow(content)
    elif content[:1] == b"\x78":
        yield from _of_docbin(content)
    else:
        text = content.decode()
        for what, changed in _of_text(text):
            if changed != text:
                yield Change(what, changed.encode())


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    head = text.lstrip("\ufeff \n")
    if head.startswith(("{", "[")) and not head.startswith("[["):
        return _of_json(text)
    if head.startswith("<"):
        return _of_xml(text)
    if head.startswith("@prefix"):
        return _of_turtle(text)
    header = _HEADER.search(text)
    return _of_header(text, header) if header else _of_columns(text)


def misspelt(name: str, number: int) -> str:
    """Return a name without its last letter, with one more, with two letters exchanged, or in other capitals."""
    ways = (name[:-1], f"{name}x", name[:-2] + name[:-3:-1], name.swapcase() if len(name) < 20 else f"x{name}")
    return next(way for way in (*ways[number % 4 :], *ways) if way != name)


def _everywhere_and_once(
    text: str, pattern: str, names: Iterator[str] | list[str], written: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield a text with each name misspelt everywhere, and in its last place."""
    for number, name in enumerate(sorted(set(names))):
        places = list(re.finditer(pattern.replace("NAME", re.escape(name)), text))
        if places:
            other = misspelt(name, number)
            yield f"{name} is {other}", re.sub(pattern.replace("NAME", re.escape(name)), written(other), text)
            last = places[-1]
            other = misspelt(name, number + 1)
            yield f"the last {name} is {other}", text[: last.start()] + last.expand(written(other)) + text[last.end() :]


def _of_json(text: str) -> Iterator[tuple[str, str]]:
    keys = re.findall(r'"([A-Za-z_%@][\w%@-]*)"\s*:', text)
    for key in sorted(set(keys)):
        yield f"without {key}", without(text, key, every=True)
        yield f"once without {key}", without(text, key, every=False)
    yield from _everywhere_and_once(text, r'"NAME"(?=\s*:)', keys, json.dumps)


def without(text: str, key: str, *, every: bool) -> str:
    """Return JSON, or lines of it, without a key, everywhere or where it stands first."""
    left = count()

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cut(inner) for name, inner in value.items() if name != key or (not every and next(left))}
        return [cut(item) for item in value] if isinstance(value, list) else value

    try:
        return json.dumps(cut(json.loads(text)))
    except json.JSONDecodeError:
        return "".join(f"{json.dumps(cut(json.loads(line)))}\n" for line in text.splitlines() if line.strip())


def _of_xml(text: str) -> Iterator[tuple[str, str]]:
    elements = re.findall(r"<([A-Za-z][\w.:-]*)", text)
    yield from (
        (what, changed)
        for what, changed in _everywhere_and_once(
            text, r"(</?)NAME(?=[\s/>])", elements, lambda other: rf"\g<1>{other}"
        )
        if not what.startswith("the last")
    )
    for number, name in enumerate(sorted(set(elements))):
        if alone := re.search(rf"<{re.escape(name)}(?=[\s/>])[^<>]*(?:/>|>[^<]*</{re.escape(name)}>)", text):
            other = misspelt(name, number + 1)
            changed = re.sub(rf"(?<=[</]){re.escape(name)}(?=[\s/>])", other, alone[0])
            yield f"one <{name}> is <{other}>", text[: alone.start()] + changed + text[alone.end() :]
    attributes = set(re.findall(r"\s([A-Za-z][\w.:-]*)=\"", text)) - {"version", "encoding"}
    for name in sorted(attributes):
        pattern = rf'\s{re.escape(name)}="[^"]*"'
        yield f"without {name}=", re.sub(pattern, "", text)
        yield f"once without {name}=", re.sub(pattern, "", text, count=1)
    yield from _everywhere_and_once(text, r'(\s)NAME(?==")', list(attributes), lambda other: rf"\g<1>{other}")


def _of_turtle(text: str) -> Iterator[tuple[str, str]]:
    names = _PREFIXED.findall(text)
    yield from _everywhere_and_once(text, r"(?<=[a-z]:)NAME(?!\w)", names, str)


def _of_header(text: str, header: re.Match[str]) -> Iterator[tuple[str, str]]:
    names = re.findall(r"[A-Za-z][\w:.-]+", header[0])
    for what, changed in _everywhere_and_once(header[0], r"(?<![\w-])NAME(?![\w-])", names, str):
        yield what, text[: header.start()] + changed + text[header.end() :]


def _of_columns(text: str) -> Iterator[tuple[str, str]]:
    """Yield a table without names: without each of its columns, in all lines or in one, and without a line."""
    lines = text.split("\n")
    separator = "\t" if "\t" in text else " "
    wide = [number for number, line in enumerate(lines) if separator in line.strip() and not line.startswith("#")]
    cells = [line.split(separator) for line in lines]
    for column in range(max((len(cells[number]) for number in wide), default=0)):
        for some, where in ((wide, "all lines"), (wide[:1], "one line")):
            cut = {number: cells[number][:column] + cells[number][column + 1 :] for number in some}
            changed = [separator.join(cut.get(number, row)) for number, row in enumerate(cells)]
            yield f"without column {column + 1} in {where}", "\n".join(changed)
    if not wide:
        yield "without the first line", "\n".join(lines[1:])
        yield "with an empty line", "\n".join(["", *lines[1:]])


def _of_docbin(content: bytes) -> Iterator[Change]:
    parts = msgspec.msgpack.decode(zlib.decompress(content))
    for number, key in enumerate(sorted(parts)):
        others = {name: value for name, value in parts.items() if name != key}
        for what, changed in (("without", others), ("misspelt", {**others, misspelt(key, number): parts[key]})):
            yield Change(f"{what} {key}", zlib.compress(msgspec.msgpack.encode(changed)))
    for number in range(len(parts["attrs"])):
        attributes = [*parts["attrs"][:number], 9_999, *parts["attrs"][number + 1 :]]
        changed = zlib.compress(msgspec.msgpack.encode({**parts, "attrs": attributes}))
        yield Change(f"attribute {parts['attrs'][number]} is another", changed)
    for number, name in enumerate(parts["strings"]):
        strings = [*parts["strings"][:number], *parts["strings"][number + 1 :]]
        changed = zlib.compress(msgspec.msgpack.encode({**parts, "strings": strings}))
        yield Change(f"without the string {name}", changed)


def _of_arrow(content: bytes) -> Iterator[Change]:
    import pyarrow as pa
    from pyarrow import ipc, parquet

    is_parquet = content.startswith(b"PAR1")
    stream = io.BytesIO(content)
    table = parquet.read_table(stream) if is_parquet else ipc.open_stream(stream).read_all()

    def written(changed: Any) -> bytes:
        out = io.BytesIO()
        if is_parquet:
            parquet.write_table(changed, out)
        else:
            with ipc.new_stream(out, changed.schema) as writer:
                writer.write_table(changed)
        return out.getvalue()

    for number, name in enumerate(table.column_names):
        yield Change(f"without {name}", written(table.drop_columns([name])))
        names = [misspelt(name, number) if name == other else other for other in table.column_names]
        yield Change(f"{name} is misspelt", written(table.rename_columns(names)))
    metadata = {key: value.decode() for key, value in (table.schema.metadata or {}).items() if key == b"huggingface"}
    yield Change("without metadata", written(table.replace_schema_metadata({})))
    for key, text in metadata.items():
        for what, changed in _of_json(text):
            yield Change(what, written(table.replace_schema_metadata(pa.KeyValueMetadata({key: changed.encode()}))))
