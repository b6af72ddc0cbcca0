"""Slices: the scores of parts of the data, by what documents say of themselves and by what their items are like."""

from __future__ import annotations

from karat.slices.asking import Breakdown, By, breakdowns
from karat.slices.confusion import Confusion, confusion_of

__all__ = ["Breakdown", "By", "Confusion", "breakdowns", "confusion_of"]
