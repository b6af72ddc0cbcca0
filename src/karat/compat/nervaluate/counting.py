"""Counting a corpus under the four scenarios at once, over all tags and for each.

Where the entities of a side do not overlap each other, an entity that both sides have is right under every scenario,
and in nobody's way. What is left of a document meets little; where nothing is to be chosen, a pair is the same under
every scenario, and counted as a case. Only the rest goes through the rules of the protocol, scenario by scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from operator import itemgetter

from karat.compat.nervaluate.entities import OUTCOMES, EvaluationResult
from karat.protocols.spans.scenarios import (
    ENT_TYPE,
    EXACT,
    PARTIAL,
    SCENARIOS,
    STRICT,
    Partners,
    Span,
    by_scenario,
    first_come,
    has_choice,
    meetings,
)

CORRECT, INCORRECT, HALF, MISSED, SPURIOUS = range(5)
WORTH = {
    STRICT: (CORRECT, INCORRECT, INCORRECT, INCORRECT, MISSED, SPURIOUS),
    PARTIAL: (CORRECT, CORRECT, HALF, HALF, MISSED, SPURIOUS),
    ENT_TYPE: (CORRECT, INCORRECT, CORRECT, INCORRECT, MISSED, SPURIOUS),
    EXACT: (CORRECT, CORRECT, INCORRECT, INCORRECT, MISSED, SPURIOUS),
}
"""What a case is under each scenario: a pair that is identical, in the same place, with the same label, or neither; an
entity of the gold, or of the system, without a partner."""
LACKS, TOO_MUCH = 4, 5
"""The cases of entities without a partner."""

Spans = Sequence[Span]


def case_of(gold: Span, system: Span) -> int:
    """Return the case of a pair.

    >>> case_of((0, 2, "A"), (0, 2, "B")), case_of((0, 2, "A"), (0, 3, "A"))
    (1, 2)
    """
    return (gold[0] != system[0] or gold[1] != system[1]) * 2 + (gold[2] != system[2])


def _add(cases: list[int], gold: Spans, system: Spans, partners: Partners) -> None:
    for place, partner in partners.items():
        cases[case_of(gold[partner], system[place])] += 1
    cases[LACKS] += len(gold) - len(partners)
    cases[TOO_MUCH] += len(system) - len(partners)


class Counts:
    """How often each case is there, for one selection of tags: under all scenarios, or under one of them."""

    def __init__(self) -> None:
        self.everywhere = [0] * 6
        self.under: dict[str, list[int]] = {name: [0] * 6 for name in SCENARIOS}

    def add(self, gold: Spans, system: Spans, minimum: float) -> None:
        """Count entities between which something is to be chosen."""
        for name, partners in by_scenario(gold, system, minimum, "1.2.1").items():
            _add(self.under[name], gold, system, partners)

    def add_cases(self, gold: Spans, system: Spans, partners: Partners) -> None:
        """Count pairs that are the same under every scenario, and what has no partner."""
        _add(self.everywhere, gold, system, partners)

    def __bool__(self) -> bool:
        return any(self.everywhere) or any(map(any, self.under.values()))

    def results(self) -> dict[str, EvaluationResult]:
        """Return the counts and ratios of each scenario."""
        results = {}
        for name, worth in WORTH.items():
            outcomes = [0] * len(OUTCOMES)
            for case, outcome in enumerate(worth):
                outcomes[outcome] += self.everywhere[case] + self.under[name][case]
            results[name] = EvaluationResult(**dict(zip(OUTCOMES, outcomes, strict=True)))
            results[name].compute_metrics(partial_or_type=name in (PARTIAL, ENT_TYPE))
        return results


def is_plain(spans: Spans) -> bool:
    """Say whether spans are in order, and no two overlap.

    >>> is_plain([(0, 2, "A"), (2, 3, "B")]), is_plain([(0, 2, "A"), (1, 3, "B")]), is_plain([(2, 1, "A")])
    (True, False, False)
    """
    last = -1
    for start, end, _ in spans:
        if start < last or end <= start:
            return False
        last = end
    return True


class Counting:
    """Counts documents over all tags together, and for each of them with nothing but its own entities."""

    def __init__(self, tags: Collection[str], minimum: float) -> None:
        self.minimum = minimum
        self.overall = Counts()
        self.by_tag = {tag: Counts() for tag in dict.fromkeys(tags)}
        self.right: Counter[str] = Counter()

    def add(self, number: int, gold: Spans, system: Spans) -> None:
        """Count a document."""
        if gold == system and is_plain(gold):
            self.right.update([span[2] for span in gold])
            return
        shared = set(gold).intersection(system)
        if shared and is_plain(gold) and is_plain(system):
            self.right.update([span[2] for span in shared])
            gold = [span for span in gold if span not in shared]
            system = [span for span in system if span not in shared]
        elif system and any(start == end for start, end, _ in gold):
            raise ZeroDivisionError(f"document {number}: an entity of the gold covers no position")
        self._add_rest(gold, system)

    def _add_rest(self, gold: Spans, system: Spans) -> None:
        met = meetings(gold, system, self.minimum) if gold and system else [()] * len(system)
        if has_choice(met) or any(span[1] < span[0] for span in system):
            self.overall.add(gold, system, self.minimum)
            for tag in {span[2] for side in (gold, system) for span in side}:
                golds, systems = ([span for span in side if span[2] == tag] for side in (gold, system))
                self.by_tag[tag].add(golds, systems, self.minimum)
            return
        self.overall.add_cases(gold, system, first_come(met))
        alike = [
            golds if golds and gold[golds[0]][2] == span[2] else () for golds, span in zip(met, system, strict=True)
        ]
        self._add_tags(gold, system, first_come(alike))

    def _add_tags(self, gold: Spans, system: Spans, partners: Partners) -> None:
        """Count pairs of one label, and what has no partner of its label."""
        for place, span in enumerate(system):
            partner = partners.get(place)
            case = TOO_MUCH if partner is None else case_of(gold[partner], span)
            self.by_tag[span[2]].everywhere[case] += 1
        taken = set(partners.values())
        for place, span in enumerate(gold):
            if place not in taken:
                self.by_tag[span[2]].everywhere[LACKS] += 1

    def finish(self) -> None:
        """Count what was right everywhere."""
        for tag, number in self.right.items():
            self.overall.everywhere[0] += number
            self.by_tag[tag].everywhere[0] += number
        self.right.clear()


def kept(sides: tuple[Sequence[Spans], Sequence[Spans]], tags: Collection[str]) -> Iterator[tuple[Spans, Spans]]:
    """Yield the entities of both sides of each document whose tags count."""
    known = frozenset(tags)
    spans = chain.from_iterable(chain.from_iterable(sides))
    if known.issuperset(map(itemgetter(2), spans)):
        yield from zip(*sides, strict=True)
        return
    for pair in zip(*sides, strict=True):
        gold, system = ([span for span in side if span[2] in known] for side in pair)
        yield gold, system


def counted(documents: Sequence[tuple[Spans, Spans]], tags: Collection[str], minimum: float) -> Counting:
    """Count a corpus."""
    counting = Counting(tags, minimum)
    for number, (gold, system) in enumerate(documents):
        counting.add(number, gold, system)
    counting.finish()
    return counting
