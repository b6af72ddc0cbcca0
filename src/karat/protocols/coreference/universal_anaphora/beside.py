"""What is counted beside chains: mentions that refer to nothing, and bridging anaphors with their anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from karat.measures.coreference import chain_of
from karat.protocols.coreference.measured import Measure
from karat.protocols.coreference.universal_anaphora.judgement import AnaphoraJudgement


def _non_referring(judged: AnaphoraJudgement) -> Sequence[float]:
    """Count the mentions that refer to nothing, the first of each entity that stands for it."""
    golds, systems = judged.page.gold.pseudo, judged.page.system.pseudo
    known = set(golds), set(systems)
    found = sum(key in known[1] for key in golds)
    return found, len(golds), found, found + sum(key not in known[0] for key in systems)


class _Bridged(NamedTuple):
    """How many bridging anaphors both sides have, with the same anchor, and with an anchor of the same gold chain."""

    anaphors: int
    mentions: int
    entities: int


def _bridged(judged: AnaphoraJudgement) -> _Bridged:
    golds, systems = judged.page.gold.anchors, judged.page.system.anchors
    both = [(golds[key], systems[key]) for key in golds if key in systems]
    chains = chain_of(judged.gold)
    mentions = sum(left == right for left, right in both)
    entities = sum(left == right or (left in chains and chains[left] == chains.get(right)) for left, right in both)
    return _Bridged(len(both), mentions, entities)


def _bridging(judged: AnaphoraJudgement, part: str) -> Sequence[float]:
    right = getattr(_bridged(judged), part)
    return right, len(judged.page.gold.anchors), right, len(judged.page.system.anchors)


BESIDE: Mapping[str, Measure] = {
    "non-referring": _non_referring,
    "bridging-anaphors": partial(_bridging, part="anaphors"),
    "bridging-mentions": partial(_bridging, part="mentions"),
    "bridging-entities": partial(_bridging, part="entities"),
}
"""Anaphors that are found; those with the right anchor; those with an anchor of the right chain."""
