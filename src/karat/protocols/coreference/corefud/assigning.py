"""The best one-to-one pairs of mentions, and between equally good ones those that the published program takes.

It hands a full table of all mentions left over to SciPy's assignment solver, and takes what that returns. Where only
one pairing is the best, any exact solver finds it. Where several are, the same solver gets the same table, as long as
that is not too large; beyond, the positions of the mentions decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.matching.optimal import optimal

LARGEST_TABLE = 4_000_000
"""Up to how many cells a table is handed to the solver as a whole."""

Candidates = Sequence[Sequence[int]]
Weight = Callable[[int, int], float]


def assigned(candidates: Candidates, weight: Weight, golds: int) -> dict[int, int]:
    """Return the gold partner of each system item in the pairing with the greatest weight.

    ``golds`` is the number of gold items, those without candidates included; every candidate has a positive weight.

    >>> assigned([[0], [0, 1]], lambda system, gold: 1.0, golds=3)
    {0: 0, 1: 1}
    """
    if not any(candidates):
        return {}
    if len(candidates) * golds > LARGEST_TABLE or _is_decided(candidates, weight):
        return optimal(candidates, weight)
    return _as_published(candidates, weight, golds)


def _is_decided(candidates: Candidates, weight: Weight) -> bool:
    """Say whether it is plain that one pairing is better than all others: nobody has rivals, or one rival wins."""
    rivals: dict[int, list[int]] = {}
    for system, golds in enumerate(candidates):
        for gold in golds:
            rivals.setdefault(gold, []).append(system)
    for system, golds in enumerate(candidates):
        if len(golds) > 1 and (
            any(len(rivals[gold]) > 1 for gold in golds) or _has_tie([weight(system, gold) for gold in golds])
        ):
            return False
    return not any(
        len(systems) > 1 and _has_tie([weight(system, gold) for system in systems]) for gold, systems in rivals.items()
    )


def _has_tie(weights: Sequence[float]) -> bool:
    return weights.count(max(weights)) > 1


def _as_published(candidates: Candidates, weight: Weight, golds: int) -> dict[int, int]:
    import numpy as np

    from karat.matching.weighted import table_pairs

    table = np.zeros((golds, len(candidates)))
    for system, row in enumerate(candidates):
        for gold in row:
            table[gold, system] = weight(system, gold)
    return dict(sorted((system, gold) for gold, system in table_pairs(table) if table[gold, system] > 0))
