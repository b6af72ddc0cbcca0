"""Calibration: whether eight of ten items with a confidence of 0.8 are correct."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from karat.analysis.statistics.samples import wilson
from karat.report.charts import Dot, rows_chart
from karat.report.numbers import ShownSystem, count
from karat.report.summary import ChartLine, ChartTable

BINS = 10
FEWEST = 20
"""Below this number of items with a confidence there is no calibration."""


class Calibration(NamedTuple):
    """The items of a system by confidence, and the mean distance between confidence and share of correct items."""

    system: ShownSystem
    table: ChartTable
    error: str


class ConfidenceBins:
    """Counts by ranges of confidence how many items of a system are correct."""

    def __init__(self) -> None:
        self.confidences = [array("d") for _ in range(BINS)]
        self.correct = [0] * BINS

    def add(self, confidence: float, *, is_correct: bool) -> None:
        """Count an item; one whose confidence is not between 0 and 1 is left out."""
        if 0 <= confidence <= 1:
            index = min(BINS - 1, int(confidence * BINS))
            self.confidences[index].append(confidence)
            self.correct[index] += is_correct

    @property
    def items(self) -> int:
        """The number of items that were counted."""
        return sum(map(len, self.confidences))


def lacking(systems: Sequence[ConfidenceBins]) -> str:
    """Say why there is no calibration: no system has enough items with a confidence."""
    scored = max(bins.items for bins in systems)
    if not scored:
        return "No calibration: no system says how sure it is of its items."
    return f"No calibration: {scored} items with a score between 0 and 1 are too few; it begins with {FEWEST}."


def calibrations(systems: Sequence[ShownSystem], counted: Sequence[ConfidenceBins]) -> list[Calibration]:
    """Return for each system with enough confidences how many items of each range are correct."""
    curves = [_calibration(system, bins) for system, bins in zip(systems, counted, strict=True)]
    return [calibration for calibration in curves if calibration is not None]


def _calibration(system: ShownSystem, bins: ConfidenceBins) -> Calibration | None:
    if bins.items < FEWEST:
        return None
    lines: list[ChartLine] = []
    dots, apart = [], []
    for bin_index, (confidences, correct) in enumerate(zip(bins.confidences, bins.correct, strict=True)):
        items = len(confidences)
        if not items:
            continue
        mean, share = fsum(confidences) / items, correct / items
        low, high = wilson(share, items)
        row = len(lines)
        dots += [Dot(row, share, low, high), Dot(row, mean, shape="open")]
        apart.append(abs(mean - share) * items)
        cells = [f"{mean:.3f}", f"{share:.3f}", f"[{low:.3f}, {high:.3f}]", count(items)]
        name = f"{bin_index / BINS:.1f}–{(bin_index + 1) / BINS:.1f}"
        lines.append(ChartLine("", name, cells, f"{name}: said {cells[0]}, right {cells[1]} {cells[2]}"))
    chart = rows_chart(f"calibration-{system.letter}", dots, len(lines), limits=(0.0, 1.0))
    table = ChartTable(["○ said", "● right", "95 % interval", "items"], lines, chart)
    return Calibration(system, table, f"{fsum(apart) / bins.items:.3f}")
