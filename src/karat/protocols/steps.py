"""What verdicts add to the counts of a book that counts for each regime by itself."""

from __future__ import annotations

from math import fsum
from typing import Any, NamedTuple


class StepKind(NamedTuple):
    """What decides what a verdict adds to the counts, beside its weight and the labels."""

    case: str
    regimes: tuple[str, ...] | None
    is_graded: bool
    has_gold: bool
    has_system: bool


class Step(NamedTuple):
    """What a verdict adds to one count: so much, or its weight; booked on the label of the gold or the system item.

    ``of_pair`` is said of credit; what is not ``labelled`` is booked over all labels only.
    """

    place: int
    amount: float | None
    on_system: bool
    of_pair: bool
    labelled: bool


class LabelCounts:
    """Counts over all labels (``None``), and of each."""

    def __init__(self, width: int) -> None:
        self.nothing: list[float] = [0] * width
        self.rows: dict[str | None, list[float]] = {None: self.nothing.copy()}
        self.fractions: dict[tuple[str | None, int], list[float]] = {}

    def add(self, label: str | None, place: int, amount: Any, times: int = 1) -> None:
        """Add an amount to a count, so many times."""
        if amount.__class__ is float:
            self.fractions.setdefault((label, place), []).extend([amount] * times)
            return
        row = self.rows.get(label)
        if row is None:
            row = self.rows[label] = self.nothing.copy()
        row[place] += amount * times

    def summed(self) -> dict[str | None, list[float]]:
        """Return the counts; fractions are added up exactly, so that their order makes no difference."""
        for (label, place), amounts in self.fractions.items():
            row = self.rows.setdefault(label, self.nothing.copy())
            row[place] = fsum((row[place], *amounts))
        return self.rows
