"""One unit: a query, or an LDC query with its entry points, and under which regimes each of these counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from karat.protocols.coldstart.counts import counted
from karat.protocols.coldstart.judge import SlotVerdict
from karat.protocols.coldstart.pages import JudgedPage, QueryPage, judged

SF, MAX, RANDOM, MEAN = "sf", "ldc-max", "ldc-random", "ldc-mean"
REGIMES = (SF, MAX, RANDOM, MEAN)


class UnitPages(msgspec.Struct, frozen=True):
    """The pages of one unit, in the order of their ids.

    ``ldc`` says that they are the entry points of an LDC query, ``given`` which of them stands for it, if one was
    given.
    """

    pages: tuple[QueryPage, ...]
    ldc: bool = False
    given: str = ""


class ScoredPage(NamedTuple):
    """A judged page of a unit, and the regimes under which it counts."""

    judged: JudgedPage
    regimes: tuple[str, ...]

    def counts(self, verdict: SlotVerdict, regime: str) -> bool:
        """Say whether a verdict counts under a regime; LDC scores leave out what has not the name of the query."""
        return regime in self.regimes and (regime == SF or self.judged.owns(verdict))


def scored_pages(unit: UnitPages) -> list[ScoredPage]:
    """Judge every page of a unit."""
    pages = [judged(page) for page in unit.pages]
    best = _best(pages) if unit.ldc else None
    points = []
    for judged_page in pages:
        name = judged_page.page.name
        counts = {SF: True, MAX: name == best, RANDOM: name == unit.given, MEAN: unit.ldc}
        points.append(ScoredPage(judged_page, tuple(regime for regime in REGIMES if counts[regime])))
    return points


def _best(pages: Sequence[JudgedPage]) -> str | None:
    """Return the entry point with the best F1 over all hops, of equals the first; one without any row is none."""
    best = max((judged_page for judged_page in pages if judged_page.rows), key=_f1, default=None)
    return None if best is None else best.page.name


def _f1(judged_page: JudgedPage) -> float:
    return counted(Counter(verdict.case for verdict, _, _ in judged_page.bookings if judged_page.owns(verdict))).f1
