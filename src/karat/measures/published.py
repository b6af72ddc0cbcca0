"""The arithmetic of old programs, by name: what they print depends on the order of operations, and on ``0`` for ``0.0``.

Scores keep exact ratios; these functions divide as a program did, for its own tables.
"""

from __future__ import annotations

PRF = tuple[float, float, float]
"""Precision, recall and F1."""


def whole_zero_ratio(part: float, whole: float) -> float:
    """Divide, a whole 0 where there is nothing to divide by.

    >>> whole_zero_ratio(0, 2), whole_zero_ratio(0, 0)
    (0.0, 0)
    """
    return part / whole if whole > 0 else 0


def whole_zero_f1(precision: float, recall: float) -> float:
    """Return twice the product over the sum, a whole 0 if both are 0.

    >>> whole_zero_f1(0.75, 1.0), whole_zero_f1(0.0, 0.0)
    (0.8571428571428571, 0)
    """
    return 2 * (precision * recall) / (precision + recall) if precision + recall > 0 else 0


def whole_zero_prf(credit: float, actual: float, possible: float) -> PRF:
    """Return precision, recall and F1 of what is right, of what a system gave, and of what there is to be found.

    >>> whole_zero_prf(3, 4, 3), whole_zero_prf(0, 0, 2)
    ((0.75, 1.0, 0.8571428571428571), (0, 0.0, 0))
    """
    precision, recall = whole_zero_ratio(credit, actual), whole_zero_ratio(credit, possible)
    return precision, recall, whole_zero_f1(precision, recall)
