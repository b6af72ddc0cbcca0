"""Several runs of a system, as from several seeds: a second level of chance beside that of the units."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat.statistics.contributions import Doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.statistics.contributions import Linear


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
