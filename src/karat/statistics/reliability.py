"""How sure a measure of agreement is: documents are drawn again and again, with all the answers to their units.

Every measure is a formula over sums that each unit adds to, so a resample costs a product of matrices. The formulas are
those of :mod:`karat.statistics.agreement`, for many resamples at once.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from karat.statistics.draws import resample_weights
from karat.statistics.intervals import MOST_UNDEFINED, percentile, stretched, widened_tail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from karat.statistics.agreement import Measurement

    Array = NDArray[np.float64]
    Units = Sequence[Sequence[float | None]]

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

        names = sorted(set(documents))
        if len(names) < 2:
            return None
        places = {name: place for place, name in enumerate(names)}
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
        ours, theirs = sums[:, 1 : len(categories) + 1], sums[:, len(categories) + 1 :]
        answers = ours.sum(axis=1)
        by_chance = answers**2 - (ours * theirs).sum(axis=1)
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
    places = {category: place for place, category in enumerate(categories)}
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
