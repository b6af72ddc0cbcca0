"""How far judges agree, beyond what chance would give.

Answers are in rows, one a judge, and columns, one a unit; ``None`` is an answer that was not given.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Weighting = Literal["none", "linear", "quadratic"]
Measurement = Literal["nominal", "ordinal", "interval"]

_WEIGHTS: dict[Weighting, Callable[[int], float]] = {
    "none": lambda apart: float(apart != 0),
    "linear": float,
    "quadratic": lambda apart: float(apart**2),
}


def percent(answers: Sequence[Sequence[float | None]]) -> float | None:
    """Return the share of pairs of answers to one unit that are equal; nothing if no unit has two answers.

    >>> percent([[1, 1, 0], [1, 0, None]])
    0.5
    """
    pairs = [
        first == second
        for unit in zip(*answers, strict=True)
        for first, second in combinations([answer for answer in unit if answer is not None], 2)
    ]
    return sum(pairs) / len(pairs) if pairs else None


def cohen(
    first: Sequence[float], second: Sequence[float], categories: Sequence[float], weighting: Weighting = "none"
) -> float | None:
    """Return Cohen's kappa of two judges; nothing if chance alone would make them agree always.

    The distance of two answers is that of their places in the ordered list of categories.

    >>> round(cohen([1, 1, 2, 2], [1, 1, 2, 1], categories=[1, 2]), 3)
    0.5
    """
    weight, places = _WEIGHTS[weighting], {category: place for place, category in enumerate(categories)}
    ours, theirs = Counter(first), Counter(second)
    seen = sum(weight(abs(places[a] - places[b])) for a, b in zip(first, second, strict=True)) * len(first)
    by_chance = sum(weight(abs(places[a] - places[b])) * ours[a] * theirs[b] for a in ours for b in theirs)
    return 1 - seen / by_chance if by_chance else None


def fleiss(answers: Sequence[Sequence[float]]) -> float | None:
    """Return Fleiss' kappa of judges who all answered every unit; nothing if there is one category, or one judge."""
    judges, units = len(answers), [Counter(unit) for unit in zip(*answers, strict=True)]
    if judges < 2 or not units:
        return None
    shares = [count / (judges * len(units)) for count in sum(units, Counter[float]()).values()]
    agreed = sum((sum(count**2 for count in unit.values()) - judges) / (judges * (judges - 1)) for unit in units) / len(
        units
    )
    by_chance = sum(share**2 for share in shares)
    return (agreed - by_chance) / (1 - by_chance) if by_chance < 1 else None


def krippendorff(answers: Sequence[Sequence[float | None]], measurement: Measurement = "nominal") -> float | None:
    """Return Krippendorff's alpha; units with fewer than two answers do not count.

    Nothing is returned where no unit has two answers, or all answers are the same.
    """
    units = [Counter(answer for answer in unit if answer is not None) for unit in zip(*answers, strict=True)]
    units = [unit for unit in units if unit.total() > 1]
    totals = sum(units, Counter[float]())
    distance = _distance(measurement, totals)
    seen = sum(_disagreement(unit, distance) / (unit.total() - 1) for unit in units)
    by_chance = _disagreement(totals, distance)
    return 1 - (totals.total() - 1) * seen / by_chance if by_chance else None


def _disagreement(answers: Counter[float], distance: Callable[[float, float], float]) -> float:
    """Return the sum of distances over all ordered pairs of answers."""
    return 2 * sum(answers[a] * answers[b] * distance(a, b) for a, b in combinations(sorted(answers), 2))


def _distance(measurement: Measurement, totals: Counter[float]) -> Callable[[float, float], float]:
    """Return the squared distance of two answers, the smaller one first, by the level of measurement."""
    if measurement == "nominal":
        return lambda low, high: 1.0
    if measurement == "interval":
        return lambda low, high: float(high - low) ** 2
    reached: dict[float, float] = {}
    below = 0
    for answer in sorted(totals):
        reached[answer] = below + totals[answer] / 2
        below += totals[answer]
    return lambda low, high: (reached[high] - reached[low]) ** 2
