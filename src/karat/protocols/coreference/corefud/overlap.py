"""MOR, the Mention Overlap Ratio: how many words the mentions of both sides share, whatever their chains and heads."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from karat.matching.optimal import optimal
from karat.matching.sweep import overlapping
from karat.measures.coreference import Counts
from karat.protocols.coreference.corefud.marks import Mark, Runs, shared
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
    found = _words(same) + _shared_by_others(golds - same, systems - same)
    return found, _words(golds), found, _words(systems)


def _words(stretches: Counter[Runs]) -> int:
    return sum(number * sum(end - start for start, end in runs) for runs, number in stretches.items())


def _shared_by_others(golds: Counter[Runs], systems: Counter[Runs]) -> int:
    gold, system = ([_Stretch(runs) for runs in sorted(side.elements())] for side in (golds, systems))
    starts, ends = [one.start for one in gold], sorted(one.end for one in gold)
    check_work(sum(bisect_left(starts, one.end) - bisect_right(ends, one.start) for one in system))

    def common(right: int, left: int) -> int:
        return shared(gold[left].runs, system[right].runs)

    found = overlapping(gold, system)
    candidates = [[left for left in row if common(right, left)] for right, row in enumerate(found)]
    return sum(common(right, left) for right, left in optimal(candidates, common).items())
