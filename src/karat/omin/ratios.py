"""Precision, recall and F1 as the OMIn programs compute them: 0 where there is nothing to divide by."""

from __future__ import annotations


def scores(true: float, false: float, missed: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 of what is right, wrong and missed; a whole 0 where one is undefined.

    >>> scores(3, 1, 0), scores(0, 0, 2)
    ((0.75, 1.0, 0.8571428571428571), (0, 0.0, 0))
    """
    precision = true / (true + false) if true + false > 0 else 0
    recall = true / (true + missed) if true + missed > 0 else 0
    return precision, recall, harmonic(precision, recall)


def harmonic(precision: float, recall: float) -> float:
    """Return F1, a whole 0 if both are 0."""
    return 2 * (precision * recall) / (precision + recall) if precision + recall > 0 else 0
