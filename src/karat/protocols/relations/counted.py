"""Judging relations as well-known programs count them: ``rel``, ``rel+`` with the types of the ends, and entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import msgspec

from karat.ledger import Item
from karat.matching.greedy import equal
from karat.protocols.base import Side
from karat.protocols.casebook import CORRECT, INCORRECT, Cases, Verdict, Worth
from karat.protocols.relations.judge import CASES, EXACT, REGIMES, WRONG_TYPE
from karat.protocols.relations.programs import Counted, CountedMention
from karat.protocols.relations.reasons import text_of
from karat.tally import Group

REL, REL_PLUS, ENTITIES = PROGRAM_REGIMES = ("rel", "rel+", "entities")
REPEATED, REPEATED_WRONG_TYPE = "repeated", "repeated-wrong-type"

_AGAIN = Worth("correct", 1, 1, 0)
_AGAIN_WRONG = Worth("incorrect", 0, 1, 0)
ALL_CASES: Cases = {
    **CASES,
    EXACT: dict.fromkeys((*REGIMES, *PROGRAM_REGIMES), CORRECT),
    WRONG_TYPE: {**CASES[WRONG_TYPE], REL: CORRECT, REL_PLUS: INCORRECT},  # type: ignore[dict-item]
    REPEATED: dict.fromkeys(PROGRAM_REGIMES, _AGAIN),
    REPEATED_WRONG_TYPE: {REL: _AGAIN, REL_PLUS: _AGAIN_WRONG},
}
"""What each case counts for. One that is *repeated* is right again, with a gold item that has been found before."""


class ProgramPage(msgspec.Struct, frozen=True):
    """The relations and entities of a document as a program counts them.

    ``has_types`` says whether it has ``rel+``, ``stops`` that it stops where the gold has nothing.
    """

    gold: Sequence[Counted | CountedMention]
    system: Sequence[Counted | CountedMention]
    has_types: bool
    stops: bool
    gold_source: str = ""
    system_source: str = ""
    group: Group = Group()
    published: bool = True


def judge(page: ProgramPage) -> Iterator[Verdict]:
    """Yield what became of every relation and entity; what counts twice is said twice."""
    golds, systems = ([(index, _key(item)) for index, item in enumerate(side)] for side in (page.gold, page.system))
    pairs = equal(golds, systems)
    first = {key: index for index, key in reversed(golds)}
    right = set(pairs.values())
    for system, key in systems:
        if system in pairs:
            yield from _pair(page, pairs[system], system, (EXACT, WRONG_TYPE))
        elif key in first:
            yield from _pair(page, first[key], system, (REPEATED, REPEATED_WRONG_TYPE))
        else:
            yield from _lone(page, "spurious", None, system)
    for gold, _ in golds:
        if gold not in right:
            yield from _lone(page, "missed", gold, None)


def _key(item: Counted | CountedMention) -> Hashable:
    return isinstance(item, CountedMention), item.key


def _pair(page: ProgramPage, gold: int, system: int, cases: tuple[str, str]) -> Iterator[Verdict]:
    gold_item, system_item = page.gold[gold], page.system[system]
    is_typed = (
        isinstance(gold_item, CountedMention)
        or isinstance(system_item, CountedMention)
        or gold_item.types == system_item.types
    )
    verdict = Verdict(cases[0 if is_typed else 1], gold, system, _regimes(page, gold_item))
    yield from [verdict] * _times(gold_item)


def _lone(page: ProgramPage, case: str, gold: int | None, system: int | None) -> Iterator[Verdict]:
    item = page.gold[gold] if gold is not None else page.system[system or 0]
    yield from [Verdict(case, gold, system, _regimes(page, item))] * _times(item)


def _times(item: Counted | CountedMention) -> int:
    return 1 if isinstance(item, CountedMention) else item.times


def _regimes(page: ProgramPage, item: Counted | CountedMention) -> tuple[str, ...]:
    if isinstance(item, CountedMention):
        return (ENTITIES,)
    return (REL, REL_PLUS) if page.has_types else (REL,)


def item(page: ProgramPage, side: Side, index: int) -> Item:
    """Return a relation or an entity as it is shown."""
    shown = (page.gold if side == "gold" else page.system)[index]
    source = page.gold_source if side == "gold" else page.system_source
    if isinstance(shown, CountedMention):
        return Item(shown.label, shown.text, shown.hull, place=f"{source}:{shown.id}" if source else shown.id)
    ids = ",".join(shown.claim.ids)
    return Item(shown.name, text_of(shown.claim), shown.hull, place=f"{source}:{ids}" if source else ids)


def place(page: ProgramPage, verdict: Verdict) -> tuple[Any, ...]:
    """Return where an item stands: relations before entities, in the order of the text."""
    first = page.gold[verdict.gold] if verdict.gold is not None else page.system[verdict.system or 0]
    return isinstance(first, CountedMention), first.hull


def reason(page: ProgramPage, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    first = page.gold[verdict.gold] if verdict.gold is not None else page.system[verdict.system or 0]
    noun = (
        "mention with this place and type" if isinstance(first, CountedMention) else "relation with this label and ends"
    )
    said = {
        EXACT: "same place and type" if isinstance(first, CountedMention) else "same label, ends and types",
        WRONG_TYPE: "same label and ends, but an end is typed wrong",
        REPEATED: "right again: the system gives it more than once, and each counts",
        REPEATED_WRONG_TYPE: "right again, but an end is typed wrong",
        "missed": f"the system has no {noun}",
        "spurious": f"the gold has no {noun}",
    }[verdict.case]
    if isinstance(first, Counted) and first.times > 1:
        return f"{said}; a symmetric relation counts twice"
    return said
