"""How far judges agree, beyond what chance would give, and how sure that is.

Answers are in rows, one a judge, and columns, one a unit; ``None`` is an answer that was not given. For intervals
documents are drawn again and again, with all the answers to their units: every measure is a formula over sums that each
unit adds to, so a resample costs a product of matrices.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple

from karat.analysis.statistics.intervals import MOST_UNDEFINED, percentile, stretched, widened_tail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Units = Sequence[Sequence[float | None]]


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
    pairs = [first == second for unit in zip(*answers, strict=True) for first, second in combinations(_given(unit), 2)]
    return sum(pairs) / len(pairs) if pairs else None


def cohen(
    first: Sequence[float], second: Sequence[float], categories: Sequence[float], weighting: Weighting = "none"
) -> float | None:
    """Return Cohen's kappa of two judges; nothing if chance alone would make them agree always.

    The distance of two answers is that of their places in the ordered list of categories.

    >>> round(cohen([1, 1, 2, 2], [1, 1, 2, 1], categories=[1, 2]), 3)
    0.5
    """
    weight, places = _WEIGHTS[weighting], {category: index for index, category in enumerate(categories)}
    left, right = Counter(first), Counter(second)
    seen = sum(weight(abs(places[a] - places[b])) for a, b in zip(first, second, strict=True)) * len(first)
    by_chance = sum(weight(abs(places[a] - places[b])) * left[a] * right[b] for a in left for b in right)
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
    units = [Counter(_given(unit)) for unit in zip(*answers, strict=True)]
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


RESAMPLES, SEED = 1999, 42


class UnitSums(NamedTuple):
    """What each unit adds (unit × sum), and the measure of the sums (resample × sum), not a number where undefined."""

    summands: Array
    measure: Callable[[Array], Array]

    def interval(self, documents: Sequence[str], level: float = 0.95) -> tuple[float, float] | None:
        """Return the limits by the percentiles of resampled documents, widened for few of them.

        There are none for fewer than two documents, where too many resamples have no value, or where all have the same.
        """
        import numpy as np

        from karat.analysis.statistics.draws import resample_weights

        names = sorted(set(documents))
        if len(names) < 2:
            return None
        places = {name: index for index, name in enumerate(names)}
        sums = np.zeros((len(names), self.summands.shape[1]))
        np.add.at(sums, [places[name] for name in documents], self.summands)
        blocks = resample_weights(len(names), RESAMPLES, SEED)
        values = np.concatenate([self.measure(block @ sums) for block in blocks])
        defined = values[~np.isnan(values)]
        if defined.size < (1 - MOST_UNDEFINED) * RESAMPLES or np.ptp(defined) == 0:
            return None
        tail = widened_tail(level, len(names) - 1, stretched(len(names)))
        return percentile(defined, tail, 1 - tail)


def percent_sums(units: Units) -> UnitSums:
    """Return the sums of the share of equal pairs of answers; a unit has an answer, or none, of each judge."""
    rows = []
    for unit in units:
        pairs = [first == second for first, second in combinations(_given(unit), 2)]
        rows.append([sum(pairs), len(pairs)])
    return UnitSums(_matrix(rows), lambda sums: _divided(sums[:, 0], sums[:, 1]))


def cohen_sums(units: Units) -> UnitSums:
    """Return the sums of Cohen's kappa; each unit has the answers of both judges."""
    categories = _categories(units)
    rows = [
        [first == second, *_indicator(categories, [first]), *_indicator(categories, [second])]
        for first, second in units
    ]

    def kappa(sums: Array) -> Array:
        first_counts, second_counts = sums[:, 1 : len(categories) + 1], sums[:, len(categories) + 1 :]
        answers = first_counts.sum(axis=1)
        by_chance = answers**2 - (first_counts * second_counts).sum(axis=1)
        return 1 - _divided((answers - sums[:, 0]) * answers, by_chance)

    return UnitSums(_matrix(rows), kappa)


def fleiss_sums(units: Units) -> UnitSums:
    """Return the sums of Fleiss' kappa; each unit has the answers of all judges."""
    categories, judges = _categories(units), len(units[0])
    rows = []
    for unit in units:
        counts = _indicator(categories, unit)
        rows.append([(sum(count**2 for count in counts) - judges) / (judges * (judges - 1)), *counts])

    def kappa(sums: Array) -> Array:
        answers = sums[:, 1:].sum(axis=1)
        agreed, by_chance = sums[:, 0] * judges / answers, (sums[:, 1:] ** 2).sum(axis=1) / answers**2
        return _divided(agreed - by_chance, 1 - by_chance)

    return UnitSums(_matrix(rows), kappa)


def krippendorff_sums(units: Units, measurement: Measurement = "nominal") -> UnitSums:
    """Return the sums of Krippendorff's alpha; units with fewer than two answers do not count."""
    import numpy as np

    categories = _categories(units)
    counted = [
        counts if counts.total() > 1 else Counter[float]() for counts in (Counter(_given(unit)) for unit in units)
    ]
    pairs = sorted({pair for counts in counted for pair in combinations(sorted(counts), 2)})
    places = {category: index for index, category in enumerate(categories)}
    low, high = ([places[pair[end]] for pair in pairs] for end in (0, 1))
    rows = [
        [counts[category] for category in categories]
        + [2 * counts[a] * counts[b] / (counts.total() - 1) if counts else 0 for a, b in pairs]
        for counts in counted
    ]

    def alpha(sums: Array) -> Array:
        totals, differing = sums[:, : len(categories)], sums[:, len(categories) :]
        answers = totals.sum(axis=1)
        if measurement == "nominal":
            seen, by_chance = differing.sum(axis=1), answers**2 - (totals**2).sum(axis=1)
        else:
            reached = np.cumsum(totals, axis=1) - totals / 2
            scale = reached if measurement == "ordinal" else np.broadcast_to(np.array(categories), totals.shape)
            seen = (differing * (scale[:, high] - scale[:, low]) ** 2).sum(axis=1)
            mean = _divided((totals * scale).sum(axis=1), answers)[:, None]
            by_chance = 2 * answers * (totals * (scale - mean) ** 2).sum(axis=1)
        return 1 - _divided((answers - 1) * seen, np.where(np.count_nonzero(totals, axis=1) > 1, by_chance, 0))

    return UnitSums(_matrix(rows), alpha)


def _given(unit: Sequence[float | None]) -> list[float]:
    return [answer for answer in unit if answer is not None]


def _categories(units: Units) -> list[float]:
    return sorted({answer for unit in units for answer in _given(unit)})


def _indicator(categories: Sequence[float], answers: Sequence[float | None]) -> list[int]:
    counts = Counter(answers)
    return [counts[category] for category in categories]


def _matrix(rows: Sequence[Sequence[float]]) -> Array:
    import numpy as np

    return np.array(rows, dtype=np.float64)


def _divided(numerators: Array, denominators: Array) -> Array:
    import numpy as np

    quotients: Array = np.full(numerators.shape, np.nan)
    return np.divide(numerators, denominators, out=quotients, where=denominators != 0)
