"""Records of a file of answers, or of Python objects: one per document, with its id, text and answer.

A file is JSON lines, one array, or one object with answers by id. Python objects have the content of such a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.llm.envelopes import Said, opened
from karat.formats.llm.shapes import MENTIONS, RELATIONS
from karat.formats.tools.base import IDS, MAX_JSON, TEXTS, decode, kind, plain_key
from karat.io import lines

NAMES = ("custom_id", *IDS, "document_id", "docid", "recordId", "key")
ANSWERS = ("answer", "response", "completion", "output", "prediction", "predictions", "generated", "content", "result")
_ANNOTATIONS = frozenset((*MENTIONS, *RELATIONS))
_OWN = {*NAMES, *TEXTS, *ANSWERS, *MENTIONS, *RELATIONS, "error", "choices", "candidates", "message", "generated_text"}
_OWN |= {"messages", "outputs", "generations", "modelOutput"}


class Record(NamedTuple):
    """The content of one record, and its line; the id is ``""`` if none is given."""

    line: int | None
    name: str | None
    text: str | None
    said: Said
    others: Mapping[str, Any]
    """Keys that are no part of the answer."""


def records_in(path: str, problems: Problems) -> Iterator[Record]:
    """Yield the records of a file; malformed lines are reported."""
    for line, value in _values(path, problems):
        yield from _records(line, value, path, problems)


def records_of(objects: Iterable[Any] | Mapping[Any, Any], problems: Problems) -> Iterator[Record]:
    """Yield the records for Python objects: answers, or objects with an answer; in order, or by id."""
    if isinstance(objects, Mapping) and _OWN.isdisjoint(map(str, objects)):
        for name, value in objects.items():
            yield from _records(None, {str(name): value}, "objects", problems)
        return
    for value in [objects] if isinstance(objects, Mapping | str) else objects:
        yield from _records(None, value, "objects", problems)


def _values(path: str, problems: Problems) -> Iterator[tuple[int, Any]]:
    """Yield the values of a file with their line numbers."""
    numbered = (
        (line_number, line.removeprefix("\ufeff").strip()) for line_number, line in enumerate(lines(path), start=1)
    )
    full = ((line_number, line) for line_number, line in numbered if line and not line.startswith("```"))
    first = next(full, None)
    if first is None:
        return
    value = _decoded(first[1])
    second = next(full, None) if isinstance(value, list) or value is None else None
    if isinstance(value, list) and second is None:
        yield from _elements(value)
        return
    rest: Iterable[tuple[int, str]] = full if second is None else chain([second], full)
    if value is None and first[1].startswith(("{", "[")):
        held = [first, *rest]
        if (whole := _whole(held, path)) is not None:
            yield from _elements(whole) if isinstance(whole, list) else [(1, whole)]
            return
        rest = held
    else:
        rest = chain([first], rest)
    for line_number, line in rest:
        content = line.removesuffix(",")
        if content in ("[", "]"):
            continue
        try:
            yield line_number, decode(content)
        except InputError as error:
            problems.repair(path, line_number, f"{error.message}; the line is left out")


def _decoded(content: str) -> Any:
    try:
        return decode(content)
    except InputError:
        return None


def _whole(held: list[tuple[int, str]], path: str) -> Any:
    """Return the value of all lines together, if they are a single JSON value."""
    if sum(len(line) for _, line in held) > MAX_JSON:
        raise InputError(f"the file is longer than {MAX_JSON:,} characters; split it", path=path)
    return _decoded("\n".join(line for _, line in held))


def _elements(values: list[Any]) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array of documents or answers; an array of mentions is one answer."""
    if all(isinstance(value, str) for value in values) or any(map(_is_document, values)):
        yield from ((1, value) for value in values)
    else:
        yield 1, values


def _is_document(value: Any) -> bool:
    if isinstance(value, dict):
        return not {*MENTIONS, *RELATIONS, *ANSWERS, "choices", "custom_id"}.isdisjoint(value)
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def _records(line: int | None, value: Any, path: str, problems: Problems) -> Iterator[Record]:
    if isinstance(value, str | list | tuple):
        yield Record(line, None, None, Said(_plain(value)), {})
    elif isinstance(value, Mapping) and _OWN.isdisjoint(map(str, value)):
        for name, answer in value.items():
            if isinstance(answer, Mapping) and not _OWN.isdisjoint(answer):
                yield _record(line, {"id": name, **answer})
            else:
                yield Record(line, plain_key(str(name)), None, Said(_plain(answer)), {})
    elif isinstance(value, Mapping):
        yield _record(line, value)
    elif not isinstance(value, int | float | None) and path == "objects":
        raise InputError(f"an answer is a {type(value).__name__}; expected a text, a list or a dictionary")
    else:
        problems.repair(path, line, f"there is {kind(value)} instead of a document; it is left out")


def _plain(value: Any) -> Any:
    """Return a value with tuples replaced by lists, as in JSON."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _record(line: int | None, given: Mapping[Any, Any]) -> Record:
    record = {str(key): part for key, part in given.items()}
    name = next((record[key] for key in NAMES if isinstance(record.get(key), str | int) and str(record[key])), None)
    text = next((record[key] for key in TEXTS if isinstance(record.get(key), str)), None)
    said = opened(record, _ANNOTATIONS)
    used = {*NAMES, *TEXTS}
    if said is None:
        key = next((key for key in ANSWERS if record.get(key) is not None), None)
        listed = {key: _plain(record[key]) for key in (*MENTIONS, *RELATIONS) if key in record}
        if key is not None:
            used.add(key)
            said = Said(_plain(record[key]))
        elif listed:
            used.update(listed)
            said = Said(listed)
        else:
            said = Said(failure=f"there is no answer; expected the key {' or '.join(('answer', *MENTIONS[:2]))}")
    else:
        used = set(record)
    other_fields = {key: part for key, part in record.items() if key not in used}
    return Record(line, None if name is None else plain_key(str(name)), text, said, other_fields)
