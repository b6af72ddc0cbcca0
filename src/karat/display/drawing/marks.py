"""Marks of verdicts: a line style and a letter for the case, and a tone for the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.evaluation.ledger import Entry

CASES = {
    "exact": ("solid", "e"),
    "right": ("solid", "r"),
    "right-chain": ("solid", "r"),
    "same": ("solid", "e"),
    "found": ("solid", "e"),
    "wrong-boundary": ("ticks", "b"),
    "wrong-label": ("double", "l"),
    "wrong-link": ("double", "w"),
    "wrong-id": ("double", "w"),
    "wrong-chain": ("double", "w"),
    "wrong": ("double", "w"),
    "wrong-both": ("double ticks", "bl"),
    "wrong-several": ("double ticks", "w"),
    "partial": ("dashdot", "p"),
    "split": ("dashdot", "p"),
    "merged": ("dashdot", "p"),
    "extended": ("dashdot", "p"),
    "missed": ("dotted", "m"),
    "missing-mention": ("dotted", "m"),
    "spurious": ("dashed", "s"),
    "invented": ("dashed", "i"),
    "unassessed": ("dashed", "u"),
    "wrong-type": ("ticks", "t"),
    "wrong-head": ("ticks", "h"),
    "wrong-tail": ("ticks", "h"),
    "other-mention": ("ticks", "o"),
    "reversed": ("ticks", "v"),
    "nil-for-link": ("double", "n"),
    "link-for-nil": ("double", "n"),
}
"""The line style and the letter of each case: ticks stand for wrong boundaries, a double line for a wrong label."""
_BY_OUTCOME = {
    "correct": "solid",
    "partial": "dashdot",
    "incorrect": "double",
    "missed": "dotted",
    "spurious": "dashed",
}
TONES = {"correct": "full", "partial": "part", "incorrect": "none", "missed": "none", "spurious": "none"}
"""The tone of each outcome: full, partial or no credit."""
SIGNS = {"correct": "✓", "partial": "◐", "incorrect": "✕", "missed": "✕", "spurious": "✕"}
LEGEND = {
    "solid": "same",
    "ticks": "boundary",
    "double": "label",
    "double ticks": "both",
    "dashdot": "partial",
    "dotted": "missed",
    "dashed": "spurious",
}
"""The meaning of each line style, in a word."""


class VerdictMark(NamedTuple):
    """How a verdict is drawn: line style, letter, and tone of the outcome, which is empty without an outcome."""

    line: str
    letter: str
    tone: str


def entry_mark(entry: Entry, regimes: Sequence[str]) -> VerdictMark:
    """Return the mark of an entry under the first regime with a verdict on it."""
    return mark_of(entry.case, next((entry.verdicts[regime] for regime in regimes if regime in entry.verdicts), None))


def mark_of(case: str, outcome: str | None) -> VerdictMark:
    """Return the mark of a case; an unknown case has the line style of its outcome and its own first letter.

    >>> mark_of("wrong-both", "incorrect")
    VerdictMark(line='double ticks', letter='bl', tone='none')
    >>> mark_of("overlap", "correct")
    VerdictMark(line='solid', letter='o', tone='full')
    """
    line, letter = CASES.get(case) or (_BY_OUTCOME.get(outcome or "", "solid"), case[:1])
    return VerdictMark(line, letter, TONES.get(outcome or "", ""))
