"""From two corpora to sheets: for every document the claims of both sides, and notes on what looks odd."""

from __future__ import annotations

from collections.abc import Iterable

from karat.model import Document, Span
from karat.pairing import check_texts
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.relations.claims import Grounds, claims_of
from karat.protocols.relations.entities import entities_of
from karat.protocols.relations.judge import Sheet
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.remarks import remarks


def prepare(gold: Iterable[Document], system: Iterable[Document], options: RelationOptions) -> Prepared:
    """Pair the documents by their ids and read the claims off each."""
    pairing = all_pairs(list(gold), list(system), options.missing)
    cases = [Case(left.id, _sheet(left, right, options)) for left, right in pairing.pairs]
    sheets = [case.content for case in cases]
    return Prepared(cases, [*pairing.notes, *remarks(sheets, options)])


def _sheet(gold: Document, system: Document, options: RelationOptions) -> Sheet:
    check_texts(gold, system)
    grounds = Grounds(gold), Grounds(system)
    entities = entities_of(*grounds)
    claims = [claims_of(one, options, known) for one, known in zip(grounds, entities, strict=True)]
    places = [_places(one) for one in grounds]
    return Sheet(
        claims[0],
        claims[1],
        by_label=options.labels == "compare",
        facts=options.duplicates == "once",
        gold_places=places[0],
        system_places=places[1],
        gold_source=gold.source,
        system_source=system.source,
    )


def _places(grounds: Grounds) -> list[Span]:
    return [span for ground in grounds.mentions.values() for span in ground.spans]
