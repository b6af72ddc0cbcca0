"""Checks that gold and system have the same sentences and words, and numbers the words of both sides alike.

Empty nodes may differ: a system may predict its own. So words are known by their sentence and their id there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest

from karat.annotations.tokens import line_of
from karat.errors import InputError
from karat.model import Document, Span, TokenTable

Warn = Callable[[str], None]
_SENT_ID = "sent_id"


def check_sentences(gold: Document, system: Document, *, last: bool, warn: Warn) -> None:
    """Refuse a system document whose sentence ids or words are not those of the gold.

    As published they are compared as far as both go. A sentence may thus have more words on one side, and the last
    document more sentences, which is noted.
    """
    golds, systems = _sentences(gold), _sentences(system)
    for index, (left, right) in enumerate(zip(golds, systems, strict=False)):
        _check_id(gold, system, (left, right), index)
        _check_words(gold, system, (left, right), warn)
    if len(golds) != len(systems):
        message = f"document {gold.id!r} has {len(systems)} sentences instead of {len(golds)}"
        if not last:
            advice = "gold and system must have the same sentences"
            raise InputError(f"{message}; {advice}", path=system.source or None)
        warn(f"{message}; what is beyond them is not compared with the gold")


def _sentences(document: Document) -> list[Span]:
    table = table_of(document)
    return list(pairwise([*(table.segments or [0]), len(table.forms)])) if table.forms else []


def table_of(document: Document) -> TokenTable:
    """Return the table of a document that has one."""
    assert document.table is not None  # noqa: S101 - only called on documents with tables
    return document.table


def _check_id(gold: Document, system: Document, sentences: tuple[Span, Span], index: int) -> None:
    wanted, given = (
        _sentence_id(table_of(document), start) for document, (start, _) in zip((gold, system), sentences, strict=True)
    )
    if wanted != given:
        message = f"document {gold.id!r}, sentence {index + 1}: the sent_id is {given or 'missing'}"
        expected = wanted or "none"
        raise InputError(
            f"{message} where the gold has {expected}; gold and system must have the same sentences in the same order",
            path=system.source or None,
            line=line_of(table_of(system), sentences[1][0]),
        )


def _sentence_id(table: TokenTable, start: int) -> str | None:
    """Return the sentence id in the comments before a sentence."""
    index = bisect_right(table.comments, start, key=lambda comment: comment[0])
    while index and table.comments[index - 1][0] == start:
        index -= 1
        name, equals, value = table.comments[index][1].lstrip("# ").partition("=")
        if equals and name.strip() == _SENT_ID:
            return value.strip()
    return None


def _check_words(gold: Document, system: Document, sentences: tuple[Span, Span], warn: Warn) -> None:
    (left, left_end), (right, right_end) = sentences
    golds, systems = table_of(gold), table_of(system)
    if golds.forms[left:left_end] == systems.forms[right:right_end]:
        return
    wanted, given = words_in(golds, (left, left_end)), words_in(systems, (right, right_end))
    check_forms(gold, system, wanted, given)
    if len(wanted) != len(given):
        where = line_of(systems, right)
        place = f"{system.source}:{where}: " if system.source and where else ""
        warn(f"{place}the sentence has {len(given)} words instead of {len(wanted)}; only those of both are compared")


Words = list[tuple[int, str]]
"""Rows of a table that are no empty nodes, with their forms."""


def words_in(table: TokenTable, rows: Span) -> Words:
    """Return the words among some rows, such as those of a sentence."""
    ids = table.columns["ID"]
    return [(row, table.forms[row]) for row in range(*rows) if "." not in ids[row]]


def check_forms(gold: Document, system: Document, wanted: Words, given: Words) -> None:
    """Refuse words of the system that are not those of the gold, as far as both go."""
    for (_, gold_form), (row, form) in zip(wanted, given, strict=False):
        if form != gold_form:
            raise InputError(
                f"document {gold.id!r}: the word {form!r} stands where the gold has {gold_form!r}; "
                "gold and system must have the same words, only empty nodes may differ",
                path=system.source or None,
                line=line_of(table_of(system), row),
            )


def numbered(gold: Document, system: Document) -> tuple[Sequence[int], Sequence[int]]:
    """Return for each row of either table its position among the words and empty nodes of both sides."""
    tables = table_of(gold), table_of(system)
    if tables[0].columns["ID"] == tables[1].columns["ID"] and tables[0].segments == tables[1].segments:
        return range(len(tables[0].forms)), range(len(tables[1].forms))
    positions: tuple[list[int], list[int]] = ([], [])
    offset = 0
    for left, right in zip_longest(_sentences(gold), _sentences(system), fillvalue=(0, 0)):
        ids = [tables[0].columns["ID"][slice(*left)], tables[1].columns["ID"][slice(*right)]]
        order = sorted({*ids[0], *ids[1]}, key=_place)
        places = {name: offset + index for index, name in enumerate(order)}
        for side, names in zip(positions, ids, strict=True):
            side.extend(places[name] for name in names)
        offset += len(order)
    return positions


def _place(name: str) -> tuple[int, int, str]:
    """Return the sort key of a word or empty node in its sentence."""
    word, _, empty = name.partition(".")
    return _number(word), _number(empty), name


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
