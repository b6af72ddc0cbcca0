"""A fill of a slot as it is judged: an answer of a run or an assessment of a pool, with the question it answers."""

from __future__ import annotations

from typing import NamedTuple

from karat.protocols.coldstart.questions import HopQuery

CORRECT = "C"
INEXACT = "X"
CODES = frozenset("CWXISL")
NO_CLASS = "0"


class Fill(NamedTuple):
    """A fill on a line of a file; ``target`` is the id of the question that it leads to.

    An answer has a run id, an assessment a judgment and, if it is correct or inexact, an equivalence class.
    """

    question: HopQuery
    value: str
    relation: str
    place: str
    target: str
    run_id: str
    judgment: str
    ec: str
    elements: list[str]
    number: int
    path: str

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.number}"
