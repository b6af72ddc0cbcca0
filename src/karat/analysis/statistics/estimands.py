"""A number as a function of sums over units, and how much it changes with each of them.

Every figure divides sums: a ratio of two, an odd formula of some, or the mean of such over labels. So its value in any
sample of units is a function of matrix products, and so is its standard error: the change of the number with each sum,
times what a unit adds to that sum, is what the unit contributes (:mod:`karat.analysis.statistics.contributions`).
"""

from __future__ import annotations

from functools import cache
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.measures.ratios import Computation, Ratio

    Array = NDArray[np.float64]

FEW_SUMS = 8
"""The number of sums up to which their products are summed, too, so that errors are matrix products."""
NOTHING = 1e-15
"""A variance that rounding alone may leave."""
_STEP = 2.0**-7
"""By which share a sum is moved to see how an odd formula changes; large enough for those that cut digits off."""


class SampleSums(NamedTuple):
    """Sums of a number in some samples (sample last): units that have it, what is divided, and products of those."""

    present: Array
    columns: Array
    products: Array


class Estimand(NamedTuple):
    """A number of some units: the mean, over the groups that occur, of a ratio of what is summed.

    ``columns`` are what each unit adds (column × group × unit) and ``present`` says which unit has which group; units
    that have none are left out, and ``places`` are those of the others among all ``units``. ``deviations`` are the same
    columns, the first less what the second would lead to expect where the ratio is a plain one, so that no digits are
    lost when they are squared. ``ruled`` is the value of what is undefined, and ``items`` are those behind a ratio.
    """

    columns: Array
    present: Array
    deviations: Array
    centres: Array
    formula: Computation | None
    ruled: float
    items: float
    places: NDArray[np.intp]
    units: int

    @property
    def carriers(self) -> int:
        """The number of units that have anything to do with the number."""
        return int(self.carrying.sum())

    @property
    def carrying(self) -> NDArray[np.bool_]:
        """Whether each of all units has anything to do with the number."""
        below = self.columns[1:] if self.formula is None else self.columns
        carrying = np.zeros(self.units, np.bool_)
        carrying[self.places] = (below != 0).any(axis=(0, 1))
        return carrying

    def summands(self) -> Array:
        """Return what each unit adds to each sum (sum × unit): presence, columns and, of a few, their products."""
        deviations = flat(self.deviations)
        rows = [self.present, flat(self.columns)]
        if len(deviations) <= FEW_SUMS:
            first, second, _, _ = products_of(len(deviations))
            rows.append(deviations[first] * deviations[second])
        return exactly_summable(np.concatenate(rows), self.units)

    def sums(self, summed: Array) -> SampleSums:
        """Return sums (sum × sample) by what they are sums of."""
        groups, width = len(self.present), self.columns.shape[0] * len(self.present)
        columns = summed[groups : groups + width].reshape(*self.columns.shape[:2], summed.shape[1])
        return SampleSums(summed[:groups], columns, summed[groups + width :])

    def values(self, sums: SampleSums) -> Array:
        """Return the number in each sample, not a number where it is undefined."""
        return _mean(self._quotients(sums))

    def _quotients(self, sums: SampleSums) -> Array:
        """Return the ratio of each group in each sample, not a number where the group is not there."""
        quotients = ratios_of(self.formula, sums.columns)
        if not isnan(self.ruled):
            quotients = np.where(np.isnan(quotients), self.ruled, quotients)
        return np.where(sums.present > 0, quotients, np.nan)

    def gradient(self, sums: SampleSums) -> Array:
        """Return how much the number changes with each sum of deviations (column × group × sample)."""
        return self._gradient(sums, self._quotients(sums))

    def _gradient(self, sums: SampleSums, quotients: Array) -> Array:
        """Return the same, given the ratio of each group."""
        counted = ~np.isnan(quotients)
        share = counted / np.maximum(1, counted.sum(axis=0))
        if self.formula is not None:
            slopes: Array = slopes_of(self.formula, sums.columns) * share
            return slopes
        below = sums.columns[1]
        inverse = np.divide(share, below, out=np.zeros_like(below), where=below != 0)
        return np.array([inverse, -inverse * np.where(counted, quotients - self.centres, 0.0)])

    def of_samples(self, summands: Array, weights: Array, strata: Strata | None = None) -> tuple[Array, Array]:
        """Return the number and its standard error in samples, which take each unit as often as weights say.

        Weights are unit × sample.
        """
        taken = weights if len(self.places) == len(weights) else weights[self.places]
        return self.of_sums(summands @ taken, taken, strata)

    def of_sums(self, summed: Array, weights: Array, strata: Strata | None = None) -> tuple[Array, Array]:
        """Return the number and its standard error in samples, given what is summed in them and its own weights."""
        sums = self.sums(summed)
        quotients = self._quotients(sums)
        gradient = flat(self._gradient(sums, quotients))
        return _mean(quotients), self._errors(gradient, sums.products, weights, strata)

    def _errors(self, gradient: Array, products: Array, weights: Array, strata: Strata | None) -> Array:
        if strata is None and len(products):
            return roots(self.units / (self.units - 1) * _squared(gradient, products), gradient, products)
        return spread(flat(self.deviations).T @ gradient, weights, self.units, strata and strata.at(self.places))

    def value(self) -> float:
        """Return the number of all units, each taken once; not a number where it is undefined."""
        return float(self.values(self.sums(self.summands() @ np.ones((len(self.places), 1))))[0])

    def observed(self, strata: Strata | None = None) -> tuple[float, float]:
        """Return the number of all units, each taken once, and its standard error."""
        value, error = self.of_samples(self.summands(), np.ones((self.units, 1)), strata)
        return float(value[0]), float(error[0])

    def contributions(self) -> Array:
        """Return what each unit contributes to the number."""
        gradient = self.gradient(self.sums(self.summands() @ np.ones((len(self.places), 1))))
        contributions = np.zeros(self.units)
        contributions[self.places] = (flat(self.deviations).T @ flat(gradient))[:, 0]
        return contributions

    def contributions_in(self, weights: Array) -> tuple[Array, Array]:
        """Return the number in samples (unit × sample), and what each of all units contributes to it there."""
        sums = self.sums(self.summands() @ weights[self.places])
        contributions = np.zeros_like(weights)
        contributions[self.places] = flat(self.deviations).T @ flat(self.gradient(sums))
        return self.values(sums), contributions

    def without_each(self) -> Array:
        """Return the number of all units but one, for each of them."""
        summands = self.summands()
        left = summands.sum(axis=1, keepdims=True) - np.concatenate([summands, np.zeros((len(summands), 1))], axis=1)
        values = self.values(self.sums(left))
        everywhere = np.full(self.units, values[-1])
        everywhere[self.places] = values[:-1]
        return everywhere


