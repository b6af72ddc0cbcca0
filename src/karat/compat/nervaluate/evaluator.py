"""The evaluator of nervaluate, with all its reports."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property, partial
from typing import Any, ClassVar

from karat.compat.nervaluate import reports
from karat.compat.nervaluate.entities import Entity, EvaluationIndices
from karat.compat.nervaluate.loaders import entities_of, kept, load
from karat.compat.nervaluate.scenario_counts import CaseCounts, LazyIndices, ScenarioCounts, indices_of
from karat.compat.nervaluate.strategies import check_percentage
from karat.protocols.spans.scenarios import SCENARIOS

MODES = ("overall", "entities")


class Evaluator:
    """Evaluates predicted against true entities under the scenarios strict, exact, partial and ent_type.

    >>> documents = [[{"label": "PER", "start": 0, "end": 1}]]
    >>> print(Evaluator(documents, documents, tags=["PER"]).summary_report(mode="entities"), end="")
    Scenario: strict
    <BLANKLINE>
                 correct   incorrect     partial      missed    spurious   precision      recall    f1-score
    <BLANKLINE>
        PER            1           0           0           0           0        1.00        1.00        1.00
    """

    _version: ClassVar[str] = "1.2.1"

    def __init__(
        self, true: Any, pred: Any, tags: list[str], loader: str = "default", min_overlap_percentage: float = 1.0
    ) -> None:
        self.tags, self.min_overlap_percentage = tags, min_overlap_percentage
        self._loaded = load(true, pred, loader)
        check_percentage(min_overlap_percentage)

    @cached_property
    def true(self) -> list[list[Entity]]:
        """The true entities of each document."""
        return entities_of(self._loaded.gold)

    @cached_property
    def pred(self) -> list[list[Entity]]:
        """The predicted entities of each document."""
        return entities_of(self._loaded.system)

    @cached_property
    def _counting(self) -> ScenarioCounts:
        counting = ScenarioCounts(self.tags, self.min_overlap_percentage, self._version)
        for part in self._loaded.parts(self.tags):
            counting.add(part)
        return counting

    def evaluate(self) -> dict[str, Any]:
        """Return counts, ratios and indices of outcomes, over all tags and for each."""
        documents = len(self._loaded)
        tables = {tag: counts for tag, counts in self._counting.by_tag.items() if counts}
        names = SCENARIOS if documents else ()
        results = partial(CaseCounts.results, forgetful=self._version == "1.1.0" and documents > 1)
        return {
            "overall": results(self._counting.overall) if documents else {},
            "entities": {tag: results(counts) for tag, counts in tables.items()},
            "overall_indices": LazyIndices(names, partial(self._indices, self.tags)),
            "entity_indices": {tag: LazyIndices(names, partial(self._indices, [tag])) for tag in tables},
        }

    def _indices(self, tags: Collection[str]) -> dict[str, EvaluationIndices]:
        """Return the indices of each outcome among the entities with some tags."""
        documents = kept(self._loaded, frozenset(tags))
        return indices_of(documents, self.min_overlap_percentage, self._version) if len(self._loaded) else {}

    def summary_report(self, mode: str = "overall", scenario: str = "strict", digits: int = 2) -> str:
        """Return a table of all scenarios, or of each tag under one scenario."""
        _check(mode, scenario)
        return reports.summary(self.evaluate(), mode, scenario, digits)

    def summary_report_indices(self, mode: str = "overall", scenario: str = "strict", colors: bool = False) -> str:
        """Return the indices of each outcome, with the predicted entity at each index.

        As in nervaluate, missed entities are looked up among the predictions, too, and indices count entities of all
        tags, so the details may be those of another entity.
        """
        _check(mode, scenario)
        return reports.indices(self.evaluate(), self.pred, mode, scenario, colors=colors)

    def results_to_csv(
        self, mode: str = "overall", scenario: str = "strict", file_path: str | None = None
    ) -> str | None:
        """Return the results as CSV, or write them to a file."""
        _check(mode, scenario)
        text = reports.csv(self.evaluate(), mode, scenario)
        if not file_path:
            return text
        from karat.io.outputs import write_whole

        write_whole({file_path: text.encode()})
        return None


def _check(mode: str, scenario: str) -> None:
    if mode not in MODES:
        raise ValueError(f"Invalid mode: must be one of {', '.join(MODES)}")
    if mode == "entities" and scenario not in SCENARIOS:
        raise ValueError(f"Invalid scenario: must be one of {', '.join(SCENARIOS)}")
