"""Drafts the sheet of a document pair: the chains of both sides over the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from karat.errors import InputError, many
from karat.evaluation.pairing import Missing, TakeNote, pair
from karat.evaluation.protocol import Pair, Sheet
from karat.model import Document
from karat.protocols.coreference.clusterings import ShownSide, members_of, shown
from karat.protocols.coreference.corefud.marks import Lay, Mark, has_rows, in_file_order, lay_rows, lay_spans
from karat.protocols.coreference.corefud.sentences import check_sentences
from karat.settings import choice, shared_option


@dataclass(frozen=True)
class CorefudOptions:
    """Options of the CorefUD protocol: the switches of the published program, and how missing documents count."""

    match: str = choice(
        ("head", "partial", "exact"),
        "which mentions are the same beside those with the same words: those with the same head, system mentions "
        "inside of a gold mention that cover its head (partial), or none (exact)",
        always=True,
    )
    singletons: str = choice(
        ("remove", "keep"),
        "chains of one mention: removed from both sides before anything is compared, or kept",
        always=True,
    )
    zeros: str = choice(
        ("dependent", "linear"),
        "mentions whose head is an empty node are matched by what they depend on (dependent), or by their position "
        "like all others (linear)",
    )
    repeats: str = choice(
        ("chains", "once"),
        "a mention that stands in several chains: counts in each of these chains, as published, so that ratios above 1 "
        "are possible, or once, in the first of them",
    )
    missing: Missing = shared_option("missing")


EARLIER = "earlier_entities"
"""What a document is told by its reader: which of its entities earlier documents of the file have too, between bars."""

ANAPHORA = "universal-anaphora"
"""The dialect of tables whose mentions have no heads."""

_Order = tuple[int, tuple[int, int, int], str]
"""Where a chain stands: behind how many earlier ones, its first mention, and its name."""


class MarkedSide(NamedTuple):
    """The chains of one side, in the order of the program, with their names."""

    chains: list[list[Mark]]
    names: list[str]
    document: Document

    def shown(self) -> ShownSide:
        """Return the chains as they are shown."""
        items = [
            [shown(mark.mention, self.document, name) for mark in marks]
            for name, marks in zip(self.names, self.chains, strict=True)
        ]
        return ShownSide(self.names, items)


class MarkedPage(NamedTuple):
    """The chains of a document as they are compared, and by which rules."""

    gold: MarkedSide
    system: MarkedSide
    match: str
    zeros: str

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return both sides as they are shown."""
        return self.gold.shown(), self.system.shown()


def pairs(
    gold: Iterable[Document], system: Iterable[Document], known: object, note: TakeNote, *, options: CorefudOptions
) -> Iterator[Pair]:
    """Pair documents by their ids, and refuse pairs with different words; the last system document may end early."""
    del known
    warnings: list[str] = []
    coming = pair(gold, system, options.missing, note=note)
    now = next(coming, None)
    while now is not None:
        for document in now:
            _check_dialect(document)
        following = next(coming, None)
        if all(map(has_rows, now)):
            check_sentences(*now, last=following is None, warn=warnings.append)
        yield now
        now = following
    for warning in warnings:
        note(warning)


def _check_dialect(document: Document) -> None:
    """Refuse a document of a dialect that marks minimum spans instead of heads."""
    if document.table is not None and document.table.dialect == ANAPHORA:
        message = f"document {document.id!r} is of a file of Universal Anaphora, which has no heads"
        raise InputError(f"{message}; score it with the protocol universal-anaphora", path=document.source or None)


def lacks(gold: Document, system: Document) -> bool:
    """Return whether the system document only stands for one that the system lacks."""
    return system.table is None and not system.mentions and has_rows(gold)


def draft(gold: Document, system: Document, known: object, options: CorefudOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with what was left out of it."""
    del known
    partner = gold if lacks(gold, system) else system
    lay = lay_rows if has_rows(gold) and has_rows(partner) else lay_spans
    notes: Counter[Hashable] = Counter()
    golds, systems = (
        _marked(side, document, lay_mention, options, notes)
        for side, document, lay_mention in zip(("gold", "system"), (gold, system), lay(gold, partner), strict=True)
    )
    yield Sheet(gold.id, MarkedPage(golds, systems, options.match, options.zeros), +notes)


def left_out_by_side(notes: Counter[Any], known: object) -> Iterator[str]:
    """Yield what was left out of the gold, then of the system."""
    del known
    for side in ("gold", "system"):
        for (of_side, what), times in notes.items():
            if of_side == side:
                yield f"left out {many(times, what.format(side))}"


def _marked(side: str, document: Document, lay: Lay, options: CorefudOptions, notes: Counter[Hashable]) -> MarkedSide:
    """Return the chains of a document, without repeated mentions and, if that is asked for, singletons.

    A mention is repeated in its chain, or in all chains so far. What is left out is counted in ``notes``.
    """
    earlier = _earlier(document)
    known = {mention.id: mention for mention in document.mentions}
    chains: list[tuple[_Order, list[Mark]]] = []
    for name, mentions in members_of(document, known):
        marks = [mark for mark in map(lay, mentions) if mark.runs]
        notes[side, "{} mention that covers no word"] += len(mentions) - len(marks)
        if marks:
            marks.sort(key=in_file_order)
            chains.append(((earlier.get(name, len(earlier)), in_file_order(marks[0]), name), marks))
    chains.sort(key=lambda chain: chain[0])
    seen: set[Hashable] = set()
    filled: list[tuple[str, list[Mark]]] = []
    for (_, _, name), marks in chains:
        if options.repeats == "chains":
            seen.clear()
        distinct: list[Mark] = []
        for mark in marks:
            key = mark.key(options.match)
            if key not in seen:
                seen.add(key)
                distinct.append(mark)
        notes[side, "repeated {} mention"] += len(marks) - len(distinct)
        filled += [(name, distinct)] if distinct else []
    kept = [chain for chain in filled if options.singletons == "keep" or len(chain[1]) > 1]
    notes[side, "{} singleton"] += len(filled) - len(kept)
    return MarkedSide([marks for _, marks in kept], [name for name, _ in kept], document)


def _earlier(document: Document) -> Mapping[str, int]:
    """Return the chains whose names earlier documents of the file have too, with their order.

    A chain stands where its first mention does. A name that occurs in several documents of a file is one chain to the
    published program until it cuts it up, so it is its first mention in the file that counts.
    """
    names = document.metadata.get(EARLIER)
    return {name: order for order, name in enumerate(names.split("|"))} if names else {}
