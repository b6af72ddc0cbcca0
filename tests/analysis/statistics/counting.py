"""A protocol that counts and never judges, for tests of what is made of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from karat.evaluation.protocol import Bound, Figure, Protocol, Rules
from karat.evaluation.tally import Tallies, Tally
from karat.measures.ratios import f1, f1_both, precision, recall

if TYPE_CHECKING:
    from collections.abc import Sequence

RATIOS = {"precision": precision, "recall": recall, "f1": f1}


def unused(*_: Any) -> Any:
    raise AssertionError("statistics never judge")


class Numbers(NamedTuple):
    """A book of numbers that nobody will ask to judge anything."""

    counts: tuple[str, ...]
    figures: tuple[Figure, ...]
    tally: Any = unused
    ledger: Any = unused


def small_protocol(f1_of_units: Any = f1_both) -> Bound:
    """Counts are correct, actual, possible; all averages of precision, recall and F1."""
    figures = [
        Figure(name, "strict", average, lambda counts, ratio=ratio: ratio(*counts))  # type: ignore[misc]
        for average in ("micro", "macro-query", "macro-unit", "macro-label")
        for name, ratio in (RATIOS | ({"f1": f1_of_units} if average == "macro-unit" else {})).items()
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
PLAIN = small_protocol(f1)


def tallies_of(rows: Sequence[Tally]) -> Tallies:
    return Tallies([f"d{index}" for index in range(len(rows))], rows)
