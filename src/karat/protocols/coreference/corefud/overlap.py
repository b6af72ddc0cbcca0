"""MOR, the Mention Overlap Ratio: how many words the mentions of both sides share, whatever their chains and heads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from karat.matching.optimal import optimal
from karat.matching.places import common
from karat.matching.sweep import number_overlapping, overlapping
from karat.measures.coreference import Counts
from karat.protocols.coreference.corefud.marks import Mark, Runs
from karat.protocols.coreference.corefud.matching import check_work


class _Stretch(NamedTuple):
    """The words of a mention."""

    runs: Runs

    @property
    def start(self) -> int:
        return self.runs[0][0]

    @property
    def end(self) -> int:
        return self.runs[-1][1]


def overlap(gold: Iterable[Mark], system: Iterable[Mark]) -> Counts:
    """Count the words that mentions share if they are paired one to one so that they share as many as possible.

    Mentions with the same words are paired first, which loses nothing: a word that both share with other partners
    is one that these share, too.
    """
    golds, systems = (Counter(mark.runs for mark in side) for side in (gold, system))
    same = golds & systems
    common_words = _words(same) + _shared_by_others(golds - same, systems - same)
    return common_words, _words(golds), common_words, _words(systems)


def _words(stretches: Counter[Runs]) -> int:
    return sum(times * sum(end - start for start, end in runs) for runs, times in stretches.items())


def _shared_by_others(golds: Counter[Runs], systems: Counter[Runs]) -> int:
    """Count the words that mentions of different words share at best."""
    gold, system = ([_Stretch(runs) for runs in sorted(side.elements())] for side in (golds, systems))
    check_work(number_overlapping(gold, system))

    def in_common(system_place: int, gold_place: int) -> int:
        return common(gold[gold_place].runs, system[system_place].runs)

    candidates = [
        [gold_place for gold_place in near if in_common(system_place, gold_place)]
        for system_place, near in enumerate(overlapping(gold, system))
    ]
    return sum(in_common(*pair) for pair in optimal(candidates, in_common).items())
