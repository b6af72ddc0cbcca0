"""Items on which two systems differ, with their context, for print."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from karat.display.drawing.reader.units import ItemVerdicts, ReaderRow, ReaderUnit
from karat.evaluation.ledger import Item
from karat.report.numbers import ShownSystem

MOST = 24
"""The number of items that are printed."""
_AROUND = 36
_LINES = {
    "wrong-label": "double",
    "wrong-both": "double",
    "missed": "dotted",
    "spurious": "dashed",
    "invented": "dashed",
}


class TextPiece(NamedTuple):
    """A piece of text: whether a gold item covers it, and the line style below it if a system item does."""

    text: str
    gold: bool = False
    line: str = ""


class DecidingItem(NamedTuple):
    """An item that some system has wrong: the letters of these systems, its context, verdict and location."""

    letters: str
    pieces: Sequence[TextPiece]
    verdict: str
    place: str


def deciding(unit: ReaderUnit, row: ReaderRow, systems: Sequence[ShownSystem], regime: str) -> DecidingItem | None:
    """Return an item with its context if it is wrong and the first two systems differ on it; None if it is not.

    Of a single system every wrong item is returned.
    """
    systems = systems[:2]
    said = [_under(row.judged.get(system, []), regime) for system in range(len(systems))]
    outcomes = [judged.verdicts[regime] if judged else None for judged in said]
    wrong = [system for system, outcome in enumerate(outcomes) if outcome not in (None, "correct")]
    if not wrong or (len(systems) > 1 and outcomes[0] == outcomes[1]):
        return None
    judged = said[wrong[0]]
    assert judged is not None  # noqa: S101 - it has an outcome
    ends = [item.ends[0] for item in (row.gold, judged.item) if item is not None and len(item.ends) == 1]
    if not unit.text or not ends:
        return None
    item = row.gold or judged.item
    letters = " ".join(systems[system].letter for system in wrong)
    pieces = _pieces(unit.text, row.gold, judged)
    return DecidingItem(letters, pieces, f"{judged.case}: {judged.reason}", item.place if item else "")


def _under(several: Sequence[ItemVerdicts], regime: str) -> ItemVerdicts | None:
    return next((judged for judged in several if regime in judged.verdicts), None)


def _pieces(text: str, gold: Item | None, judged: ItemVerdicts) -> list[TextPiece]:
    """Cut the text around an item at the edges of the gold and the system item."""
    golds = gold.ends[0] if gold and len(gold.ends) == 1 else ()
    systems = (
        judged.item.ends[0] if judged.item and len(judged.item.ends) == 1 else golds if judged.item is None else ()
    )
    edges = sorted({edge for span in (*golds, *systems) for edge in span})
    start, end = max(0, edges[0] - _AROUND), min(len(text), edges[-1] + _AROUND)
    start = text.find(" ", start, edges[0]) + 1 if start and " " in text[start : edges[0]] else start
    end = text.rfind(" ", edges[-1], end) if end < len(text) and " " in text[edges[-1] : end] else end
    cuts = [start, *edges, end]
    line = _LINES.get(judged.case, "solid")
    pieces = [TextPiece("… ")] if start else []
    for low, high in pairwise(cuts):
        is_gold = any(begin <= low and high <= behind for begin, behind in golds)
        is_system = any(begin <= low and high <= behind for begin, behind in systems)
        pieces.append(TextPiece(text[low:high], is_gold, line if is_system else ""))
    return [*pieces, *([TextPiece(" …")] if end < len(text) else [])]
