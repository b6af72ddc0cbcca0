"""Numbers as pictures in a line of a terminal or of a page: intervals on an axis, and bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.evaluation.scores import Interval, Row

LEAST_ROOM, MOST_ROOM = 24, 42
"""The least and the greatest width of a picture, in columns."""
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_PER_LABEL = 8
"""The least distance between labels of the axis, in columns."""
_WIDTH, _HEIGHT, _EDGE = 200, 20, 6
"""The size of a picture in a page, and its margin."""


class Picture(NamedTuple):
    """The axis, for the head of a column, and a line for each number."""

    axis: str
    lines: list[str]


class _Scale(NamedTuple):
    low: float
    high: float
    step: float
    room: int

    def place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return min(self.room - 1, max(0, round(share * (self.room - 1))))

    def marks(self) -> list[float]:
        return [self.low + self.step * number for number in range(round((self.high - self.low) / self.step) + 1)]


def intervals_drawn(
    numbers: Sequence[tuple[float | None, Interval | None]], room: int, *, points: bool = False
) -> Picture:
    """Return numbers as dots on their intervals; with ``points`` they are differences, and the axis shows zero.

    >>> from karat.evaluation.scores import Interval
    >>> intervals_drawn([(0.5, Interval(0.4, 0.6))], 24)
    Picture(axis='0.4        0.5       0.6', lines=['├──────────●───────────┤'])
    """
    ends = [value for value, _ in numbers if value is not None]
    ends += [end for _, interval in numbers if interval for end in (interval.low, interval.high)]
    if not ends:
        return Picture("", [""] * len(numbers))
    scale = _scale([100 * end for end in ends] + [0.0] if points else ends, room, most=None if points else 1.0)
    factor = 100 if points else 1
    return Picture(_axis(scale), [_line(scale, factor, value, interval) for value, interval in numbers])


def _scale(ends: Sequence[float], room: int, most: float | None) -> _Scale:
    low, high = min(ends), max(ends)
    step = next((size for size in _STEPS if (high - low) / size <= room / _PER_LABEL), _STEPS[-1])
    low, high = step * (low / step + 1e-9).__floor__(), step * (high / step - 1e-9).__ceil__()
    high = high if most is None else min(most, high)
    return _Scale(low, max(high, low + step), step, room)


def _axis(scale: _Scale) -> str:
    axis = [" "] * scale.room
    for mark in scale.marks():
        digits = 2 if scale.step < 0.1 else 1 if scale.step < 1 else 0
        label = f"{mark:.{digits}f}".replace("-0", "0" if mark > -0.5 and digits == 0 else "-0").replace("-", "−")
        first = min(scale.place(mark), scale.room - len(label))
        axis[first : first + len(label)] = label
    return "".join(axis).rstrip()


def _line(scale: _Scale, factor: int, value: float | None, interval: Interval | None) -> str:
    cells = [" "] * scale.room
    for mark in scale.marks():
        cells[scale.place(mark)] = "│" if factor > 1 and abs(mark) < scale.step / 2 else "┊"
    if interval is not None:
        first, last = scale.place(factor * interval.low), scale.place(factor * interval.high)
        cells[first : last + 1] = "─" * (last + 1 - first)
        cells[first], cells[last] = "├", "┤"
    if value is not None:
        cells[scale.place(factor * value)] = "●"
    return "".join(cells)


def bar_axis(room: int) -> str:
    """Return the head of a column of bars."""
    return f"0{' ' * (room - 2)}1"


def bar(share: float | None, room: int) -> str:
    """Return a share of 1 as a bar of so many columns.

    >>> bar(0.75, 8)
    '██████░░'
    """
    if share is None:
        return ""
    filled = round(max(0.0, min(1.0, share)) * room)
    return "█" * filled + "░" * (room - filled)


def pictures(rows: Sequence[Row | None]) -> list[str]:
    """Return each number as a dot on its interval, all on one scale; empty if no number has an interval."""
    ends = [end for row in rows if row and row.interval for end in (row.interval.low, row.interval.high)]
    if not ends:
        return []
    least, most, middle = min(ends), max(ends), _HEIGHT // 2

    def place(value: float) -> str:
        share = (value - least) / (most - least) if most > least else 0.5
        return f"{_EDGE + share * (_WIDTH - 2 * _EDGE):.1f}"

    def picture(row: Row | None) -> str:
        if row is None or row.interval is None or row.value is None:
            return ""
        low, value, high = map(place, (row.interval.low, row.value, row.interval.high))
        label = f"{row.value:.3f}, from {row.interval.low:.3f} to {row.interval.high:.3f}"
        ticks = "".join(f'<line x1="{x}" x2="{x}" y1="{middle - 4}" y2="{middle + 4}"/>' for x in (low, high))
        line = f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}"/>'
        line += f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>'
        dot = f'<circle cx="{value}" cy="{middle}" r="4.5"/>'
        return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{label}">{line}{ticks}{dot}</svg>'

    return list(map(picture, rows))
