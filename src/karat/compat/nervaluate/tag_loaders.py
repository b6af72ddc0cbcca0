"""Loaders for lists of tags and for a text of columns, which code tags as bytes and cut where both sides are O.

Entities in a segment between two cuts overlap none outside it, so each distinct segment is judged only once, however
often it occurs. Inputs whose tags cannot be coded or read this way are read tag by tag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from io import StringIO
from itertools import accumulate, chain, pairwise, repeat
from typing import Any

from karat.annotations.tag_chunks import OUTSIDE
from karat.compat.nervaluate.loaders import Component, Loaded, SideColumns, SpanLists
from karat.errors import InputError
from karat.protocols.spans.readings import nervaluate
from karat.protocols.spans.scenarios import LabelledSpan

_CUT = (OUTSIDE,)
"""The separator after every document."""
_INSIDE = re.compile(rb"[^\0]+")
_BETWEEN = 255
"""The code of an empty line between documents, which no tag has."""
_HALF = 4
_FEW = 1 << _HALF
"""The number of tags whose codes fit half a byte, so that one byte holds the codes of gold and system."""
_GOLD, _SYSTEM = bytes(code >> _HALF for code in range(256)), bytes(code % _FEW for code in range(256))


class _CannotCodeError(ValueError):
    """The tags cannot be coded: they are too many, or one is invalid."""


class _Codes(dict[str, int]):
    """The code of each tag, assigned at its first occurrence; O is 0."""

    def __missing__(self, tag: object) -> int:
        if not isinstance(tag, str) or not tag.strip() or len(self) == _BETWEEN:
            raise _CannotCodeError
        self[tag] = len(self)
        return self[tag]


class _LineCodes(dict[str, int]):
    """The code of the tag in the second column of each line, cached by line, because most lines occur repeatedly."""

    def __init__(self, codes: _Codes) -> None:
        super().__init__({"\n": _BETWEEN})
        self.codes = codes

    def __missing__(self, line: str) -> int:
        _, *fields = line.removesuffix("\n").split("\t")
        if not fields:
            raise _CannotCodeError
        self[line] = self.codes[fields[0]]
        return self[line]


class CodedTags(Loaded):
    """Documents of tags, stored as codes."""

    def __init__(self, codes: _Codes, sides: Sequence[bytes], sizes: Sequence[int]) -> None:
        self.tags, self.sides = list(codes), sides
        self.bounds = list(accumulate(sizes, lambda end, size: end + size + len(_CUT), initial=0))
        self._known: dict[bytes, list[LabelledSpan]] = {}
        self._segments = (_segments_of_few if len(codes) <= _FEW else _segments)(*sides)
        for segment in chain.from_iterable(self._segments):
            self._read(segment)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def parts(self, tags: Collection[str]) -> Iterator[Component]:
        """Yield each distinct pair of segments once, with the entities with these tags."""
        known = frozenset(tags)
        read = {segment: [span for span in spans if span[2] in known] for segment, spans in self._known.items()}
        for (gold, system), times in self._segments.items():
            yield Component(read[gold], read[system], times)

    def _read(self, segment: bytes) -> list[LabelledSpan]:
        spans = self._known.get(segment)
        if spans is None:
            spans = self._known[segment] = nervaluate([self.tags[code] for code in segment])
        return spans

    def documents(self, side: int) -> SpanLists:
        """Return the entities of each document of a side."""
        documents: SpanLists = []
        for first, past in pairwise(self.bounds):
            spans: list[LabelledSpan] = []
            for run in _INSIDE.finditer(self.sides[side], first, past):
                shift = run.start() - first
                spans += [(start + shift, end + shift, label) for start, end, label in self._read(run.group())]
            documents.append(spans)
        return documents


def coded(gold: Any, system: Any) -> CodedTags | None:
    """Return documents of tags as codes, or None if they cannot be coded or differ in length.

    In that case they must be read tag by tag, which raises the right error.
    """
    if not all(isinstance(side, list) and set(map(type, side)) == {list} for side in (gold, system)):
        return None
    sizes = list(map(len, gold))
    if sizes != list(map(len, system)):
        return None
    codes = _Codes({OUTSIDE: 0})
    try:
        rows = (chain.from_iterable(chain.from_iterable(zip(side, repeat(_CUT)))) for side in (gold, system))
        return CodedTags(codes, [bytes(map(codes.__getitem__, tags)) for tags in rows], sizes)
    except (_CannotCodeError, InputError, TypeError):
        return None


def coded_columns(gold: Any, system: Any) -> CodedTags | None:
    """Return the tags of columns as codes, or None if they cannot be coded or documents differ in length."""
    if not isinstance(gold, str) or not isinstance(system, str):
        return None
    codes = _Codes({OUTSIDE: 0})
    lines = _LineCodes(codes)
    try:
        sides = [bytes(map(lines.__getitem__, StringIO(text.rstrip(), newline="\n"))) for text in (gold, system)]
        sizes = [list(map(len, side.split(bytes([_BETWEEN])))) for side in sides]
        if sizes[0] != sizes[1] or 0 in sizes[0]:
            return None
        outside = bytes.maketrans(bytes([_BETWEEN]), bytes([codes[OUTSIDE]]))
        return CodedTags(codes, [side.translate(outside) + bytes(len(_CUT)) for side in sides], sizes[0])
    except (_CannotCodeError, InputError):
        return None


def _segments_of_few(gold: bytes, system: bytes) -> dict[tuple[bytes, bytes], int]:
    """Count the pairs of segments between positions where both sides are O, given codes of half a byte.

    >>> _segments_of_few(bytes([1, 2, 0, 0, 1, 0]), bytes([1, 0, 0, 0, 1, 0]))
    {(b'\\x01\\x02', b'\\x01\\x00'): 1, (b'\\x01', b'\\x01'): 1}
    """
    both = int.from_bytes(gold, "little") << _HALF | int.from_bytes(system, "little")
    counted = Counter(_INSIDE.findall(both.to_bytes(len(gold), "little")))
    return {(pair.translate(_GOLD), pair.translate(_SYSTEM)): times for pair, times in counted.items()}


def _segments(gold: bytes, system: bytes) -> Counter[tuple[bytes, bytes]]:
    """Count the pairs of segments between positions where both sides are O.

    >>> _segments(bytes([1, 2, 0, 0, 1, 0]), bytes([1, 0, 0, 0, 1, 0]))
    Counter({(b'\\x01\\x02', b'\\x01\\x00'): 1, (b'\\x01', b'\\x01'): 1})
    """
    either = int.from_bytes(gold, "little") | int.from_bytes(system, "little")
    inside = _INSIDE.finditer(either.to_bytes(len(gold), "little"))
    return Counter([(gold[start:end], system[start:end]) for start, end in map(re.Match.span, inside)])


def from_tags(data: Any) -> SideColumns:
    """Return the entities of lists of tags."""
    if not isinstance(data, list):
        raise ValueError("ListLoader expects list input")  # noqa: TRY004 - as there
    return SideColumns.of(list(map(_spans_in, data)))


def _spans_in(tags: Any) -> list[LabelledSpan]:
    """Return the entities of a document; raise an error at the first invalid tag."""
    if not isinstance(tags, list):
        raise ValueError("Each document must be a list of tags")  # noqa: TRY004 - as there
    strays = [index for index, tag in enumerate(tags) if not isinstance(tag, str)]
    spans = _read(tags[: strays[0]] if strays else tags)
    if strays:
        raise ValueError(f"Invalid tag type: {type(tags[strays[0]])}")
    return spans


def _read(tags: Sequence[str]) -> list[LabelledSpan]:
    try:
        return nervaluate(tags)
    except InputError:
        raise ValueError(f"Invalid tag format: {_first_refused(tags)}") from None


def _first_refused(tags: Sequence[str]) -> str:
    """Return the first tag that cannot start an entity where one must start."""
    readable = 0
    for size in range(1, len(tags) + 1):
        try:
            nervaluate(tags[:size])
        except InputError:
            break
        readable = size
    return tags[readable]


def from_columns(data: Any) -> SideColumns:
    """Return the entities of a text of columns."""
    if not isinstance(data, str):
        raise ValueError("ConllLoader expects string input")  # noqa: TRY004 - as there
    return SideColumns.of([_in_columns(document) for document in data.rstrip().split("\n\n")] if data else [])


def _in_columns(document: str) -> list[LabelledSpan]:
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
