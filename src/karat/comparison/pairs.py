"""All pairs of systems in one number: differences with intervals from shared draws, tested together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from karat.comparison.contrasts import FEWEST_TESTED, Contrast, Sides, contrasted, mean_value, seeded_result
from karat.scores import Interval, Row, ZeroRule
from karat.statistics.bootstrap import Design, difference, interval_of, paired_errors
from karat.statistics.contributions import Doubt
from karat.statistics.estimands import Estimand
from karat.statistics.intervals import Bootstrap, Method, Resampled
from karat.statistics.randomisation import ARRANGEMENTS, Pair, p_studentised, randomised
from karat.statistics.ranking import benjamini_hochberg, holm

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
    import numpy as np

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
        ours, theirs = results
        return ours._replace(value=ours.value - theirs.value, units=max(ours.units, theirs.units), least=-1.0)
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
        place
        for place, contrast in enumerate(contrasts)
        if contrast.difference is not None and contrast.units >= FEWEST_TESTED
    ]
    values = _p_values([sides[place] for place in tested], [results[place] for place in tested], plan, request)
    adjusted = zip(tested, values, holm(values), benjamini_hochberg(values), strict=True)
    result = list(contrasts)
    for place, value, by_holm, by_share in adjusted:
        result[place] = msgspec.structs.replace(result[place], p_value=value, holm=by_holm, bh=by_share)
    return result


def _p_values(sides: Sequence[Sides], results: Sequence[Resampled], plan: Design, request: Request) -> list[float]:
    seed = request.bootstrap.seed
    if not sides:
        return []
    if request.test == "t" or any(pair.is_seeded for pair in sides):
        return [Doubt(result.error, result.freedom).p_value(_whole(result.value)) for result in results]
    pairs = [(pair.first[0], pair.second[0]) for pair in sides]
    if request.test == "randomisation":
        swapped = [Pair(*pair, plan.strata) for pair in pairs]
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
    places = [place for place, contrast in enumerate(result) if contrast.is_part and contrast.p_value is not None]
    values = [result[place].p_value or 0.0 for place in places]
    for place, value in zip(places, benjamini_hochberg(values), strict=True):
        result[place] = msgspec.structs.replace(result[place], bh=value)
    return result
