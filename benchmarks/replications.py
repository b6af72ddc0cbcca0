"""Intervals and tests of many replications at once: what the package does for one, as products of large matrices.

Every replication is a pair of systems on some documents. All share the draws, so that the sums of all resamples of all
replications are one product. :func:`agree` holds a replication against the package itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from benchmarks.invented import Array, Documents
from karat.analysis.statistics.bootstrap import Design, difference, interval_of
from karat.analysis.statistics.draws import resample_weights, swaps
from karat.analysis.statistics.estimands import Estimand
from karat.analysis.statistics.intervals import FEW_ITEMS, FEW_UNITS, Bootstrap, Resampled, stretched
from karat.analysis.statistics.randomisation import SystemPair, randomised
from karat.evaluation.scores import Row

Flags = NDArray[np.bool_]

DRAWS, SEED, LEVEL = 1999, 42, 0.95
MEASURES = ("precision", "recall", "f1", "f1 of documents")
METHODS = ("default", "studentised", "widened", "percentile", "bca", "linearised")
TESTS = ("randomisation", "plain randomisation", "bootstrap", "t")
_TIE = 1e-12
_TAIL = (1 - LEVEL) / 2


class Limits(NamedTuple):
    """Both ends of the interval of every replication."""

    low: Array
    high: Array

    def hold(self, truth: float) -> Flags:
        """Say of every interval whether the truth is in it; an interval that is not there holds nothing."""
        held: Flags = (self.low <= truth) & (truth <= self.high)
        return held


class Drawn:
    """The draws of so many documents, which all replications share."""

    def __init__(self, units: int) -> None:
        self.units = units
        blocks = [np.ones((1, units)), *resample_weights(units, DRAWS, SEED)]
        self.weights = np.ascontiguousarray(np.concatenate(blocks).T)
        arranged = [np.zeros((1, units)), *swaps(units, DRAWS, SEED)]
        self.swaps = np.ascontiguousarray(np.concatenate(arranged).T)


class Ratio(NamedTuple):
    """A ratio of sums in every sample (replication × sample, the data first), with the sums of its products."""

    above: Array
    below: Array
    above_squared: Array
    product: Array
    below_squared: Array

    def values(self) -> Array:
        """Return the ratio."""
        return self.above / self.below

    def variances(self) -> Array:
        """Return the sum of squared contributions of documents."""
        value = self.values()
        squares: Array = self.above_squared - 2 * value * self.product + value**2 * self.below_squared
        return np.where(squares > 1e-10 * self.above_squared, squares, 0.0) / self.below**2


@dataclass(frozen=True)
class Sampled:
    """A number and its standard error in every sample, and what it depends on."""

    values: Array
    errors: Array
    units: Array
    items: Array
    alone: Array
    least: float = 0.0

    def limits(self, method: str) -> Limits:
        """Return the interval of every replication by a method."""
        if method == "default":
            few = (self.units < FEW_UNITS) | (self.items < FEW_ITEMS)
            wide, usual = (self.limits(name) for name in ("widened", "studentised"))
            return Limits(*(np.where(few, *ends) for ends in zip(wide, usual, strict=True)))
        limits = getattr(self, f"_{method}")()
        return Limits(*(np.where(self.errors[:, 0] > 0, end, np.nan) for end in limits))

    @cached_property
    def _ordered(self) -> Array:
        return np.sort(self.values[:, 1:], axis=1)

    @cached_property
    def _ordered_distances(self) -> Array:
        return np.sort(_distances(self.values[:, 1:] - self.values[:, :1], self.errors[:, 1:]), axis=1)

    def _studentised(self) -> Limits:
        value, error = self.values[:, 0], self.errors[:, 0]
        low, high = _quantiles(self._ordered_distances, np.full((len(value), 2), [_TAIL, 1 - _TAIL])).T
        return Limits(np.maximum(self.least, value - high * error), np.minimum(1.0, value - low * error))

    def _widened(self) -> Limits:
        tails = ndtr(-np.sqrt(self.units / (self.units - 1)) * stdtrit(self.units - 1, 1 - _TAIL))
        return Limits(*_quantiles(self._ordered, np.stack([tails, 1 - tails], axis=1)).T)

    def _percentile(self) -> Limits:
        return Limits(*_quantiles(self._ordered, np.full((len(self.values), 2), [_TAIL, 1 - _TAIL])).T)

    def _bca(self) -> Limits:
        apart = self.alone.mean(axis=1, keepdims=True) - self.alone
        speed = ((apart**3).sum(axis=1) / (6 * (apart**2).sum(axis=1) ** 1.5))[:, None]
        moved = self.values[:, 1:] - self.values[:, :1]
        below = ((moved < -_TIE).sum(axis=1) + (np.abs(moved) <= _TIE).sum(axis=1) / 2) / DRAWS
        shift = ndtri(np.clip(below, 0.5 / DRAWS, 1 - 0.5 / DRAWS))[:, None]
        ends = shift + ndtri(np.array([[_TAIL, 1 - _TAIL]]))
        return Limits(*_quantiles(self._ordered, ndtr(shift + ends / (1 - speed * ends))).T)

    def _linearised(self) -> Limits:
        value, width = self.values[:, 0], stdtrit(self.units - 1, 1 - _TAIL) * self.errors[:, 0]
        if self.least:
            return Limits(np.maximum(self.least, value - width), np.minimum(1.0, value + width))
        centre, half = np.log(value) - np.log1p(-value), width / (value * (1 - value))
        return Limits(1 / (1 + np.exp(half - centre)), 1 / (1 + np.exp(-half - centre)))


def _distances(differences: Array, errors: Array) -> Array:
    far = np.sign(differences) * 1e15
    quotients = np.divide(differences, errors, out=far, where=errors > 0)
    return np.where(np.abs(differences) <= _TIE, 0.0, quotients)


def _quantiles(ordered: Array, shares: Array) -> Array:
    """Return the values below which shares of each sorted row lie (row × share), on the line between neighbours."""
    places = shares * (ordered.shape[1] - 1)
    below = np.floor(places).astype(np.intp)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    low, high = (np.take_along_axis(ordered, at, axis=1) for at in (below, above))
    limits: Array = low + (places - below) * (high - low)
    return limits


def _summed(rows: list[Array], draws: Array) -> list[Array]:
    """Return the sums of rows (replication × document) in every sample (replication × sample)."""
    stacked = np.stack(rows)
    return list((stacked.reshape(-1, stacked.shape[-1]) @ draws).reshape(*stacked.shape[:2], -1))


def _of_one(above: Array, below: Array, draws: Drawn, items: Array | None = None) -> tuple[Sampled, Ratio]:
    """Return a ratio of sums in all resamples."""
    rows = [above, below, above**2, above * below, below**2]
    ratio = Ratio(*_summed(rows, draws.weights))
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = (ratio.above[:, :1] - above) / (ratio.below[:, :1] - below)
    units = np.count_nonzero(below, axis=1).astype(np.float64)
    known = np.full(len(above), np.inf) if items is None else items
    return Sampled(ratio.values(), _errors(ratio.variances(), draws), units, known, alone), ratio


def _errors(variances: Array, draws: Drawn) -> Array:
    errors: Array = np.sqrt(draws.units / (draws.units - 1) * np.maximum(0.0, variances))
    return errors


class Replications:
    """Pairs of systems in many replications: scores of the first, the difference, and the tests of that."""

    def __init__(self, documents: Documents, draws: Drawn, same: str = "f1") -> None:
        self.draws = draws
        right, actual, other_right, other_actual, gold = documents
        self.sides = {
            "precision": (right, actual),
            "recall": (right, gold),
            "f1": (2 * right, actual + gold),
            "f1 of documents": (2 * right / (actual + gold), np.ones_like(gold)),
        }
        items = [actual.sum(axis=1), gold.sum(axis=1), (actual + gold).sum(axis=1) / 2, None]
        self.scores: list[Sampled] = []
        ratios = []
        for (above, below), number in zip(self.sides.values(), items, strict=True):
            sampled, ratio = _of_one(above, below, draws, number)
            self.scores.append(sampled)
            ratios.append(ratio)
        self.first = self.sides[same]
        self.second = {
            "precision": (other_right, other_actual),
            "f1": (2 * other_right, other_actual + gold),
        }[same]
        place = MEASURES.index(same)
        self.ours, self._ours = self.scores[place], ratios[place]
        self.theirs, self._theirs = _of_one(*self.second, draws)
        self.difference = self._apart()

    def _apart(self) -> Sampled:
        """Return the difference of both systems in all resamples."""
        (above, below), (other_above, other_below) = self.first, self.second
        crossed = [above * other_above, above * other_below, below * other_above, below * other_below]
        errors = _paired_errors(self._ours, self._theirs, _summed(crossed, self.draws.weights), self.draws)
        units = np.count_nonzero(below + other_below, axis=1).astype(np.float64)
        alone = self.ours.alone - self.theirs.alone
        return Sampled(self.ours.values - self.theirs.values, errors, units, units + np.inf, alone, -1.0)

    def p_values(self, test: str) -> Array:
        """Return the p-value of every replication by a test."""
        if test == "t":
            distance = np.abs(_distances(self.difference.values[:, 0], self.difference.errors[:, 0]))
            values: Array = 2 * stdtr(self.difference.units - 1, -distance)
            return values
        if test == "bootstrap":
            moved = self.difference.values - self.difference.values[:, :1]
            distances = np.abs(_distances(moved, self.difference.errors))[:, 1:]
            observed = np.abs(_distances(self.difference.values[:, 0], self.difference.errors[:, 0]))
            return _share(distances, observed)
        values, errors = self._arranged
        found = np.abs(values) if test == "plain randomisation" else np.abs(_distances(values, errors))
        return _share(found[:, 1:], found[:, 0])

    @cached_property
    def _arranged(self) -> tuple[Array, Array]:
        """The difference and its standard error in the data, and in every arrangement."""
        (above, below), (other_above, other_below) = self.first, self.second
        rows = [
            *(
                other - own
                for own, other in zip(_columns(above, below), _columns(other_above, other_below), strict=True)
            ),
            other_above * below - above * other_below,
        ]
        *moved, turned = _summed(rows, self.draws.swaps)
        ours = Ratio(*(total[:, :1] + move for total, move in zip(self._ours, moved, strict=True)))
        theirs = Ratio(*(total[:, :1] - move for total, move in zip(self._theirs, moved, strict=True)))
        both, one, other, neither = (
            (left * right).sum(axis=1, keepdims=True)
            for left, right in (
                (above, other_above),
                (above, other_below),
                (below, other_above),
                (below, other_below),
            )
        )
        crossed = [both + 0 * turned, one + turned, other - turned, neither + 0 * turned]
        return ours.values() - theirs.values(), _paired_errors(ours, theirs, crossed, self.draws)


def _columns(above: Array, below: Array) -> tuple[Array, ...]:
    return above, below, above**2, above * below, below**2


def _paired_errors(ours: Ratio, theirs: Ratio, crossed: list[Array], draws: Drawn) -> Array:
    """Return the standard error of a difference, given the summed products of one system with the other."""
    value, other = ours.values(), theirs.values()
    both, one, two, neither = crossed
    together = (both - other * one - value * two + value * other * neither) / (ours.below * theirs.below)
    alone = ours.variances() + theirs.variances()
    variances = alone - 2 * together
    return _errors(np.where(variances > 1e-11 * alone, variances, 0.0), draws)


def _share(found: Array, observed: Array) -> Array:
    """Return the share of draws that are as extreme as what was observed, which is counted, too."""
    threshold = observed - _TIE * np.maximum(1.0, observed)
    shares: Array = (1 + (found >= threshold[:, None]).sum(axis=1)) / (found.shape[1] + 1)
    return shares


def agree(batch: Replications, place: int) -> None:
    """Hold one replication against the package: default intervals, interval of the difference, and p-value."""
    draws = batch.draws
    plan, chosen = Design(draws.units), Bootstrap(DRAWS, SEED)
    for (above, below), sampled in zip(batch.sides.values(), batch.scores, strict=True):
        estimand = _estimand(above[place], below[place], float(sampled.items[place]))
        interval = interval_of(Row("f1", "", "micro", "", None), estimand, _result(estimand, draws), chosen)
        ends = np.array([interval.low, interval.high] if interval else [np.nan, np.nan])
        _same(ends, np.array([end[place] for end in sampled.limits("default")]))
    pair = [_estimand(side[0][place], side[1][place], np.inf) for side in (batch.first, batch.second)]
    results = [_result(estimand, draws) for estimand in pair]
    apart = difference((pair[0], pair[1]), (results[0], results[1]), plan).limits("widened", LEVEL)
    _same(np.array(apart or [np.nan] * 2), np.array([end[place] for end in batch.difference.limits("widened")]))
    (tested,) = randomised([SystemPair(*pair)], draws.units, number=DRAWS, seed=SEED)
    _same(np.array([tested.p_value]), batch.p_values("randomisation")[place : place + 1])


def _same(package: Array, here: Array) -> None:
    if not np.allclose(package, here, rtol=0, atol=1e-9, equal_nan=True):
        raise SystemExit(f"the package says {package}, the replications {here}")


def _estimand(above: Array, below: Array, items: float) -> Estimand:
    units, centre = len(above), 0.5
    columns = np.array([above, below], np.float64)[:, None]
    deviations = np.array([columns[0] - centre * columns[1], columns[1]])
    present = np.ones((1, units))
    return Estimand(columns, present, deviations, np.full((1, 1), centre), None, np.nan, items, np.arange(units), units)


def _result(estimand: Estimand, draws: Drawn) -> Resampled:
    values, errors = estimand.of_samples(estimand.summands(), draws.weights)
    units = estimand.carriers
    return Resampled(float(values[0]), float(errors[0]), values[1:], errors[1:], units, units - 1.0, stretched(units))
