"""What a case of a casebook counts for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.evaluation.ledger import Outcome


class Worth(NamedTuple):
    """What a case counts for: its outcome, the credit, and how many items of the system and of the gold it is about."""

    outcome: Outcome
    credit: float
    system: int
    gold: int


CORRECT = Worth("correct", 1, 1, 1)
INCORRECT = Worth("incorrect", 0, 1, 1)
PARTIAL = Worth("partial", 0.5, 1, 1)
MISSED = Worth("missed", 0, 0, 1)
SPURIOUS = Worth("spurious", 0, 1, 0)

Cases = Mapping[str, Worth | Mapping[str, Worth]]
"""For each case what it counts for, under all regimes or under each; under one that is not there it has no verdict."""


def check_table(cases: Cases) -> None:
    """Refuse a table in which a case counts for something that is no worth.

    >>> check_table({"exact": "correct"})
    Traceback (most recent call last):
    karat.errors.UsageError: the case 'exact' counts for 'correct'; expected a Worth, such as CORRECT or MISSED
    """
    for case, worth in cases.items():
        for value in worth.values() if isinstance(worth, Mapping) else (worth,):
            if not isinstance(value, Worth):
                raise UsageError(f"the case {case!r} counts for {value!r}; expected a Worth, such as CORRECT or MISSED")
