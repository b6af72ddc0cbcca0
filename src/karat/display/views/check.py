"""Checks of results as text: sentences for people, a table of findings for papers and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.display.views.papers import TEXT_VIEWS, Tables, TextTable, rendered
from karat.display.views.values import csv_of, json_of, jsonl_of, tsv_of
from karat.errors import unknown
from karat.io.terminal import visible

if TYPE_CHECKING:
    from karat.analysis.verification import Check

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_HEAD = ("kind", "differs", "found")


def render(check: Check, view: str = "table") -> str:
    """Return a check as text; the table shows only the first differing numbers, other views show all findings.

    >>> from karat.analysis.verification import Check, Finding
    >>> print(render(Check("a.tsv", 3, (Finding("number", "f1: 0.5 in the result, 0.4 here", True),)), "csv"), end="")
    kind,differs,found
    number,yes,"f1: 0.5 in the result, 0.4 here"
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "table":
        return "".join(f"{visible(line)}\n" for line in check.lines())
    if view == "json":
        return json_of(check.to_dict())
    if view == "jsonl":
        about = {"result": check.result, "is_reproduced": check.is_reproduced}
        return jsonl_of(about | finding for finding in check.to_dict()["findings"])
    lines = [[finding.kind, "yes" if finding.differs else "no", finding.sentence] for finding in check.findings]
    if view == "tsv":
        return tsv_of([_HEAD, *lines], [check.verdict])
    if view == "csv":
        return csv_of([_HEAD, *lines])
    return rendered(view, Tables(check.verdict, [], [TextTable(_HEAD, lines, len(_HEAD))]))
