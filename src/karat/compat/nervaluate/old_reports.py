"""The texts of nervaluate before version 1.0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from karat.compat.nervaluate.entities import OUTCOMES
from karat.compat.nervaluate.old_metrics import SCHEMAS
from karat.compat.nervaluate.reports import table

_EMPTY: list[list[Any]] = [[]]


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
    return table({name: _numbers(row) for name, row in rows.items()}, width, digits)


def _numbers(row: dict[str, Any]) -> list[Any]:
    return [*(row[outcome] for outcome in OUTCOMES), row["precision"], row["recall"], row["f1"]]


def summary_report_ents_indices(
    evaluation_agg_indices: dict[str, Any], error_schema: str, preds: Sequence[Any] | None = _EMPTY
) -> str:
    """Return where each outcome stands, tag by tag, with what the list of predictions has there."""
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
    """Return where each outcome stands, with what the list of predictions has there."""
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
    for document, place in places:
        entity = preds[document][place]
        details = f"Label={entity['label']}, Start={entity['start']}, End={entity['end']}"
        yield f"Instance {document}, Entity {place}: {details}"
