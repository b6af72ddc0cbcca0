"""Precision, recall and F1 as ratios of counts; a ratio with nothing below the line is undefined.

A formula takes the counts of a group, each a number or an array of numbers (one for each resample), and returns
numerator and denominator. So the same formula serves a score, an average over units and a bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Ratio = tuple[Any, Any]
Formula = Callable[[Sequence[Any]], Ratio]


def value(ratio: Ratio) -> float | None:
    """Return the quotient, or ``None`` where it is undefined.

    >>> value((1, 4)), value((0, 0))
    (0.25, None)
    """
    numerator, denominator = ratio
    return numerator / denominator if denominator else None


def quotient(numerator: Any, denominator: Any) -> Any:
    """Return the quotient, 0 where there is nothing below the line; for numbers and arrays alike.

    >>> quotient(1, 4), quotient(0, 0)
    (0.25, 0.0)
    """
    return numerator * (denominator != 0) / (denominator + (denominator == 0))


def harmonic(precision: Any, recall: Any) -> Any:
    """Return the harmonic mean, 0 where both are 0."""
    return quotient(2 * precision * recall, precision + recall)


def mean(values: Sequence[Any]) -> Any:
    """Return the plain mean of some values, which may be arrays; they are added up in their order."""
    return sum(values) / len(values)


def precision(correct: Any, actual: Any, possible: Any) -> Ratio:
    """Return correct among what the system gave; undefined when it gave nothing."""
    del possible
    return correct, actual


def recall(correct: Any, actual: Any, possible: Any) -> Ratio:
    """Return correct among what the gold holds; undefined when it holds nothing."""
    del actual
    return correct, possible


def f1(correct: Any, actual: Any, possible: Any) -> Ratio:
    """Return the harmonic mean of precision and recall; undefined only when neither side has anything."""
    return 2 * correct, actual + possible


def f1_both(correct: Any, actual: Any, possible: Any) -> Ratio:
    """Return F1 that is undefined unless both sides have something."""
    return 2 * correct, (actual + possible) * (actual > 0) * (possible > 0)


def perfect_where_empty(ratio: Callable[..., Ratio], correct: Any, actual: Any, possible: Any) -> Ratio:
    """Return 1 where there is nothing to find and nothing was found, and 0 where a ratio is otherwise undefined.

    >>> perfect_where_empty(precision, 0, 0, 0), perfect_where_empty(precision, 0, 0, 2)
    ((1, 1), (0, 1))
    """
    above, below = ratio(correct, actual, possible)
    return above + (actual + possible == 0), below + (below == 0)


def two_sided_precision(gold_credit: Any, system_credit: Any, actual: Any, possible: Any) -> Ratio:
    """Return what is right among the system items of a label, whatever the labels of their partners."""
    del gold_credit, possible
    return system_credit, actual


def two_sided_recall(gold_credit: Any, system_credit: Any, actual: Any, possible: Any) -> Ratio:
    """Return what is right among the gold items of a label, whatever the labels of their partners."""
    del system_credit, actual
    return gold_credit, possible


def two_sided_f1(gold_credit: Any, system_credit: Any, actual: Any, possible: Any) -> Ratio:
    """Return the harmonic mean of precision and recall where partners may have different labels.

    Then what is right among the gold entities of a label, and among the system's, are two numbers. Undefined when
    neither side has anything, and when one of the two is undefined although the other is more than nothing.

    >>> two_sided_f1(2, 2, 4, 4), two_sided_f1(0, 0, 1, 2), two_sided_f1(1, 0, 0, 1)
    ((8, 16), (0, 3), (0, 0))
    """
    nothing = (gold_credit + system_credit) == 0
    below = system_credit * possible + gold_credit * actual
    return 2 * system_credit * gold_credit, below + nothing * (actual + possible)


def same_number(first: float | None, second: float | None) -> bool:
    """Say whether two numbers are the same but for rounding; undefined is the same as undefined only.

    >>> same_number(0.1 + 0.2, 0.3), same_number(None, 0.0)
    (True, False)
    """
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)
