"""The stated limits: up to them work may grow faster, beyond them something else is done, or the input is refused.

To see that, they are made so small that the inputs of the tests are beyond them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager

LIMITS = {
    "karat.formats.typed_tables:MAX_COLUMNS": 4,
    "karat.matching.crowds:LIMIT": 4,
    "karat.matching.crowds:MAX_MEETINGS": 4,
    "karat.matching.optimal:LIMIT": 4,
    "karat.matching.sweep:MOST_CANDIDATES": 4,
    "karat.matching.weighted:MOST_CANDIDATES": 4,
    "karat.matching.weighted:MOST_CELLS": 4,
    "karat.measures.coreference:MAX_OVERLAPS": 4,
    "karat.measures.links:MAX_STEPS": 4,
    "karat.protocols.coreference.corefud.matching:MOST_COMPARISONS": 4,
    "karat.protocols.coreference.universal_anaphora.draft:MOST_PARTS": 4,
    "karat.protocols.coreference.universal_anaphora.draft:MOST_WORDS": 4,
    "karat.protocols.ehealthkd.entities:MOST_MEETINGS": 4,
    "karat.protocols.ehealthkd.sentences:MOST_WORDS": 40,
    "karat.protocols.relations.overlaps:MOST_ENDS_SWEPT": 4,
    "karat.protocols.relations.overlaps:MOST_MISSES": 4,
    "karat.protocols.relations.overlaps:MOST_CANDIDATES": 4,
    "karat.protocols.spans.scenarios:MOST_MEETINGS": 4,
    "karat.protocols.triples.judge:MOST_CANDIDATES": 4,
    "karat.protocols.triples.likeness:MOST_SHARED": 4,
    "karat.protocols.triples.places:MOST_SWEPT": 4,
}
"""Each limit by the module and the name under which it stands in the code, and how small it is made."""


EXCEPTIONS = {
    "command hipe baseline": "what a model learns decides how much there is to report",
    "protocol newsreader-ned, nesting": "the published program counts pairs, and each is in the ledger",
    "protocol newsreader-ned, overlap": "the published program counts pairs, and each is in the ledger",
    "protocol newsreader-ned-corrected, nesting": "mentions are their words, of which there are as many as they cover",
    "protocol newsreader-ned-corrected, overlap": "mentions are their words, of which there are as many as they cover",
    "protocol omin-seed-ner, nesting": "mentions are their texts, which are as long as what they cover",
    "protocol omin-seed-ner, overlap": "mentions are their texts, which are as long as what they cover",
    "protocol triples, nesting": "phrases are their words, of which there are as many as they cover",
    "protocol triples, overlap": "phrases are their words, of which there are as many as they cover",
}
"""What may grow faster, by the beginning of its name, and why."""


def is_excepted(name: str) -> bool:
    """Say whether something may grow faster."""
    return name.startswith(tuple(EXCEPTIONS))


@contextmanager
def small_limits() -> Iterator[None]:
    """Within this context the stated limits are small."""
    before = {}
    for place, limit in LIMITS.items():
        module, _, name = place.partition(":")
        loaded = importlib.import_module(module)
        before[place] = getattr(loaded, name)
        setattr(loaded, name, limit)
    try:
        yield
    finally:
        for place, limit in before.items():
            module, _, name = place.partition(":")
            setattr(importlib.import_module(module), name, limit)
