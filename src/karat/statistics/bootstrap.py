"""Confidence intervals by the percentile bootstrap over units.

A resample takes every unit a number of times. Because tallies add up, the scores of all resamples come out
of matrix products of those numbers with the tallies; each is what :func:`karat.scores.rows_of` would give for
the units repeated that often, and nothing is scored again.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from karat.errors import UsageError
from karat.scores import Interval, Row, ZeroRule, by_zero_rule
from karat.tally import Counts, Group, Tallies, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from karat.measures.ratios import Formula, Ratio
    from karat.protocols.base import Figure, Protocol

    Array = NDArray[np.float64]

_WEIGHTS_AT_ONCE = 2**22
_SUMS_AT_ONCE = 2**25
"""How many floats of weights, and of summands and their sums, are held at a time."""


def resample_weights(units: int, resamples: int, seed: int) -> Iterator[Array]:
    """Yield how often each resample takes each unit, as blocks of resamples × units in order.

    The draws depend on nothing but the number of units and the seed, so all systems and rows share them. They
    use the raw stream of PCG64, which NumPy keeps the same in every release.

    >>> [block.sum(axis=1).tolist() for block in resample_weights(units=5, resamples=2, seed=42)]
    [[5.0, 5.0]]
    """
    import numpy as np

    bits = np.random.PCG64(seed)
    step = max(1, _WEIGHTS_AT_ONCE // max(1, units))
    for first in range(0, resamples, step):
        block = np.empty((min(step, resamples - first), units))
        for weights in block:
            drawn = (bits.random_raw(units) >> 32) * units >> 32
            weights[:] = np.bincount(drawn.astype(np.int64), minlength=units)
        yield block


def with_intervals(
    protocol: Protocol,
    tallies: Tallies,
    rows: Sequence[Row],
    *,
    resamples: int = 1000,
    seed: int = 42,
    level: float = 0.95,
    zero: ZeroRule = "undefined",
) -> tuple[Row, ...]:
    """Return the rows with their confidence intervals.

    Units are drawn in the order of their names, so that the order of the data makes no difference.
    Resamples in which a number is undefined, or its label does not occur, are left out. Where nothing is
    left, and with fewer than two units, there is no interval.
    """
    if resamples < 1 or not 0 < level < 1:
        found = f"an interval of level {level} from {resamples} resamples"
        raise UsageError(f"{found}; expected a level between 0 and 1, as 0.95, and at least 1 resample")
    if len(tallies.rows) < 2:
        return tuple(rows)
    plan = _Plan(protocol, rows)
    intervals: dict[int, Interval | None] = {}
    means = {index: _Mean(resamples) for members in plan.averaged.values() for index in members}
    for groups, sums in _sums(plan, tallies.by_name(), resamples, seed):
        occurs, counts = sums[0] > 0, sums[1 : plan.width]
        for index in plan.averaged.get(groups[0][:2], ()) if groups[0].label is not None else ():
            means[index].add(_quotients(plan.figures[index].formula, counts, zero), occurs)
        for alike in zip(*(plan.by_group.get(group, ()) for group in groups), strict=True):
            figure = plan.figures[alike[0]]
            if figure.average == "macro-unit":
                estimates = _divide(plan.unit_sums(groups[0], alike[0], sums))
            else:
                estimates = _quotients(figure.formula, counts, zero if figure.average == "micro" else "undefined")
            intervals |= zip(alike, _intervals(estimates, occurs, level), strict=True)
    for index, mean in means.items():
        intervals[index] = next(_intervals(*mean.values(), level))
    return tuple(msgspec.structs.replace(row, interval=intervals.get(index)) for index, row in enumerate(rows))


class _Plan:
    """Which sums the rows need: rows by the group they show, and averages over labels by layer and slice."""

    def __init__(self, protocol: Protocol, rows: Sequence[Row]) -> None:
        known: dict[tuple[str, str, str], Figure]
        known = {(figure.measure, figure.regime, figure.average): figure for figure in protocol.figures}
        self.figures = [known[row.measure, row.regime, row.average] for row in rows]
        self.by_group: dict[Group, list[int]] = {}
        self.averaged: dict[tuple[str, str], list[int]] = {}
        self.width = 1 + len(protocol.counts)
        for index, row in enumerate(rows):
            if row.average == "macro-label":
                self.averaged.setdefault((row.layer, row.slice), []).append(index)
            else:
                self.by_group.setdefault(Group(row.layer, row.slice, row.label), []).append(index)

    def pattern(self, summands: _Summands) -> tuple[Any, ...]:
        """Return what groups have in common of which the same is asked: where they are, and which figures they have."""
        group = summands.group
        figures = [self.figures[index] for index in self.by_group.get(group, ())]
        asked = [(figure.measure, figure.regime, figure.average) for figure in figures]
        return (*group[:2], group.label is None, asked)

    def needs(self, group: Group) -> bool:
        """Say whether any row depends on the group."""
        return group in self.by_group or (group.label is not None and group[:2] in self.averaged)

    def over_units(self, group: Group) -> list[int]:
        """Return the rows of the group that average over units; each adds two sums to those of the counts."""
        return [place for place in self.by_group.get(group, ()) if self.figures[place].average == "macro-unit"]

    def unit_sums(self, group: Group, index: int, sums: Array) -> Ratio:
        """Return the sum of a row's values over the units, and the number of units that have one."""
        first = self.width + 2 * self.over_units(group).index(index)
        return sums[first], sums[first + 1]


