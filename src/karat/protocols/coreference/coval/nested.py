"""Mentions inside another mention of their own chain, and what is left of a chain without them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from karat.errors import InputError
from karat.protocols.coreference.clusterings import Clustering


def without_nested(clustering: Clustering, same: Mapping[Hashable, Hashable], *, keep_pairs: bool) -> Clustering:
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
                raise _emptied(clustering, name)
        chains.append(kept)
        names.append(name)
    return clustering._replace(chains=chains, names=names)


def _emptied(clustering: Clustering, name: str) -> InputError:
    message = f"document {clustering.document.id!r}: every mention of chain {name!r} is nested, or has the minimum span"
    hint = "of one that is, which CoVal cannot score; keep nested mentions, or do not ask for minimum spans"
    return InputError(f"{message} {hint}", path=clustering.document.source or None)


def nestings(chain: Sequence[Hashable], same: Mapping[Hashable, Hashable] | None = None) -> Counter[Hashable]:
    """Count for each mention of a chain those that it lies in, where there are any; a mention is not inside itself.

    Nor is it inside one that is the same: that has the same key, or the same value in ``same``.

    >>> dict(nestings([((0, 9),), ((2, 4),), ((8, 12),)]))
    {((2, 4),): 1}
    """
    depths: Counter[Hashable] = Counter()
    ends_of: dict[Hashable, list[int]] = {}
    sentence, ends = 0, list[int]()
    for place, key in sorted((_place(key), key) for key in chain if isinstance(key, tuple)):
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
    """Return how many of these ends, in order, are not before this one."""
    return len(ends) - bisect_left(ends, end)


def _place(key: Any) -> tuple[int, int, int]:
    """Return the sentence of a mention, where that is part of its key, its start, and its end below zero."""
    sentence, spans = key if isinstance(key[0], int) else (0, key)
    return sentence, spans[0][0], -spans[-1][1]
