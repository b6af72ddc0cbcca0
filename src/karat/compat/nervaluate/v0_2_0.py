"""nervaluate 0.2.0: its evaluator, which returns four dictionaries, and all its functions.

>>> from karat.compat.nervaluate.v0_2_0 import Evaluator
>>> results, by_tag, *_ = Evaluator([["B-PER", "I-PER"]], [["B-PER", "O"]], tags=["PER"], loader="list").evaluate()
>>> results["partial"]["f1"], results["ent_type"]["correct"]
(0.5, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from karat.compat.nervaluate.entities import OUTCOMES
from karat.compat.nervaluate.reports import outcomes_and_ratios, table
from karat.compat.nervaluate.scenario_counts import LACKS, TOO_MUCH, WORTH, case_of
from karat.compat.nervaluate.utils import (
    clean_entities,
    collect_named_entities,
    conll_to_spans,
    find_overlap,
    list_to_spans,
    split_list,
)
from karat.measures.published import whole_zero_prf
from karat.protocols.spans.scenarios import ENT_TYPE, EXACT, PARTIAL, STRICT, LabelledSpans, one_to_many

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

SCHEMAS = (STRICT, ENT_TYPE, PARTIAL, EXACT)
INDICES = tuple(f"{outcome}_indices" for outcome in OUTCOMES)
_IDENTICAL, _CORRECT = 0, 0
_RATIOS = ("precision", "recall", "f1")
_COUNTS = (*OUTCOMES, "possible", "actual", *_RATIOS)
_EMPTY: list[list[Any]] = [[]]

Table = dict[str, dict[str, Any]]
"""Counts or indices of outcomes, by schema."""


class Evaluator:
    """Evaluates predicted against true entities, which are dictionaries unless a loader is named."""

    def __init__(self, true: Any, pred: Any, tags: list[str], loader: str = "default") -> None:
        self.true, self.pred, self.tags, self.loader = true, pred, tags, loader
        self.loaders: dict[str, Callable[[Any], Any]] = {"list": list_to_spans, "conll": conll_to_spans}
        self.results = _nothing(_COUNTS)
        self.evaluation_agg_entities_type = {tag: _nothing(_COUNTS) for tag in tags}
        self.evaluation_indices = _nowhere()
        self.evaluation_agg_indices = {tag: _nowhere() for tag in tags}

    def evaluate(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return results and indices, overall and by tag; a second call adds to the first, as in nervaluate."""
        if self.loader != "default":
            load = self.loaders[self.loader]
            self.pred, self.true = load(self.pred), load(self.true)
        if len(self.true) != len(self.pred):
            raise ValueError("Number of predicted documents does not equal true")
        for index, (true, pred) in enumerate(zip(self.true, self.pred, strict=True)):
            results, by_tag, indices, tag_indices = compute_metrics(true, pred, self.tags, index)
            self.results = compute_precision_recall_wrapper(_added(self.results, results))
            _added(self.evaluation_indices, indices)
            for tag in self.tags:
                of_tag = _added(self.evaluation_agg_entities_type[tag], by_tag[tag])
                self.evaluation_agg_entities_type[tag] = compute_precision_recall_wrapper(of_tag)
                _added(self.evaluation_agg_indices[tag], tag_indices[tag])
        return self.results, self.evaluation_agg_entities_type, self.evaluation_indices, self.evaluation_agg_indices


def _nothing(names: Iterable[str]) -> Table:
    return {schema: dict.fromkeys(names, 0) for schema in SCHEMAS}


def _nowhere() -> Table:
    return {schema: {name: [] for name in INDICES} for schema in SCHEMAS}


def _added(table: Table, more: Table) -> Table:
    """Return the counts or indices with those of one more document added."""
    for schema, row in table.items():
        for name in row:
            row[name] += more[schema][name]
    return table


def compute_metrics(
    true_named_entities: Iterable[dict[str, Any]],
    pred_named_entities: Iterable[dict[str, Any]],
    tags: Sequence[str],
    instance_index: int = 0,
) -> tuple[Table, dict[str, Table], Table, dict[str, Table]]:
    """Return the counts and indices of outcomes in a document, overall and by tag.

    A pair counts for the tag of the true entity. Indices of correct outcomes include only identical entities.
    """
    true, pred = (
        [clean_entities(entity) for entity in side if entity["label"] in tags]
        for side in (true_named_entities, pred_named_entities)
    )
    true.sort(key=lambda entity: entity["start"])
    pred.sort(key=lambda entity: entity["end"])
    gold, system = ([(entity["start"], entity["end"] + 1, entity["label"]) for entity in side] for side in (true, pred))
    overall, by_tag = _Booked(), {tag: _Booked() for tag in tags}
    for gold_place, system_place in one_to_many(gold, system, "0.2.0"):
        case, place, label = _case(gold, system, gold_place, system_place)
        for booked in (overall, by_tag[label]):
            booked.add(case, (instance_index, place))
    return (
        overall.results,
        {tag: booked.results for tag, booked in by_tag.items()},
        overall.indices,
        {tag: booked.indices for tag, booked in by_tag.items()},
    )


