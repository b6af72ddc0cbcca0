"""TAC KBP Cold Start 2015, slot filling: fills of slots, hop by hop, against assessed equivalence classes.

Mirrors CS-Score 2.3.1 (and CS-ProjectSFScoreToLDCScores 1.2 for LDC queries), and what they were meant to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.measures.ratios import f1, precision, recall
from karat.protocols.base import Figure, Main, Protocol, Reading
from karat.protocols.coldstart.judge import COUNTED_WRONG, COUNTS, HOPS, ledger, tally
from karat.protocols.coldstart.options import SlotOptions
from karat.protocols.coldstart.prepare import prepare
from karat.protocols.coldstart.quirks import QUIRKS

_WRONG = tuple(COUNTS.index(case) for case in COUNTED_WRONG)
_RIGHT, _MISSED = COUNTS.index("right"), COUNTS.index("missed")


def _formula(ratio: Any, *, known: bool) -> Any:
    """Return a ratio of the counts; with ``known`` it is undefined where the ground truth has no answer."""

    def formula(counts: Sequence[Any]) -> tuple[Any, Any]:
        right = counts[_RIGHT]
        possible = right + counts[_MISSED]
        numerator, denominator = ratio(right, right + sum(counts[place] for place in _WRONG), possible)
        return numerator, denominator * (possible > 0) if known else denominator

    return formula


_MEASURES = (("precision", precision), ("recall", recall), ("f1", f1))
_FIGURES = tuple(
    Figure(measure, "classes", "micro", _formula(ratio, known=False)) for measure, ratio in _MEASURES
) + tuple(Figure(measure, "classes", "macro-unit", _formula(ratio, known=True)) for measure, ratio in _MEASURES)


def reading(options: Any) -> Reading:
    """Return what is needed of the files: every line."""
    del options
    return Reading()


PROTOCOLS = (
    Protocol(
        name="tac2015-sf",
        title="TAC KBP Cold Start 2015, slot filling",
        task="slots",
        summary="Fills of slots at every hop against assessed equivalence classes; a fill needs a right parent.",
        unit="query",
        counts=COUNTS,
        figures=_FIGURES,
        prepare=prepare,
        tally=tally,
        ledger=ledger,
        options=SlotOptions,
        main=Main(regimes=("classes",), averages=("micro", "macro-unit")),
        reading=reading,
        quirks=QUIRKS,
        groups=HOPS,
        reference="CS-Score.pl 2.3.1 of jamesmayfield/ColdStart (commit a119f6f)",
        docs="coldstart",
    ),
)
