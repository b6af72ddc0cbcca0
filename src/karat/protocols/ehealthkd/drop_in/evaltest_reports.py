"""What the evaltest programs print: JSON, CSV, HTML, final tables, and two plain forms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from karat.errors import InputError
from karat.protocols.ehealthkd.drop_in.evaltest import Best, Run
from karat.protocols.ehealthkd.drop_in.tables import Cell, columns_of, write_csv, write_html, write_markdown

SCORES = ("f1", "precision", "recall")
_WIDTH = 50


def as_json(results: Mapping[str, object], *, pretty: bool) -> str:
    """Return the results as JSON with sorted keys."""
    return json.dumps(results, sort_keys=True, indent=2 if pretty else None)


def plain(results: Mapping[str, Sequence[Run]]) -> Iterator[str]:
    """Yield the lines of the log of all runs."""
    for team, runs in results.items():
        yield from ("=" * _WIDTH, f" {team} ".center(_WIDTH, ":").upper(), "=" * _WIDTH)
        for run in runs:
            yield f"[ {run['submit']} ]".center(_WIDTH, "-")
            for scenario, numbers in run.items():
                if isinstance(numbers, dict):
                    yield f"> {scenario} "
                    for name, value in numbers.items():
                        if isinstance(value, float):
                            yield f"     {name.ljust(15)} ~ {value:0.4}"
                        elif name != "submit":
                            yield f"     {name.ljust(15)} = {value}"


def compact(best: Best, team: str) -> Iterator[str]:
    """Yield the scores of the best runs of one team; a scenario without one has 0.0."""
    if team not in best:
        raise InputError(f"there is no team {team!r} with a run; name its folder as it is listed")
    for scenario, numbers in best[team].items():
        for name in SCORES:
            yield f"{scenario}-{name}: {numbers.get(name, 0.0):0.5}"


class BestTable:
    """The numbers of the best runs, with a row for each of them and a column for each team, or the other way round."""

    def __init__(self, best: Best) -> None:
        if not best:
            raise InputError("there is no submission to make a table of; name the folder that holds the teams")
        flat = {
            team: {
                f"{scenario}-{name}": value
                for scenario, numbers in scenarios.items()
                for name, value in numbers.items()
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

    def final(self, scenario: str, *, markdown: bool = False, places: int | None = None) -> str:
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
