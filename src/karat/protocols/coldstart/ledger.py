"""The ledger of one unit: what becomes of every fill and why, and which classes were found."""

from __future__ import annotations

from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.coldstart.fills import Fill
from karat.protocols.coldstart.points import REGIMES, UNCOUNTED, Booking, Point, judged
from karat.protocols.coldstart.reasons import reason

_OUTCOMES: dict[str, Outcome] = {"right": "correct", "missed": "missed"}


def ledger(case: Case) -> list[Entry]:
    """Return every fill with what became of it and why, and every class that was not found.

    An entry has a verdict under each regime for which its entry point counts, and none if its case does not count.
    """
    return [_entry(case, point, booking) for point in judged(case.content) for booking in point.bookings]


def _entry(case: Case, point: Point, booking: Booking) -> Entry:
    verdict = booking.verdict
    gold = None if verdict is None else verdict.assessment
    name = ":".join(booking.path)
    shown = None if gold is None else _item(name, gold)
    if verdict is None:
        shown = Item(name, "", (0, 0), place=point.sheet.sources[0])
    own = shown is not None and point.owns(booking)
    remark = f"; entry point {point.sheet.name}" if case.content.ldc and not own else ""
    counts = booking.case not in UNCOUNTED
    outcome = _OUTCOMES.get(booking.case, "incorrect" if gold else "spurious")
    return Entry(
        unit=case.unit,
        layer=f"hop {booking.hop}",
        label=booking.slot,
        case=booking.case,
        verdicts={regime: outcome for regime in REGIMES if counts and point.counts(booking, regime)},
        reason=reason(booking.case, name, verdict) + remark,
        gold=shown,
        system=None if verdict is None else _item(booking.slot, verdict.answer),
    )


def _item(label: str, line: Fill) -> Item:
    return Item(label, line.value, (0, len(line.value)), place=line.where if line.path else "")
