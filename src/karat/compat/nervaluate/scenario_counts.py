"""Counts outcomes under the four scenarios in one pass, over all tags and for each tag, and lists their indices.

Most entities overlap at most one entity of the other side. Such a pair is the same under every scenario and is counted
as one case; only the other entities go through the rules of the protocol, scenario by scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from karat.compat.nervaluate.entities import OUTCOMES, EvaluationIndices, EvaluationResult, Index
from karat.compat.nervaluate.loaders import Component
from karat.protocols.spans.scenarios import (
    ENT_TYPE,
    EXACT,
    PARTIAL,
    SCENARIOS,
    STRICT,
    LabelledSpan,
    LabelledSpans,
    Partners,
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
"""The cases of unpaired entities."""


def case_of(gold: LabelledSpan, system: LabelledSpan) -> int:
    """Return the case of a pair.

    >>> case_of((0, 2, "A"), (0, 2, "B")), case_of((0, 2, "A"), (0, 3, "A"))
    (1, 2)
    """
    return (gold[0] != system[0] or gold[1] != system[1]) * 2 + (gold[2] != system[2])


def _add(cases: list[int], gold: LabelledSpans, system: LabelledSpans, partners: Partners, times: int) -> None:
    for prediction, partner in partners.items():
        cases[case_of(gold[partner], system[prediction])] += times
    cases[LACKS] += (len(gold) - len(partners)) * times
    cases[TOO_MUCH] += (len(system) - len(partners)) * times


class CaseCounts:
    """The counts of cases for one selection of tags, under all scenarios together and under single ones."""

    def __init__(self) -> None:
        self.everywhere = [0] * 6
        self.under: dict[str, list[int]] = {name: [0] * 6 for name in SCENARIOS}

    def add(self, gold: LabelledSpans, system: LabelledSpans, pairings: Mapping[str, Partners], times: int) -> None:
        """Count entities that are paired by scenario."""
        for name, partners in pairings.items():
            _add(self.under[name], gold, system, partners, times)

    def __bool__(self) -> bool:
        return any(self.everywhere) or any(map(any, self.under.values()))

    def results(self, *, forgetful: bool = False) -> dict[str, EvaluationResult]:
        """Return counts and ratios of each scenario; with ``forgetful``, a partial match counts 0 instead of 0.5."""
        results = {}
        for name, worth in WORTH.items():
            outcomes = [0] * len(OUTCOMES)
            for case, outcome in enumerate(worth):
                outcomes[outcome] += self.everywhere[case] + self.under[name][case]
            results[name] = EvaluationResult(**dict(zip(OUTCOMES, outcomes, strict=True)))
            results[name].compute_metrics(partial_or_type=name in (PARTIAL, ENT_TYPE) and not forgetful)
        return results


class ScenarioCounts:
    """The counts of documents over all tags together, and for each tag with only its own entities."""

    def __init__(self, tags: Collection[str], minimum: float, version: str) -> None:
        self.minimum, self.version = minimum, version
        self.overall = CaseCounts()
        self.by_tag = {tag: CaseCounts() for tag in dict.fromkeys(tags)}

    def add(self, part: Component) -> None:
        """Count a component."""
        gold, system, times = part
        empty = [start for start, end, _ in gold if start == end] if system else ()
        if empty and any(span[0] < position < span[1] for span in system for position in empty):
            raise ZeroDivisionError("an entity of the gold covers no position, and lies within a predicted one")
        gold_met = meetings(gold, system, self.minimum)
        if has_choice(gold_met) or any(span[1] <= span[0] for span in system):
            self.overall.add(gold, system, by_scenario(gold, system, self.minimum, self.version), times)
            for tag in {span[2] for side in (gold, system) for span in side}:
                golds, systems = ([span for span in side if span[2] == tag] for side in (gold, system))
                self.by_tag[tag].add(golds, systems, by_scenario(golds, systems, self.minimum, self.version), times)
            return
        _add(self.overall.everywhere, gold, system, first_come(gold_met), times)
        alike = [
            golds if golds and gold[golds[0]][2] == span[2] else ()
            for golds, span in zip(gold_met, system, strict=True)
        ]
        self._add_tags(gold, system, first_come(alike), times)

    def _add_tags(self, gold: LabelledSpans, system: LabelledSpans, partners: Partners, times: int) -> None:
        """Count pairs with equal labels, and entities without a partner of their label."""
        for prediction, span in enumerate(system):
            partner = partners.get(prediction)
            case = TOO_MUCH if partner is None else case_of(gold[partner], span)
            self.by_tag[span[2]].everywhere[case] += times
        taken = set(partners.values())
        for gold_index, span in enumerate(gold):
            if gold_index not in taken:
                self.by_tag[span[2]].everywhere[LACKS] += times


def indices_of(
    documents: Iterable[tuple[LabelledSpans, LabelledSpans]], minimum: float, version: str = "1.2.1", *, first: int = 0
) -> dict[str, EvaluationIndices]:
    """Return the indices of each outcome under each scenario; documents are numbered from ``first``."""
    lists: dict[str, tuple[list[Index], ...]] = {name: ([], [], [], [], []) for name in SCENARIOS}
    for document, (gold, system) in enumerate(documents, first):
        for name, partners in by_scenario(gold, system, minimum, version).items():
            own, worth = lists[name], WORTH[name]
            for prediction, span in enumerate(system):
                partner = partners.get(prediction)
                case = TOO_MUCH if partner is None else case_of(gold[partner], span)
                own[worth[case]].append((document, prediction))
            taken = set(partners.values())
            own[worth[LACKS]].extend((document, missed) for missed in range(len(gold)) if missed not in taken)
    return {name: EvaluationIndices(*own) for name, own in lists.items()}


class LazyIndices(Mapping[str, EvaluationIndices]):
    """A dictionary by scenario that is computed on first access."""

    def __init__(self, names: Sequence[str], make: Callable[[], Mapping[str, EvaluationIndices]]) -> None:
        self.names, self.make = names, make
        self._made: Mapping[str, EvaluationIndices] | None = None

    def __getitem__(self, name: str) -> EvaluationIndices:
        if self._made is None:
            self._made = self.make()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return repr(dict(self))
