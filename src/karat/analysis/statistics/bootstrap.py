"""Confidence intervals of rows: the units are drawn again and again, by themselves, in clusters or within strata.

A resample takes every unit a number of times. Because tallies add up, the scores of all resamples come out
of matrix products of those numbers with the tallies; each is what :func:`karat.evaluation.scores.rows_of`
would give for the units repeated that often, and nothing is scored again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from karat.analysis.statistics.draws import resample_weights
from karat.analysis.statistics.estimands import Estimand, Strata, spread
from karat.analysis.statistics.intervals import FEW_ITEMS, FEW_UNITS, Bootstrap, Method, Resampled, stretched
from karat.analysis.statistics.samples import wilson
from karat.analysis.statistics.tallied import TalliedSystem
from karat.errors import UsageError
from karat.evaluation.scores import Interval, Row, ZeroRule
from karat.evaluation.tally import Tallies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evaluation.protocol import Bound

    Array = NDArray[np.float64]

_VALUES_AT_ONCE = 2**23
"""How many values and errors of resamples are held at a time."""
_STACKED = 48
"""How many numbers are summed in one product."""


class Design(NamedTuple):
    """How units were drawn: each by itself, in clusters that belong together, or within strata."""

    units: int
    clusters: Sequence[int] | None = None
    strata: Strata | None = None

    @property
    def drawn(self) -> int:
        """The number of units, or clusters, that are drawn."""
        return self.units if self.clusters is None else max(self.clusters, default=-1) + 1

    def freedom(self, units: int) -> float:
        """Return the degrees of freedom of a standard error to which so many units, or clusters, contribute."""
        return float(units - 1) if self.strata is None else float(self.units - len(self.strata.sizes))

    def weights(self, resamples: int, seed: int) -> Iterator[Array]:
        """Yield how often each resample takes each unit or cluster."""
        return resample_weights(self.drawn, resamples, seed, self.strata and self.strata.numbers.tolist())


def design(
    units: Sequence[str], clusters: Sequence[Hashable] | None = None, strata: Sequence[Hashable] | None = None
) -> Design:
    """Return how units are drawn, given the cluster or the stratum of each; a stratum of one unit is an error."""
    if clusters is not None and strata is not None:
        raise UsageError("units are drawn in clusters or within strata, not both")
    if clusters is not None:
        return Design(len(units), clusters=_numbered(clusters))
    if strata is None:
        return Design(len(units))
    stratum_numbers = _numbered(strata)
    sizes = np.bincount(stratum_numbers).tolist()
    if 1 in sizes:
        lonely = stratum_numbers.index(sizes.index(1))
        message = f"{units[lonely]} is alone in its stratum {strata[lonely]!r}"
        raise UsageError(f"{message}; an interval needs two units in each")
    return Design(len(units), strata=Strata(np.array(stratum_numbers), sizes))


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def with_intervals(
    bound: Bound,
    tallies: Tallies,
    rows: Sequence[Row],
    bootstrap: Bootstrap | None = None,
    *,
    zero: ZeroRule = "undefined",
    clusters: Sequence[Hashable] | None = None,
    strata: Sequence[Hashable] | None = None,
) -> tuple[Row, ...]:
    """Return the rows with their confidence intervals; ``clusters`` or ``strata`` say of each unit where it belongs.

    Units are drawn in the order of their names, so that the order of the data makes no difference.
    Resamples in which a number is undefined, or its label does not occur, are left out; where they are more than one of
    twenty, where all units say the same, and with fewer than two units, there is no interval.
    """
    chosen = bootstrap or Bootstrap()
    order = tallies.name_order()
    names = [tallies.units[index] for index in order]
    plan = design(names, *(keys and [keys[index] for index in order] for keys in (clusters, strata)))
    if plan.drawn < 2:
        return tuple(rows)
    sample = TalliedSystem(bound, tallies, plan.clusters, positions=np.argsort(order))
    rows_with_interval: list[Row] = []
    coming = iter(rows)
    step = max(1, _VALUES_AT_ONCE // (2 * chosen.resamples))
    while batch := list(islice(coming, step)):
        estimands = [sample.estimand(row, zero) for row in batch]
        results = resampled(estimands, plan, chosen)
        for row, estimand, result in zip(batch, estimands, results, strict=True):
            interval = interval_of(row, estimand, result, chosen)
            rows_with_interval.append(msgspec.structs.replace(row, interval=interval))
    return tuple(rows_with_interval)


def resampled(estimands: Sequence[Estimand], plan: Design, bootstrap: Bootstrap) -> list[Resampled]:
    """Return numbers with their errors, in the data and in every resample, which all of them share."""
    resamples = bootstrap.resamples if bootstrap.method not in ("linearised", "wilson") else 0
    values, errors = (np.full((len(estimands), 1 + resamples), np.nan) for _ in range(2))
    stacks = list(_stacks(estimands))
    first = 0
    for block in chain([np.ones((1, plan.drawn))], plan.weights(resamples, bootstrap.seed)):
        past = first + len(block)
        for stack in stacks:
            taken = (block if len(stack.places) == plan.drawn else block[:, stack.places]).T
            summed = stack.rows @ taken
            for index, own in stack.sums.items():
                samples = estimands[index].of_sums(summed[own], taken, plan.strata)
                values[index, first:past], errors[index, first:past] = samples
        first = past
    alone = bootstrap.method == "bca"
    return [
        _resampled(estimand, plan, values[index], errors[index], alone=alone)
        for index, estimand in enumerate(estimands)
    ]


class _StackedSums(NamedTuple):
    """What is summed for several numbers that depend on the same units, one below the other, for a single product.

    Numbers share much of it, as those that are present and what is divided by: each row stands there once, and ``sums``
    are the rows of each number.
    """

    places: NDArray[np.intp]
    rows: Array
    sums: dict[int, list[int]]


def _stacks(estimands: Sequence[Estimand]) -> Iterator[_StackedSums]:
    """Yield numbers of the same units together, as many as make a product of a good size."""
    alike: dict[bytes, list[int]] = {}
    for index, estimand in enumerate(estimands):
        alike.setdefault(estimand.places.tobytes(), []).append(index)
    for members in alike.values():
        coming = iter(members)
        while batch := list(islice(coming, _STACKED)):
            known: dict[bytes, int] = {}
            rows: list[Array] = []
            sums: dict[int, list[int]] = {index: [] for index in batch}
            for index, own in sums.items():  # what several numbers sum up is one row, and is summed up once
                for row in estimands[index].summands():
                    row_index = known.setdefault(row.tobytes(), len(rows))
                    own.append(row_index)
                    rows += [row] if row_index == len(rows) else []
            units = estimands[batch[0]].places
            yield _StackedSums(units, np.array(rows).reshape(len(rows), len(units)), sums)


def _resampled(estimand: Estimand, plan: Design, values: Array, errors: Array, *, alone: bool) -> Resampled:
    """Return a number with its resamples, given its values and errors in the data first, then in every resample."""
    units, error = estimand.carriers, float(errors[0])
    freedom, stretch = plan.freedom(units), stretched(units)
    if plan.strata is not None:
        stretch = _stretch(error, estimand.contributions(), plan.strata)
    without = estimand.without_each() if alone else None
    return Resampled(float(values[0]), error, values[1:], errors[1:], units, freedom, stretch, without)


def difference(
    pair: tuple[Estimand, Estimand], results: tuple[Resampled, Resampled], plan: Design, errors: Array | None = None
) -> Resampled:
    """Return the difference of two numbers of the same units in the resamples that they share.

    ``errors`` are its standard errors in the resamples, for methods that look at them (see :func:`paired_errors`).
    """
    (first, second), (left, right) = pair, results
    contributions = first.contributions() - second.contributions()
    error = float(spread(contributions[:, None], np.ones((plan.drawn, 1)), plan.drawn, plan.strata)[0])
    units = int(np.count_nonzero(first.carrying | second.carrying))
    stretch = stretched(units) if plan.strata is None else _stretch(error, contributions, plan.strata)
    alone = None if left.alone is None or right.alone is None else left.alone - right.alone
    values = left.values - right.values
    known = np.full_like(values, np.nan) if errors is None else errors
    value = left.value - right.value
    return Resampled(value, error, values, known, units, plan.freedom(units), stretch, alone, least=-1.0)


def paired_errors(
    pairs: Sequence[tuple[Estimand, Estimand]], plan: Design, bootstrap: Bootstrap
) -> Iterator[tuple[Array, Array]]:
    """Yield, for each pair, the difference of two numbers and its standard error in every resample."""
    for first, second in pairs:
        values, errors = [], []
        for block in plan.weights(bootstrap.resamples, bootstrap.seed):
            weights = np.ascontiguousarray(block.T)
            sides = [side.contributions_in(weights) for side in (first, second)]
            values.append(sides[0][0] - sides[1][0])
            errors.append(spread(sides[0][1] - sides[1][1], weights, plan.drawn, plan.strata))
        yield np.concatenate(values), np.concatenate(errors)


def _stretch(error: float, contributions: Array, strata: Strata) -> float:
    unstretched = _within(contributions, strata)
    return error / unstretched if unstretched else 1.0


def _within(contributions: Array, strata: Strata) -> float:
    """Return the root of the squared distances of contributions from the mean of their stratum."""
    groups = [contributions[strata.numbers == stratum] for stratum in range(len(strata.sizes))]
    return float(np.sqrt(sum(float(((group - group.mean()) ** 2).sum()) for group in groups)))


def interval_of(row: Row, estimand: Estimand, result: Resampled, bootstrap: Bootstrap) -> Interval | None:
    """Return the interval of a row by the method asked for, or percentiles that are widened where units are few."""
    method: Method = bootstrap.method
    if method == "wilson":
        return _of_items(row, estimand, bootstrap.level)
    if method == "studentised" and (result.units < FEW_UNITS or estimand.items < FEW_ITEMS):
        method = "widened"
    return result.interval(method, bootstrap.level)


def _of_items(row: Row, estimand: Estimand, level: float) -> Interval | None:
    """Return Wilson's interval of a share of items; an error where a unit holds several of them."""
    above, below = estimand.columns[:2] if estimand.formula is None else (None, None)
    if above is None or below is None or not np.isin(below, (0, 1)).all() or not np.isin(above, (0, 1)).all():
        raise UsageError(
            f"Wilson's interval takes every unit for one item that is right or wrong, which {row.name} does not; "
            "use another method"
        )
    items = float(below.sum())
    if not items:
        return None
    low, high = wilson(float(above.sum()) / items, items, level)
    return Interval(low, high, level, "wilson", estimand.carriers)
