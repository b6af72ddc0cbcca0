"""What nervaluate counted in a document before version 1.0, as dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from karat.compat.nervaluate.counting import LACKS, TOO_MUCH, WORTH, case_of
from karat.compat.nervaluate.entities import OUTCOMES
from karat.compat.nervaluate.utils import clean_entities
from karat.measures.published import whole_zero_prf
from karat.protocols.spans.scenarios import ENT_TYPE, EXACT, PARTIAL, STRICT, Span, one_to_many

SCHEMAS = (STRICT, ENT_TYPE, PARTIAL, EXACT)
INDICES = tuple(f"{outcome}_indices" for outcome in OUTCOMES)
_IDENTICAL, _CORRECT = 0, 0

Table = dict[str, dict[str, Any]]
"""Counts, or where outcomes stand, by schema."""


def compute_metrics(
    true_named_entities: Iterable[dict[str, Any]],
    pred_named_entities: Iterable[dict[str, Any]],
    tags: Sequence[str],
    instance_index: int = 0,
) -> tuple[Table, dict[str, Table], Table, dict[str, Table]]:
    """Return how often each outcome is there in a document, for each tag, and where, overall and for each tag.

    A pair counts for the tag of the true entity. That something is correct is told only of what is identical.
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
    gold: Sequence[Span], system: Sequence[Span], gold_place: int | None, system_place: int | None
) -> tuple[int, int, str]:
    """Return the case of a pair or lone entity, the place that is told of it, and the label on which it is booked."""
    if gold_place is None:
        assert system_place is not None  # noqa: S101 - a verdict is about something
        return TOO_MUCH, system_place, system[system_place][2]
    if system_place is None:
        return LACKS, gold_place, gold[gold_place][2]
    return case_of(gold[gold_place], system[system_place]), system_place, gold[gold_place][2]


class _Booked:
    """The outcomes of a document, or of a tag in it."""

    def __init__(self) -> None:
        self.results: Table = {
            schema: dict.fromkeys((*OUTCOMES, "precision", "recall", "f1", "actual", "possible"), 0)
            for schema in SCHEMAS
        }
        self.indices: Table = {schema: {name: [] for name in INDICES} for schema in SCHEMAS}

    def add(self, case: int, place: tuple[int, int]) -> None:
        """Book a case under every schema."""
        for schema, row in self.results.items():
            outcome = WORTH[schema][case]
            row[OUTCOMES[outcome]] += 1
            compute_actual_possible(row)
            if outcome != _CORRECT or case == _IDENTICAL:
                self.indices[schema][INDICES[outcome]].append(place)


def compute_actual_possible(results: dict[str, Any]) -> dict[str, Any]:
    """Put into a dictionary how many entities there are, and could be, by the outcomes in it."""
    both = results["correct"] + results["incorrect"] + results["partial"]
    results["actual"], results["possible"] = both + results["spurious"], both + results["missed"]
    return results


def compute_precision_recall(results: dict[str, Any], partial_or_type: bool = False) -> dict[str, Any]:
    """Put into a dictionary the ratios of its counts; a partial match counts for a half where that is so."""
    actual, possible = results["actual"], results["possible"]
    credit = results["correct"] + 0.5 * results["partial"] if partial_or_type else results["correct"]
    results["precision"], results["recall"], results["f1"] = whole_zero_prf(credit, actual, possible)
    return results


def compute_precision_recall_wrapper(results: Table) -> Table:
    """Put the ratios into the dictionary of each schema; others are left out."""
    halved = {name: compute_precision_recall(row, True) for name, row in results.items() if name in (PARTIAL, ENT_TYPE)}
    whole = {name: compute_precision_recall(row) for name, row in results.items() if name in (STRICT, EXACT)}
    return {**halved, **whole}
