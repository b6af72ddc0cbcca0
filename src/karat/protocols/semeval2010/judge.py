"""Judging relations of the same two mentions: with the direction as part of the label, without it, and officially.

==============  ====================================  ===============================
regime          a relation is booked on               and right with
==============  ====================================  ===============================
``directed``    its label with the direction          the same label and direction
``undirected``  its label                             the same label
``official``    its label                             the same label and direction
==============  ====================================  ===============================
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from karat.ledger import Item
from karat.matching.places import Spans
from karat.model import Span
from karat.protocols.base import Side
from karat.protocols.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Cases, Verdict, first_item
from karat.protocols.relations.claims import Claim
from karat.protocols.relations.reasons import claim_item
from karat.tally import Group

DIRECTED, UNDIRECTED, OFFICIAL = REGIMES = ("directed", "undirected", "official")
FORWARD, BACKWARD = "(e1,e2)", "(e2,e1)"

CASES: Cases = {
    "exact": dict.fromkeys(REGIMES, CORRECT),
    "reversed": {DIRECTED: INCORRECT, UNDIRECTED: CORRECT, OFFICIAL: INCORRECT},
    "wrong-label": dict.fromkeys(REGIMES, INCORRECT),
    "missed": MISSED,
    "spurious": SPURIOUS,
    "unlisted": MISSED,
}
"""What each case counts for.

The label of a relation that is *unlisted* is none of the gold's: it costs nothing, and what it is given for is missed.
"""


class BookedRelation(NamedTuple):
    """A relation as it is booked: with the direction in its label, or without."""

    label: str
    claim: Claim
    is_listed: bool

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have one of its ends."""
        return self.claim.is_invented


class Page(msgspec.Struct, frozen=True):
    """The relations of a document: each of them twice in a row, with its direction in the label and without.

    ``published`` is the arithmetic, and with ``unlisted_are_free`` a label that the gold never uses costs nothing.
    """

    gold: Sequence[BookedRelation]
    system: Sequence[BookedRelation]
    published: bool
    unlisted_are_free: bool
    sources: tuple[str, str] = ("", "")
    group: Group = Group()


def labels_of(claim: Claim) -> tuple[str, str]:
    """Return the label of a relation with its direction, and without.

    The direction is that of the text, (e1,e2) if the head stands first, unless it is part of the label.
    """
    for direction in (FORWARD, BACKWARD):
        if claim.name.endswith(direction):
            return claim.name, claim.name.removesuffix(direction)
    places = [end.spans for end in claim.listed]
    return claim.name + (FORWARD if places == sorted(places) else BACKWARD), claim.name


def judge(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on the relations of each two mentions: those that agree are paired before others."""
    golds, systems = _by_ends(page.gold), _by_ends(page.system)
    for ends in dict.fromkeys((*golds, *systems)):
        yield from _of_same_ends(page, golds.get(ends, []), systems.get(ends, []))


def _by_ends(items: Sequence[BookedRelation]) -> dict[tuple[Spans, ...], list[int]]:
    """Return the places of relations by the mentions that they join, in whichever direction."""
    places: dict[tuple[Spans, ...], list[int]] = {}
    for place in range(0, len(items), 2):
        places.setdefault(tuple(sorted(end.spans for end in items[place].claim.ends)), []).append(place)
    return places


def _of_same_ends(page: Page, golds: list[int], systems: list[int]) -> Iterator[Verdict]:
    free = list(systems)
    partners: dict[int, tuple[str, int]] = {}
    for case, part in (("exact", 0), ("reversed", 1)):
        for gold in golds:
            same = (system for system in free if page.system[system + part].label == page.gold[gold + part].label)
            if gold not in partners and (system := next(same, None)) is not None:
                free.remove(system)
                partners[gold] = case, system
    for gold in golds:
        case, system = partners.get(gold) or (("wrong-label", free.pop(0)) if free else ("missed", None))
        yield from _verdicts(page, case, gold, system)
    for system in free:
        yield from _verdicts(page, "spurious", None, system)


def _verdicts(page: Page, case: str, gold: int | None, system: int | None) -> Iterator[Verdict]:
    """Yield the verdict on a relation with its direction in the label, and that on it without.

    One that costs nothing, and is given where the gold has none, is told, but counts under no regime.
    """
    for part, regimes in enumerate(((DIRECTED,), (UNDIRECTED, OFFICIAL))):
        left, right = (None if place is None else place + part for place in (gold, system))
        if page.unlisted_are_free and right is not None and not page.system[right].is_listed:
            yield Verdict("unlisted", left, right, () if left is None else regimes)
        else:
            yield Verdict(case, left, right, regimes)


def together(verdict: Verdict) -> Hashable:
    """Tell of a relation in one entry."""
    return ("gold", verdict.gold // 2) if verdict.gold is not None else ("system", (verdict.system or 0) // 2)


def on_directed_label(page: Page, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Tell a relation under its label with the direction, that of the gold relation if there is one."""
    items, index = (page.gold, verdict.gold) if verdict.gold is not None else (page.system, verdict.system or 0)
    yield items[index - index % 2].label, verdict.case


def item(page: Page, side: Side, index: int) -> Item:
    """Return a relation as it is shown."""
    items: Sequence[BookedRelation] = getattr(page, side)
    return claim_item(items[index].claim, items[index - index % 2].label, page.sources[side == "system"])


def place(page: Page, verdict: Verdict) -> Span:
    """Return where a relation or pair stands in the order of the text."""
    booked: BookedRelation = first_item(page, verdict)
    return booked.claim.hull


def reason(page: Page, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    gold = None if verdict.gold is None else page.gold[verdict.gold].label
    system = None if verdict.system is None else page.system[verdict.system].label
    if verdict.case == "unlisted":
        return f"no relation of the gold is called {system}, which costs nothing as published"
    if gold is None:
        return f"{system}, where the gold has no relation"
    if system is None:
        return f"no relation, where the gold has {gold}"
    words = {"exact": "same label and direction", "reversed": "same label, but in the opposite direction"}
    return words.get(verdict.case, f"{system} for {gold}")
