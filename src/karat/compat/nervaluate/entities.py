"""What nervaluate takes and returns: entities, counts with their ratios, and where each outcome stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from karat.measures.published import whole_zero_prf

Index = tuple[int, int]
"""A document by its number, and an entity of it by its place in the list."""
OUTCOMES = ("correct", "incorrect", "partial", "missed", "spurious")


class Entity(NamedTuple):
    """A label over positions, the last one included."""

    label: str
    start: int
    end: int


@dataclass
class EvaluationResult:
    """How often each outcome is there, and what follows from it."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    actual: int = 0
    possible: int = 0

    def compute_metrics(self, partial_or_type: bool = False) -> None:
        """Work out the ratios; a partial match counts for a half where that is so.

        >>> result = EvaluationResult(correct=1, partial=1)
        >>> result.compute_metrics(partial_or_type=True)
        >>> result.precision
        0.75
        """
        both = self.correct + self.incorrect + self.partial
        self.actual, self.possible = both + self.spurious, both + self.missed
        credit = self.correct + 0.5 * self.partial if partial_or_type else self.correct
        self.precision, self.recall, self.f1 = whole_zero_prf(credit, self.actual, self.possible)


@dataclass
class EvaluationIndices:
    """Where each outcome stands: predictions, for what is missed entities of the gold."""

    correct_indices: list[Index] = field(default_factory=list)
    incorrect_indices: list[Index] = field(default_factory=list)
    partial_indices: list[Index] = field(default_factory=list)
    missed_indices: list[Index] = field(default_factory=list)
    spurious_indices: list[Index] = field(default_factory=list)

    def of(self, outcome: str) -> list[Index]:
        """Return where an outcome stands."""
        indices: list[Index] = getattr(self, f"{outcome}_indices")
        return indices
