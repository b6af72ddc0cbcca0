"""Which counts make the difference between two systems: each with its part of it, and the parts add up."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from karat.analysis.statistics.estimands import slopes_of
from karat.measures.ratios import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.evaluation.protocol import Bound, Figure
    from karat.evaluation.tally import Counts
    from karat.measures.formulas import Formula
    from karat.measures.ratios import Computation

    Array = NDArray[np.float64]
    Groups = Sequence[Counts]
    """The summed counts of a run: of one group or, for a mean over labels, of each label."""
    Factors = tuple[Sequence[float], Sequence[float]]
    """How often each count is taken above and below the line of a ratio of sums."""

_CREDIBLE = 2.0
"""By which factor the parts may miss the difference before they are made to add up; beyond, they are not told."""
_STOPS = 24
"""Where the change of a formula is looked at on the way from one system to the other."""
_EQUAL, _MISSED = 1e-12, 1e-9
"""A difference that is none, and by how much parts may miss the difference by rounding."""


class CaseShare(msgspec.Struct, frozen=True, omit_defaults=True):
    """How often something was counted for two systems, and what that adds to the difference of their scores.

    ``share`` is none where a published program rounds or cuts, so that parts do not add up.
    """

    name: str
    first: float
    second: float
    share: float | None = None


def case_shares(
    bound: Bound,
    figure: Figure,
    first: Sequence[Groups],
    second: Sequence[Groups],
    difference: float | None,
    label: str | None = None,
) -> list[CaseShare]:
    """Return the counts behind a number of two systems, as far as it depends on them, by the names they are shown with.

    Of several runs of a system counts are the mean, and the parts are those of the mean difference. Parts that do not
    add up to the difference are not told, as where a mean is over other labels for one system than for the other.

    >>> from karat.evaluation.registry import protocols
    >>> seqeval = protocols()["seqeval"].with_options()
    >>> figure = next(figure for figure in seqeval.figures if figure.measure == "f1")
    >>> counts = [[0] * len(seqeval.counts) for _ in range(2)]
    >>> for place, (ours, theirs) in enumerate([(10, 10), (8, 10), (6, 5)]):
    ...     counts[0][place], counts[1][place] = ours, theirs
    >>> shares = case_shares(seqeval, figure, *([[tuple(side)]] for side in counts), difference=12 / 18 - 10 / 20)
    >>> [(share.name, round(share.share, 3)) for share in shares]
    [('gold', 0.0), ('system', 0.061), ('correct', 0.106)]
    """
    formula = figure.formula_of(label)
    parts = _parts(formula, bound.counts, first, second)
    if difference is None or abs(sum(parts) - difference) > _MISSED:
        parts = []
    shares = []
    for name, places in _shown(bound, figure, {index for index, part in enumerate(parts) if part}).items():
        means = [
            sum(counts[index] for groups in runs for counts in groups for index in places) / len(runs)
            for runs in (first, second)
        ]
        if any(means):
            left, right = (int(mean) if float(mean).is_integer() else mean for mean in means)
            shares.append(CaseShare(name, left, right, sum(parts[index] for index in places) if parts else None))
    return shares


def _parts(formula: Formula, names: Sequence[str], first: Sequence[Groups], second: Sequence[Groups]) -> list[float]:
    """Return what each count adds to the difference, in the mean over all pairs of runs; none if it cannot be told."""
    told: list[list[float]] = []
    for left, right in product(first, second):
        pairs = list(zip(left, right, strict=True))
        slopes = _slopes_of_groups(formula, names, pairs)
        if not slopes:
            return []
        changes = [
            [slope * (mine - other) for slope, mine, other in zip(own, *pair, strict=True)]
            for own, pair in zip(slopes, pairs, strict=True)
        ]
        told.append([sum(column) for column in zip(*changes, strict=True)])
    return [float(sum(column)) / len(told) for column in zip(*told, strict=True)]


def _slopes_of_groups(
    formula: Formula, names: Sequence[str], pairs: Sequence[tuple[Counts, Counts]]
) -> list[list[float]]:
    """Return how much the mean over groups changes with each count of each, groups without a number left out of it."""
    divide, factors = formula.over(names), formula.factors(names)
    defined = [[value(divide(side)) is not None for side in pair] for pair in pairs]
    known = [left and right for left, right in defined]
    if not any(known) or any(left != right for left, right in defined):
        return []
    slopes = [
        _slopes(divide, factors, *pair) if both else [0.0] * len(pair[0])
        for pair, both in zip(pairs, known, strict=True)
    ]
    if not all(map(len, slopes)):
        return []
    return [[slope / sum(known) for slope in own] for own in slopes]


def _shown(bound: Bound, figure: Figure, counted: set[int]) -> dict[str, list[int]]:
    """Return the places of the counts by the names they are shown with; where these leave one out, by their own."""
    places = {name: index for index, name in enumerate(bound.counts)}
    behind = figure.behind or {name: name for name in bound.counts}
    shown = {
        name: [places[own] for own in ((several,) if isinstance(several, str) else several)]
        for name, several in behind.items()
    }
    if counted <= {index for own in shown.values() for index in own}:
        return shown
    return {name: [index] for name, index in places.items() if index in counted}


def _slopes(divide: Computation, factors: Factors | None, first: Counts, second: Counts) -> Sequence[float]:
    """Return how much a number changes with each count between two systems, so that all changes add up.

    For a ratio of sums, N/D - n/d is (N-n)·(D+d)/2Dd - (D-d)·(N+n)/2Dd, which is exact. For other formulas it is the
    change along the straight way from one system to the other.
    """
    values = value(divide(first)), value(divide(second))
    if values[0] is None or values[1] is None:
        return ()
    if factors is None:
        return _slopes_on_the_way(divide, np.array(first, float), np.array(second, float), values[0] - values[1])
    above, below = map(np.array, factors)
    left, right = ((float(above @ counts), float(below @ counts)) for counts in (np.array(first), np.array(second)))
    middle = [(left[index] + right[index]) / 2 for index in (0, 1)]
    slopes: Array = (above * middle[1] - below * middle[0]) / (left[1] * right[1])
    return list(slopes)


def _slopes_on_the_way(divide: Computation, first: Array, second: Array, difference: float) -> Sequence[float]:
    """Return the mean change of a formula with each count between two systems; none if that does not tell enough."""
    places, weights = np.polynomial.legendre.leggauss(_STOPS)
    between = second[:, None] + (first - second)[:, None] * (places + 1) / 2
    slopes = slopes_of(divide, between) @ (weights / 2)
    told = float(slopes @ (first - second))
    if abs(difference) <= _EQUAL and abs(told) <= _EQUAL:
        return list(slopes)
    if abs(difference) <= _EQUAL or not 1 / _CREDIBLE < told / difference < _CREDIBLE:
        return ()
    return list(slopes * difference / told)
