"""The tables of a comparison, as Markdown, CSV and JSON: two digits or five as published, all digits in the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from karat.display.views.values import csv_of
from karat.protocols.omin.drop_in.evaluate.plan import Numbers
from karat.protocols.omin.drop_in.evaluate.results import Skipped, plain
from karat.protocols.omin.drop_in.evaluate.tools import TASKS, TOOLS
from karat.protocols.omin.drop_in.tables import two_digits


class TableKind(NamedTuple):
    """A table: its title, its columns, and the column by which its rows are ranked."""

    title: str
    columns: tuple[str, ...]
    rank: str


class ResultRow(NamedTuple):
    """A tool's results in a table."""

    tool: str
    results: str
    numbers: Numbers
    remarks: tuple[str, ...] = ()


class ToolComparison(NamedTuple):
    """The result of a comparison.

    Args:
        results: The folder of the results.
        profile: The evaluation that is reproduced.
        tables: The rows of each table that has any.
        skipped: The results that could not be scored, with the reason.
        similarity: Whether the likeness of links was scored.
        signature: The signature of the comparison.

    """

    results: str
    profile: str
    tables: Mapping[str, Sequence[ResultRow]]
    skipped: Sequence[Skipped]
    similarity: bool = False
    signature: str = ""


def _columns(names: Iterable[str], parts: Iterable[str] = ("Precision", "Recall", "F1")) -> tuple[str, ...]:
    return tuple(f"{part} ({name})" for name in names for part in parts)


_TYPED = _columns(("Strict", "Exact", "Partial", "Type"))
_CHAINS = tuple(f"{name} {part}" for name in ("MUC", "B3", "CEAF") for part in ("Precision", "Recall", "F1"))
_KINDS = {
    "ner": TableKind("NER: entities as texts", _columns(("Non-strict", "Strict")), "F1 (Non-strict)"),
    "ner-untyped": TableKind("NER: spans without types", _columns(("Weak", "Strong")), "F1 (Weak)"),
    "ner-conll03": TableKind("NER: spans with the types of CoNLL-2003", _TYPED, "F1 (Strict)"),
    "ner-ontonotes": TableKind("NER: spans with the types of OntoNotes", _TYPED, "F1 (Strict)"),
    "ner-ace05_nltk": TableKind("NER: spans with the types of ACE, phase 1", _TYPED, "F1 (Strict)"),
    "ner-ace05": TableKind("NER: spans with the types of ACE-2005", _TYPED, "F1 (Strict)"),
    "cr": TableKind(
        "CR: chains",
        (*_CHAINS, "CoNLL-2012 F1", "LEA Precision", "LEA Recall", "LEA F1"),
        "CoNLL-2012 F1",
    ),
}


def kind(name: str, profile: str, *, similarity: bool = False) -> TableKind:
    """Return what a table has; that of links depends on the profile and on whether likeness is scored.

    >>> kind("nel", "seed").columns
    ('Precision (Best)', 'Recall (Best)', 'F1 (Best)')
    """
    if name != "nel":
        return _KINDS[name]
    setups = ("Best",) if profile == "seed" else ("Strong", "Weak", "Flex")
    parts = ("Precision", "Recall", "F1", *(("JC", "Class") if similarity else ()))
    return TableKind("NEL: links", _columns(setups, parts), f"F1 ({setups[0]})")


TABLES = (*_KINDS, "nel")
"""The tables in their order."""


def table_files(comparison: ToolComparison) -> dict[str, str]:
    """Return the files of a comparison by name: one of Markdown, one of JSON, and one of CSV for each table."""
    tables = {name: _ranked(comparison, name) for name in TABLES if comparison.tables.get(name)}
    contents = {"evaluation.md": _markdown(comparison, tables), "evaluation.json": _json(comparison, tables)}
    for name, rows in tables.items():
        heads = ("tool", "results", *_kind(comparison, name).columns)
        contents[f"{name}.csv"] = csv_of([heads, *((row.tool, row.results, *row.numbers) for row in rows)])
    contents["skipped.csv"] = csv_of([("results", "table", "reason"), *((a, c, b) for a, b, c in comparison.skipped)])
    return contents


def _kind(comparison: ToolComparison, name: str) -> TableKind:
    return kind(name, comparison.profile, similarity=comparison.similarity)


def _ranked(comparison: ToolComparison, name: str) -> list[ResultRow]:
    """Return the rows of a table, the best one first as in the published tables."""
    columns, rank = _kind(comparison, name)[1:]
    column = columns.index(rank)
    return sorted(comparison.tables[name], key=lambda row: (-(row.numbers[column] or 0), row.tool, row.results))


def _markdown(comparison: ToolComparison, tables: Mapping[str, Sequence[ResultRow]]) -> str:
    parts = [f"# Automatic evaluation\n\nProfile: {comparison.profile}", _coverage(tables)]
    shown = _digits(comparison.profile)
    for name, rows in tables.items():
        title, columns, _ = _kind(comparison, name)
        body = [(row.tool, f"`{row.results}`", *map(shown, row.numbers)) for row in rows]
        parts.append(f"## {title}\n\n{_grid(('Tool', 'Results', *columns), body)}")
        remarks = [f"- `{row.results}`: {plain(remark)}" for row in rows for remark in row.remarks]
        parts += ["\n".join(remarks)] if remarks else []
    if comparison.skipped:
        rows_skipped = [(f"`{name}`", table, reason) for name, reason, table in comparison.skipped]
        parts.append(f"## Skipped\n\n{_grid(('Results', 'Table', 'Reason'), rows_skipped)}")
    return "\n\n".join([*parts, f"`{comparison.signature}`"]) + "\n"


def _coverage(tables: Mapping[str, Sequence[ResultRow]]) -> str:
    """Return the table of all tools that OMIn compares, with a cross for those that are in a table."""
    present = {
        (task, row.tool.partition(" (")[0] if task == "NEL" else row.tool)
        for name, rows in tables.items()
        for row in rows
        for task in [name.partition("-")[0].upper()]
    }
    columns = []
    for task in TASKS:
        marks = ((tool.name, "x" if (task, tool.name) in present else " ") for tool in TOOLS if tool.task == task)
        columns.append([f"[{mark}] {name}" for name, mark in marks])
    heads = [f"{title} ({task})" for task, title in TASKS.items()]
    return _grid(heads, list(zip_longest(*columns, fillvalue=""))) + "\n\nx Evaluated"


def _digits(profile: str) -> Callable[[float | None], str]:
    """Return how numbers are shown: with two significant digits as the later programs do, else with five places."""

    def five(number: float | None) -> str:
        return "--" if number is None else f"{number:.5f}"

    def two(number: float | None) -> str:
        return "--" if number is None else two_digits(number)

    return two if profile == "head" else five


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _json(comparison: ToolComparison, tables: Mapping[str, Sequence[ResultRow]]) -> str:
    shown: list[dict[str, Any]] = []
    for name, rows in tables.items():
        title, columns, _ = _kind(comparison, name)
        entries = [
            {"tool": row.tool, "results": row.results, "scores": dict(zip(columns, row.numbers, strict=True))}
            | ({"remarks": row.remarks} if row.remarks else {})
            for row in rows
        ]
        shown.append({"table": name, "title": title, "rows": entries})
    skipped = [{"results": name, "table": table, "reason": reason} for name, reason, table in comparison.skipped]
    parts = {"profile": comparison.profile, "tables": shown, "skipped": skipped, "signature": comparison.signature}
    return json.dumps(parts, ensure_ascii=False, indent=1) + "\n"
