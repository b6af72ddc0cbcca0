"""The casebook of eHealth-KD: how its items are shown, and the reason of each verdict."""

from __future__ import annotations

from collections.abc import Sequence

from karat.evaluation.casebook import Casebook, Verdict
from karat.evaluation.invented import REASON
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.entities import touch
from karat.protocols.ehealthkd.judge import SentencePage, SentencePair, judge
from karat.protocols.ehealthkd.relations import EQUIVALENT, EQUIVALENT_SWAPPED, EXACT, SAME_AS, SWAPPED
from karat.protocols.ehealthkd.rules import CASES

_WAYS = {
    EXACT: "same label and same ends",
    SWAPPED: f"same ends in the other direction, and {SAME_AS} has none",
    EQUIVALENT: f"same label, and ends that are {SAME_AS} the gold ones",
    EQUIVALENT_SWAPPED: f"ends that are {SAME_AS} the gold ones in the other direction, and {SAME_AS} has none",
}


def item(page: SentencePage, side: Side, index: int) -> Item:
    """Return an entity, or a relation with its ends."""
    judged, annotations = page.item(side, index), page.sentences.annotations(side)
    ends: Sequence[int] = (judged.position,)
    if judged.is_relation:
        ends = page.sentences.relations(side)[judged.position][1:]
    text = " → ".join([annotations.words(entity) for entity in ends])
    span = _range(annotations, ends)
    return Item(judged.label, text, span, place=annotations.source, ends=annotations.ends(ends))


def _range(annotations: Annotations, entities: Sequence[int]) -> tuple[int, int] | None:
    """Return from where to where entities reach in the text, None if it has none of them."""
    placed = [annotations.places[entity] for entity in entities if entity not in annotations.invented]
    edges = [annotations.begins[0] + edge for place in placed for edge in place[1:]]
    return (min(edges), max(edges)) if edges else None


def reason(page: SentencePage, verdict: Verdict) -> str:
    """Return why an item has its partner, or none."""
    if verdict.gold is None or verdict.system is None:
        side: Side = "system" if verdict.gold is None else "gold"
        judged = page.item(side, verdict.system if verdict.gold is None else verdict.gold)  # type: ignore[arg-type]
        return (_relation_alone if judged.is_relation else _entity_alone)(page.sentences, side, judged.position)
    gold, system = page.gold[verdict.gold], page.system[verdict.system]
    if gold.is_relation:
        return _relation_met(page.sentences, system.position)
    return _entity_met(page.sentences, verdict.case, gold.position, system.position)


def _entity_met(pair: SentencePair, case: str, gold: int, system: int) -> str:
    golds, systems = pair.sides
    labels = systems.labels[system], golds.labels[gold]
    if case == "correct":
        return "same label and same span"
    if case == "incorrect":
        return f"same span, but {labels[0]} for {labels[1]}"
    first = "same label" if labels[0] == labels[1] else f"{labels[0]} for {labels[1]}"
    words = systems.words(system), golds.words(gold)
    if words[0] == words[1]:
        return f"{first} and same words, but in other fragments"
    return f"{first}, but {words[0]!r} for {words[1]!r}"


def _entity_alone(pair: SentencePair, side: Side, index: int) -> str:
    across = _across(side)
    own, candidates = pair.annotations(side), pair.annotations(across)
    if index in own.invented:
        return REASON
    label, place = own.labels[index], own.places[index]
    near = [
        entity for entity in sorted(pair.neighbours[side].get(index, ())) if touch(place, candidates.places[entity])
    ]
    alike = [entity for entity in near if pair.rules.partial_any_label or candidates.labels[entity] == label]
    if alike:
        return f"the {across} has {candidates.words(alike[0])!r} there, but that is paired with another"
    if not near:
        return f"no {across} mention shares a part with it"
    span = "the same span" if any(candidates.places[entity] == place for entity in near) else "a part of it"
    return f"the {across} has {span} only as {', '.join(sorted({candidates.labels[entity] for entity in near}))}"


def _relation_met(pair: SentencePair, system: int) -> str:
    ends = pair.relations("system")[system][1:]
    partial = any(pair.standing["system"][end] == "partial" for end in ends)
    return _WAYS[pair.ways[system]] + ("; an end is only a partial match" if partial else "")


def _relation_alone(pair: SentencePair, side: Side, index: int) -> str:
    """Return why a relation has no partner: an end, the label, the direction, or nothing like it at all."""
    across, (label, *ends) = _across(side), pair.relations(side)[index]
    lost = [
        f"its {role} {pair.annotations(side).words(end)!r} is {pair.standing[side][end]}"
        for role, end in zip(("source", "target"), ends, strict=True)
        if end not in pair.partners[side]
    ]
    if lost:
        return " and ".join(lost)
    source, target = (pair.partners[side][end] for end in ends)
    labels = pair.labels[across].get((source, target), set())
    if label in labels:
        return f"the {across} has it, but that is paired with another"
    if labels:
        return f"between these ends the {across} has {', '.join(sorted(labels))}"
    if label in pair.labels[across].get((target, source), set()):
        return f"the {across} has it in the other direction"
    return f"the {across} has no relation between these ends"


def _across(side: Side) -> Side:
    return "gold" if side == "system" else "system"


BOOK = Casebook(CASES, judge, item=item, reason=reason)
