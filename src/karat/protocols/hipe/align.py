"""Bringing a system's token tables in line with the gold: same documents, same segments, same length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from karat.annotations.tokens import line_of
from karat.errors import InputError
from karat.model import Document, TokenTable

MAX_MISMATCHES = 20
"""Distinct pairs of differing tokens up to which a system without segmentation is still believed to be the gold's."""

Warn = Callable[[str], None]


def align(gold: Sequence[Document], system: Sequence[Document], warn: Warn) -> list[Document]:
    """Return the system's documents, one for each gold document and as long.

    A system file without document marks is cut up as the gold is. Otherwise the documents are taken in their
    order; tokens are not compared, as in the published program.
    """
    if len(system) == 1 and len(gold) != 1:
        system = _rebuild(gold, system[0], warn)
    if _outline(gold) != _outline(system):
        raise _mismatch(gold, system)
    return list(system)


def _table(document: Document) -> TokenTable:
    assert document.table is not None  # noqa: S101 - the caller has made sure
    return document.table


def _segments(table: TokenTable) -> list[tuple[int, int]]:
    return list(pairwise([*(table.segments or [0]), len(table.forms)]))


def _outline(documents: Sequence[Document]) -> list[tuple[list[int], int]]:
    """Return where the segments of each document begin and how long it is: enough to compare files at once."""
    return [(table.segments, len(table.forms)) for table in map(_table, documents)]


def _shape(documents: Sequence[Document]) -> list[list[int]]:
    return [[end - start for start, end in _segments(_table(document))] for document in documents]


def _mismatch(gold: Sequence[Document], system: Sequence[Document]) -> InputError:
    """Return the error for files that do not fit together, with the first place where they part."""
    path = system[0].source if system else None
    start = "the system file does not fit the gold"
    hint = "it must have the same tokens in the same documents and segments"
    if len(gold) != len(system):
        return InputError(f"{start}: it has {len(system)} documents, the gold {len(gold)}; {hint}", path=path)
    for left, right, wanted, found in zip(gold, system, _shape(gold), _shape(system), strict=True):
        if wanted == found:
            continue
        where = f"{start} in document {left.id!r}"
        if len(wanted) != len(found):
            return InputError(f"{where}: {len(found)} segments instead of {len(wanted)}; {hint}", path=path)
        at = next(index for index, (one, two) in enumerate(zip(wanted, found, strict=True)) if one != two)
        what = f"segment {at + 1} has {found[at]} tokens instead of {wanted[at]}"
        return InputError(
            f"{where}: {what}; {hint}", path=path, line=line_of(_table(right), _segments(_table(right))[at][0])
        )
    raise AssertionError("the shapes are equal")


def _rebuild(gold: Sequence[Document], system: Document, warn: Warn) -> list[Document]:
    """Cut the first segment of a system file without document marks into the documents and segments of the gold."""
    table = _table(system)
    length = _segments(table)[0][1]
    confusions: Counter[tuple[str, str]] = Counter()
    documents: list[Document] = []
    position = 0
    for number, document in enumerate(gold, 1):
        target = _table(document)
        begin = position
        for start, end in _segments(target):
            piece = table.forms[position : min(position + end - start, length)]
            _compare(piece, target.forms[start:end], confusions, system.source, number, warn)
            position += end - start
        columns = {name: cells[begin:position] for name, cells in table.columns.items()}
        part = TokenTable(table.forms[begin:position], columns, list(target.segments), dialect=table.dialect)
        documents.append(Document(document.id, table=part, source=system.source))
    return documents


def _compare(
    piece: Sequence[str],
    wanted: Sequence[str],
    confusions: Counter[tuple[str, str]],
    path: str,
    number: int,
    warn: Warn,
) -> None:
    """Check a piece of the system against a segment of the gold; a few differing tokens are let through."""
    if len(piece) < len(wanted):
        raise InputError(
            "the system file has only one document, which is cut up as the gold is, and its first segment ends after "
            f"{len(piece)} of "
            f"{len(wanted)} tokens of a segment in gold document {number}; give it all tokens of the gold, or its "
            "document and segment lines",
            path=path,
        )
    if piece == wanted:
        return
    warn(f"Different tokens in GS ({len(wanted)} tokens in total) and system output ({len(piece)} tokens in total): ")
    warn("Given equal length documents, trying to patch system response tokens with GS tokens...")
    for found, expected in zip(piece, wanted, strict=True):
        if found != expected:
            confusions[found, expected] += 1
            if len(confusions) > MAX_MISMATCHES:
                raise InputError(
                    f"more than {MAX_MISMATCHES} kinds of tokens differ from the gold (such as {found!r} for "
                    f"{expected!r}); the system file must have the tokens of the gold",
                    path=path,
                )
    warn(f"Patched {confusions.total()} tokens: {confusions}")
