"""Clusters of mentions that have one identifier, NILs included, aligned one to one as well as possible (CEAF)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from karat.measures.coreference import aligned_by_mentions, contingency
from karat.protocols.linking.items import Linked

Clusters = dict[str, list[Hashable]]
"""The keys of the mentions of each identifier, each once."""

Alignment = Mapping[str, str]
"""The identifier of the gold cluster that a system cluster is aligned with."""


def in_clusters(items: Iterable[Linked], keys: Iterable[Hashable]) -> Clusters:
    """Return the clusters of a document; keys are those of the items."""
    clusters: dict[str, dict[Hashable, None]] = {}
    for item, key in zip(items, keys, strict=True):
        clusters.setdefault(item.target.name, {})[key] = None
    return {name: list(members) for name, members in sorted(clusters.items())}


def joined_clusters(documents: Iterable[tuple[str, Clusters]]) -> Clusters:
    """Return the clusters of a corpus: those of its documents with the same identifier are one."""
    joined: Clusters = {}
    for unit, clusters in documents:
        for name, keys in clusters.items():
            joined.setdefault(name, []).extend((unit, key) for key in keys)
    return dict(sorted(joined.items()))


def aligned(gold: Clusters, system: Clusters) -> Alignment:
    """Align clusters so that they share as many mentions as one-to-one pairs can.

    >>> aligned({"Q1": ["a", "b"], "Q2": ["c"]}, {"NIL1": ["a", "b"], "NIL2": ["c", "d"]})
    {'NIL1': 'Q1', 'NIL2': 'Q2'}
    """
    golds, systems = list(gold), list(system)
    table = contingency(list(gold.values()), list(system.values()))
    return {systems[index]: golds[gold_index] for gold_index, index in aligned_by_mentions(table)}
