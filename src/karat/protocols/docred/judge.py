"""Judging the facts of a document and the sentences that are given as evidence, and why each is judged so, in words.

A fact is right if the gold has one between the same entities with the same label. A sentence is right if it is evidence
of a right fact in the gold, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from karat.evaluation.casebook import CORRECT, MISSED, SPURIOUS, Cases, Verdict, first_item
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.evaluation.tally import Group
from karat.protocols.docred import EVIDENCE
from karat.protocols.docred.facts import EvidenceSentence, RelationFact
from karat.protocols.relations.claims import Identity
from karat.protocols.relations.reasons import claim_item, position, text_of

EXACT, SEEN = "exact", "seen"
CASES: Cases = {EXACT: CORRECT, SEEN: CORRECT, "missed": MISSED, "spurious": SPURIOUS}
"""A fact that is *seen* is right and was in the training data: as published it counts for recall, not for precision."""


Labels = Mapping[tuple[Identity, ...], Sequence[str]]


class Page(msgspec.Struct, frozen=True):
    """The facts of a document, then the sentences that are evidence of them, ready to be judged.

    ``gold_labels`` and ``system_labels`` are the labels of either side by the entities that they join.
    """

    gold: Sequence[RelationFact | EvidenceSentence]
    system: Sequence[RelationFact | EvidenceSentence]
    gold_labels: Labels
    system_labels: Labels
    sources: tuple[str, str] = ("", "")
    group: Group = Group()


def judge(page: Page) -> Iterator[Verdict]:
    """Yield what became of every fact and every sentence."""
    systems = {key: index for index, item in enumerate(page.system) if (key := _key(item)) is not None}
    right: set[int] = set()
    for gold, item in enumerate(page.gold):
        system = None if isinstance(item, EvidenceSentence) and item.is_repeated else systems.get(_key(item))
        if system is None:
            yield Verdict("missed", gold, None, _regimes(item))
            continue
        right.add(system)
        seen = item.seen if isinstance(item, RelationFact) else ()
        yield Verdict(EXACT, gold, system, tuple(regime for regime in _regimes(item) if regime not in seen))
        if seen:
            yield Verdict(SEEN, gold, None, seen)
    for system, item in enumerate(page.system):
        if system not in right:
            yield Verdict("spurious", None, system, _regimes(item))


def _key(item: RelationFact | EvidenceSentence) -> Hashable:
    if isinstance(item, EvidenceSentence):
        return None if item.fact.key is None else (item.fact.key, item.number)
    return item.key


def _regimes(item: RelationFact | EvidenceSentence) -> tuple[str, ...]:
    return (EVIDENCE,) if isinstance(item, EvidenceSentence) else item.regimes


def item(page: Page, side: Side, index: int) -> Item:
    """Return a fact or a sentence as it is shown."""
    shown, source = getattr(page, side)[index], page.sources[side == "system"]
    if isinstance(shown, EvidenceSentence):
        return claim_item(shown.fact.claim, shown.label, source, f" in sentence {shown.number}")
    return claim_item(shown.claim, shown.label, source)


def place(page: Page, verdict: Verdict) -> Any:
    """Return where a fact stands in the order of the text, and its evidence behind it."""
    shown = first_item(page, verdict)
    if isinstance(shown, EvidenceSentence):
        where = position(shown.fact.claim)
        return where, shown.label, text_of(shown.fact.claim), 1, len(shown.number), shown.number
    return position(shown.claim), shown.label, text_of(shown.claim), 0, 0, ""


def reason(page: Page, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    shown = first_item(page, verdict)
    other_labels, other_side = (page.gold_labels, "gold") if verdict.gold is None else (page.system_labels, "system")
    if isinstance(shown, EvidenceSentence):
        return _of_sentence(shown, verdict.case, other_labels, other_side)
    if verdict.case in (EXACT, SEEN):
        return "same entities and label" + ("; the training data have it, too" if shown.seen else "")
    return _of_fact(shown, other_labels, other_side)


def _of_sentence(sentence: EvidenceSentence, case: str, other_labels: Labels, other_side: str) -> str:
    if case == EXACT:
        return "evidence on both sides"
    if sentence.is_repeated:
        return "given again, or with a fact that is given again: it counts, and cannot be found"
    if sentence.label in other_labels.get(sentence.fact.ends, ()):
        return f"the {other_side} does not give it as evidence of this fact"
    return f"the {other_side} does not have the fact that it is evidence of"


def _of_fact(fact: RelationFact, other_labels: Labels, other_side: str) -> str:
    """Return why a fact has no partner: what the other side has between the same entities, and what it lacks."""
    same, turned = other_labels.get(fact.ends, ()), other_labels.get(fact.ends[::-1], ())
    if same:
        return f"between the same entities, the {other_side} has {', '.join(same)}"
    if fact.label in turned:
        return f"the {other_side} has it in the opposite direction"
    if turned:
        return f"in the opposite direction, the {other_side} has {', '.join(turned)}"
    return f"the {other_side} has no relation between these entities"
