"""SemEval-2010 task 8: nine relations between two nominals, with a direction, or none of them.

Mirrors version 1.2 of the official scorer (22 March 2010). Relations of the same two mentions are judged with the
direction as part of the label, without it, and officially:

==============  ====================================  ===============================
regime          a relation is booked on               and right with
==============  ====================================  ===============================
``directed``    its label with the direction          the same label and direction
``undirected``  its label                             the same label
``official``    its label                             the same label and direction
==============  ====================================  ===============================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from karat.evaluation.casebook import (
    CORRECT,
    INCORRECT,
    MISSED,
    SPURIOUS,
    Casebook,
    Cases,
    RegimeCounts,
    Verdict,
    first_item,
    prf,
)
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.ledger import Item
from karat.evaluation.pairing import check_texts
from karat.evaluation.protocol import Demands, Facts, Main, Protocol, Rules, Sheet, Side
from karat.evaluation.quirks import quirks_of
from karat.evaluation.tally import Group
from karat.matching.fragments import Spans
from karat.model import Document
from karat.protocols.corrections import CorrectableOptions
from karat.protocols.relations.claims import Claim, Grounds, claims_of
from karat.protocols.relations.options import RelationOptions, label_names
from karat.protocols.relations.reasons import claim_item, position
from karat.settings import shared_option

OTHER = "Other"
UNLISTED = "unlisted-labels-cost-nothing"
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


@dataclass(frozen=True)
class SemevalOptions(CorrectableOptions):
    """What can be set in an evaluation by the rules of SemEval-2010 task 8."""

    profile: str = shared_option("profile")
    exclude: tuple[str, ...] = label_names((OTHER,), "labels that are no relations: left out on both sides")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing", "empty")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(exclude=self.exclude, invented=self.invented, missing=self.missing)


class BookedRelation(NamedTuple):
    """A relation as it is booked: with the direction in its label, or without."""

    label: str
    claim: Claim
    is_listed: bool


class Page(msgspec.Struct, frozen=True):
    """The relations of a document: each of them twice in a row, with its direction in the label and without.

    With ``unlisted_are_free`` a label that the gold never uses costs nothing.
    """

    gold: Sequence[BookedRelation]
    system: Sequence[BookedRelation]
    unlisted_are_free: bool
    sources: tuple[str, str] = ("", "")
    group: Group = Group()


def labels_of(claim: Claim, grounds: Grounds) -> tuple[str, str]:
    """Return the label of a relation with its direction, and without.

    The direction is that of the text, (e1,e2) if the head stands first, unless it is part of the label.
    """
    for direction in (FORWARD, BACKWARD):
        if claim.name.endswith(direction):
            return claim.name, claim.name.removesuffix(direction)
    places = [grounds.position(end.entity) for end in claim.listed]
    return claim.name + (FORWARD if places == sorted(places) else BACKWARD), claim.name


def facts(document: Document, side: Side, options: SemevalOptions) -> Iterator[str]:
    """Yield the labels of the gold, with their directions and without."""
    if side == "gold":
        grounds = Grounds(document)
        for claim in claims_of(grounds, options.relations):
            yield from labels_of(claim, grounds)


def draft(gold: Document, system: Document, known: Facts, options: SemevalOptions) -> Iterator[Sheet]:
    """Yield the page of a document with the relations of both sides."""
    check_texts(gold, system)
    sides = [_labelled(document, known, options) for document in (gold, system)]
    page = Page(sides[0], sides[1], not options.mends(UNLISTED), (gold.source, system.source))
    unknown = [labelled.label for labelled in sides[1][::2] if not labelled.is_listed]
    yield Sheet(gold.id, (page,), unknown)


def _labelled(document: Document, known: Facts, options: SemevalOptions) -> list[BookedRelation]:
    grounds = Grounds(document)
    claims = claims_of(grounds, options.relations)
    return [BookedRelation(label, claim, label in known) for claim in claims for label in labels_of(claim, grounds)]


def judge(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on the relations of each two mentions: those that agree are paired before others."""
    golds, systems = _by_ends(page.gold), _by_ends(page.system)
    for ends in dict.fromkeys((*golds, *systems)):
        yield from _of_same_ends(page, golds.get(ends, []), systems.get(ends, []))
    for index in _unplaced(page.gold):
        yield from _verdicts(page, "missed", index, None)
    for index in _unplaced(page.system):
        yield from _verdicts(page, "spurious", None, index)


def _by_ends(items: Sequence[BookedRelation]) -> dict[tuple[Spans, ...], list[int]]:
    """Return the places of relations by the mentions that they join, in whichever direction, if the text has these."""
    places: dict[tuple[Spans, ...], list[int]] = {}
    unplaced = set(_unplaced(items))
    for index in range(0, len(items), 2):
        if index not in unplaced:
            places.setdefault(tuple(sorted(end.spans for end in items[index].claim.ends)), []).append(index)
    return places


def _unplaced(items: Sequence[BookedRelation]) -> list[int]:
    """Return the places of relations with a mention that the text does not have."""
    return [index for index in range(0, len(items), 2) if any(end.unplaced for end in items[index].claim.ends)]


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
        left, right = (None if index is None else index + part for index in (gold, system))
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


def place(page: Page, verdict: Verdict) -> tuple[Any, ...]:
    """Return where a relation or pair stands in the order of the text."""
    booked: BookedRelation = first_item(page, verdict)
    return position(booked.claim)


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


def remarks(notes: Counter[Hashable], known: Any, options: SemevalOptions) -> Iterator[str]:
    """Yield which labels of the system are none of the gold's."""
    del known
    if notes:
        names = ", ".join(sorted(map(str, notes)))
        cost = "which are wrong" if options.mends(UNLISTED) else "which costs nothing"
        yield f"the gold never uses the labels of {notes.total()} system relations, {cost}: {names}"


def demands(options: SemevalOptions) -> Demands:
    """Return how answers are read: as the program does, or also without the end of the last line."""
    rules = "lenient" if options.mends("open-last-line-refused") else "program"
    return Demands(options={"semeval2010": {"rules": rules}}, empty="semeval2010")


_IS_INVENTED = attrgetter("claim.is_invented")
_SHOWN = (OFFICIAL, DIRECTED, UNDIRECTED)


def bind(options: SemevalOptions) -> Rules:
    """Return the rules of the program with these options."""
    figures = partial(prf, averages=("macro-label", "micro"))
    if not options.mends("nothing-proposed-is-zero"):
        figures = partial(figures, empty={"precision": 0, "recall": 0, "f1": 0}, stops=True)
    book = Casebook(
        **counting_invented(CASES, judge, reason=reason, is_invented=_IS_INVENTED),
        item=item,
        counting=RegimeCounts,
        figures=figures,
        regimes=_SHOWN,
        charge=on_directed_label,
        order=place,
        together=together,
    )
    return Rules(
        book,
        partial(draft, options=options),
        facts=partial(facts, options=options),
        remarks=partial(remarks, options=options),
        demands=demands(options),
        main=Main(regimes=_SHOWN, averages=("macro-label", "micro")),
    )


PROTOCOLS = (
    with_invented(
        Protocol(
            name="semeval2010-task8",
            title="SemEval-2010 task 8: nine relations with a direction",
            task="relations",
            summary="Relations between the same mentions: with direction as label, without direction, and official.",
            unit="document",
            bind=bind,
            options=SemevalOptions,
            quirks=quirks_of("karat.protocols.semeval2010"),
            reference="semeval2010_task8_scorer-v1.2.pl",
            docs="semeval2010",
        )
    ),
)
