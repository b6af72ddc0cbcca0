"""Differences and p-values as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.views._grid import UNDEFINED

if TYPE_CHECKING:
    from karat.scores import Interval


def points(value: float, *, signed: bool = False) -> str:
    """Return a difference in points, with a true minus.

    >>> points(-0.0042), points(0.0042, signed=True)
    ('−0.4', '+0.4')
    """
    shown = f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"
    return "0.0" if shown in ("+0.0", "-0.0", "0.0") else shown.replace("-", "−")


def in_brackets(interval: Interval | None, *, turned: bool = False) -> str:
    """Return an interval of a difference in points; turned, as it is from the other side."""
    if interval is None:
        return ""
    low, high = (-interval.high, -interval.low) if turned else (interval.low, interval.high)
    return f"[{points(low)}, {points(high)}]"


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, or below which it is."""
    if value is None:
        return UNDEFINED
    return "<0.001" if value < 0.001 else f"{value:.3f}"
