"""Why a fill is right or not, in words."""

from __future__ import annotations

from karat.protocols.coldstart.judge import Verdict

_REASONS = {
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


def reason(case: str, path: str, verdict: Verdict | None) -> str:
    """Return the reason of a case.

    >>> reason("missed", "Q1:2", None)
    'no right fill for class Q1:2'
    """
    assessment = None if verdict is None else verdict.assessment
    text = _REASONS[case].format(path=path, judgment=assessment.judgment if assessment else "")
    return f"{text} ({assessment.where})" if assessment is not None and assessment.path else text
