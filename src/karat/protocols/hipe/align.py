"""Bringing a system's token tables in line with the gold: same documents, same segments, same length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from karat.annotations.tokens import line_of
from karat.errors import InputError
from karat.model import Document, TokenTable
from karat.pairing import Note
from karat.protocols.base import Pair
from karat.protocols.hipe.tables import token_table

_MISFIT = "the system file does not fit the gold"
_NEEDED = "it must have the same tokens in the same documents and segments"


def is_cut(sizes: tuple[int, int]) -> bool:
    """Say whether, of so many gold and system documents, the system's is one without marks to be cut as the gold is."""
    golds, systems = sizes
    return systems == 1 != golds


def by_position(
    gold: Iterable[Document], system: Iterable[Document], sizes: tuple[int, int], other_tokens: int, note: Note
) -> Iterator[Pair]:
    """Pair so many gold and system documents in their order; each system document is as long as its gold document.

    A system file without document marks is cut up as the gold is, and believed to be the gold's if no more than so many
    kinds of its tokens are others. Tokens are not compared otherwise, as in the published program.
    """
    if is_cut(sizes):
        yield from _cut(gold, next(iter(system)), other_tokens, note)
        return
    golds, systems = sizes
    if golds != systems:
        first = next(iter(system), None)
        message = f"{_MISFIT}: it has {systems} documents, the gold {golds}; {_NEEDED}"
        raise InputError(message, path=None if first is None else first.source)
    for left, right in zip(gold, system, strict=True):
        if _outline(left) != _outline(right):
            raise _mismatch(left, right)
        yield left, right


def _outline(document: Document) -> tuple[Sequence[int], int]:
    """Return where the segments of a document begin and how long it is: enough to compare documents at once."""
    table = token_table(document)
    return table.segments or [0], len(table.forms)


def _segments(table: TokenTable) -> list[tuple[int, int]]:
    return list(pairwise([*(table.segments or [0]), len(table.forms)]))


def _mismatch(gold: Document, system: Document) -> InputError:
    """Return the error for documents that do not fit together, with the first place where they part."""
    table = token_table(system)
    segments = _segments(table)
    given, wanted = ([end - start for start, end in spans] for spans in (segments, _segments(token_table(gold))))
    where = f"{_MISFIT} in document {gold.id!r}"
    if len(wanted) != len(given):
        message = f"{where}: {len(given)} segments instead of {len(wanted)}; {_NEEDED}"
        return InputError(message, path=system.source)
    lengths = enumerate(zip(given, wanted, strict=True))
    place = next(index for index, (length, right) in lengths if length != right)
    message = f"{where}: segment {place + 1} has {given[place]} tokens instead of {wanted[place]}; {_NEEDED}"
    return InputError(message, path=system.source, line=line_of(table, segments[place][0]))


def _cut(gold: Iterable[Document], system: Document, other_tokens: int, note: Note) -> Iterator[Pair]:
    """Cut the first segment of a system file without document marks into the documents and segments of the gold."""
    table = token_table(system)
    length = _segments(table)[0][1]
    confusions: Counter[tuple[str, str]] = Counter()
    position = 0
    for document_number, document in enumerate(gold, 1):
        target = token_table(document)
        begin = position
        for start, end in _segments(target):
            piece = table.forms[position : min(position + end - start, length)]
            _check_length(piece, target.forms[start:end], system.source, document_number)
            if piece != target.forms[start:end]:
                _compare(piece, target.forms[start:end], confusions, other_tokens, system.source, note)
            position += end - start
        columns = {name: cells[begin:position] for name, cells in table.columns.items()}
        part = TokenTable(table.forms[begin:position], columns, list(target.segments), dialect=table.dialect)
        yield document, Document(document.id, table=part, source=system.source)


def _check_length(piece: Sequence[str], wanted: Sequence[str], path: str, position: int) -> None:
    if len(piece) < len(wanted):
        raise InputError(
            "the system file has only one document, which is cut up as the gold is, and its first segment ends after "
            f"{len(piece)} of "
            f"{len(wanted)} tokens of a segment in gold document {position}; give it all tokens of the gold, or its "
            "document and segment lines",
            path=path,
        )


def _compare(
    piece: Sequence[str],
    wanted: Sequence[str],
    confusions: Counter[tuple[str, str]],
    other_tokens: int,
    path: str,
    note: Note,
) -> None:
    """Let a few differing tokens of a piece of the system through, in the words of the scorer's log."""
    note(f"Different tokens in GS ({len(wanted)} tokens in total) and system output ({len(piece)} tokens in total): ")
    note("Given equal length documents, trying to patch system response tokens with GS tokens...")
    for given, expected in zip(piece, wanted, strict=True):
        if given != expected:
            confusions[given, expected] += 1
            if len(confusions) > other_tokens:
                kinds = f"more than {other_tokens} kinds of tokens" if other_tokens else "there are tokens that"
                raise InputError(
                    f"{kinds} differ from the gold (such as {given!r} for {expected!r}); the system file must have the "
                    "tokens of the gold, or its document and segment lines",
                    path=path,
                )
    note(f"Patched {confusions.total()} tokens: {confusions}")