class _Summands(NamedTuple):
    """What a group adds up: the units that have it and, for each sum, a row with what each of them brings.

    The first sum counts the units, then come the counts, then value and presence of each average over units.
    """

    group: Group
    units: NDArray[np.intp]
    matrix: Array


def _sums(plan: _Plan, tallies: Sequence[Tally], resamples: int, seed: int) -> Iterator[tuple[list[Group], Array]]:
    """Yield the sums (sum × group × resample) of the groups that are needed, in a fixed order, those alike at once."""
    import numpy as np

    units = len(tallies)
    for batch in _batches(_summands(plan, tallies), resamples):
        parts = [list(alike) for _, alike in groupby(batch, plan.pattern)]
        results = [np.empty((len(alike[0].matrix), len(alike), resamples)) for alike in parts]
        first = 0
        for block in resample_weights(units, resamples, seed):
            weights = np.ascontiguousarray(block.T)
            past = first + len(block)
            for alike, result in zip(parts, results, strict=True):
                for place, summand in enumerate(alike):
                    taken = weights if len(summand.units) == units else weights[summand.units]
                    result[:, place, first:past] = summand.matrix @ taken
            first = past
        for alike, result in zip(parts, results, strict=True):
            yield [summand.group for summand in alike], result


def _batches(summands: Iterable[_Summands], resamples: int) -> Iterator[list[_Summands]]:
    batch: list[_Summands] = []
    size = 0
    for summand in summands:
        size += summand.matrix.size + len(summand.matrix) * resamples
        if batch and size > _SUMS_AT_ONCE:
            yield batch
            batch, size = [], summand.matrix.size + len(summand.matrix) * resamples
        batch.append(summand)
    if batch:
        yield batch


def _summands(plan: _Plan, tallies: Sequence[Tally]) -> Iterator[_Summands]:
    import numpy as np

    members: dict[Group, tuple[list[int], list[Counts]]] = {}
    for index, tally in enumerate(tallies):
        for group, counts in tally.items():
            if group in members or plan.needs(group):
                places, values = members.setdefault(group, ([], []))
                places.append(index)
                values.append(counts)
    for group in sorted(members, key=lambda group: (*group[:2], group.label is not None, group.label or "")):
        places, values = members[group]
        columns = np.array(values, dtype=np.float64).T
        matrix = [np.ones(len(places)), *columns]
        for index in plan.over_units(group):
            quotients = _quotients(plan.figures[index].formula, columns, "undefined")
            defined = ~np.isnan(quotients)
            matrix += [np.where(defined, quotients, 0.0), defined.astype(np.float64)]
        yield _Summands(group, np.array(places), _exactly_summable(np.array(matrix), len(tallies)))


