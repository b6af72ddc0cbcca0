"""As many pairs as possible: a pairing grown to its greatest size by augmenting paths (Hopcroft and Karp)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from karat.matching.greedy import Candidates, first_free


def most_pairs(candidates: Candidates, preferred: Mapping[int, int] | None = None) -> dict[int, int]:
    """Pair as many as possible: the preferred pairs first, then each with the first one free, then by exchanges.

    Who has a partner by the preferred pairs keeps one, but not always the same.

    >>> most_pairs([[0, 1], [0], []])
    {0: 1, 1: 0}
    """
    return augmented(candidates, first_free(candidates, preferred))


def augmented(candidates: Candidates, pairs: Mapping[int, int]) -> dict[int, int]:
    """Return a pairing of the greatest size that keeps every item paired that ``pairs`` has paired.

    The work is bounded by the candidates times the square root of the items.

    >>> augmented([[0, 1], [0]], {0: 0})
    {0: 1, 1: 0}
    """
    golds = dict(pairs)
    systems = {gold: system for system, gold in golds.items()}
    while True:
        layers = _layers(candidates, golds, systems)
        if layers is None:
            return dict(sorted(golds.items()))
        tried = [iter(row) for row in candidates]
        for system, row in enumerate(candidates):
            if row and system not in golds:
                _extend(system, tried, layers, golds, systems)


def _layers(candidates: Candidates, golds: dict[int, int], systems: dict[int, int]) -> dict[int, int] | None:
    """Return how many pairs lie between each system item and the nearest lonely one, if a lonely gold is in reach."""
    layers = {system: 0 for system, row in enumerate(candidates) if row and system not in golds}
    front = list(layers)
    while front:
        later: list[int] = []
        arrived = False
        for system in front:
            for gold in candidates[system]:
                partner = systems.get(gold)
                if partner is None:
                    arrived = True
                elif partner not in layers:
                    layers[partner] = layers[system] + 1
                    later.append(partner)
        if arrived:
            return layers
        front = later
    return None


def _extend(
    root: int, tried: list[Iterator[int]], layers: dict[int, int], golds: dict[int, int], systems: dict[int, int]
) -> None:
    """Look for a path from a lonely system item through the layers to a lonely gold item, and exchange its pairs."""
    path: list[tuple[int, int]] = []
    system = root
    while True:
        for gold in tried[system]:
            partner = systems.get(gold)
            if partner is None:
                for left, right in [*path, (system, gold)]:
                    golds[left], systems[right] = right, left
                return
            if layers.get(partner) == layers[system] + 1:
                path.append((system, gold))
                system = partner
                break
        else:
            if not path:
                return
            system, _ = path.pop()
