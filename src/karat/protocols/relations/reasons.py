"""How a claim is shown in the ledger, and why it is judged as it is, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from karat.evaluation.casebook import Verdict, first_item
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.matching.text_order import text_position
from karat.model import Span
from karat.protocols.relations.claims import TRIGGER, Claim, ClaimEnd, MentionPlaces
from karat.protocols.relations.judge import EXACT, OTHER_MENTION, WRONG_BOUNDARY, WRONG_TYPE, Page
from karat.protocols.relations.overlaps import REVERSED, WRONG_LABEL, akin_ends, is_reversed


def item(page: Page, side: Side, index: int) -> Item:
    """Return a claim of one side as an item of the ledger."""
    claim: Claim = getattr(page, side)[index]
    return claim_item(claim, claim.name, page.sources[side == "system"])


def claim_item(claim: Claim, label: str, source: str, more: str = "") -> Item:
    """Return a claim of a file as it is shown, under a label."""
    place = place_in(source, claim.ids)
    span = None if claim.is_invented else claim.hull
    return Item(label, text_of(claim) + more, span, place=place, ends=claim.standing)


def place_in(source: str, ids: Iterable[str]) -> str:
    """Return the file, if it is known, and the ids of relations in it."""
    names = ",".join(ids)
    return f"{source}:{names}" if source else names


def text_of(claim: Claim) -> str:
    """Return the ends of a claim as text: two as an arrow, others with their roles."""
    if claim.is_binary:
        arrow = " → " if claim.is_directed else " – "
        return arrow.join(end.text for end in claim.listed)
    return ", ".join(_roles(claim))


def _roles(claim: Claim) -> Iterable[str]:
    for end in sorted(claim.listed, key=lambda end: end.name != TRIGGER):
        yield end.text if end.name == TRIGGER or not end.name else f"{end.name}={end.text}"


def on_shown_label(page: Page, verdict: Verdict) -> Iterable[tuple[str, str]]:
    """Tell a claim or pair under its label, that of the gold claim if there is one, even if labels do not count."""
    return ((first_item(page, verdict).name, verdict.case),)


def place(page: Page, verdict: Verdict) -> Any:
    """Return where a claim or pair stands in the order of the text."""
    return position(first_item(page, verdict))


class Located(Protocol):
    """A claim, or what is made of one."""

    @property
    def hull(self) -> Span | None:
        """Where it begins and is over, as far as the text has it."""

    @property
    def is_invented(self) -> bool:
        """Whether the text lacks a part of it."""


def position(item: Located) -> tuple[Any, ...]:
    """Return where a claim stands in the order of the text: one that it has only in part is over behind others."""
    hull = item.hull
    return text_position((hull,), hull[0], item.is_invented, hull[1]) if hull else text_position(())


def reason(page: Page, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    case, gold, system = verdict[:3]
    if gold is not None and system is not None:
        return _pair_reason(case, page.gold[gold], page.system[system], page.system_places)
    if case in (EXACT, WRONG_TYPE, WRONG_BOUNDARY, OTHER_MENTION):
        return "correct, but not with the same partner under every regime"
    if gold is not None:
        return _lone_reason(page.gold[gold], "system", page.system_places)
    return _lone_reason(page.system[system or 0], "gold", page.gold_places)


def _pair_reason(case: str, gold: Claim, system: Claim, system_places: MentionPlaces) -> str:
    if case == EXACT:
        return "same label, ends and entity types"
    if case == REVERSED:
        return "same label and ends, but in the opposite direction"
    if case == WRONG_LABEL:
        ends = "the ends are exchanged, and" if is_reversed(gold, system) else "same ends, but"
        return f"{ends} {system.name} for {gold.name}"
    if case == WRONG_TYPE:
        return f"same label and boundaries, but {', '.join(_other_types(gold, system))}"
    differences = ", ".join(_other_texts(gold, system, system_places, all_ends=case in (WRONG_BOUNDARY, OTHER_MENTION)))
    return f"{'other mentions of the same entities:' if case == OTHER_MENTION else 'same label, but'} {differences}"


def _lone_reason(claim: Claim, other: str, places: MentionPlaces) -> str:
    if not claim.listed:
        return f"it has no ends, and the {other} has no such relation"
    absent = [f"{word} {end.text!r}" for word, end in _named(claim) if not places.have(end)]
    if absent:
        return f"the {other} has no mention where {' and '.join(absent)} stand{'s' * (len(absent) == 1)}"
    return f"the {other} has a mention at every end, but joins them by no such relation"


def _named(claim: Claim) -> Iterator[tuple[str, ClaimEnd]]:
    """Yield the ends with the word for each: head and tail, or the name of the role."""
    for index, end in enumerate(claim.listed):
        if claim.is_directed:
            yield ("the head", "the tail")[index], end
        else:
            yield "an end" if claim.is_binary else _role(end), end


def _role(end: ClaimEnd) -> str:
    return "the trigger" if end.name == TRIGGER else end.name or "an end"


def _other_types(gold: Claim, system: Claim) -> Iterator[str]:
    partners = {left: right for right, left in akin_ends(gold.listed, system.listed).items()}
    for index, (word, end) in enumerate(_named(gold)):
        partner = system.listed[partners[index]] if index in partners else end
        if partner.types != end.types:
            given, expected = ("|".join(types) or "without a type" for types in (partner.types, end.types))
            yield f"{word} {end.text!r} is {given} for {expected}"


def _other_texts(gold: Claim, system: Claim, places: MentionPlaces, *, all_ends: bool) -> Iterator[str]:
    """Yield the ends that differ: all with other spans, or only those that do not overlap."""
    partners = {left: right for right, left in akin_ends(gold.listed, system.listed).items()}
    spare = [end for index, end in enumerate(system.listed) if index not in partners.values()]
    for index, (word, end) in enumerate(_named(gold)):
        if index in partners:
            if not all_ends:
                continue
            partner = system.listed[partners[index]]
        else:
            position = next((index for index, free in enumerate(spare) if free.role == end.role), None)
            if position is None:
                yield f"{word} {end.text!r} is missing"
                continue
            partner = spare.pop(position)
        if partner.spans != end.spans or partner.unplaced or end.unplaced:
            absent = "" if places.have(end) else ", where the system has no mention"
            texts = f"another {end.text!r}" if partner.text == end.text else f"{partner.text!r} for {end.text!r}"
            yield f"{word} is {texts}{absent}"
    for end in spare:
        yield f"{_role(end)} {end.text!r} is too much"
