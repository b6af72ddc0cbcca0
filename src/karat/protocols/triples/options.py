"""The options of the triple protocol."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.triples.embedding import MODELS
from karat.settings import choice, option, shared_option
from karat.vocabularies.predicates import NO_TABLE, Predicates, predicates


def _signature(model: str) -> str:
    return MODELS[model].signature()


@dataclass(frozen=True)
class TripleOptions:
    """Options of the triple protocol."""

    mapping: Predicates = option(
        NO_TABLE,
        "which names of relations mean the same: tables of Karat (wikidata, nyt, ace, scierc) and files, separated by"
        " commas; without any, every name stands for itself",
        parse=predicates,
        metavar="TABLE,…",
    )
    semantic: str = choice(
        ("", *MODELS),
        "also pair triples by what they mean, with the vectors that this library has in its wheel",
        show=_signature,
    )
    documents: str = choice(
        ("annotated", "all"),
        "which gold documents count: those with a triple, or also those without any",
        signed="gold-documents",
    )
    missing: str = shared_option("missing", "empty")

    def __post_init__(self) -> None:
        object.__setattr__(self, "mapping", predicates(self.mapping))
        if self.semantic:
            _signature(self.semantic)  # fails here, before anything is read, if the library is missing
