"""nervaluate 0.2.0: its evaluator, which returns four dictionaries, and all its functions.

>>> from karat.compat.nervaluate.v0_2_0 import Evaluator
>>> results, by_tag, *_ = Evaluator([["B-PER", "I-PER"]], [["B-PER", "O"]], tags=["PER"], loader="list").evaluate()
>>> results["partial"]["f1"], results["ent_type"]["correct"]
(0.5, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from karat.compat.nervaluate.entities import OUTCOMES
from karat.compat.nervaluate.old_metrics import (
    INDICES,
    SCHEMAS,
    compute_actual_possible,
    compute_metrics,
    compute_precision_recall,
    compute_precision_recall_wrapper,
)
from karat.compat.nervaluate.old_reports import (
    summary_report_ent,
    summary_report_ents_indices,
    summary_report_overall,
    summary_report_overall_indices,
)
from karat.compat.nervaluate.utils import (
    collect_named_entities,
    conll_to_spans,
    find_overlap,
    list_to_spans,
    split_list,
)

__all__ = [
    "Evaluator",
    "collect_named_entities",
    "compute_actual_possible",
    "compute_metrics",
    "compute_precision_recall",
    "compute_precision_recall_wrapper",
    "conll_to_spans",
    "find_overlap",
    "list_to_spans",
    "split_list",
    "summary_report_ent",
    "summary_report_ents_indices",
    "summary_report_overall",
    "summary_report_overall_indices",
]

_RATIOS = ("precision", "recall", "f1")


class Evaluator:
    """Evaluates predicted against true entities, which are dictionaries unless a loader is named."""

    def __init__(self, true: Any, pred: Any, tags: list[str], loader: str = "default") -> None:
        self.true, self.pred, self.tags, self.loader = true, pred, tags, loader
        self.loaders: dict[str, Callable[[Any], Any]] = {"list": list_to_spans, "conll": conll_to_spans}
        self.results = _nothing()
        self.evaluation_agg_entities_type = {tag: _nothing() for tag in tags}
        self.evaluation_indices = _nowhere()
        self.evaluation_agg_indices = {tag: _nowhere() for tag in tags}

    def evaluate(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return the results, those of each tag, and where the outcomes stand; a second call adds to the first."""
        if self.loader != "default":
            load = self.loaders[self.loader]
            self.pred, self.true = load(self.pred), load(self.true)
        if len(self.true) != len(self.pred):
            raise ValueError("Number of predicted documents does not equal true")
        for index, (true, pred) in enumerate(zip(self.true, self.pred, strict=True)):
            results, by_tag, indices, tag_indices = compute_metrics(true, pred, self.tags, index)
            self.results = _added(self.results, results)
            _extend(self.evaluation_indices, indices)
            for tag in self.tags:
                self.evaluation_agg_entities_type[tag] = _added(self.evaluation_agg_entities_type[tag], by_tag[tag])
                _extend(self.evaluation_agg_indices[tag], tag_indices[tag])
        return self.results, self.evaluation_agg_entities_type, self.evaluation_indices, self.evaluation_agg_indices


def _nothing() -> dict[str, dict[str, Any]]:
    return {schema: dict.fromkeys((*OUTCOMES, "possible", "actual", *_RATIOS), 0) for schema in SCHEMAS}


def _nowhere() -> dict[str, dict[str, list[tuple[int, int]]]]:
    return {schema: {name: [] for name in INDICES} for schema in SCHEMAS}


def _added(results: dict[str, dict[str, Any]], more: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the results of documents with those of one more."""
    for schema, row in results.items():
        for name in row:
            row[name] += more[schema][name]
    return compute_precision_recall_wrapper(results)


def _extend(indices: dict[str, dict[str, Any]], more: dict[str, dict[str, Sequence[tuple[int, int]]]]) -> None:
    for schema, row in indices.items():
        for name in row:
            row[name] += more[schema][name]
