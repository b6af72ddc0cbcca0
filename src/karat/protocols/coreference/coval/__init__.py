"""What the options of CoVal do to chains: leave out verb phrases and nested mentions, and compare minimum spans."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from karat.model import Document
from karat.protocols.coreference.clusterings import Clustering, Key
from karat.protocols.coreference.coval.minimum import minimum
from karat.protocols.coreference.coval.nested import without_nested
from karat.protocols.coreference.coval.parses import Parsed, parsed_mentions
from karat.protocols.coreference.coval.trees import leaves
from karat.protocols.coreference.options import CovalOptions

Same = Mapping[Key, Hashable]
"""What a mention is compared by, where that is not its key; mentions for which it is equal are the same."""


def rearranged(
    clustering: Clustering, gold: Document, options: CovalOptions, side: str, dropped: dict[str, int]
) -> Clustering:
    """Do to one side what CoVal does once singletons are gone, and add what is left out to ``dropped``."""
    same: Same = {}
    if "yes" in (options.np_only, options.min_spans):
        mentions = parsed_mentions(clustering, gold)
        same = _minimum_spans(mentions) if options.min_spans == "yes" else {}
        if options.np_only == "yes":
            clustering, verbal, lone = _without_verb_phrases(clustering, _verb_phrases(mentions), same)
            dropped |= {f"{side} verb phrase": verbal, f"lone {side} mention": lone}
    if options.nested == "remove":
        before = clustering.size
        clustering = without_nested(clustering, same, keep_pairs=options.singletons == "keep")
        dropped[f"nested {side} mention"] = before - clustering.size
    return _compared_by(clustering, same) if same else clustering


class _Nominal(NamedTuple):
    """A clustering without verb phrases, and how many mentions went: verb phrases, and those left alone by them."""

    clustering: Clustering
    verbal: int
    lone: int


def _verb_phrases(mentions: Mapping[Key, Parsed]) -> set[Key]:
    """Return the mentions whose tree is a verb phrase as a whole."""
    return {key for key, mention in mentions.items() if mention.tree and mention.tree.label == "VP"}


def _without_verb_phrases(clustering: Clustering, verbal: set[Key], same: Same) -> _Nominal:
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
    return _Nominal(clustering._replace(chains=chains, names=names), went, lone)


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


def _minimum_spans(mentions: Mapping[Key, Parsed]) -> Same:
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


def _compared_by(clustering: Clustering, same: Same) -> Clustering:
    """Give the mentions of a clustering the keys that they are compared by."""
    chains = [[same.get(key, key) for key in chain] for chain in clustering.chains]
    keys = {name: same.get(key, key) for name, key in clustering.keys.items()}
    return clustering._replace(chains=chains, keys=keys)
