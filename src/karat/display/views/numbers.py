"""Numbers as text: scores with three decimals, intervals, differences in points, and p-values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.evaluation.scores import Interval, Row

UNDEFINED = "-"
_F_MEASURE = re.compile(r"f[0-9.]+")
SHORT = {"precision": "P", "recall": "R", "f1": "F1"}


def short(measure: str) -> str:
    """Return what a measure is called in the head of a table.

    >>> short("recall"), short("f0.5"), short("accuracy")
    ('R', 'F0.5', 'accuracy')
    """
    return SHORT.get(measure) or (measure.upper() if _F_MEASURE.fullmatch(measure) else measure)


def three(value: float | None) -> str:
    """Return a score with three decimals."""
    return UNDEFINED if value is None else f"{value:.3f}"


def limits(interval: Interval | None, nothing: str = "") -> str:
    """Return an interval of a score, or ``nothing`` if there is none."""
    return nothing if interval is None else f"[{interval.low:.3f}, {interval.high:.3f}]"


def digits(number: float | None) -> str:
    """Return a number with all its digits."""
    return UNDEFINED if number is None else repr(number)


def spoken(row: Row) -> str:
    """Return the name of a number in words: regime, measure, average, layer, slice and label."""
    parts = (row.regime, short(row.measure), row.average, row.layer, row.slice, row.label)
    return " ".join(part for part in parts if part)


def points(value: float, *, signed: bool = False) -> str:
    """Return a difference in points, with a typographic minus.

    >>> points(-0.0042), points(0.0042, signed=True)
    ('−0.4', '+0.4')
    """
    shown = f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"
    return "0.0" if shown in ("+0.0", "-0.0", "0.0") else shown.replace("-", "−")


def in_brackets(interval: Interval | None, *, turned: bool = False) -> str:
    """Return an interval of a difference in points; ``turned`` swaps the sides of the difference."""
    if interval is None:
        return ""
    low, high = (-interval.high, -interval.low) if turned else (interval.low, interval.high)
    return f"[{points(low)}, {points(high)}]"


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, or ``< 0.001``."""
    if value is None:
        return UNDEFINED
    return "<0.001" if value < 0.001 else f"{value:.3f}"
