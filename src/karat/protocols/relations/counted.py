"""Judging relations as well-known programs count them: ``rel``, ``rel+`` with the types of the ends, and entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import msgspec

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Cases, Verdict, Worth, first_item
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.evaluation.tally import Group
from karat.matching.greedy import equal
from karat.protocols.relations.judge import EXACT, WRONG_TYPE
from karat.protocols.relations.programs import Counted, CountedMention
from karat.protocols.relations.reasons import place_in, position, text_of

REL, REL_PLUS, ENTITIES = PROGRAM_REGIMES = ("rel", "rel+", "entities")
REPEATED, REPEATED_WRONG_TYPE = "repeated", "repeated-wrong-type"

_AGAIN = Worth("correct", 1, 1, 0)
_AGAIN_WRONG = Worth("incorrect", 0, 1, 0)
PROGRAM_CASES: Cases = {
    EXACT: CORRECT,
    WRONG_TYPE: {REL: CORRECT, REL_PLUS: INCORRECT},
    "missed": MISSED,
    "spurious": SPURIOUS,
    REPEATED: dict.fromkeys(PROGRAM_REGIMES, _AGAIN),
    REPEATED_WRONG_TYPE: {REL: _AGAIN, REL_PLUS: _AGAIN_WRONG},
}
"""What each case counts for. One that is *repeated* is right again, with a gold item that has been found before."""


class ProgramPage(msgspec.Struct, frozen=True):
    """The relations and entities of a document as a program counts them.

    ``has_types`` says whether it has ``rel+``.
    """

    gold: Sequence[Counted | CountedMention]
    system: Sequence[Counted | CountedMention]
    has_types: bool
    sources: tuple[str, str] = ("", "")
    group: Group = Group()


def judge(page: ProgramPage) -> Iterator[Verdict]:
    """Yield what became of every relation and entity; what counts twice is said twice."""
    golds, systems = ([(index, _key(item)) for index, item in enumerate(side)] for side in (page.gold, page.system))
    pairs = equal(golds, systems)
    first = {key: index for index, key in reversed(golds)}
    right = set(pairs.values())
    for system, key in systems:
        if system in pairs:
            yield from _verdicts(page, (EXACT, WRONG_TYPE), pairs[system], system)
        elif key is not None and key in first:
            yield from _verdicts(page, (REPEATED, REPEATED_WRONG_TYPE), first[key], system)
        else:
            yield from _verdicts(page, ("spurious",), None, system)
    for gold, _ in golds:
        if gold not in right:
            yield from _verdicts(page, ("missed",), gold, None)


def _key(item: Counted | CountedMention) -> Hashable:
    return None if item.is_unplaced else (isinstance(item, CountedMention), item.key)


def _verdicts(page: ProgramPage, cases: Sequence[str], gold: int | None, system: int | None) -> list[Verdict]:
    """Return the verdicts on a pair, the second of the cases if their types differ, or on an item without a partner."""
    items = [side[index] for side, index in ((page.gold, gold), (page.system, system)) if index is not None]
    regimes = (ENTITIES,) if isinstance(items[0], CountedMention) else (REL, REL_PLUS) if page.has_types else (REL,)
    case = cases[items[0].types != items[-1].types]
    return [Verdict(case, gold, system, regimes)] * items[0].times


def item(page: ProgramPage, side: Side, index: int) -> Item:
    """Return a relation or an entity as it is shown."""
    shown, source = getattr(page, side)[index], page.sources[side == "system"]
    if isinstance(shown, CountedMention):
        return Item(shown.label, shown.text, shown.hull, place=place_in(source, [shown.id]))
    span = None if shown.is_invented else shown.hull
    return Item(shown.name, text_of(shown.claim), span, place=place_in(source, shown.claim.ids))


def place(page: ProgramPage, verdict: Verdict) -> tuple[Any, ...]:
    """Return where an item stands: relations before entities, in the order of the text."""
    first = first_item(page, verdict)
    return isinstance(first, CountedMention), position(first)


def reason(page: ProgramPage, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    first = first_item(page, verdict)
    is_mention = isinstance(first, CountedMention)
    noun = "mention with this place and type" if is_mention else "relation with this label and ends"
    said = {
        EXACT: "same place and type" if is_mention else "same label, ends and types",
        WRONG_TYPE: "same label and ends, but an end is typed wrong",
        REPEATED: "right again: the system gives it more than once, and each counts",
        REPEATED_WRONG_TYPE: "right again, but an end is typed wrong",
        "missed": f"the system has no {noun}",
        "spurious": f"the gold has no {noun}",
    }[verdict.case]
    return f"{said}; a symmetric relation counts twice" if first.times > 1 else said
