"""One number of two systems: by how much they differ, how sure that is, and what would have been needed to tell.

All pairs of systems are looked at together: differences have intervals from shared draws, and are tested at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import isnan, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import msgspec
import numpy as np

from karat.analysis.comparison.cases import CaseShare
from karat.analysis.statistics.bootstrap import Design, difference, interval_of, paired_errors
from karat.analysis.statistics.contributions import Doubt, Linear, seeded
from karat.analysis.statistics.estimands import NOTHING, Estimand, SampleSums, flat
from karat.analysis.statistics.intervals import Bootstrap, Method, Resampled
from karat.analysis.statistics.randomisation import ARRANGEMENTS, SystemPair, p_studentised, randomised
from karat.analysis.statistics.ranking import benjamini_hochberg, holm
from karat.evaluation.scores import Interval, Row, ZeroRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


POINT = 0.01
"""A difference of one point."""
FEWEST_TESTED = 6
"""Below so many units no arrangement of them is rare enough to tell anything apart."""
_TIE = 1e-12


class Contrast(msgspec.Struct, frozen=True, omit_defaults=True):
    """One number of two systems; the difference is that of the first from the second.

    ``error`` is the standard error of the difference. ``p_value`` is adjusted for all pairs of systems (``holm``), and
    for the share of false findings among all that are shown (``bh``). ``effect`` is the difference in standard
    deviations of a unit; ``error_reduction`` the share of the second's errors that the first does not make;
    ``detectable`` is the smallest difference that would have been found in four of five such collections, and
    ``units_for_point`` how many units it takes to find one point. ``units`` are those that the number depends on: so
    many speak for the first (``won``), for neither, and for the second. ``is_part`` says that the number is one of
    several that everything was broken down into, as by label. ``cases`` are the counts behind the first
    number, each with its part of the difference.
    """

    number: str
    first: str
    second: str
    values: tuple[float | None, float | None]
    difference: float | None = None
    interval: Interval | None = None
    error: float | None = None
    p_value: float | None = None
    holm: float | None = None
    bh: float | None = None
    effect: float | None = None
    error_reduction: float | None = None
    detectable: float | None = None
    units_for_point: int | None = None
    units: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    is_part: bool = False
    cases: tuple[CaseShare, ...] = ()

    @property
    def adjusted(self) -> float | None:
        """The p-value that decides: adjusted for all pairs or, among parts, for the share of false findings."""
        return self.bh if self.is_part else self.holm

    def is_told_apart(self, level: float = 0.95) -> bool:
        """Say whether the two differ, chance aside."""
        return self.adjusted is not None and self.adjusted <= 1 - level + _TIE


class Sides(NamedTuple):
    """One number of every run of two systems, on the same units."""

    first: Sequence[Estimand]
    second: Sequence[Estimand]

    @property
    def is_seeded(self) -> bool:
        """Whether one of the systems has several runs."""
        return len(self.first) > 1 or len(self.second) > 1


def contrasted(
    names: tuple[str, str, str], sides: Sides, result: Resampled, interval: Interval | None, *, of_units: bool = True
) -> Contrast:
    """Return the contrast of two systems from what is known of their difference, without any test.

    ``names`` are those of the number and of both systems. With ``of_units`` units are told that speak for either.
    """
    values = mean_value(sides.first), mean_value(sides.second)
    won, tied, lost = _won(sides) if of_units else (0, 0, 0)
    known = Contrast(*names, values, units=result.units, won=won, tied=tied, lost=lost)
    left, right = values
    if left is None or right is None:
        return known
    reduction = (left - right) / (1 - right) if right < 1 else None
    known = msgspec.structs.replace(known, difference=left - right, interval=interval, error_reduction=reduction)
    if result.units < 2 or not result.error > 0:
        return known
    doubt = Doubt(result.error, result.freedom)
    level = interval.level if interval else 0.95
    return msgspec.structs.replace(
        known,
        error=result.error,
        effect=(left - right) / (sqrt(result.units) * result.error),
        detectable=doubt.detectable(level=level),
        units_for_point=doubt.units_needed(POINT, result.units, level=level),
    )


def mean_value(runs: Sequence[Estimand]) -> float | None:
    """Return the score of a system: the mean of its runs, undefined if that of one of them is."""
    values = [run.value() for run in runs]
    return None if any(map(isnan, values)) else sum(values) / len(values)


def seeded_result(sides: Sequence[Sequence[Estimand]], units: int, least: float) -> Resampled:
    """Return the score of several runs, or the difference of two such, with the doubt of units and of runs."""
    none = np.zeros(0)
    if sides[0][0].units < 2:
        return Resampled(np.nan, 0.0, none, none, units, 0.0, 1.0, None, least)
    lines = [[Linear(run.value(), tuple(run.contributions().tolist())) for run in runs] for runs in sides]
    estimate = seeded(*lines)
    error = estimate.doubt.error if estimate.doubt.error**2 > NOTHING else 0.0
    return Resampled(estimate.value, error, none, none, units, estimate.doubt.freedom, 1.0, None, least)


def shares(first: Estimand, second: Estimand) -> Array:
    """Return what each unit adds to the difference of two numbers, to first order: nothing where both are the same.

    The change of the number with each sum is taken halfway between both systems, so that neither is favoured.
    """
    sums = [side.sums(side.summands() @ np.ones((len(side.places), 1))) for side in (first, second)]
    halfway = SampleSums(*((left + right) / 2 for left, right in zip(*sums, strict=True)))
    slopes = flat(first.gradient(halfway))
    contributions: Array = ((flat(first.deviations) - flat(second.deviations)).T @ slopes)[:, 0]
    return contributions


def _won(sides: Sides) -> tuple[int, int, int]:
    """Return how many units speak for the first, for neither, and for the second, among those that say anything."""
    left, right = (_together(runs) for runs in sides)
    contributions = shares(left, right)
    carrying = left.carrying | right.carrying
    won, lost = int(np.count_nonzero(contributions > _TIE)), int(np.count_nonzero(contributions < -_TIE))
    return won, int(np.count_nonzero(carrying)) - won - lost, lost


def _together(runs: Sequence[Estimand]) -> Estimand:
    """Return several runs as one, with the mean of what each adds."""
    means = {
        name: np.mean([getattr(run, name) for run in runs], axis=0) for name in ("columns", "deviations", "present")
    }
    return runs[0] if len(runs) == 1 else runs[0]._replace(**means)


Test = Literal["randomisation", "bootstrap", "t"]
TESTS: tuple[Test, ...] = get_args(Test)
"""How a difference is tested: by swapping units between the systems, by resamples, or by Student's distribution."""


