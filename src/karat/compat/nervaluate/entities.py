"""The data types of nervaluate: entities, counts with their ratios, and indices of outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from karat.measures.published import whole_zero_prf

Index = tuple[int, int]
"""The index of a document, and of an entity in it."""
OUTCOMES = ("correct", "incorrect", "partial", "missed", "spurious")


class Entity(NamedTuple):
    """A labelled entity; ``end`` is its last position, inclusive."""

    label: str
    start: int
    end: int


@dataclass
class EvaluationResult:
    """The counts of outcomes, and the ratios computed from them."""

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
        """Compute the ratios; with ``partial_or_type``, a partial match counts 0.5.

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
    """The indices of each outcome: those of predictions, but of gold entities for missed ones."""

    correct_indices: list[Index] = field(default_factory=list)
    incorrect_indices: list[Index] = field(default_factory=list)
    partial_indices: list[Index] = field(default_factory=list)
    missed_indices: list[Index] = field(default_factory=list)
    spurious_indices: list[Index] = field(default_factory=list)

    def of(self, outcome: str) -> list[Index]:
        """Return the indices of an outcome."""
        indices: list[Index] = getattr(self, f"{outcome}_indices")
        return indices
