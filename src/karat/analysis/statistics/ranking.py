"""Which of many systems can be told apart: p-values adjusted for their number, ranks with intervals, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values so that any false finding among all is as rare as the level says.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, largest = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the share of false ones among the findings is as small as the level says.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    adjusted, least = [0.0] * len(values), 1.0
    for rank, index in enumerate(order):
        least = min(least, len(values) * values[index] / (len(values) - rank))
        adjusted[index] = least
    return adjusted


def rank_intervals(order: Sequence[str], better: Collection[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return the best and the worst rank of each system, given the pairs of which the first is known to be better.

    >>> rank_intervals(["a", "b", "c"], {("a", "c")})
    {'a': (1, 2), 'b': (1, 3), 'c': (2, 3)}
    """
    return {
        name: (
            1 + sum(worse == name for _, worse in better),
            len(order) - sum(ahead == name for ahead, _ in better),
        )
        for name in order
    }


def groups(order: Sequence[str], better: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return the largest sets of systems of which no two are told apart; a system may be in several.

    >>> groups(["a", "b", "c"], {("a", "c")})
    [['a', 'b'], ['b', 'c']]
    """
    apart = {frozenset(pair) for pair in better}
    near = {
        name: {other for other in order if other != name and frozenset((name, other)) not in apart} for name in order
    }
    places = {name: rank for rank, name in enumerate(order)}
    return sorted(
        (sorted(clique, key=places.__getitem__) for clique in _cliques(set(), set(order), set(), near)),
        key=lambda clique: [places[name] for name in clique],
    )


def _cliques(chosen: set[str], open_: set[str], closed: set[str], near: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield every largest set whose members are all near each other, by the pivot method of Bron and Kerbosch."""
    if not open_ and not closed:
        yield chosen
        return
    pivot = max(sorted(open_ | closed), key=lambda name: len(near[name] & open_))
    for name in sorted(open_ - near[pivot]):
        yield from _cliques(chosen | {name}, open_ & near[name], closed & near[name], near)
        open_ = open_ - {name}
        closed = closed | {name}
