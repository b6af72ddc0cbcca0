"""Pairs the assessments with a run by query, or with an index by LDC query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence

import msgspec

from karat.errors import InputError, UsageError
from karat.evaluation.pairing import TakeNote, pair
from karat.evaluation.protocol import Facts, Pair, Sheet, Side
from karat.model import Document
from karat.protocols.coldstart.options import SlotOptions
from karat.protocols.coldstart.pages import QueryPage, UnitPages, fault

_UNASKED = "left out lines of the pool with a slot that their query does not ask for"
_UNINDEXED = "entry points that the index lacks, which count under sf only"
_UNMAPPED = "LDC queries without an entry point in the mapping, left out of ldc-random"
_SHOWN = 5
_LDC = "an LDC query brings entry points together, which may stand anywhere in the pool and in the run"

Runs = Sequence[str]
"""The ids of the runs that occur, in order."""


def runs_of(document: Document, side: Side) -> Iterable[Hashable]:
    """Return the runs that have answered a query: one is scored at a time."""
    runs = {mention.attributes.get("run") for mention in document.mentions} if side == "system" else set()
    return runs - {None}


def in_order(facts: Facts, options: SlotOptions) -> Runs:
    """Return the ids of the runs in order."""
    if options.mapping is not None and options.index is None:
        raise UsageError("--mapping needs --index, the LDC query of each entry point")
    return sorted(map(str, facts))


def pairs(
    gold: Iterable[Document], system: Iterable[Document], runs: Runs, note: TakeNote, *, options: SlotOptions
) -> Iterator[Pair]:
    """Pair the assessments and the answers of every query; what one side lacks is empty there.

    With a query file only its queries are paired; those that neither side has come last.
    """
    if len(runs) > 1:
        raise _several(runs, system)
    asked = {} if options.queries is None else dict(options.queries.content)
    left_out = 0
    for both_sides in pair(gold, system, "empty", surplus="empty", note=lambda lacking: None):
        if options.queries is not None and asked.pop(both_sides[0].id, None) is None:
            left_out += 1
        else:
            yield both_sides
    yield from ((Document(name), Document(name)) for name in asked)
    if left_out:
        note(f"left out queries that the query file lacks: {left_out}")


def _several(runs: Runs, documents: Iterable[Document]) -> InputError:
    """Return the error for answers of several runs, which would be scored as if one system had given them all."""
    names = ", ".join(runs[:_SHOWN]) + (", …" if len(runs) > _SHOWN else "")
    message = f"holds {len(runs)} runs ({names}), and one is scored at a time; give each a file of its own"
    lines = (
        (mention, document.source)
        for document in documents
        for mention in document.mentions
        if "run" in mention.attributes
    )
    first, _ = next(lines)
    second = next(line for line in lines if line[0].attributes["run"] != first.attributes["run"])
    return fault(message, *second)


def draft(gold: Document, system: Document, runs: Runs, options: SlotOptions) -> Iterator[Sheet]:
    """Yield the sheet of a query."""
    del runs
    page = _page(gold, system, options)
    yield Sheet(page.name, UnitPages((page,)), _unasked(page), _title(page.name, options))


def together(runs: Runs, options: SlotOptions) -> str:
    """Return why all pairs are needed at once, or an empty string."""
    del runs
    if options.index is None and options.queries is not None:
        return "queries of the query file that nobody answers count, too, and are known when all others have been read"
    return "" if options.index is None else _LDC


def draft_all(pairs: Sequence[Pair], runs: Runs, options: SlotOptions) -> Iterator[Sheet]:
    """Yield a sheet for each LDC query with its entry points, and one for each entry point that the index lacks."""
    index = {} if options.index is None else options.index.content
    mapping = {} if options.mapping is None else options.mapping.content
    queries: dict[str, list[QueryPage]] = {}
    for gold, system in sorted(pairs, key=lambda documents: documents[0].id):
        if gold.id in index:
            queries.setdefault(index[gold.id], []).append(_page(gold, system, options))
    for name in sorted(queries):
        pages, given = queries[name], mapping.get(name, "")
        is_mapped = not mapping or given in (page.name for page in pages)
        notes = [note for page in pages for note in _unasked(page)]
        unit, title = UnitPages(tuple(pages), ldc=True, given=given), _title(pages[0].name, options)
        yield Sheet(name, unit, notes if is_mapped else [*notes, _UNMAPPED], title)
    for gold, system in pairs:
        if gold.id not in index:
            for sheet in draft(gold, system, runs, options):
                unindexed = [] if options.index is None else [_UNINDEXED]
                yield msgspec.structs.replace(sheet, notes=[*sheet.notes, *unindexed])


def _page(gold: Document, system: Document, options: SlotOptions) -> QueryPage:
    return QueryPage(
        gold.id,
        gold.mentions,
        system.mentions,
        options.discipline,
        options.mends,
        slots=() if options.queries is None else options.queries.content[gold.id].slots,
        sources=(gold.source, system.source),
    )


def _title(name: str, options: SlotOptions) -> str:
    """Return the question of a query in words, empty without a query file."""
    return "" if options.queries is None else options.queries.content[name].title


def _unasked(page: QueryPage) -> list[str]:
    """Return a note for each assessment of a slot that the query does not ask for."""
    if not page.slots:
        return []
    return [_UNASKED for mention in page.gold if not {*page.slots}.intersection(mention.labels)]


def remarks(notes: Counter[Hashable], runs: Runs) -> Iterator[str]:
    """Return the remarks in words, each with how often it was noted."""
    del runs
    yield from (f"{text}: {notes[text]}" for text in (_UNASKED, _UNINDEXED, _UNMAPPED) if notes[text])
