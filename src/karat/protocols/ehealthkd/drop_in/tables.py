"""What the programs print of many submissions: JSON, plain forms, and tables exactly as through pandas."""

from __future__ import annotations

import csv
import html
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from karat.errors import InputError
from karat.protocols.ehealthkd.drop_in.evaltest import Best, Results

Cell = float | str | None
"""A number, a text, or nothing."""

TableRow = tuple[str, Sequence[Cell]]
SCORES = ("f1", "precision", "recall")
_WIDTH = 50
_escaped = partial(html.escape, quote=False)


def columns_of(rows: Mapping[str, Mapping[str, float | str]]) -> dict[str, dict[str, Cell]]:
    """Return the columns of a table by name, each with its cells by row, rows sorted.

    Columns come in the order in which they are first seen. As in a data frame, whole numbers become fractions where
    another cell of the column is a fraction or missing.

    >>> columns_of({"b": {"n": 1}, "a": {"n": 0.5}})
    {'n': {'a': 0.5, 'b': 1.0}}
    """
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns: dict[str, dict[str, Cell]] = {}
    for name in names:
        cells: dict[str, Cell] = {key: rows[key].get(name) for key in sorted(rows)}
        whole = all(isinstance(cell, int | str) for cell in cells.values())
        columns[name] = (
            cells if whole else {key: float(cell) if isinstance(cell, int) else cell for key, cell in cells.items()}
        )
    return columns


