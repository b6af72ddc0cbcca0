"""Mentions inside another mention of their own chain, and what is left of a chain without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from karat.protocols.coreference.clusterings import Clustering


def without_nested(clustering: Clustering, *, keep_pairs: bool) -> Clustering:
    """Leave out mentions that lie inside another one of their chain, as CoVal does.

    A chain from which all mentions but one would go is left as it is, or goes altogether unless ``keep_pairs``. The
    program counts a mention that lies in two others as two that go.
    """
    chains: list[list[Hashable]] = []
    names: list[str] = []
    for chain, name in zip(clustering.chains, clustering.names, strict=True):
        inside = nestings(chain)
        if len(chain) > 1 and len(chain) - inside.total() == 1:
            if not keep_pairs:
                continue
            kept = list(chain)
        else:
            kept = [key for key in chain if key not in inside]
        chains.append(kept)
        names.append(name)
    return clustering._replace(chains=chains, names=names)


def nestings(chain: Sequence[Hashable]) -> Counter[Hashable]:
    """Count for each mention of a chain those that it lies in, where there are any; a mention is not inside itself.

    >>> dict(nestings([((0, 9),), ((2, 4),), ((8, 12),)]))
    {((2, 4),): 1}
    """
    found: Counter[Hashable] = Counter()
    around: list[tuple[int, int]] = []
    for (start, negative_end), key in sorted((_reach(key), key) for key in chain if isinstance(key, tuple)):
        end = -negative_end
        around = [one for one in around if one[1] > start]
        holders = sum(one[1] >= end and one != (start, end) for one in around)
        if holders:
            found[key] += holders
        around.append((start, end))
    return found


def _reach(key: Any) -> tuple[int, int]:
    return key[0][0], -key[-1][1]
