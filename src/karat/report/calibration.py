"""Calibration: for each range of confidence, the share of items that are correct."""

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
"""The minimum number of items with a confidence for a calibration."""


class Calibration(NamedTuple):
    """The calibration of a system: a table by range of confidence, and the expected calibration error."""

    system: ShownSystem
    table: ChartTable
    error: str


class ConfidenceBins:
    """Counts the items of a system, and the correct ones, by range of confidence."""

    def __init__(self) -> None:
        self.confidences = [array("d") for _ in range(BINS)]
        self.correct = [0] * BINS

    def add(self, confidence: float, *, is_correct: bool) -> None:
        """Count an item, unless its confidence is not between 0 and 1."""
        if 0 <= confidence <= 1:
            index = min(BINS - 1, int(confidence * BINS))
            self.confidences[index].append(confidence)
            self.correct[index] += is_correct

    @property
    def items(self) -> int:
        """The number of items that were counted."""
        return sum(map(len, self.confidences))


def lacking(systems: Sequence[ConfidenceBins]) -> str:
    """Return a sentence on why there is no calibration."""
    scored = max(bins.items for bins in systems)
    if not scored:
        return "No calibration: no system has confidences."
    return (
        f"No calibration: {scored} items with a confidence between 0 and 1 are too few; at least {FEWEST} are needed."
    )


def calibrations(systems: Sequence[ShownSystem], counted: Sequence[ConfidenceBins]) -> list[Calibration]:
    """Return the calibration of each system with enough confidences."""
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
