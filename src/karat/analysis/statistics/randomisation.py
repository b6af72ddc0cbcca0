"""Whether two systems differ: their tallies change places in some units, and the difference is looked at again.

Where the systems are equally good it makes no difference which of them a unit's tallies come from. The share of
arrangements that show at least the observed difference is the p-value. Measured in standard errors, differences need
only equal scores for that, not equal output. The last functions ask the same of differences in resamples.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.analysis.statistics.draws import MOST_ENUMERATED, swaps
from karat.analysis.statistics.estimands import (
    FEW_SUMS,
    NOTHING,
    Estimand,
    SampleSums,
    Strata,
    exactly_summable,
    flat,
    products_of,
    spread,
)
from karat.analysis.statistics.intervals import distances

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ARRANGEMENTS = 9999
_TIE = 1e-12


class Randomised(NamedTuple):
    """How many arrangements there were, in how many the difference was at least as large, and where undefined."""

    extreme: int
    arrangements: int
    undefined: int
    enumerated: bool

    @property
    def p_value(self) -> float:
        """The share of arrangements at least as extreme; of drawn ones the observed one is counted, too."""
        if self.enumerated:
            return self.extreme / self.arrangements
        return (1 + self.extreme) / (self.arrangements + 1)


class SystemPair:
    """One number of two systems on the same units, ready to be swapped.

    Both must be functions of the same sums, with one centre. What a side adds in swapped units is the same in all its
    pairs, so that it is summed once; ``turned`` is what belongs to the pair alone.
    """

    def __init__(self, first: Estimand, second: Estimand, strata: Strata | None = None) -> None:
        self.first, self.second, self.strata = first, second, strata
        self.units = first.units
        left, right = (flat(side.deviations) for side in (first, second))
        self._has_products = strata is None and len(left) <= FEW_SUMS
        self.turned = np.zeros((0, self.units))
        if self._has_products:
            self._crossed = left @ right.T
            lower, upper = np.triu_indices(len(left), 1)
            self.turned = exactly_summable(left[upper] * right[lower] - left[lower] * right[upper], self.units)

    def observed(self) -> tuple[float, float]:
        """Return the difference and its standard error where nothing is swapped."""
        ((difference, error),) = _PairSums([self]).arranged(np.zeros((self.units, 1)))
        return float(difference[0]), float(error[0])

    def arranged(self, swapped: Array, left: Summed, right: Summed, turned: Array) -> tuple[Array, Array]:
        """Return difference and standard error in arrangements (unit × arrangement), given what is summed of them."""
        moved = right.swapped - left.swapped
        first, second = self.first.sums(left.total + moved), self.second.sums(right.total - moved)
        difference = self.first.values(first) - self.second.values(second)
        if self._has_products:
            return difference, self._by_products(first, second, turned)
        return difference, self._directly(first, second, swapped)

    def _by_products(self, first: SampleSums, second: SampleSums, turned: Array) -> Array:
        """Return standard errors from summed products: of each system with itself, and of one with the other."""
        first_slopes, second_slopes = (
            flat(side.gradient(sums)) for side, sums in ((self.first, first), (self.second, second))
        )
        width = len(first_slopes)
        left, right, twice, _ = products_of(width)
        alone = [
            (twice * slopes[left] * slopes[right] * sums.products).sum(axis=0)
            for slopes, sums in ((first_slopes, first), (second_slopes, second))
        ]
        together = (self._crossed.T @ first_slopes * second_slopes).sum(axis=0)
        lower, upper = np.triu_indices(width, 1)
        together += (
            turned * (first_slopes[lower] * second_slopes[upper] - first_slopes[upper] * second_slopes[lower])
        ).sum(axis=0)
        variances = alone[0] + alone[1] - 2 * together
        variances = np.where((variances > 1e-11 * (alone[0] + alone[1])) & (variances > NOTHING), variances, 0.0)
        errors: Array = np.sqrt(self.units / (self.units - 1) * variances)
        return errors

    def _directly(self, first: SampleSums, second: SampleSums, swapped: Array) -> Array:
        """Return standard errors from what each unit contributes to the difference in each arrangement."""
        left, right = (flat(side.gradient(sums)) for side, sums in ((self.first, first), (self.second, second)))
        left_units, right_units = (flat(side.deviations).T for side in (self.first, self.second))
        stays, changes = left_units @ left - right_units @ right, right_units @ left - left_units @ right
        contributions = np.where(swapped > 0, changes, stays)
        return spread(contributions, np.ones_like(contributions), self.units, self.strata)


class Summed(NamedTuple):
    """What a system adds to each sum in all units, and in the swapped ones of each arrangement."""

    total: Array
    swapped: Array


class _PairSums:
    """All that is summed for some pairs, one below the other, so that an arrangement costs a single product."""

    def __init__(self, pairs: Sequence[SystemPair]) -> None:
        sides = {id(side): side for pair in pairs for side in (pair.first, pair.second)}
        rows = [side.summands() for side in sides.values()] + [pair.turned for pair in pairs]
        edges = np.cumsum([0, *map(len, rows)]).tolist()
        spans = [slice(*edge) for edge in pairwise(edges)]
        self._sides = dict(zip(sides, spans, strict=False))
        self._turned = spans[len(sides) :]
        self._pairs, self._rows = pairs, np.concatenate(rows)
        self._total = self._rows.sum(axis=1, keepdims=True)

    def arranged(self, swapped: Array) -> Iterator[tuple[Array, Array]]:
        """Yield the differences and standard errors of each pair in arrangements (unit × arrangement)."""
        every = self._rows @ swapped
        for pair, turned in zip(self._pairs, self._turned, strict=True):
            first_summed, second_summed = (
                Summed(self._total[span], every[span])
                for span in (self._sides[id(side)] for side in (pair.first, pair.second))
            )
            yield pair.arranged(swapped, first_summed, second_summed, every[turned])


def randomised(
    pairs: Iterable[SystemPair],
    units: int,
    *,
    studentised: bool = True,
    number: int = ARRANGEMENTS,
    seed: int = 42,
) -> list[Randomised]:
    """Test each pair by the same arrangements: all there are of few units, else so many drawn ones."""
    stack = _PairSums(list(pairs))
    first = stack.arranged(np.zeros((units, 1)))
    observed = [_extremeness(*figures, studentised=studentised)[0] for figures in first]
    extreme, undefined = [0] * len(observed), [0] * len(observed)
    arrangements = 0
    for block in swaps(units, number, seed):
        swapped = np.ascontiguousarray(block.T)
        arrangements += len(block)
        for index, figures in enumerate(stack.arranged(swapped)):
            extremeness = _extremeness(*figures, studentised=studentised)
            is_missing = np.isnan(extremeness)
            threshold = observed[index] - _TIE * max(1.0, abs(observed[index]))
            extreme[index] += int(np.count_nonzero(is_missing | (extremeness >= threshold)))
            undefined[index] += int(np.count_nonzero(is_missing))
    enumerated = units <= MOST_ENUMERATED
    return [
        Randomised(count, arrangements, missing, enumerated) for count, missing in zip(extreme, undefined, strict=True)
    ]


def _extremeness(differences: Array, errors: Array, *, studentised: bool) -> Array:
    if not studentised:
        return np.abs(differences)
    distance = np.abs(distances(np.nan_to_num(differences), errors))
    return np.where(np.isnan(differences), np.nan, distance)


def p_by_sign(values: Array) -> float:
    """Return the p-value by how many resampled differences have the other sign."""
    fewer = min(np.count_nonzero(values <= _TIE), np.count_nonzero(values >= -_TIE))
    return float(min(1.0, 2 * (1 + fewer) / (len(values) + 1)))


def p_centred(value: float, values: Array) -> float:
    """Return the p-value by how many resampled differences are as far from the difference as that is from nothing."""
    extreme = np.count_nonzero(np.abs(values - value) >= abs(value) - _TIE)
    return float((1 + extreme) / (len(values) + 1))


def p_studentised(value: float, error: float, values: Array, errors: Array) -> float:
    """Return the same with every distance in its own standard error."""
    observed = abs(float(distances(np.array([value]), np.array([error]))[0]))
    extreme = np.count_nonzero(np.abs(distances(values - value, errors)) >= observed - _TIE * max(1.0, observed))
    return float((1 + extreme) / (len(values) + 1))
