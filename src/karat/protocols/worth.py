"""What a case of a casebook counts for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from karat.ledger import Outcome


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
