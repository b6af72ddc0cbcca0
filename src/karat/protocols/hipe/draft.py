"""From a gold and a system document to a sheet: for every layer and slice, the entities of both sides."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from karat.evaluation.pairing import TakeNote, by_id
from karat.evaluation.protocol import Pair, Sheet
from karat.evaluation.tally import Group
from karat.matching.sweep import ONLY_NEIGHBOURS, are_crowded
from karat.model import Document
from karat.protocols.hipe.entities import ColumnEntities
from karat.protocols.hipe.facts import HipeKnown, SplitLink
from karat.protocols.hipe.judge import EntityPage, TokenSource
from karat.protocols.hipe.mentions import MentionPair
from karat.protocols.hipe.options import HipeColumn, HipeOptions, Slice
from karat.protocols.hipe.tables import TablePair, by_position, kept


def pairs(
    gold: Iterable[Document], system: Iterable[Document], known: HipeKnown, note: TakeNote, *, options: HipeOptions
) -> Iterator[Pair]:
    """Bring documents together: tables by their position, others by their ids."""
    if known.tables:
        sides = kept(gold, options), kept(system, options)
        return by_position(*sides, options.rules.other_tokens, note, cut=known.cut)
    missing: Any = options.missing
    return by_id(gold, system, known, note, missing=missing)


def draft(gold: Document, system: Document, known: HipeKnown, options: HipeOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document; of slices that are named alike the last one counts."""
    pair = (
        TablePair(gold, system, known.columns, options)
        if known.tables
        else MentionPair(gold, system, known.defaults, options)
    )
    pages: dict[Group, EntityPage] = {}
    notes: list[Hashable] = []
    for column in known.columns:
        for slice_index, part in enumerate(options.slices):
            entities = pair.entities(column, part)
            if options.rules.whole_document == "drop":
                entities = entities.within()
            tags = known.tags[column.name].counted
            pages |= {page.group: page for page in _pages(entities, pair.places, column, part, tags, options)}
            notes += (SplitLink(column.name, slice_index, words) for words in entities.notes)
    if options.overlap == "best" and any(are_crowded(page.gold, page.system) for page in pages.values()):
        notes.append(ONLY_NEIGHBOURS)
    yield Sheet(gold.id, tuple(pages.values()), notes)


def _pages(
    entities: ColumnEntities,
    places: tuple[TokenSource, TokenSource],
    column: HipeColumn,
    part: Slice,
    tags: frozenset[str],
    options: HipeOptions,
) -> Iterator[EntityPage]:
    """Yield the pages of one column and slice: one for labels, one for each cutoff of ranked links."""
    gold = [entity for entity in entities.gold if entity.labels[0] in tags]
    for layer, cutoff in column.layers(options):
        system = entities.system
        if cutoff is not None:
            system = [entity.best(cutoff) for entity in system]
        yield EntityPage(
            group=Group(layer, part.name),
            gold=gold,
            system=[entity for entity in system if not tags.isdisjoint(entity.labels)],
            tags=tags,
            compare_text=options.rules.compare_text,
            best_overlap=options.overlap == "best",
            charge_both=options.charge == "both",
            forms=entities.forms,
            places=places,
            characters=entities.characters,
        )
