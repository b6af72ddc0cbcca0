"""The lines of runs and assessments: tab-separated, in a layout that the first line of a file determines.

A line of a run is an answer: ``query id, slot, run id, relation provenance, value, value type, value provenance,
confidence`` in the layout of 2015; that of 2014 has no value type. A line of assessments is an answer with a judgment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from karat.vocabularies.coldstart import table
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.text import is_blank, split_comment, trim

COLUMNS = tuple(row["column"] for row in table("sf_columns"))
"""The columns of 2015."""
COLUMNS_2014 = tuple(column for column in COLUMNS if column != "VALUE_TYPE")

_TRIPLES = r"(?:[^:]+:\d+-\d+,){0,3}[^:]+:\d+-\d+"
PATTERNS = {
    "QUERY_ID": r".+",
    "SLOT_NAME": r"[^:]+:[^:]+",
    "RUNID": r".+",
    "RELATION_PROVENANCE_TRIPLES": _TRIPLES,
    "VALUE": r".+",
    "VALUE_TYPE": r"(?i:PER|ORG|GPE|STRING)",
    "VALUE_PROVENANCE_TRIPLES": _TRIPLES,
    "CONFIDENCE": r"\d+(?:\.\d+)?",
}
"""What the first line must have in each column for a file to be recognised; later lines are not held to it."""

_CODE = "[CWXISL]"
_ASSESSMENT_PATTERNS = {
    "ASSESSMENT_ID": ".+",
    "QUERY_AND_SLOT_NAME": ".+:.+:.+",
    "RELATION_PROVENANCE_TRIPLES": PATTERNS["RELATION_PROVENANCE_TRIPLES"],
    "VALUE": ".+",
    "VALUE_PROVENANCE_TRIPLES": PATTERNS["VALUE_PROVENANCE_TRIPLES"],
    "VALUE_ASSESSMENT": _CODE,
    "PROVENANCE_ASSESSMENT": _CODE,
    "VALUE_EC": ".+",
}


class SlotColumns(NamedTuple):
    """The columns of a file in order, with the indices of those that are read.

    The lines of a run are answers; others are assessments.
    """

    columns: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    query: int
    slot: int
    run_id: int
    relation: int
    value: int
    place: int
    judgment: int
    is_run: bool

    def asked(self, elements: Sequence[str]) -> tuple[str, str]:
        """Return the query id and the slot of a line; in assessments they share a column, separated by a colon."""
        if self.is_run:
            return elements[self.query], elements[self.slot]
        query_id, _, slot = elements[self.query].partition(":")
        return query_id, slot


def _layout(columns: tuple[str, ...], patterns: dict[str, str]) -> SlotColumns:
    places = {column: index for index, column in enumerate(columns)}
    both = places.get("QUERY_AND_SLOT_NAME", -1)
    return SlotColumns(
        columns,
        tuple(re.compile(patterns[column]) for column in columns),
        places.get("QUERY_ID", both),
        places.get("SLOT_NAME", both),
        places.get("RUNID", -1),
        places["RELATION_PROVENANCE_TRIPLES"],
        places["VALUE"],
        places["VALUE_PROVENANCE_TRIPLES"],
        places.get("VALUE_ASSESSMENT", -1),
        is_run="RUNID" in places,
    )


ASSESSMENTS = _layout(tuple(_ASSESSMENT_PATTERNS), _ASSESSMENT_PATTERNS)
RUN_2015 = _layout(COLUMNS, PATTERNS)
RUN_2014 = _layout(COLUMNS_2014, PATTERNS)
RUNS = (RUN_2015, RUN_2014)
LAYOUTS = (*RUNS, ASSESSMENTS)

_WITH_POINT = PATTERNS | {"CONFIDENCE": r"\d+\.\d+"}
EARLY_LAYOUTS = (_layout(COLUMNS, _WITH_POINT), _layout(COLUMNS_2014, _WITH_POINT), ASSESSMENTS)
"""The layouts as the query-id corrector knows them: a confidence needs a decimal point."""


def recognise(elements: list[str], path: str, layouts: tuple[SlotColumns, ...] = LAYOUTS) -> SlotColumns:
    """Return the layout of a file, determined from its first line; raises :class:`Stop` if there is none.

    >>> line = "Q1 per:age run1 d1:1-9 4 STRING d1:2-2 1.0".split()
    >>> recognise(line, "run") is RUN_2015
    True
    """
    for layout in layouts:
        if len(elements) == len(layout.columns) and all(
            pattern.fullmatch(element) for pattern, element in zip(layout.patterns, elements, strict=True)
        ):
            return layout
    raise Stop(f"Unknown file type: {path}")


class SlotLine(NamedTuple):
    """The fields of a line that has the number of its layout; ``query_id`` and ``slot`` are what it answers."""

    query_id: str
    slot: str
    elements: list[str]
    number: int
    path: str
    layout: SlotColumns

    @property
    def where(self) -> str:
        """The location of the line as problems name it."""
        return f"{self.path} line {self.number}"


def slot_lines(
    path: str,
    lines: Iterable[str],
    log: ProblemLog,
    layouts: tuple[SlotColumns, ...],
    *,
    comments: bool = False,
    comment_first: bool = True,
) -> Iterator[SlotLine]:
    """Yield the lines of a file except blank ones; a line with another number of fields is a problem.

    With ``comments``, comments at the end of a line are cut off. Without ``comment_first``, the first line is not taken
    for a comment.
    """
    layout = None
    line_number = 0
    for line_number, line in enumerate(lines, 1):
        if comments:
            line = split_comment(line)[0]
        elements = line.replace("\r", "").rstrip("\t").split("\t")
        if not elements[0].strip() and is_blank(line):
            continue
        is_comment = "#" in line and trim(line).startswith("#")
        if layout is None and not (comment_first and is_comment):
            layout = recognise(elements, path, layouts)
        if layout is None or is_comment:
            continue
        if len(elements) != len(layout.columns):
            log.record("WRONG_NUM_ENTRIES", len(layout.columns), len(elements), where=f"{path} line {line_number}")
            continue
        query_id, slot = layout.asked(elements)
        yield SlotLine(query_id, slot, elements, line_number, path, layout)
    if not line_number:
        log.record("EMPTY_FILE", path, where=NO_PLACE)
    elif layout is None:
        raise Stop(f"Empty file: {path}")


def is_usable(line: SlotLine, query_id: str, slot: str | None, log: ProblemLog) -> bool:
    """Tell whether every column has a value and the slot is that of the query; records problems."""
    if not all(map(str.strip, line.elements)):
        for column, element in zip(line.layout.columns, line.elements, strict=True):
            if is_blank(element):
                log.record("EMPTY_FIELD", column, where=line.where)
                return False
    if line.slot != slot:
        log.record("WRONG_SLOT_NAME", line.slot, query_id, slot or "", where=line.where)
        return False
    return True