class Strata(NamedTuple):
    """The stratum of each unit, by its number, and how many units each has."""

    numbers: NDArray[np.intp]
    sizes: Sequence[int]

    def at(self, places: NDArray[np.intp]) -> Strata:
        """Return the strata of some units; their sizes are those of all."""
        return Strata(self.numbers[places], self.sizes)


def spread(contributions: Array, weights: Array, units: int, strata: Strata | None = None) -> Array:
    """Return the standard error of contributions (unit × sample), of units that are taken so often."""
    if strata is None:
        variances = units / (units - 1) * (weights * contributions**2).sum(axis=0)
    else:
        variances = np.zeros(contributions.shape[1])
        for stratum, size in enumerate(strata.sizes):
            members = strata.numbers == stratum
            taken, added = weights[members], contributions[members]
            squares = (taken * added**2).sum(axis=0)
            within = squares - (taken * added).sum(axis=0) ** 2 / size
            variances += size / (size - 1) * np.where(within > 1e-10 * squares, within, 0.0)
    errors: Array = np.sqrt(np.where(variances > NOTHING, variances, 0.0))
    return errors


def flat(columns: Array) -> Array:
    """Return columns of groups as plain columns."""
    return columns.reshape(columns.shape[0] * columns.shape[1], columns.shape[2])


@cache
def products_of(width: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, NDArray[np.intp]]:
    """Return which of so many columns are multiplied with which, how often each product counts, and the squares."""
    first, second = np.triu_indices(width)
    return first, second, np.where(first == second, 1.0, 2.0)[:, None], np.flatnonzero(first == second)


def _squared(gradient: Array, products: Array) -> Array:
    """Return the sum of squared contributions from the sums of products of deviations."""
    first, second, twice, _ = products_of(len(gradient))
    squares = gradient[first]
    for factors in (twice, gradient[second], products):
        squares *= factors
    total: Array = squares.sum(axis=0)
    return total


def roots(variances: Array, gradient: Array, products: Array) -> Array:
    """Return the roots of variances that are differences of products; what is left by rounding is nothing."""
    squares = products_of(len(gradient))[3]
    size = (gradient**2 * products[squares]).sum(axis=0)
    errors: Array = np.sqrt(np.where((variances > 1e-10 * size) & (variances > NOTHING), variances, 0.0))
    return errors


def _mean(quotients: Array) -> Array:
    """Return the mean of the ratios of groups, of those that are there."""
    if len(quotients) == 1:
        return quotients[0]  # type: ignore[no-any-return]
    counted = ~np.isnan(quotients)
    units = counted.sum(axis=0)
    total = np.where(counted, quotients, 0.0).sum(axis=0)
    means: Array = np.where(units > 0, total / np.maximum(1, units), np.nan)
    return means


def ratios_of(formula: Computation | None, columns: Array) -> Array:
    """Divide the first column by the second, or what a formula makes of all; not a number where it is undefined."""
    ratio: Ratio = (columns[0], columns[1]) if formula is None else formula(tuple(columns))
    above, below = (term + np.zeros(columns.shape[1:]) for term in ratio)
    quotients: Array = np.full(columns.shape[1:], np.nan)
    np.divide(above, below, out=quotients, where=below != 0)
    return quotients


def slopes_of(formula: Computation, columns: Array) -> Array:
    """Return how much a formula changes with each column, by moving each a little up and down."""
    slopes = np.zeros_like(columns)
    samples = columns.shape[-1]
    twice = np.concatenate([columns, columns], axis=-1)
    shares = np.repeat([1 + _STEP, 1 - _STEP], samples)
    for index, column in enumerate(columns):
        moved = twice.copy()
        moved[index] *= shares
        ratios = ratios_of(formula, moved)
        rise = ratios[..., :samples] - ratios[..., samples:]
        run = 2 * _STEP * column
        np.divide(rise, run, out=slopes[index], where=(run != 0) & ~np.isnan(rise))
    return slopes


def exactly_summable(matrix: Array, units: int) -> Array:
    """Round each row to a grid: so fine that whole counts stay what they are, so coarse that sums are exact.

    Then a sum does not depend on the order in which a matrix product adds, thus neither on the number of cores
    nor on the size of blocks. The error stays below ``units`` times the precision of a float.
    """
    _, exponents = np.frexp(np.abs(matrix).max(axis=1, initial=0, keepdims=True) * units)
    grid = np.ldexp(1.0, exponents - 53)
    rounded: Array = np.rint(matrix / grid) * grid
    return rounded
