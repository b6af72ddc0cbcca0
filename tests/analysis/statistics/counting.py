"""A protocol that counts and never judges, for tests of what is made of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from karat.evaluation.protocol import Bound, Figure, Protocol, Rules
from karat.evaluation.tally import Tallies, Tally
from karat.measures.formulas import FMeasure, Quotient

if TYPE_CHECKING:
    from collections.abc import Sequence

PRECISION = Quotient(above={"correct": 1}, below={"actual": 1})
RECALL = Quotient(above={"correct": 1}, below={"possible": 1})
F1 = FMeasure(PRECISION, RECALL)
F1_OF_BOTH = FMeasure(PRECISION, RECALL, sides="both")
RATIOS = {"precision": PRECISION, "recall": RECALL, "f1": F1}


def unused(*_: Any) -> Any:
    raise AssertionError("statistics never judge")


class Numbers(NamedTuple):
    """A book of numbers that nobody will ask to judge anything."""

    counts: tuple[str, ...]
    figures: tuple[Figure, ...]
    tally: Any = unused
    ledger: Any = unused


def small_protocol(f1_of_units: FMeasure = F1_OF_BOTH) -> Bound:
    """Counts are correct, actual, possible; all averages of precision, recall and F1."""
    figures = [
        Figure(name, "strict", average, formula)
        for average in ("micro", "macro-query", "macro-unit", "macro-label")
        for name, formula in (RATIOS | ({"f1": f1_of_units} if average == "macro-unit" else {})).items()
    ]
    return Protocol(
        name="small",
        title="Small",
        task="entities",
        summary="For tests.",
        unit="document",
        bind=lambda options: Rules(Numbers(("correct", "actual", "possible"), tuple(figures)), unused),
    ).with_options()


PROTOCOL = small_protocol()
PLAIN = small_protocol(F1)


def tallies_of(rows: Sequence[Tally]) -> Tallies:
    return Tallies([f"d{index}" for index in range(len(rows))], rows)
