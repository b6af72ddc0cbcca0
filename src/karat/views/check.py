"""Whether a result is reproduced: in sentences for people, as a table of what was found for papers and programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from karat.errors import unknown
from karat.terminal import visible
from karat.views._tables import TEXT_VIEWS, Tables, TextTable, rendered
from karat.views.csv import csv_of
from karat.views.tsv import tsv_lines

if TYPE_CHECKING:
    from karat.verification import Check

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_HEAD = ("kind", "differs", "found")


def render(check: Check, view: str = "table") -> str:
    """Return a check as text: for people so many numbers that differ, for programs all that was found.

    >>> from karat.verification import Check, Finding
    >>> print(render(Check("a.tsv", 3, (Finding("number", "f1: 0.5 in the result, 0.4 here", True),)), "csv"), end="")
    kind,differs,found
    number,yes,"f1: 0.5 in the result, 0.4 here"
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "table":
        return "".join(f"{visible(line)}\n" for line in check.lines())
    if view == "json":
        return json.dumps(check.to_dict(), ensure_ascii=False, indent=2) + "\n"
    if view == "jsonl":
        about = {"result": check.result, "is_reproduced": check.is_reproduced}
        return "".join(f"{json.dumps(about | found, ensure_ascii=False)}\n" for found in check.to_dict()["findings"])
    lines = [[finding.kind, _said(finding.differs), finding.sentence] for finding in check.findings]
    if view == "tsv":
        return "\n".join([*tsv_lines([_HEAD, *lines]), f"# {visible(check.verdict)}"]) + "\n"
    if view == "csv":
        return csv_of([_HEAD, *lines])
    return rendered(view, Tables(check.verdict, [], [TextTable(_HEAD, lines, len(_HEAD))], [], []))


def _said(differs: bool) -> str:
    return "yes" if differs else "no"