class Request(NamedTuple):
    """What is asked of a comparison, beside the systems."""

    test: Test
    bootstrap: Bootstrap
    method: Method
    zero: ZeroRule


def alone(estimand: Estimand) -> Resampled:
    """Return a number of a single unit, which says nothing of how sure it is."""
    none = np.zeros(0)
    return Resampled(estimand.value(), 0.0, none, none, estimand.carriers, 0.0, 1.0)


def scored(number: Row, runs: Sequence[Estimand], results: Sequence[Resampled], request: Request) -> Row:
    """Return a number of a system with its interval."""
    value, bootstrap = mean_value(runs), request.bootstrap
    interval: Interval | None
    if len(runs) > 1:
        interval = (
            _seeded_interval(seeded_result([runs], results[0].units, 0.0), bootstrap.level)
            if value is not None
            else None
        )
    else:
        interval = interval_of(number, runs[0], results[0], bootstrap)
    return msgspec.structs.replace(number, value=value, interval=interval)


def _seeded_interval(result: Resampled, level: float) -> Interval | None:
    if result.units < 2 or not result.error > 0:
        return None
    low, high = Doubt(result.error, result.freedom).interval(result.value, level)
    return Interval(max(result.least, low), min(1.0, high), level, "seeds", result.units)


def contrasts_of(
    names: Sequence[str],
    number: Row,
    estimands: Sequence[Sequence[Estimand]],
    results: Sequence[Sequence[Resampled]],
    plan: Design,
    request: Request,
    *,
    of_units: bool = True,
) -> list[Contrast]:
    """Return the contrasts of all pairs in one number, tested together."""
    pairs = list(combinations(range(len(names)), 2))
    sides = [Sides(estimands[first], estimands[second]) for first, second in pairs]
    level, results_of_pairs, contrasts = request.bootstrap.level, [], []
    drawn = _drawn_errors(sides, plan, request)
    for (first, second), pair, errors in zip(pairs, sides, drawn, strict=True):
        if pair.is_seeded:
            units = max(result.units for result in (*results[first], *results[second]))
            result = seeded_result(pair, units, -1.0)
            interval = _seeded_interval(result, level)
        else:
            result = _difference(pair, (results[first][0], results[second][0]), plan, errors)
            interval = result.interval(request.method, level)
        results_of_pairs.append(result)
        contrasts.append(
            contrasted((number.name, names[first], names[second]), pair, result, interval, of_units=of_units)
        )
    return _tested(contrasts, sides, results_of_pairs, plan, request)


