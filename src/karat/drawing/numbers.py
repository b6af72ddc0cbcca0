"""A number on its interval, or as a bar, as a small picture of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Row

_WIDTH, _HEIGHT, _EDGE = 200, 20, 6
"""The size of a picture, and what is free on its sides."""


def pictures(rows: Sequence[Row | None]) -> list[str]:
    """Return each number as a dot on the line of its interval, all on one scale; none if no number has an interval."""
    ends = [end for row in rows if row and row.interval for end in (row.interval.low, row.interval.high)]
    if not ends:
        return []
    low, high = min(ends), max(ends)

    def place(value: float) -> str:
        share = (value - low) / (high - low) if high > low else 0.5
        return f"{_EDGE + share * (_WIDTH - 2 * _EDGE):.1f}"

    return [
        _picture(row, place(row.interval.low), place(row.value), place(row.interval.high))
        if row and row.interval and row.value is not None
        else ""
        for row in rows
    ]


def _picture(row: Row, low: str, value: str, high: str) -> str:
    middle = _HEIGHT // 2
    assert row.interval is not None  # noqa: S101 - asked for only with one
    label = f"{row.value:.3f}, from {row.interval.low:.3f} to {row.interval.high:.3f}"
    ends = "".join(f'<line x1="{x}" x2="{x}" y1="{middle - 4}" y2="{middle + 4}"/>' for x in (low, high))
    line = f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}"/>'
    line += f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>'
    dot = f'<circle cx="{value}" cy="{middle}" r="4.5"/>'
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{label}">{line}{ends}{dot}</svg>'
