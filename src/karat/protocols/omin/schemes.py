"""Labelled spans compared as in SemEval-2013: how the later OMIn evaluation of named entities judges.

==============  =========  =========  =========  =========
case            strict     exact      partial    type
==============  =========  =========  =========  =========
exact           correct    correct    correct    correct
wrong-label     incorrect  correct    correct    incorrect
wrong-boundary  incorrect  incorrect  partial    correct
wrong-both      incorrect  incorrect  partial    incorrect
spurious        spurious   spurious   spurious   spurious
missed          missed     missed     missed     missed
==============  =========  =========  =========  =========
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Cases, Verdict
from karat.matching.greedy import best_first
from karat.matching.sweep import candidates, first_overlapping
from karat.model import Span

CASES: Cases = {
    "exact": CORRECT,
    "wrong-label": {"strict": INCORRECT, "exact": CORRECT, "partial": CORRECT, "type": INCORRECT},
    "wrong-boundary": {"strict": INCORRECT, "exact": INCORRECT, "partial": PARTIAL, "type": CORRECT},
    "wrong-both": {"strict": INCORRECT, "exact": INCORRECT, "partial": PARTIAL, "type": INCORRECT},
    "spurious": SPURIOUS,
    "missed": MISSED,
}

NOT_FOUND: Span = (-1, -1)
"""What the search of the program gives for words that are not in the tokens. It compares these numbers like any others:
as published two entities that are not found are in the same place (the quirk ``lost-mentions-match``)."""

DUMMY = "ORG"
"""The label of every gold entity in the evaluation without types."""

_COMMON = ("PER", "ORG", "LOC", "FAC", "GPE")
_MORE = ("PRODUCT", "NORP", "QUANTITY", "EVENT", "WORK_OF_ART", "CARDINAL", "DATE", "PERCENT", "TIME", "ORDINAL")
TYPE_SETS: dict[str, tuple[str, ...]] = {
    "conll03": ("PER", "ORG", "MISC", "LOC"),
    "ontonotes": (*_COMMON, *_MORE, "MONEY", "LAW", "LANGUAGE"),
    "ace05": (*_COMMON, "VEHICLE", "WEAPON"),
    "ace05_nltk": _COMMON,
    "scierc": ("OtherScientificTerm", "Method", "Task", "Material", "Generic", "Metric", DUMMY),
}
SHORTER = {
    "FACILITY": "FAC",
    "ORGANIZATION": "ORG",
    "PERSON": "PER",
    "LOCATION": "LOC",
    "VEH": "VEHICLE",
    "WEA": "WEAPON",
}
"""Labels of tools, and the labels of the gold for the same types."""


class LabelledRange(NamedTuple):
    """A label over a range of tokens or characters; :data:`NOT_FOUND` if its words are not found."""

    label: str
    start: int
    end: int

    @property
    def spans(self) -> tuple[Span]:
        """The place as one fragment."""
        return ((self.start, self.end),)


def in_published_order(gold: Sequence[LabelledRange], *, once: bool = True) -> list[LabelledRange]:
    """Return the gold entities, each ``once``, those with fewer shorter ones across them first.

    From the shortest to the longest, each is held against the sorted starts and ends of all that are shorter: of those
    that start before its end, the ones that end before its start are not across it.

    >>> in_published_order([LabelledRange("PER", 0, 3), LabelledRange("ORG", 1, 2), LabelledRange("PER", 0, 3)])
    [LabelledRange(label='ORG', start=1, end=2), LabelledRange(label='PER', start=0, end=3)]
    """
    copies = Counter(gold)
    above = dict.fromkeys(copies, 0)
    located = (entity for entity in copies if entity.start < entity.end)
    starts: list[int] = []
    ends: list[int] = []
    for _, alike in groupby(sorted(located, key=_length), _length):
        entities = list(alike)
        for entity in entities:
            shorter = bisect_left(starts, entity.end) - bisect_right(ends, entity.start)
            above[entity] = copies[entity] * shorter
        for entity in entities:
            for _copy in range(copies[entity]):
                insort(starts, entity.start)
                insort(ends, entity.end)
    return sorted(copies if once else gold, key=above.__getitem__)


def _length(entity: LabelledRange) -> int:
    return entity.end - entity.start


def among(entities: Sequence[LabelledRange], labels: Collection[str] | None) -> list[LabelledRange]:
    """Return the entities with one of the labels; ``None`` takes all."""
    return [entity for entity in entities if labels is None or entity.label in labels]


def judge_published(gold: Sequence[LabelledRange], system: Sequence[LabelledRange]) -> list[Verdict]:
    """Judge each system entity by the same entity in the gold, else by the first gold one that it overlaps.

    Gold entities stand in the order of the program; none is used up, so several system entities may share one.

    >>> gold = [LabelledRange("PER", 0, 2)]
    >>> system = [LabelledRange("PER", 0, 1), LabelledRange("ORG", 1, 2), LabelledRange("ORG", 4, 5)]
    >>> [verdict.case for verdict in judge_published(gold, system)]
    ['wrong-boundary', 'wrong-both', 'spurious']
    """
    same = {entity: index for index, entity in enumerate(gold)}
    same_range = {entity[1:]: index for index, entity in reversed(list(enumerate(gold)))}
    firsts = first_overlapping(gold, system)
    paired: set[int] = set()
    verdicts: list[Verdict] = []
    for index, (entity, first) in enumerate(zip(system, firsts, strict=True)):
        partner = same.get(entity, first if entity.start < entity.end else same_range.get(entity[1:]))
        verdicts.append(Verdict(grade(None if partner is None else gold[partner], entity), partner, index))
        paired.update(() if partner is None else (partner,))
    return verdicts + [Verdict("missed", index, None) for index in range(len(gold)) if index not in paired]


_GRADES = tuple(CASES)


def judge_one_to_one(gold: Sequence[LabelledRange], system: Sequence[LabelledRange]) -> list[Verdict]:
    """Pair each entity at most once: the same first, then the same span, then the same label; more overlap first.

    >>> gold = [LabelledRange("PER", 0, 2)]
    >>> system = [LabelledRange("PER", 0, 1), LabelledRange("ORG", 1, 2), LabelledRange("ORG", 4, 5)]
    >>> [verdict.case for verdict in judge_one_to_one(gold, system)]
    ['wrong-boundary', 'spurious', 'spurious']
    """

    def cost(index: int, partner: int) -> tuple[int, int]:
        (_, gold_start, gold_end), (_, start, end) = gold[partner], system[index]
        return _GRADES.index(grade(gold[partner], system[index])), max(gold_start, start) - min(gold_end, end)

    pairs = best_first(_overlaps(gold, system), cost)
    verdicts = [
        Verdict(grade(gold[pairs[index]] if index in pairs else None, entity), pairs.get(index), index)
        for index, entity in enumerate(system)
    ]
    paired = set(pairs.values())
    return verdicts + [Verdict("missed", index, None) for index in range(len(gold)) if index not in paired]


def grade(gold: LabelledRange | None, system: LabelledRange) -> str:
    """Return the case of a system entity beside its gold partner."""
    if gold is None:
        return "spurious"
    if gold[1:] == system[1:]:
        return "exact" if gold.label == system.label else "wrong-label"
    return "wrong-boundary" if gold.label == system.label else "wrong-both"


def _overlaps(gold: Sequence[LabelledRange], system: Sequence[LabelledRange]) -> list[list[int]]:
    """Return for each system entity the gold ones that share a position with it, whatever the order of both."""
    order, turn = (
        sorted(
            (index for index, entity in enumerate(side) if entity.start < entity.end),
            key=lambda index: side[index].spans,
        )
        for side in (gold, system)
    )
    overlapped: list[list[int]] = [[] for _ in system]
    rows = candidates([gold[index] for index in order], [system[index] for index in turn])
    for system_index, row in zip(turn, rows, strict=True):
        overlapped[system_index] = [order[index] for index in row]
    return overlapped