def write_csv(header: Sequence[str], rows: Sequence[TableRow]) -> str:
    """Return comma-separated values; numbers have all their digits.

    >>> write_csv(["", "f1"], [("a", [0.1 + 0.2])])
    ',f1\\na,0.30000000000000004\\n'
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    for name, cells in rows:
        writer.writerow([name, *["" if cell is None else cell for cell in cells]])
    return stream.getvalue()


def write_markdown(header: Sequence[str], rows: Sequence[TableRow]) -> str:
    """Return a pipe table: names on the left, numbers with six digits and their points in one column.

    >>> print(write_markdown(["name", "f1"], [("a", [1.0]), ("b", [0.25])]))
    | name   |   f1 |
    |:-------|-----:|
    | a      | 1    |
    | b      | 0.25 |
    """
    columns = [_name_column(header[0], [name for name, _ in rows])]
    for column, title in enumerate(header[1:]):
        columns.append(_number_column(title, [_six_digits(cells[column]) for _, cells in rows]))
    head = "".join(
        f"|:{'-' * (len(column[0]) + 1)}" if left else f"|{'-' * (len(column[0]) + 1)}:" for left, column in columns
    )
    lines = [f"| {' | '.join(cells)} |" for cells in zip(*[column for _, column in columns], strict=True)]
    return "\n".join([lines[0], f"{head}|", *lines[1:]])


def _name_column(title: str, names: Sequence[str]) -> tuple[bool, list[str]]:
    """Return whether names stand on the left, and their column; names that are all numbers are taken for numbers."""
    if names and all(_is_of(float, name) for name in names):
        whole = all(_is_of(int, name) for name in names)
        return _number_column(title, [name if whole else f"{float(name):g}" for name in names])
    width = max([len(title) + 2, *map(len, names)])
    return True, [cell.ljust(width) for cell in (title, *names)]


def _number_column(title: str, cells: Sequence[str]) -> tuple[bool, list[str]]:
    """Return a column of numbers on the right, with their points below each other."""
    behind = [_behind_point(cell) for cell in cells]
    padded = [cell + " " * (max(behind) - places) for cell, places in zip(cells, behind, strict=True)]
    width = max([len(title) + 2, *map(len, padded)])
    return False, [cell.rjust(width) for cell in (title, *padded)]


def _six_digits(cell: Cell) -> str:
    return f"{math.nan if cell is None else float(cell):g}"


def _behind_point(cell: str) -> int:
    """Return how many characters stand behind the point, or the sign of an exponent; -1 if there is none."""
    if _is_of(int, cell):
        return -1
    point = cell.rfind(".")
    point = cell.rfind("e") if point < 0 else point
    return len(cell) - point - 1 if point >= 0 else -1


def _is_of(kind: type[float | int], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def write_html(header: Sequence[str], rows: Sequence[TableRow]) -> str:
    """Return an HTML table; fractions have at most six digits behind the point."""
    lines = ['<table border="1" class="dataframe">', "  <thead>", '    <tr style="text-align: right;">']
    lines += [f"      <th>{_escaped(title)}</th>" for title in header]
    lines += ["    </tr>", "  </thead>", "  <tbody>"]
    for name, cells in rows:
        lines += ["    <tr>", f"      <th>{_escaped(name)}</th>"]
        lines += [f"      <td>{_escaped(_html_cell(cell))}</td>" for cell in cells]
        lines += ["    </tr>"]
    return "\n".join([*lines, "  </tbody>", "</table>"])


def _html_cell(cell: Cell) -> str:
    if cell is None:
        return "NaN"
    if not isinstance(cell, float):
        return str(cell)
    shown = f"{cell:.6f}".rstrip("0")
    return f"{shown}0" if shown.endswith(".") else shown


def shown(
    results: Results, best: Best, scenarios: Sequence[str], options: Mapping[str, Any], *, edition: str, corrected: bool
) -> str:
    """Return what evaltest prints, as its options ask: tables of the best runs, one of two plain forms, or JSON."""
    if options["csv"]:
        table = BestTable(best)
        markdown = edition == "2020" and options["pretty"]
        if options["final"]:
            places = 3 if markdown and corrected else None
            finals = [table.final(name, markdown=markdown, places=places) for name in scenarios]
            return "".join(f"{final}\n\n" if markdown else f"{final}\n" for final in finals)
        return f"{table.html() if edition == '2019' and options['pretty'] else table.csv()}\n"
    if options.get("plain"):
        lines = plain(results)
    elif options.get("compact"):
        lines = compact(best, options["single"])
    else:
        shown = best if options["best"] else results
        return json.dumps(shown, sort_keys=True, indent=2 if options["pretty"] else None) + "\n"
    return "".join(f"{line}\n" for line in lines)


def plain(results: Results) -> Iterator[str]:
    """Yield the lines of the log of all runs."""
    for team, runs in results.items():
        yield from ("=" * _WIDTH, f" {team} ".center(_WIDTH, ":").upper(), "=" * _WIDTH)
        for run in runs:
            yield f"[ {run['submit']} ]".center(_WIDTH, "-")
            for scenario, metrics in run.items():
                if isinstance(metrics, dict):
                    yield f"> {scenario} "
                    for name, value in metrics.items():
                        if isinstance(value, float):
                            yield f"     {name.ljust(15)} ~ {value:0.4}"
                        elif name != "submit":
                            yield f"     {name.ljust(15)} = {value}"


def compact(best: Best, team: str) -> Iterator[str]:
    """Yield the scores of the best runs of one team; a scenario without one has 0.0."""
    if team not in best:
        raise InputError(f"there is no team {team!r} with a run; name its folder as it is listed")
    for scenario, metrics in best[team].items():
        for name in SCORES:
            yield f"{scenario}-{name}: {metrics.get(name, 0.0):0.5}"


class BestTable:
    """The numbers of the best runs, with a row for each of them and a column for each team, or the other way round."""

    def __init__(self, best: Best) -> None:
        if not best:
            raise InputError("there is no submission to make a table of; name the folder that holds the teams")
        flat = {
            team: {
                f"{scenario}-{name}": value
                for scenario, metrics in scenarios.items()
                for name, value in metrics.items()
            }
            for team, scenarios in best.items()
        }
        self.teams = sorted(best)
        self.columns = columns_of(flat)

    def csv(self) -> str:
        """Return all numbers as CSV."""
        return write_csv(["", *self.teams], self._rows())

    def html(self) -> str:
        """Return all numbers as HTML."""
        return write_html(["name", *self.teams], self._rows())

    def final(self, scenario: str, *, markdown: bool, places: int | None) -> str:
        """Return the ranking in a scenario, rounded if ``places`` says so; a team without numbers comes last."""
        names = [f"{scenario}-{name}" for name in SCORES]
        for name in names:
            if name not in self.columns:
                raise InputError(f"no team has {name}, so that there is no final table of {scenario}")
        ranked = sorted(self.teams, key=lambda team: _descending(self.columns[names[0]][team]))
        rows = [(team, [_rounded(self.columns[name][team], places) for name in names]) for team in ranked]
        return (write_markdown if markdown else write_csv)(["name", *names], rows)

    def _rows(self) -> list[tuple[str, list[Cell]]]:
        return [(name, list(cells.values())) for name, cells in self.columns.items()]


def _descending(cell: Cell) -> tuple[bool, float]:
    return (True, 0.0) if cell is None else (False, -float(cell))


def _rounded(cell: Cell, places: int | None) -> Cell:
    return round(cell, places) if places is not None and isinstance(cell, float) else cell
