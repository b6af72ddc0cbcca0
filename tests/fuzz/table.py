"""The report of a run as a table, on the terminal and in the documentation."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fuzz.campaign import Report
from tests.fuzz.targets import ROOT

PAGE = ROOT / "docs" / "reliability.md"
START, END = "<!-- figures of the long run -->", "<!-- end of the figures -->"
_HEAD = ("target", "cases", "refused", "scored", "failed", "most steps")


def table(reports: Sequence[Report]) -> str:
    """Return the figures of each target and their sum as a table in Markdown."""
    total = Report("**all**")
    for report in reports:
        total.add(report)
    rows = [_HEAD, *map(_cells, [*reports, total])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [_line(row, widths) for row in rows]
    rule = "|" + "|".join("-" * (width + 1) + ("-" if not column else ":") for column, width in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _cells(report: Report) -> tuple[str, ...]:
    numbers = (report.cases, report.refused, report.scored, report.failed, report.most_steps)
    return (report.target, *(f"{number:,}" for number in numbers))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        cell.ljust(width) if not column else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return f"| {' | '.join(cells)} |"


def document(reports: Sequence[Report]) -> None:
    """Write the figures into the page about reliability, between its two marks."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n\n{table(reports)}\n\n{END}{after}", "utf-8")
