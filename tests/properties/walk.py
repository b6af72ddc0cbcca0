"""The walk over all protocols: a pair of corpora is drawn, scored once, and asked everything that must hold for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from tests.properties.coreference import chain_pairs
from tests.properties.corpora import PAIRS, Pair, disjoint
from tests.properties.omin import without_quirks

import karat
from karat.evaluation.protocol import Protocol
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Scores
from karat.model import Document

PROTOCOLS = protocols()
every_protocol = pytest.mark.parametrize("name", PROTOCOLS)
few = settings(
    max_examples=max(3, settings().max_examples // 10),
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture],
)
"""Three pairs for each protocol, and a hundred with ``HYPOTHESIS_PROFILE=many``."""

_LONGER_CHAINS = chain_pairs(least=2)


def draw_pair(data: st.DataObject, name: str) -> Pair:
    """Draw gold and system for a protocol, without what its quirks make of them."""
    if name in ("corefeval", "scorch", "omin-coref"):  # singletons are no chains like others to them: see their quirks
        return data.draw(_LONGER_CHAINS)
    pair = data.draw(PAIRS[PROTOCOLS[name].task])
    if name == "newsreader-ned":  # it counts pairs, and overwrites links over the same tokens: see its quirks
        assume(disjoint(pair) and all(_linked_once(one) for side in pair for one in side))
    if name.startswith("omin-"):
        return without_quirks(pair)
    return pair


def _linked_once(document: Document) -> bool:
    """Say whether no two mentions of a layer have the same first link."""
    links = [(mention.layer, mention.links[0].target) for mention in document.mentions if mention.links]
    return len(set(links)) == len(links)


class Drawn:
    """A pair drawn for a protocol, and its scores: each computed when it is first asked for."""

    def __init__(self, name: str, data: st.DataObject) -> None:
        self.name, self.data = name, data
        self.gold, self.system = self.pair = draw_pair(data, name)
        self._scores: dict[str, Scores] = {}

    @property
    def protocol(self) -> Protocol:
        """The protocol that the pair was drawn for."""
        return PROTOCOLS[self.name]

    @property
    def scores(self) -> Scores:
        """The scores as published, by label."""
        return self.scored()

    def scored(self, **options: Any) -> Scores:
        """Return the scores by label with these options."""
        asked = repr(sorted(options.items()))
        if asked not in self._scores:
            self._scores[asked] = karat.score(self.name, *self.pair, by="label", **options)
        return self._scores[asked]
