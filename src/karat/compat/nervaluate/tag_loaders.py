"""Documents of tags: lists of them, or a text of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from karat.annotations.tag_chunks import OUTSIDE
from karat.compat.nervaluate.loaded import SideColumns
from karat.compat.nervaluate.tag_codes import CodedTags, coded, coded_columns
from karat.errors import InputError
from karat.protocols.spans.readings import nervaluate
from karat.protocols.spans.scenarios import Span


def coded_tags(true: Any, pred: Any) -> CodedTags | None:
    """Return tags as codes; nothing if they cannot be coded, and are to be read one by one to find what is odd."""
    sides = true, pred
    if all(isinstance(side, str) for side in sides):
        return coded_columns(true, pred)
    is_plain = all(isinstance(side, list) and set(map(type, side)) == {list} for side in sides)
    return coded(true, pred) if is_plain else None


def from_tags(documents: Any) -> SideColumns:
    """Return the entities of lists of tags."""
    if not isinstance(documents, list):
        raise ValueError("ListLoader expects list input")  # noqa: TRY004 - as there
    return SideColumns.of(list(map(_spans_in, documents)))


def _spans_in(tags: Any) -> list[Span]:
    """Return the entities of a document; the first tag that is none, or starts none, is refused."""
    if not isinstance(tags, list):
        raise ValueError("Each document must be a list of tags")  # noqa: TRY004 - as there
    strays = [place for place, tag in enumerate(tags) if not isinstance(tag, str)]
    spans = _read(tags[: strays[0]] if strays else tags)
    if strays:
        raise ValueError(f"Invalid tag type: {type(tags[strays[0]])}")
    return spans


def _read(tags: Sequence[str]) -> list[Span]:
    try:
        return nervaluate(tags)
    except InputError:
        raise ValueError(f"Invalid tag format: {_first_refused(tags)}") from None


def _first_refused(tags: Sequence[str]) -> str:
    """Return the first tag that starts no entity where one must."""
    readable = 0
    for size in range(1, len(tags) + 1):
        try:
            nervaluate(tags[:size])
        except InputError:
            break
        readable = size
    return tags[readable]


def from_columns(text: Any) -> SideColumns:
    """Return the entities of a text of columns."""
    if not isinstance(text, str):
        raise ValueError("ConllLoader expects string input")  # noqa: TRY004 - as there
    return SideColumns.of([_in_columns(document) for document in text.rstrip().split("\n\n")] if text else [])


def _in_columns(document: str) -> list[Span]:
    tags: list[str] = []
    for line, tag in _second_column(document):
        if tag is None:
            _read(tags)
            raise ValueError(f"Invalid CoNLL format: line '{line}' does not contain a tab separator")
        tags.append(tag)
    return _read(tags)


def _second_column(document: str) -> Iterator[tuple[str, str | None]]:
    """Yield the lines of a document with their tags; a blank line is part of the entity around it."""
    before = OUTSIDE
    for line in document.split("\n"):
        _, *fields = line.split("\t")
        if not line.strip():
            before = before if before == OUTSIDE else f"I-{before[2:]}"
            yield line, before
        else:
            before = fields[0] if fields else OUTSIDE
            yield line, before if fields else None
