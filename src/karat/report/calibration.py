"""How well the scores hold that systems give their items: whether eight of ten with a score of 0.8 are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.statistics.samples import wilson
from karat.report.charts import Dot, rows_chart
from karat.report.numbers import ShownSystem, count
from karat.report.summary import ChartLine, ChartTable

if TYPE_CHECKING:
    from karat.display.drawing.reader.gathering import ReaderUnit

BINS = 10
FEWEST = 20
"""Below so many items with a score nothing is said."""


class Calibration(NamedTuple):
    """The items of a system by their scores, and how far scores and shares are apart on average."""

    system: ShownSystem
    table: ChartTable
    error: str


def lacking(units: Sequence[ReaderUnit], systems: Sequence[ShownSystem], regime: str) -> str:
    """Say why nothing is told of calibration, if no system has enough items with a score."""
    scored = max(sum(1 for _ in _scored(units, system, regime)) for system in range(len(systems)))
    if not scored:
        return "No calibration: no system says how sure it is of its items."
    return f"No calibration: {scored} items with a score between 0 and 1 are too few; it begins with {FEWEST}."


def calibrations(units: Sequence[ReaderUnit], systems: Sequence[ShownSystem], regime: str) -> list[Calibration]:
    """Return for each system that gives scores how many items of each range of scores are right under a regime."""
    curves = [_calibration(system, list(_scored(units, index, regime))) for index, system in enumerate(systems)]
    return [calibration for calibration in curves if calibration is not None]


def _scored(units: Sequence[ReaderUnit], system: int, regime: str) -> Iterator[tuple[float, bool]]:
    """Yield the score of each item that has one between 0 and 1, and whether it is right."""
    for unit in units:
        for row in unit.rows:
            for judged in row.judged.get(system, ()):
                item = judged.item
                if item is not None and item.score is not None and 0 <= item.score <= 1 and regime in judged.verdicts:
                    yield item.score, judged.verdicts[regime] == "correct"


def _calibration(system: ShownSystem, scored: Sequence[tuple[float, bool]]) -> Calibration | None:
    if len(scored) < FEWEST:
        return None
    ranges: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for score, right in scored:
        ranges[min(BINS - 1, int(score * BINS))].append((score, right))
    lines: list[ChartLine] = []
    dots, apart = [], []
    for bin_index, items in enumerate(ranges):
        if not items:
            continue
        mean, share = fsum(score for score, _ in items) / len(items), sum(right for _, right in items) / len(items)
        low, high = wilson(share, len(items))
        row = len(lines)
        dots += [Dot(row, share, low, high), Dot(row, mean, shape="open")]
        apart.append(abs(mean - share) * len(items))
        cells = [f"{mean:.3f}", f"{share:.3f}", f"[{low:.3f}, {high:.3f}]", count(len(items))]
        name = f"{bin_index / BINS:.1f}–{(bin_index + 1) / BINS:.1f}"
        lines.append(ChartLine("", name, cells, f"{name}: said {cells[0]}, right {cells[1]} {cells[2]}"))
    chart = rows_chart(f"calibration-{system.letter}", dots, len(lines), limits=(0.0, 1.0))
    table = ChartTable(["○ said", "● right", "95 % interval", "items"], lines, chart)
    return Calibration(system, table, f"{fsum(apart) / len(scored):.3f}")