def _exactly_summable(matrix: Array, units: int) -> Array:
    """Round each row to a grid: so fine that whole counts stay what they are, so coarse that sums are exact.

    Then a sum does not depend on the order in which a matrix product adds, thus neither on the number of cores
    nor on the size of blocks. The error stays below ``units`` times the precision of a float.
    """
    import numpy as np

    _, exponents = np.frexp(np.abs(matrix).max(axis=1, keepdims=True) * units)
    grid = np.ldexp(1.0, exponents - 53)
    rounded: Array = np.rint(matrix / grid) * grid
    return rounded


class _Mean:
    """The mean over labels in every resample, over those labels that occur in it and are defined."""

    def __init__(self, resamples: int) -> None:
        import numpy as np

        self.total: Array = np.zeros(resamples)
        self.number: Array = np.zeros(resamples)

    def add(self, quotients: Array, occurs: NDArray[np.bool_]) -> None:
        import numpy as np

        counted = occurs & ~np.isnan(quotients)
        for summands in np.where(
            counted, quotients, 0.0
        ):  # one label after the other, so that sums are always the same
            self.total += summands
        self.number += counted.sum(axis=0)

    def values(self) -> tuple[Array, NDArray[np.bool_]]:
        """Return the means as those of one group, and where there are any."""
        return _divide((self.total, self.number))[None], (self.number > 0)[None]


def _quotients(formula: Formula, counts: Array, zero: ZeroRule) -> Array:
    """Apply a formula to counts (count × whatever), with the rule for what is undefined."""
    import numpy as np

    numerator, denominator = formula(tuple(counts))
    shape = counts.shape[1:]
    quotients = _divide((np.broadcast_to(numerator, shape), np.broadcast_to(denominator, shape)))
    ruled = by_zero_rule(None, zero)
    return quotients if ruled is None else np.where(np.isnan(quotients), ruled, quotients)


def _divide(ratio: Ratio) -> Array:
    """Return the quotients, not a number where undefined."""
    import numpy as np

    numerator, denominator = (np.asarray(term, dtype=np.float64) for term in ratio)
    quotients: Array = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=quotients, where=denominator != 0)


def _intervals(estimates: Array, counted: NDArray[np.bool_], level: float) -> Iterator[Interval | None]:
    """Yield the interval of each group (group × resample), over the estimates that are counted and defined."""
    import numpy as np

    ordered = np.sort(np.where(counted, estimates, np.nan), axis=-1)  # what is not a number comes last
    numbers = np.count_nonzero(~np.isnan(ordered), axis=-1)
    ends = (quantiles(ordered, numbers, share).tolist() for share in ((1 - level) / 2, (1 + level) / 2))
    for number, low, high in zip(numbers.tolist(), *ends, strict=True):
        yield Interval(low, high, level) if number else None


def quantiles(ordered: Array, numbers: NDArray[np.intp], share: float) -> Array:
    """Return the value below which that share of each row lies, on the line between its neighbours.

    Rows are sorted; of each so many values count.

    >>> import numpy as np
    >>> quantiles(np.array([[0.0, 1.0, 5.0], [2.0, 4.0, np.nan]]), np.array([3, 2]), 0.75).tolist()
    [3.0, 3.5]
    """
    import numpy as np

    places = share * np.maximum(numbers - 1, 0)
    below = places.astype(np.int64)
    above = np.minimum(below + 1, np.maximum(numbers - 1, 0))
    low, high = (np.take_along_axis(ordered, place[:, None], axis=-1)[:, 0] for place in (below, above))
    values: Array = np.minimum(low + (places - below) * (high - low), high)
    return values
