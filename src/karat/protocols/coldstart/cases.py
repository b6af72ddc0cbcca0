"""The cases of fills of a run and classes of the pool, each with its outcome and its reason in words.

A fill that does not count, and a class that need not be found, have no outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from karat.evaluation.worth import CORRECT, MISSED, SPURIOUS, Worth
from karat.measures.published import whole_zero_f1, whole_zero_ratio

WRONG = Worth("incorrect", 0, 1, 0)
"""A fill that the pool knows, and that finds nothing."""


class SlotCase(NamedTuple):
    """The outcome of a case, None if it does not count, and the reason in words."""

    worth: Worth | None
    reason: str


CASES = {
    "right": SlotCase(CORRECT, "assessed as correct in class {path}"),
    "duplicate": SlotCase(WRONG, "correct, but class {path} has a right fill already"),
    "surplus": SlotCase(WRONG, "correct in class {path}, but the slot takes one value and has it already"),
    "orphan": SlotCase(WRONG, "correct in class {path}, but no right fill of the run led to its query"),
    "binned": SlotCase(WRONG, "assessed as correct, but put into the bin {path}"),
    "inexact": SlotCase(WRONG, "assessed as inexact ({judgment})"),
    "wrong": SlotCase(WRONG, "assessed as wrong"),
    "ignored": SlotCase(WRONG, "assessed as to be ignored, which counts as wrong"),
    "unassessed": SlotCase(SPURIOUS, "the pool has no such line"),
    "missed": SlotCase(MISSED, "no right fill for class {path}"),
    "repeated": SlotCase(None, "the same line once more, which does not count"),
    "unclassed": SlotCase(None, "assessed in {path}, which is no class of a query, and does not count"),
    "unasked": SlotCase(None, "not what the query asks for, or follows from such a fill, and does not count"),
    "alternative": SlotCase(None, "class {path} need not be found: the slot takes one value"),
}
UNCOUNTED = frozenset(case for case, (worth, _) in CASES.items() if worth is None)
DUPLICATES = frozenset({"duplicate", "surplus"})
"""The cases that the published tables count as duplicate, and as wrong, too."""

JUDGMENTS = {"W": "wrong", "X": "inexact", "S": "inexact", "L": "inexact", "I": "ignored"}
"""The case of a fill that is judged with a code other than C; this scorer ignores nothing."""


class SlotCounts(NamedTuple):
    """Classes in the ground truth, fills right, wrong (duplicates included) and duplicate."""

    gold: float = 0
    right: float = 0
    wrong: float = 0
    duplicate: float = 0

    @property
    def worth(self) -> tuple[float, float, float]:
        """The numbers of right fills, of fills of the system, and of classes in the ground truth."""
        return self.right, self.right + self.wrong, self.gold

    @property
    def precision(self) -> float:
        """The share of fills that are right, 0 if there are no fills."""
        return whole_zero_ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of classes that are found, 0 if there are no classes."""
        return whole_zero_ratio(self.right, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 if both are.

        >>> round(SlotCounts(3, 2, 4, 1).f1, 4)
        0.4444
        """
        return whole_zero_f1(self.precision, self.recall)


def total(counts: Iterable[SlotCounts]) -> SlotCounts:
    """Return the sum of counts.

    >>> total([SlotCounts(3, 2, 4, 1), SlotCounts(1, 0, 1, 0)])
    SlotCounts(gold=4, right=2, wrong=5, duplicate=1)
    """
    columns = list(zip(*counts, strict=True))
    return SlotCounts(*map(sum, columns)) if columns else SlotCounts()


def counted(cases: Mapping[str, Any]) -> SlotCounts:
    """Return the counts of right, wrong and duplicate fills from the number of each case.

    >>> counted({"right": 1, "duplicate": 1, "unassessed": 1, "missed": 1, "repeated": 5})
    SlotCounts(gold=2, right=1, wrong=2, duplicate=1)
    """
    gold: Any = 0
    right: Any = 0
    wrong: Any = 0
    duplicate: Any = 0
    for case, times in cases.items():
        worth = CASES[case].worth
        if worth is not None:
            gold += times * worth.gold
            right += times * worth.credit
            wrong += times * (worth.system - worth.credit)
            duplicate += times * (case in DUPLICATES)
    return SlotCounts(gold, right, wrong, duplicate)
