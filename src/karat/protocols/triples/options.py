"""The options of the triple protocol."""

from __future__ import annotations

from dataclasses import dataclass

from karat.mapping import NO_TABLE, Predicates, predicates
from karat.pairing import missing_option
from karat.settings import option


@dataclass(frozen=True)
class TripleOptions:
    """What can be set in an evaluation of triples."""

    mapping: Predicates = option(
        NO_TABLE,
        "which names of relations mean the same: tables of Karat (wikidata, nyt, ace, scierc) and files, separated by"
        " commas; without any, every name stands for itself",
        parse=predicates,
        metavar="TABLE,…",
    )
    documents: str = option(
        "annotated",
        "which gold documents count: those with a triple, or also those without any",
        choices=("annotated", "all"),
    )
    missing: str = missing_option("empty")

    def __post_init__(self) -> None:
        object.__setattr__(self, "mapping", predicates(self.mapping))
