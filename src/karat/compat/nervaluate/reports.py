"""The reports of nervaluate: summaries, indices of outcomes, and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from karat.compat.nervaluate.entities import OUTCOMES, Entity, EvaluationIndices

HEADS = (*OUTCOMES, "precision", "recall", "f1-score")
_COLOURS = dict(zip(OUTCOMES, (92, 91, 93, 95, 94), strict=True))
_RULE = "-" * 78


def summary(results: dict[str, Any], mode: str, scenario: str, digits: int) -> str:
    """Return the table of all scenarios, or of each tag under one."""
    rows = results["overall"] if mode == "overall" else {tag: row[scenario] for tag, row in results["entities"].items()}
    width = max(len(HEADS[0]), digits, *map(len, rows), 0)
    head = f"Scenario: {'all' if mode == 'overall' else scenario}\n\n"
    return head + table({name: outcomes_and_ratios(vars(rows[name])) for name in sorted(rows)}, width, digits)


def table(rows: Mapping[str, Sequence[Any]], width: int, digits: int) -> str:
    """Return a table of outcomes and ratios, with names padded to a width."""
    lines = [f"{'':>{width}} " + "".join(f" {head:>11}" for head in HEADS), ""]
    for name, values in rows.items():
        counts, ratios = values[: len(OUTCOMES)], values[len(OUTCOMES) :]
        cells = [*map(str, counts), *(f"{ratio:.{digits}f}" for ratio in ratios)]
        lines.append(f"{name:>{width}} " + "".join(f" {cell:>11}" for cell in cells))
    return "\n".join([*lines, ""])


def csv(results: dict[str, Any], mode: str, scenario: str) -> str:
    """Return the same numbers as CSV with full digits."""
    is_overall = mode == "overall"
    rows = results["overall"] if is_overall else {tag: row[scenario] for tag, row in results["entities"].items()}
    heads = ["Strategy" if is_overall else "Entity", *map(str.title, HEADS)]
    lines = [
        ",".join(heads),
        *(",".join(map(_quoted, (name, *outcomes_and_ratios(vars(row))))) for name, row in rows.items()),
    ]
    return "".join(f"{line}\r\n" for line in lines)


def outcomes_and_ratios(row: Mapping[str, Any]) -> list[Any]:
    """Return the cells of a row: outcomes and ratios."""
    return [row[name] for name in (*OUTCOMES, "precision", "recall", "f1")]


def _quoted(cell: object) -> str:
    """Return a CSV cell, quoted if it contains a separator."""
    text = str(cell)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if set(text) & set(',"\r\n') else text


def indices(
    results: dict[str, Any], pred: Sequence[Sequence[Entity]], mode: str, scenario: str, *, colors: bool
) -> str:
    """Return the indices of each outcome, over all tags or by tag."""
    if mode == "overall":
        schema = _painted(scenario, 96, colors)
        head = f"\n{_painted('Indices for error schema', 1, colors)} '{schema}':\n"
        return head + _table(results["overall_indices"][scenario], pred, colors=colors)
    parts = []
    for tag, tables in results["entity_indices"].items():
        head = f"\n{_painted('Entity Type', 1, colors)}: {_painted(tag, 96, colors)}\n"
        head += f"{_painted('Error Schema', 1, colors)}: '{_painted(scenario, 96, colors)}'\n"
        parts.append(head + _table(tables[scenario], pred, colors=colors))
    return "".join(parts)


def _table(indices: EvaluationIndices, pred: Sequence[Sequence[Entity]], *, colors: bool) -> str:
    columns = f"{'Category':<20} {'Instance':<10} {'Entity':<8} {'Details':<25}"
    lines = ["", _painted(columns, 1, colors), _painted(_RULE, 97, colors)]
    for outcome in OUTCOMES:
        category = _painted(outcome.title(), _COLOURS[outcome], colors)
        lines += [f"{category:<20} {cells}" for cells in _cells(indices, outcome, pred)]
    return "\n".join([*lines, ""])


def _cells(indices: EvaluationIndices, outcome: str, pred: Sequence[Sequence[Entity]]) -> Iterator[str]:
    stands = indices.of(outcome)
    if not stands:
        yield f"{'-':<10} {'-':<8} {'None':<10}"
    for document, entity_index in stands:
        details = "No prediction info"
        if pred != [[]]:
            entity = pred[document][entity_index]
            details = f"Label={entity.label}, Start={entity.start}, End={entity.end}"
        yield f"{document:<10} {entity_index:<8} {details:<10}"


def _painted(text: str, colour: int, colors: bool) -> str:
    return f"\033[{colour}m{text}\033[0m" if colors else text
