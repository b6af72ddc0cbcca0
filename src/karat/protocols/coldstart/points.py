"""Judging one unit: a query, or an LDC query with its entry points, and under which regimes each of these counts.

The cases are those of :mod:`karat.protocols.coldstart.judge`, and three more: ``unasked`` for answers to what the query
does not ask for, and for classes without a right fill ``missed``, or ``alternative`` where the slot takes one
value and another class counts for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from karat.protocols.coldstart.judge import Row, Verdict, total
from karat.protocols.coldstart.pages import Answered, Sheet, judge

COUNTED_WRONG = ("duplicate", "surplus", "orphan", "binned", "inexact", "wrong", "ignored", "unassessed")
UNCOUNTED = ("repeated", "unclassed", "unasked", "alternative")
CASES = ("right", *COUNTED_WRONG, "missed", *UNCOUNTED)
SF, MAX, RANDOM, MEAN = "sf", "ldc-max", "ldc-random", "ldc-mean"
REGIMES = (SF, MAX, RANDOM, MEAN)


class Points(msgspec.Struct, frozen=True):
    """The entry points of one unit, in the order of their ids.

    ``ldc`` says that they are those of an LDC query, ``given`` which of them stands for it, if one was given.
    """

    sheets: tuple[Sheet, ...]
    ldc: bool = False
    given: str = ""


class Booking(msgspec.Struct, frozen=True):
    """One line of the ledger before it is written: a fill or a class, with its slot and hop."""

    case: str
    hop: int
    slot: str
    verdict: Verdict | None
    path: tuple[str, ...]


class Point(msgspec.Struct, frozen=True):
    """An entry point with its bookings, and the regimes under which it counts; ``root`` is the id in its classes.

    ``rows`` are the hops and slots of which pool or run have a line in the name of the query, right or not.
    """

    sheet: Sheet
    root: str
    bookings: Sequence[Booking]
    regimes: tuple[str, ...]
    rows: frozenset[tuple[int, str]]

    def counts(self, booking: Booking, regime: str) -> bool:
        """Say whether a booking counts under a regime; LDC scores leave out what has not the name of the query."""
        return regime in self.regimes and (regime == SF or self.owns(booking))

    def owns(self, booking: Booking) -> bool:
        """Say whether what is booked has the name of the query."""
        return booking.path[:1] == (self.root,)


def judged(content: Points) -> list[Point]:
    """Judge every entry point of a unit."""
    answered = [(sheet, judge(sheet)) for sheet in content.sheets]
    best = _best(answered) if content.ldc else None
    points = []
    for sheet, one in answered:
        counts = {SF: True, MAX: sheet.name == best, RANDOM: sheet.name == content.given, MEAN: content.ldc}
        regimes = tuple(regime for regime in REGIMES if counts[regime])
        points.append(Point(sheet, one.root, list(_bookings(one)), regimes, _rows(one)))
    return points


def _best(answered: Sequence[tuple[Sheet, Answered]]) -> str | None:
    """Return the entry point with the best F1 over all hops, of equals the first; one without any row is none."""
    rows = {sheet.name: own for sheet, one in answered if (own := _own_rows(one))}
    return max(rows, key=lambda name: total(row.counts for row in rows[name]).f1, default=None)


def _own_rows(answered: Answered) -> list[Row]:
    return [row for row in answered.judged.rows if row.path[:1] == (answered.root,)]


def _rows(answered: Answered) -> frozenset[tuple[int, str]]:
    slots = {one.level: one.slot or "" for one in answered.questions}
    return frozenset((row.hop, slots.get(row.hop, "")) for row in _own_rows(answered))


def _bookings(answered: Answered) -> Iterator[Booking]:
    """Yield the fills of a query in the order of the run, those nobody asked for, then the classes not found."""
    questions = answered.questions
    found = set()
    single: dict[tuple[str, ...], bool] = {}
    for verdict in answered.judged.verdicts:
        question = verdict.answer.question
        yield Booking(verdict.case, max(len(verdict.path) - 2, 0), question.slot or "", verdict, verdict.path)
        if verdict.case == "right":
            found.add(verdict.path)
            single[verdict.path[:-1]] = questions.is_single(question.slot)
    for line in answered.unasked:
        verdict = Verdict(line, "unasked", (answered.root,), None)
        yield Booking(verdict.case, line.question.level, line.elements[1], verdict, verdict.path)
    slots = {one.level: one.slot or "" for one in questions}
    for path, counts in answered.judged.classes.items():
        if path in found:
            continue
        taken = single.get(path[:-1], False)
        case = "missed" if counts and not taken else "alternative"
        yield Booking(case, len(path) - 2, slots.get(len(path) - 2, ""), None, path)