def _case(
    gold: LabelledSpans, system: LabelledSpans, gold_place: int | None, system_place: int | None
) -> tuple[int, int, str]:
    """Return the case of a pair or lone entity, the place that is told of it, and the label on which it is booked."""
    if gold_place is None:
        assert system_place is not None  # noqa: S101 - a verdict is about something
        return TOO_MUCH, system_place, system[system_place][2]
    if system_place is None:
        return LACKS, gold_place, gold[gold_place][2]
    return case_of(gold[gold_place], system[system_place]), system_place, gold[gold_place][2]


class _Booked:
    """The counts and indices of outcomes in a document, or of one tag in it."""

    def __init__(self) -> None:
        self.results = _nothing((*OUTCOMES, *_RATIOS, "actual", "possible"))
        self.indices = _nowhere()

    def add(self, case: int, place: tuple[int, int]) -> None:
        """Count a case under every schema."""
        for schema, row in self.results.items():
            outcome = WORTH[schema][case]
            row[OUTCOMES[outcome]] += 1
            compute_actual_possible(row)
            if outcome != _CORRECT or case == _IDENTICAL:
                self.indices[schema][INDICES[outcome]].append(place)


def compute_actual_possible(results: dict[str, Any]) -> dict[str, Any]:
    """Add ``actual`` and ``possible`` to a dictionary of outcome counts."""
    both = results["correct"] + results["incorrect"] + results["partial"]
    results["actual"], results["possible"] = both + results["spurious"], both + results["missed"]
    return results


def compute_precision_recall(results: dict[str, Any], partial_or_type: bool = False) -> dict[str, Any]:
    """Add precision and recall to a dictionary of counts; with ``partial_or_type``, a partial match counts 0.5."""
    actual, possible = results["actual"], results["possible"]
    credit = results["correct"] + 0.5 * results["partial"] if partial_or_type else results["correct"]
    results["precision"], results["recall"], results["f1"] = whole_zero_prf(credit, actual, possible)
    return results


def compute_precision_recall_wrapper(results: Table) -> Table:
    """Add the ratios to the dictionary of each schema, and leave other keys out."""
    halved = {name: compute_precision_recall(row, True) for name, row in results.items() if name in (PARTIAL, ENT_TYPE)}
    whole = {name: compute_precision_recall(row) for name, row in results.items() if name in (STRICT, EXACT)}
    return {**halved, **whole}


def summary_report_ent(results_agg_entities_type: dict[str, Any], scenario: str = "strict", digits: int = 2) -> str:
    """Return a table of each tag under a scenario."""
    if scenario not in SCHEMAS:
        names = ", ".join(map(repr, SCHEMAS))
        raise Exception(f"Invalid scenario: must be one of {names}")  # noqa: TRY002 - as there
    rows = {tag: tables[scenario] for tag, tables in sorted(results_agg_entities_type.items()) if scenario in tables}
    return _summary(rows, results_agg_entities_type, digits)


def summary_report_overall(results: dict[str, Any], digits: int = 2) -> str:
    """Return a table of all scenarios, in the order of the dictionary."""
    return _summary(results, results, digits)


def _summary(rows: dict[str, Any], names: dict[str, Any], digits: int) -> str:
    width = max(max(map(len, names)), digits)
    return table({name: outcomes_and_ratios(row) for name, row in rows.items()}, width, digits)


def summary_report_ents_indices(
    evaluation_agg_indices: dict[str, Any], error_schema: str, preds: Sequence[Any] | None = _EMPTY
) -> str:
    """Return the indices of each outcome by tag, with the predicted entity at each index."""
    lines = []
    for tag, tables in evaluation_agg_indices.items():
        lines += ["", f"Entity Type: {tag}", f"  Error Schema: '{error_schema}'"]
        for name, places in tables[error_schema].items():
            lines.append(f"    ({tag}) {_category(name)}:")
            lines += [f"      - {place}" for place in _places(places, preds)]
    return "".join(f"{line}\n" for line in lines)


def summary_report_overall_indices(
    evaluation_indices: dict[str, Any], error_schema: str, preds: Sequence[Any] | None = _EMPTY
) -> str:
    """Return the indices of each outcome, with the predicted entity at each index."""
    if error_schema not in evaluation_indices:
        raise AssertionError(f"Error schema '{error_schema}' not found in the results.")
    lines = [f"Indices for error schema '{error_schema}':", ""]
    for name, places in evaluation_indices[error_schema].items():
        lines += [f"{_category(name)}:", *(f"  - {place}" for place in _places(places, preds)), ""]
    return "".join(f"{line}\n" for line in lines)


def _category(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _places(places: Sequence[tuple[int, int]], preds: Any) -> Iterator[str]:
    if not places:
        yield "None"
    for document, index in places:
        entity = preds[document][index]
        details = f"Label={entity['label']}, Start={entity['start']}, End={entity['end']}"
        yield f"Instance {document}, Entity {index}: {details}"
