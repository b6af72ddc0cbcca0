"""The chains of a document as a program sees them, side by side."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

import msgspec

from karat.ledger import Item
from karat.protocols.coreference.clusterings import Clustering
from karat.protocols.coreference.items import ShownSide, shown


class ChainPage(NamedTuple):
    """The clusterings of a document after a program has arranged them, and how many things it left out, by name."""

    gold: Clustering
    system: Clustering
    dropped: Mapping[str, int]
    links: bool = True
    """Whether pairs of mentions can be counted, as BLANC does; not if mentions are repeated in too many ways."""

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return both sides as they are shown; mentions that were added to the gold are those of the system."""
        gold, system = _items(self.gold), _items(self.system)
        added = frozenset(system.keys() - gold.keys())
        return _labelled(self.gold, {**system, **gold}, added), _labelled(self.system, system)


def _items(clustering: Clustering) -> dict[Hashable, Item]:
    """Return how the mentions of a document are shown, by their keys."""
    document, keys = clustering.document, clustering.keys
    return {keys[mention.id]: shown(mention, document) for mention in document.mentions}


def _labelled(
    clustering: Clustering, items: Mapping[Hashable, Item], added: frozenset[Hashable] = frozenset()
) -> ShownSide:
    labelled = [
        [msgspec.structs.replace(items[key], label=name) for key in chain]
        for chain, name in zip(clustering.chains, clustering.names, strict=True)
    ]
    return ShownSide(clustering.names, labelled, added)
