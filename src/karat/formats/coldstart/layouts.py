"""The layouts of runs and assessments: their columns, and what the first line must hold to be recognised."""

from __future__ import annotations

import re
from typing import NamedTuple

from karat.vocabularies.coldstart import table
from karat.vocabularies.coldstart.problems import Stop

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


class Layout(NamedTuple):
    """The columns of a file in order, with the places of those that are read."""

    columns: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    query: int
    slot: int
    run_id: int
    relation: int
    value: int
    place: int
    judgment: int

    @property
    def is_run(self) -> bool:
        """Whether lines are answers; otherwise they are assessments."""
        return self.judgment < 0


def _layout(columns: tuple[str, ...], patterns: dict[str, str]) -> Layout:
    at = {column: place for place, column in enumerate(columns)}
    both = at.get("QUERY_AND_SLOT_NAME", -1)
    return Layout(
        columns,
        tuple(re.compile(patterns[column]) for column in columns),
        at.get("QUERY_ID", both),
        at.get("SLOT_NAME", both),
        at.get("RUNID", -1),
        at["RELATION_PROVENANCE_TRIPLES"],
        at["VALUE"],
        at["VALUE_PROVENANCE_TRIPLES"],
        at.get("VALUE_ASSESSMENT", -1),
    )


ASSESSMENTS = _layout(tuple(_ASSESSMENT_PATTERNS), _ASSESSMENT_PATTERNS)
RUN_2015 = _layout(COLUMNS, PATTERNS)
RUN_2014 = _layout(COLUMNS_2014, PATTERNS)
LAYOUTS = (RUN_2015, RUN_2014, ASSESSMENTS)

_WITH_POINT = PATTERNS | {"CONFIDENCE": r"\d+\.\d+"}
EARLY_LAYOUTS = (_layout(COLUMNS, _WITH_POINT), _layout(COLUMNS_2014, _WITH_POINT), ASSESSMENTS)
"""The layouts as the query-id corrector knows them: a confidence needs a decimal point."""


def recognise(elements: list[str], path: str, layouts: tuple[Layout, ...] = LAYOUTS) -> Layout:
    """Return the layout of a file, by what stands on its first line; stop if it has none.

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
