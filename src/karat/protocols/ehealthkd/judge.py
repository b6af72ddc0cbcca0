"""Judging one sentence: its entities, then its relations, and what that counts for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from karat.ledger import Outcome
from karat.measures.ratios import Formula, Ratio, f1, precision, recall
from karat.protocols.base import Case, Figure
from karat.protocols.ehealthkd.align import Alignment
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.entities import EntityMatches
from karat.protocols.ehealthkd.matching import Matches, match
from karat.protocols.ehealthkd.relations import RelationMatches
from karat.protocols.ehealthkd.rules import Rules
from karat.tally import Group, Tally

OUTCOMES: tuple[Outcome, ...] = ("correct", "incorrect", "partial", "missed", "spurious")
CORRECT, INCORRECT, PARTIAL, MISSED, SPURIOUS = range(len(OUTCOMES))
REGIME = "official"

Part = Literal["main", "entities", "relations"]
"""What a protocol judges: both subtasks together, or one of them."""

_ALONE = Alignment([0], frozenset(), [])
"""The first sentence of the system belongs to the first of the gold."""


class Sheet(msgspec.Struct, frozen=True):
    """A layer of a gold sentence, the system's version of it, and how they are to be judged."""

    layer: str
    gold: Annotations
    system: Annotations
    rules: Rules
    part: Part
    sources: tuple[str, str] = ("", "")


class Verdict(NamedTuple):
    """An outcome, the label it is booked on, and the indices of what it is about.

    These are of entities, or of the relations that were judged; ``way`` says how a correct relation was found.
    """

    outcome: Outcome
    label: str
    gold: int | None
    system: int | None
    is_relation: bool = False
    way: str = ""


def judge(sheet: Sheet) -> Matches:
    """Match the entities and the relations of a sentence."""
    return match(sheet.gold, sheet.system, _ALONE, sheet.rules)


def verdicts(sheet: Sheet, found: Matches) -> Iterator[Verdict]:
    """Yield every verdict that counts in the protocol; a pair is booked on the gold label."""
    if sheet.part != "relations":
        yield from _entity_verdicts(sheet, found.entities)
    if sheet.part != "entities":
        yield from _relation_verdicts(found.relations)


def _entity_verdicts(sheet: Sheet, found: EntityMatches) -> Iterator[Verdict]:
    gold, system = sheet.gold.labels, sheet.system.labels
    yield from (Verdict("correct", gold[two], two, one) for one, two in found.correct)
    yield from (Verdict("incorrect", gold[two], two, one) for one, two in found.incorrect)
    yield from (Verdict("partial", gold[two], two, one) for one, two in found.partial)
    yield from (Verdict("spurious", system[one], None, one) for one in found.spurious)
    yield from (Verdict("missed", gold[two], two, None) for two in found.missed)


def _relation_verdicts(found: RelationMatches) -> Iterator[Verdict]:
    gold, system = found.gold_relations, found.system_relations
    for one, two, way in found.correct:
        yield Verdict("correct", gold[two][0], two, one, is_relation=True, way=way)
    for one in found.spurious:
        yield Verdict("spurious", system[one][0], None, one, is_relation=True)
    for two in found.missed:
        yield Verdict("missed", gold[two][0], two, None, is_relation=True)


def tally(case: Case) -> Tally:
    """Count the verdicts of a sentence by layer and label, and over all labels."""
    counted: dict[Group, list[int]] = {}
    for sheet in case.content:
        counted.setdefault(Group(sheet.layer), [0] * len(OUTCOMES))
        for verdict in verdicts(sheet, judge(sheet)):
            place = OUTCOMES.index(verdict.outcome)
            for label in (None, verdict.label):
                counted.setdefault(Group(sheet.layer, "", label), [0] * len(OUTCOMES))[place] += 1
    return {group: tuple(counts) for group, counts in counted.items()}


def _formula(ratio: Callable[[Any, Any, Any], Ratio]) -> Formula:
    def formula(counts: Sequence[Any]) -> Ratio:
        credit = counts[CORRECT] + 0.5 * counts[PARTIAL]
        both = counts[CORRECT] + counts[PARTIAL] + counts[INCORRECT]
        return ratio(credit, both + counts[SPURIOUS], both + counts[MISSED])

    return formula


FIGURES = tuple(
    Figure(measure, REGIME, "micro", _formula(ratio))
    for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1))
)
"""Precision, recall and F1, in which a partial match is worth half."""
