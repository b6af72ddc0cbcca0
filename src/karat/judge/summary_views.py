"""Views of the summary of a project: table, JSON, CSV, Markdown, LaTeX and workbook."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby

import msgspec

from karat.display.views._columns import lines_of
from karat.display.views.papers import Tables, TextTable, columns_of, rendered
from karat.display.views.values import csv_of
from karat.errors import MissingExtraError, needing
from karat.io.terminal import Screen, visible
from karat.judge.results import JudgedFigure, JudgedResults

Cells = list[str]
_FIELDS = tuple(field.name for field in msgspec.structs.fields(JudgedFigure))
_HEAD = ("system", "about", "measure", "value", "interval", "rated", "of")
_NAMES = len(_HEAD) - 4
"""The number of columns with names, before those with numbers."""


def show(results: JudgedResults, view: str) -> str:
    """Return the results as text in a view, ending with a line end."""
    return VIEWS[view](results)


def _tables(results: JudgedResults) -> Iterator[tuple[str, list[Cells]]]:
    """Yield the name and the cells of each table, without empty columns."""
    for name, figures in groupby(results.figures, key=lambda figure: figure.table):
        yield name, [_cells(figure) for figure in figures]


def _cells(figure: JudgedFigure) -> Cells:
    interval = "" if figure.low is None or figure.high is None else f"[{figure.low:.3f}, {figure.high:.3f}]"
    counts = ["" if count is None else str(count) for count in (figure.rated, figure.listed)]
    return [figure.system, figure.about, figure.measure, _number(figure.value), interval, *counts]


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return str(int(value)) if isinstance(value, int) or (value > 1 and value == int(value)) else f"{value:.3f}"


def _table(results: JudgedResults) -> str:
    blocks = [
        "\n".join([name, *lines_of(columns_of(TextTable(_HEAD, body, _NAMES)), Screen())])
        for name, body in _tables(results)
    ]
    blocks.append("\n".join(f"note: {visible(note)}" for note in results.notes))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _paper(results: JudgedResults, view: str) -> str:
    """Return the tables for a paper, one below the other, with the notes at the end."""
    tables = [Tables(name, [], [TextTable(_HEAD, lines, _NAMES)]) for name, lines in _tables(results)]
    tables[-1:] = [last._replace(remarks=results.notes) for last in tables[-1:]]
    return "\n".join(rendered(view, table) for table in tables)


def _json(results: JudgedResults) -> str:
    return msgspec.json.format(msgspec.json.encode(results), indent=2).decode() + "\n"


def _csv(results: JudgedResults) -> str:
    return csv_of([_FIELDS, *(list(_values(figure)) for figure in results.figures)])


def _values(figure: JudgedFigure) -> Iterator[str | float]:
    """Yield the values of a figure; missing ones are empty texts."""
    for name in _FIELDS:
        value = getattr(figure, name)
        yield "" if value is None else value


def workbook_of(results: JudgedResults) -> bytes:
    """Return a workbook with all figures, in full digits, and the notes; no text becomes a formula or a link."""
    with needing("a workbook", "judge"):
        import xlsxwriter
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book:
        sheet, bold = book.add_worksheet("summary"), book.add_format({"bold": True})
        for column, name in enumerate(_FIELDS):
            sheet.write_string(0, column, name, bold)
        for row, figure in enumerate(results.figures, 1):
            for column, value in enumerate(_values(figure)):
                if isinstance(value, str):
                    sheet.write_string(row, column, value)
                else:
                    sheet.write_number(row, column, value)
        sheet.set_column(0, 3, 20)
        sheet.freeze_panes(1, 0)
        notes = book.add_worksheet("notes")
        for row, note in enumerate(results.notes):
            notes.write_string(row, 0, note)
    return buffer.getvalue()


def files_of(results: JudgedResults, name: str) -> dict[str, str | bytes]:
    """Return the content of each file of a saved summary, by file name.

    The workbook is missing if the extra that writes it is not installed.
    """
    files: dict[str, str | bytes] = {}
    for ending, make in FILES.items():
        with suppress(MissingExtraError):
            files[f"{name}.{ending}"] = make(results)
    return files


VIEWS: dict[str, Callable[[JudgedResults], str]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "markdown": partial(_paper, view="markdown"),
    "latex": partial(_paper, view="latex"),
}

FILES: dict[str, Callable[[JudgedResults], str | bytes]] = {
    "json": _json,
    "csv": _csv,
    "md": VIEWS["markdown"],
    "tex": VIEWS["latex"],
    "xlsx": workbook_of,
}
"""The function that renders a summary, by file ending."""
