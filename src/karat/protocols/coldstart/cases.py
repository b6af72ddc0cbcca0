"""What can happen to a fill of a run, or to a class of the pool: what each case counts for, and why, in words.

A fill that does not count, and a class that need not be found, have no outcome.
"""

from __future__ import annotations

from collections.abc import Mapping

from karat.protocols.worth import CORRECT, MISSED, SPURIOUS, Worth

WRONG = Worth("incorrect", 0, 1, 0)
"""A fill that the pool knows, and that finds nothing."""

CASES: Mapping[str, Worth | None] = {
    "right": CORRECT,
    "duplicate": WRONG,
    "surplus": WRONG,
    "orphan": WRONG,
    "binned": WRONG,
    "inexact": WRONG,
    "wrong": WRONG,
    "ignored": WRONG,
    "unassessed": SPURIOUS,
    "missed": MISSED,
    "repeated": None,
    "unclassed": None,
    "unasked": None,
    "alternative": None,
}
UNCOUNTED = frozenset(case for case, worth in CASES.items() if worth is None)
DUPLICATES = frozenset({"duplicate", "surplus"})
"""The cases that the published tables count as duplicate, and as wrong, too."""

JUDGMENTS = {"W": "wrong", "X": "inexact", "S": "inexact", "L": "inexact", "I": "ignored"}
"""The case of a fill that is judged with a code other than C."""

REASONS = {
    "right": "assessed as correct in class {path}",
    "duplicate": "correct, but class {path} has a right fill already",
    "surplus": "correct in class {path}, but the slot takes one value and has it already",
    "orphan": "correct in class {path}, but no right fill of the run led to its query",
    "binned": "assessed as correct, but put into the bin {path}",
    "inexact": "assessed as inexact ({judgment})",
    "wrong": "assessed as wrong",
    "ignored": "assessed as to be ignored, which counts as wrong",
    "unassessed": "the pool has no such line",
    "repeated": "the same line once more, which does not count",
    "unclassed": "assessed in {path}, which is no class of a query, and does not count",
    "unasked": "not what the query asks for, or follows from such a fill, and does not count",
    "missed": "no right fill for class {path}",
    "alternative": "class {path} need not be found: the slot takes one value",
}
