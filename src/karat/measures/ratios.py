"""Precision, recall and F1 as ratios of counts; a ratio with nothing below the line is undefined.

A formula takes the counts of a group, each a number or an array of numbers (one for each resample), and returns
numerator and denominator. So the same formula serves a score, an average over units and a bootstrap.
"""

from __future__ import annotations

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
