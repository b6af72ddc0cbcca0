"""Applies the options of CoVal to chains: removes verb phrases and nested mentions, and compares minimum spans."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.errors import InputError
from karat.model import Document
from karat.protocols.coreference.clusterings import Clustering, Key
from karat.protocols.coreference.coval.trees import Parsed, leaves, minimum, parsed_mentions

if TYPE_CHECKING:
    from karat.protocols.coreference.declaration import CovalOptions

Same = Mapping[Key, Hashable]
"""What a mention is compared by, where that is not its key; mentions for which it is equal are the same."""


def rearranged(
    clustering: Clustering, gold: Document, options: CovalOptions, side: str, dropped: dict[str, int]
) -> Clustering:
    """Return one side as CoVal compares it after singletons were removed, and add what is removed to ``dropped``."""
    same: Same = {}
    if "yes" in (options.np_only, options.min_spans):
        mentions = parsed_mentions(clustering, gold)
        same = _minimum_spans(mentions) if options.min_spans == "yes" else {}
        if options.np_only == "yes":
            verbal = {key for key, mention in mentions.items() if mention.tree and mention.tree.label == "VP"}
            clustering, went, lone = _without_verb_phrases(clustering, verbal, same)
            dropped |= {f"{side} verb phrase": went, f"lone {side} mention": lone}
    if options.nested == "remove":
        size_before = clustering.size
        clustering = without_nested(clustering, same, keep_pairs=options.singletons == "keep")
        dropped[f"nested {side} mention"] = size_before - clustering.size
    if not same:
        return clustering
    chains = [[same.get(key, key) for key in chain] for chain in clustering.chains]
    keys = {name: same.get(key, key) for name, key in clustering.keys.items()}
    return clustering._replace(chains=chains, keys=keys)


def _without_verb_phrases(clustering: Clustering, verbal: set[Key], same: Same) -> tuple[Clustering, int, int]:
    """Leave out verb phrases, and chains of which they leave no more than one mention.

    Where an earlier mention of the chain has the same minimum span, the program takes that for the verb phrase.
    Returned with how many mentions went: verb phrases, and those left alone by them.
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
    return clustering._replace(chains=chains, names=names), went, lone


def _without(chain: Sequence[Key], verbal: set[Key], same: Same) -> list[Key]:
    compared = [same.get(key, key) for key in chain]
    waiting: dict[Hashable, deque[int]] = {}
    gone: set[int] = set()
    for index, key in enumerate(chain):
        places = waiting.setdefault(compared[index], deque())
        places.append(index)
        if key in verbal:
            gone.add(places.popleft())
    return [key for index, key in enumerate(chain) if index not in gone]


def _minimum_spans(mentions: Mapping[Key, Parsed]) -> Same:
    """Return the key of each mention: its minimum span, or its words if that is empty.

    Offsets of words are relative to the mention. A mention without a tree is compared by its span.
    """
    spans: dict[Key, Hashable] = {}
    for key, mention in mentions.items():
        if mention.tree:
            words = mention.words or [token.form for leaf in leaves(mention.tree) for token in leaf.tokens]
            whole = frozenset((word, index) for index, word in enumerate(words))
            spans[key] = mention.sentence, minimum(mention.tree) or whole
    return spans


def without_nested(clustering: Clustering, same: Same, *, keep_pairs: bool) -> Clustering:
    """Leave out mentions that lie inside another one of their chain, and what is the same as one of these.

    ``same`` is what mentions are compared by, where that is not their key. A chain from which all mentions but one
    would go is left as it is, or goes altogether unless ``keep_pairs``. All of this is as in CoVal, which counts a
    mention that lies in two others as two that go.
    """
    chains: list[list[Hashable]] = []
    names: list[str] = []
    for chain, name in zip(clustering.chains, clustering.names, strict=True):
        inside = nestings(chain, same)
        if len(chain) > 1 and len(chain) - inside.total() == 1:
            if not keep_pairs:
                continue
            kept = list(chain)
        else:
            gone = {same.get(key, key) for key in inside}
            kept = [key for key in chain if same.get(key, key) not in gone]
            if chain and not kept:
                document = clustering.document
                fault = f"every mention of chain {name!r} is nested, or has the minimum span of one that is"
                advice = "which CoVal cannot score; keep nested mentions, or do not ask for minimum spans"
                raise InputError(f"document {document.id!r}: {fault}, {advice}", path=document.source or None)
        chains.append(kept)
        names.append(name)
    return clustering._replace(chains=chains, names=names)


def nestings(chain: Sequence[Hashable], same: Same | None = None) -> Counter[Hashable]:
    """Count for each mention of a chain those that it lies in, where there are any; a mention is not inside itself.

    Nor is it inside one that is the same: that has the same key, or the same value in ``same``.

    >>> dict(nestings([((0, 9),), ((2, 4),), ((8, 12),)]))
    {((2, 4),): 1}
    """
    depths: Counter[Hashable] = Counter()
    ends_of: dict[Hashable, list[int]] = {}
    sentence, ends = 0, list[int]()
    for place, key in sorted((_place(key), key) for key in chain if isinstance(key, tuple) and key):
        if place[0] != sentence:
            sentence, ends = place[0], []
        end = -place[2]
        equal = ends_of.setdefault(same.get(key, key) if same else key, [])
        holders = _from(ends, end) - _from(equal, end)
        if holders:
            depths[key] += holders
        insort(ends, end)
        insort(equal, end)
    return depths


def _from(ends: list[int], end: int) -> int:
    """Return how many of the sorted ends are not before this one."""
    return len(ends) - bisect_left(ends, end)


def _place(key: Any) -> tuple[int, int, int]:
    """Return the sentence of a mention, where that is part of its key, its start, and its end below zero."""
    sentence, spans = key if isinstance(key[0], int) else (0, key)
    return sentence, spans[0][0], -spans[-1][1]
