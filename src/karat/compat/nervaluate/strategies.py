"""The four scenarios as classes, each for one document."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from typing import Any, ClassVar

from karat.compat.nervaluate.entities import OUTCOMES, EvaluationIndices, EvaluationResult
from karat.compat.nervaluate.scenario_counts import indices_of
from karat.protocols.spans.scenarios import ENT_TYPE, EXACT, PARTIAL, STRICT


def check_percentage(min_overlap_percentage: float) -> None:
    """Raise an error if the overlap is not between 1 and 100 percent."""
    if not 1.0 <= min_overlap_percentage <= 100.0:
        raise ValueError("min_overlap_percentage must be between 1.0 and 100.0")


class EvaluationStrategy(ABC):
    """Compares the entities of one document under a scenario: anything with a label, a first and a last position."""

    scenario: ClassVar[str]

    def __init__(self, min_overlap_percentage: float = 1.0) -> None:
        check_percentage(min_overlap_percentage)
        self.min_overlap_percentage = min_overlap_percentage

    def evaluate(
        self, true_entities: Iterable[Any], pred_entities: Iterable[Any], tags: list[str], instance_index: int = 0
    ) -> tuple[EvaluationResult, EvaluationIndices]:
        """Return the counts with ratios, and the indices of outcomes; ``tags`` has no effect, as in nervaluate."""
        del tags
        gold, system = (
            [(entity.start, entity.end + 1, entity.label) for entity in side] for side in (true_entities, pred_entities)
        )
        documents = [(gold, system)]
        indices = indices_of(documents, self.min_overlap_percentage, first=instance_index)[self.scenario]
        result = EvaluationResult(**{outcome: len(indices.of(outcome)) for outcome in OUTCOMES})
        result.compute_metrics(partial_or_type=self.scenario in (PARTIAL, ENT_TYPE))
        return result, indices


class StrictEvaluation(EvaluationStrategy):
    """Correct with the same span and label."""

    scenario = STRICT


class PartialEvaluation(EvaluationStrategy):
    """Correct with the same span, 0.5 with an overlapping span, whatever the label."""

    scenario = PARTIAL


class EntityTypeEvaluation(EvaluationStrategy):
    """Correct with the same label and an overlapping span."""

    scenario = ENT_TYPE


class ExactEvaluation(EvaluationStrategy):
    """Correct with the same span, whatever the label."""

    scenario = EXACT
