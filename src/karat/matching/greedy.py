"""One-to-one pairing by greedy rules over candidate pairs: the first one free, or the best one first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Candidates = Sequence[Sequence[int]]
"""For each system item the gold items it could be paired with, in gold order."""


def first_come(candidates: Candidates, is_exact: Callable[[int, int], bool]) -> dict[int, int]:
    """Pair each system item, in order, with the first exact gold item that is free, else with the first free one.

    >>> first_come([[0, 1], [0, 1]], is_exact=lambda system, gold: (system, gold) == (0, 1))
    {0: 1, 1: 0}
    """
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for system, golds in enumerate(candidates):
        free = [gold for gold in golds if gold not in used]
        if free:
            partner = next((gold for gold in free if is_exact(system, gold)), free[0])
            pairs[system] = partner
            used.add(partner)
    return pairs


def best_first(candidates: Candidates, cost: Callable[[int, int], Any]) -> dict[int, int]:
    """Pair the cheapest candidates first, whatever the order of the items; ties go to the earlier ones.

    >>> best_first([[0], [0]], cost=lambda system, gold: -system)
    {1: 0}
    """
    edges = sorted((cost(system, gold), system, gold) for system, golds in enumerate(candidates) for gold in golds)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for _, system, gold in edges:
        if system not in pairs and gold not in used:
            pairs[system] = gold
            used.add(gold)
    return pairs
