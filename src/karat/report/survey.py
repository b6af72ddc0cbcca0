"""Counts of items for the summary, made in one pass over the units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.analysis.slices.confusion import LabelPairCounts
from karat.report.calibration import ConfidenceBins
from karat.report.contexts import MOST, DecidingItem, deciding
from karat.report.numbers import MOST_DETAILED, ShownSystem

if TYPE_CHECKING:
    from karat.display.drawing.reader.units import ItemVerdicts, ReaderRow, ReaderUnit


class Survey:
    """Counts confidences and label confusions under a regime, and keeps the first items on which systems differ."""

    def __init__(self, systems: Sequence[ShownSystem], regime: str) -> None:
        self._systems, self._regime = systems, regime
        self.confidences = [ConfidenceBins() for _ in systems]
        self.labels = [LabelPairCounts() for _ in systems[:MOST_DETAILED]]
        self.deciding: list[DecidingItem] = []

    def add(self, unit: ReaderUnit) -> None:
        """Count the items of a unit."""
        for row in unit.rows:
            for system, several in row.judged.items():
                for judged in several:
                    if self._regime in judged.verdicts:
                        self._count(row, system, judged)
            if len(self.deciding) < MOST and (item := deciding(unit, row, self._systems, self._regime)):
                self.deciding.append(item)

    def _count(self, row: ReaderRow, system: int, judged: ItemVerdicts) -> None:
        item = judged.item
        if item is not None and item.score is not None:
            self.confidences[system].add(item.score, is_correct=judged.verdicts[self._regime] == "correct")
        if not row.slice and system < len(self.labels):
            self.labels[system].add(row.layer, row.gold, item)