def _difference(pair: Sides, results: tuple[Resampled, Resampled], plan: Design, errors: Any) -> Resampled:
    if plan.drawn < 2:
        left, right = results
        return left._replace(value=left.value - right.value, units=max(left.units, right.units), least=-1.0)
    return difference((pair.first[0], pair.second[0]), results, plan, errors)


def _drawn_errors(sides: Sequence[Sides], plan: Design, request: Request) -> Iterator[Any]:
    """Yield the standard errors of each difference in the resamples, where the method looks at them."""
    if request.method != "studentised" or plan.drawn < 2 or any(pair.is_seeded for pair in sides):
        return iter([None] * len(sides))
    pairs = [(pair.first[0], pair.second[0]) for pair in sides]
    return (errors for _, errors in paired_errors(pairs, plan, request.bootstrap))


def _tested(
    contrasts: Sequence[Contrast], sides: Sequence[Sides], results: Sequence[Resampled], plan: Design, request: Request
) -> list[Contrast]:
    """Return the contrasts with their p-values, where there are units enough, adjusted for the number of pairs."""
    tested = [
        index
        for index, contrast in enumerate(contrasts)
        if contrast.difference is not None and contrast.units >= FEWEST_TESTED
    ]
    values = _p_values([sides[index] for index in tested], [results[index] for index in tested], plan, request)
    adjusted = zip(tested, values, holm(values), benjamini_hochberg(values), strict=True)
    result = list(contrasts)
    for index, value, by_holm, by_share in adjusted:
        result[index] = msgspec.structs.replace(result[index], p_value=value, holm=by_holm, bh=by_share)
    return result


def _p_values(sides: Sequence[Sides], results: Sequence[Resampled], plan: Design, request: Request) -> list[float]:
    seed = request.bootstrap.seed
    if not sides:
        return []
    if request.test == "t" or any(pair.is_seeded for pair in sides):
        return [Doubt(result.error, result.freedom).p_value(_whole(result.value)) for result in results]
    pairs = [(pair.first[0], pair.second[0]) for pair in sides]
    if request.test == "randomisation":
        swapped = [SystemPair(*pair, plan.strata) for pair in pairs]
        return [outcome.p_value for outcome in randomised(swapped, plan.drawn, seed=seed)]
    drawn = paired_errors(pairs, plan, Bootstrap(ARRANGEMENTS, seed))
    return [
        p_studentised(result.value, result.error, values, errors)
        for result, (values, errors) in zip(results, drawn, strict=True)
    ]


def _whole(value: float) -> float:
    """Return a difference without what rounding alone may leave."""
    return 0.0 if abs(value) <= 1e-12 else value


def screened(contrasts: Sequence[Contrast], parts: Collection[str]) -> list[Contrast]:
    """Adjust what is said of parts, as of labels, for the share of false findings among all parts and pairs."""
    result = [
        msgspec.structs.replace(contrast, is_part=True) if contrast.number in parts else contrast
        for contrast in contrasts
    ]
    places = [index for index, contrast in enumerate(result) if contrast.is_part and contrast.p_value is not None]
    values = [result[index].p_value or 0.0 for index in places]
    for index, value in zip(places, benjamini_hochberg(values), strict=True):
        result[index] = msgspec.structs.replace(result[index], bh=value)
    return result
