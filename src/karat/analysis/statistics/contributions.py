"""What each unit contributes to a ratio of sums, and what follows: standard errors, differences, and tests of them.

A score is N/D, where both are sums over units. The contribution of a unit is what the score would change, to first
order, if the unit counted a little more; contributions sum to zero, and their spread is the standard error.
Several runs of a system, as from several seeds, are a second level of chance beside that of the units.
"""

from __future__ import annotations

from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.statistics.quantiles import normal_quantile, t_quantile, t_tail

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


class Linear(NamedTuple):
    """A score, or a difference of two, with the contribution of every unit."""

    value: float
    contributions: tuple[float, ...]

    def __sub__(self, other: Linear) -> Linear:
        """Return the difference of two scores on the same units."""
        apart = zip(self.contributions, other.contributions, strict=True)
        return Linear(self.value - other.value, tuple(left - right for left, right in apart))


class Doubt(NamedTuple):
    """The standard error of a score, and its degrees of freedom."""

    error: float
    freedom: float

    def interval(self, value: float, level: float = 0.95) -> tuple[float, float]:
        """Return the limits around a value by Student's distribution."""
        half = t_quantile((1 + level) / 2, self.freedom) * self.error
        return value - half, value + half

    def p_value(self, difference: float) -> float:
        """Return how often a difference at least so large comes by chance where there is none."""
        if not self.error:
            return 1.0 if not difference else 0.0
        return 2 * t_tail(abs(difference) / self.error, self.freedom)

    def detectable(self, power: float = 0.8, level: float = 0.95) -> float:
        """Return the smallest difference that would be found so often."""
        return (t_quantile((1 + level) / 2, self.freedom) + t_quantile(power, self.freedom)) * self.error

    def units_needed(self, difference: float, units: int, power: float = 0.8, level: float = 0.95) -> int:
        """Return how many units it takes to find a difference so often, judged by the spread of these."""
        widths = normal_quantile((1 + level) / 2) + normal_quantile(power)
        return ceil(units * widths**2 * self.error**2 / difference**2)


def linear(numerators: Sequence[float], denominators: Sequence[float]) -> Linear | None:
    """Return the ratio of two sums with the contributions of the units; nothing if there is nothing to divide by.

    >>> linear([1, 1], [1, 3])
    Linear(value=0.5, contributions=(0.125, -0.125))
    """
    total = sum(denominators)
    if not total:
        return None
    value = sum(numerators) / total
    pairs = zip(numerators, denominators, strict=True)
    return Linear(value, tuple((upper - value * lower) / total for upper, lower in pairs))


def doubt(contributions: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Doubt | None:
    """Return the standard error of independent units, or of clusters of them; nothing for fewer than two."""
    if clusters is not None:
        sums: dict[Hashable, float] = {}
        for cluster, contribution in zip(clusters, contributions, strict=True):
            sums[cluster] = sums.get(cluster, 0.0) + contribution
        contributions = list(sums.values())
    units = len(contributions)
    if units < 2:
        return None
    return Doubt(sqrt(units / (units - 1) * sum(value**2 for value in contributions)), units - 1)


def stratified_doubt(contributions: Sequence[float], strata: Sequence[Hashable]) -> Doubt | None:
    """Return the standard error of units that were drawn in strata; nothing if one of them has a single unit."""
    members: dict[Hashable, list[float]] = {}
    for stratum, contribution in zip(strata, contributions, strict=True):
        members.setdefault(stratum, []).append(contribution)
    if min(map(len, members.values()), default=0) < 2:
        return None
    variance = 0.0
    for values in members.values():
        mean = sum(values) / len(values)
        variance += len(values) / (len(values) - 1) * sum((value - mean) ** 2 for value in values)
    return Doubt(sqrt(variance), len(contributions) - len(members) or inf)


class Seeded(NamedTuple):
    """A score that is the mean of runs, or a difference of two, with the variance that units and runs have in it."""

    value: float
    units: float
    runs: tuple[float, ...]
    together: float
    doubt: Doubt


def seeded(*systems: Sequence[Linear]) -> Seeded:
    """Return the mean score of the runs of a system, or the difference of that of two, with its doubt.

    The variance of units and that of runs both contain what a run does in a unit, so that it is taken away once; what
    is left is never less than the variance of the units alone.
    """
    units = len(systems[0][0].contributions)
    signs = (1.0, -1.0)[: len(systems)]
    means = [
        [sum(column) / len(runs) for column in zip(*(run.contributions for run in runs), strict=True)]
        for runs in systems
    ]
    apart = [sum(sign * part for sign, part in zip(signs, unit, strict=True)) for unit in zip(*means, strict=True)]
    of_units = units / (units - 1) * sum(part**2 for part in apart)
    of_runs = tuple(_variance([run.value for run in runs]) / len(runs) for runs in systems)
    together = sum(
        _between(runs, mean) * units / ((len(runs) - 1) * (units - 1) * len(runs))
        for runs, mean in zip(systems, means, strict=True)
        if len(runs) > 1
    )
    variance = max(of_units, of_units + sum(of_runs) - together)
    doubts = of_units**2 / (units - 1)
    doubts += sum(part**2 / (len(runs) - 1) for part, runs in zip(of_runs, systems, strict=True) if len(runs) > 1)
    values = [sum(run.value for run in runs) / len(runs) for runs in systems]
    value = sum(sign * part for sign, part in zip(signs, values, strict=True))
    return Seeded(
        value, of_units, of_runs, together, Doubt(variance**0.5, variance**2 / doubts if doubts else units - 1)
    )


def _variance(values: Sequence[float]) -> float:
    """Return the variance of scores of runs; of a single run none is known."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1) if len(values) > 1 else 0.0


def _between(runs: Sequence[Linear], mean: Sequence[float]) -> float:
    return sum((part - middle) ** 2 for run in runs for part, middle in zip(run.contributions, mean, strict=True))
