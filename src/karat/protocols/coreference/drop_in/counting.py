"""What the official scorer counts in one document: its mentions, its repeats, and each of the five metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from karat.formats._conll2012_rows import Range
from karat.measures import coreference, official

Chains = list[list[Range]]
Counts = tuple[float, float, float, float]
"""Numerator and denominator of recall, numerator and denominator of precision."""

METRICS: dict[str, Callable[[official.OfficialTable], Counts]] = {
    "muc": lambda counted: coreference.muc(counted.table),
    "bcub": official.b_cubed,
    "ceafm": lambda counted: coreference.ceaf_m(counted.table),
    "ceafe": official.ceaf_e,
}
BLANC = "blanc"
MAX_REPEATS = 10
"""With more repeated system mentions than this, nothing is scored."""


class Identified(NamedTuple):
    """The mentions of a document, each side against the other.

    ``gold_repeats`` and ``system_repeats`` are the lines to print about mentions that stand there more than once, of
    the system's no more than it takes to refuse it; ``counted`` is the table of what is left.
    """

    gold_repeats: list[str]
    system_repeats: list[str]
    counted: official.OfficialTable
    invented: int

    @property
    def mentions(self) -> Counts:
        """Mentions that both sides have, of those of each side."""
        return coreference.identification(self.counted.table)

    def lines(self) -> str:
        """Return the lines that count the mentions."""
        common, gold, _, system = self.mentions
        return (
            f"Total key mentions: {gold}\nTotal response mentions: {system}\n"
            f"Strictly correct identified mentions: {common}\nPartially correct identified mentions: 0\n"
            f"No identified: {gold - common}\nInvented: {self.invented}\n"
        )


def identify(gold: Chains, system: Chains, *, corrected: bool = False) -> Identified:
    """Number the mentions of the gold, and remove the repeats of them in the system; ``corrected`` removes all repeats.

    >>> found = identify([[(0, 0), (2, 2)]], [[(0, 0), (1, 1)], [(0, 0)]])
    >>> found.system_repeats, found.mentions, found.invented
    (['Repeated mention in the response: 0, 0 00'], (1, 2, 1, 2), 1)
    """
    numbers: dict[Range, int] = {}
    gold_repeats = []
    for number, mention in enumerate(mention for chain in gold for mention in chain):
        if mention in numbers:
            gold_repeats.append(_repeat("key", mention, f"{numbers[mention]}{number}"))
        numbers[mention] = number
    left = official.cleaned(system if corrected else gold, system)
    removed = cast("list[Range]", left.removed[: MAX_REPEATS + 1])
    system_repeats = [_repeat("response", one, str(numbers.get(one, "")) * 2) for one in removed]
    scored = official.cleaned(gold, gold).chains if corrected else gold
    counted = official.official(_held(scored), _held(left.chains))
    common, of_gold, of_system = counted.table.mentions
    occurrences = sum(map(len, scored))
    return Identified(gold_repeats, system_repeats, counted, occurrences - of_gold + of_system - common)


def _repeat(side: str, mention: Sequence[int], numbers: str) -> str:
    return f"Repeated mention in the {side}: {mention[0]}, {mention[1]} {numbers}"


def _held(chains: coreference.Chains) -> coreference.Chains:
    """Return the chains that have a member."""
    return [chain for chain in chains if chain]
