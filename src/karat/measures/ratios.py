"""Ratios, as numerator and denominator: a ratio with nothing below the line is undefined."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Ratio = tuple[Any, Any]
Computation = Callable[[Sequence[Any]], Ratio]
"""Takes the counts of a group, each a number or an array of numbers, and returns numerator and denominator."""


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


def same_number(first: float | None, second: float | None) -> bool:
    """Say whether two numbers are the same but for rounding; undefined is the same as undefined only.

    >>> same_number(0.1 + 0.2, 0.3), same_number(None, 0.0)
    (True, False)
    """
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)
