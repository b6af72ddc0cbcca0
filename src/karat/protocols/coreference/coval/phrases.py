"""What CoVal does to chains with the parse of the gold: leave out verb phrases, and compare minimum spans."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from karat.protocols.coreference.clusterings import Clustering, Key
from karat.protocols.coreference.coval.minimum import minimum
from karat.protocols.coreference.coval.parses import Parsed
from karat.protocols.coreference.coval.trees import leaves

Same = Mapping[Key, Hashable]
"""What a mention is compared by, where that is not its key; mentions for which it is equal are the same."""


class Nominal(NamedTuple):
    """A clustering without verb phrases, and how many mentions went: verb phrases, and those left alone by them."""

    clustering: Clustering
    verbal: int
    lone: int


def verb_phrases(mentions: Mapping[Key, Parsed]) -> set[Key]:
    """Return the mentions whose tree is a verb phrase as a whole."""
    return {key for key, mention in mentions.items() if mention.tree and mention.tree.label == "VP"}


def without_verb_phrases(clustering: Clustering, verbal: set[Key], same: Same) -> Nominal:
    """Leave out verb phrases, and chains of which they leave no more than one mention.

    Where an earlier mention of the chain has the same minimum span, the program takes that for the verb phrase.
    """
    chains: list[Sequence[Key]] = []
    names: list[str] = []
    went = lone = 0
    for chain, name in zip(clustering.chains, clustering.names, strict=True):
        kept = chain if verbal.isdisjoint(chain) else _without(chain, verbal, same)
        went += len(chain) - len(kept)
        if len(kept) > 1 or len(kept) == len(chain):
            chains.append(kept)
            names.append(name)
        else:
            lone += len(kept)
    return Nominal(clustering._replace(chains=chains, names=names), went, lone)


def _without(chain: Sequence[Key], verbal: set[Key], same: Same) -> list[Key]:
    compared = [same.get(key, key) for key in chain]
    waiting: dict[Hashable, deque[int]] = {}
    gone: set[int] = set()
    for place, key in enumerate(chain):
        places = waiting.setdefault(compared[place], deque())
        places.append(place)
        if key in verbal:
            gone.add(places.popleft())
    return [key for place, key in enumerate(chain) if place not in gone]


def minimum_spans(mentions: Mapping[Key, Parsed]) -> Same:
    """Return what mentions are compared by: their minimum span, or their words if it is empty.

    Words are counted from the beginning of the mention. A mention without a tree is compared by its place.
    """
    spans: dict[Key, Hashable] = {}
    for key, mention in mentions.items():
        if mention.tree:
            words = mention.words or [token.form for leaf in leaves(mention.tree) for token in leaf.tokens]
            whole = frozenset((word, place) for place, word in enumerate(words))
            spans[key] = mention.sentence, minimum(mention.tree) or whole
    return spans


def compared_by(clustering: Clustering, same: Same) -> Clustering:
    """Give the mentions of a clustering the keys that they are compared by."""
    chains = [[same.get(key, key) for key in chain] for chain in clustering.chains]
    keys = {name: same.get(key, key) for name, key in clustering.keys.items()}
    return clustering._replace(chains=chains, keys=keys)
