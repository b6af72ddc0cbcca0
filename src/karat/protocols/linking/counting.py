"""The counts of a document by slice and label, and the measures that are computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Ratio, f1, precision, recall
from karat.protocols.base import Average, Case, Figure
from karat.protocols.linking.items import Linked
from karat.protocols.linking.judge import Layer, Sheet, Verdict, verdicts
from karat.tally import Group, Tally

PARTS = ("gold", "system", "correct")
"""What is counted under each rule: mentions (or identifiers) of either side, and those that are right."""

IN_KB, EMERGING, GOLD_IN_KB = "InKB", "EE", "GSInKB"
"""The slices of GERBIL: mentions with a link, NILs, and whatever is in the place of a gold mention with a link."""

Inside = Callable[[Linked, bool, bool], bool]
"""Says whether a mention belongs to a slice; it is told whether it is a gold one, and whether its pair is correct."""

_RATIOS: dict[str, Callable[[Any, Any, Any], Ratio]] = {"precision": precision, "recall": recall, "f1": f1}


def counts_of(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the counts.

    >>> counts_of(["strong"])
    ('strong-gold', 'strong-system', 'strong-correct')
    """
    return tuple(f"{rule}-{part}" for rule in rules for part in PARTS)


def tally(case: Case) -> Tally:
    """Count the mentions of a document, layer by layer and slice by slice, and the correct ones.

    A pair with different types is right for all labels together; for its two labels it is one that is missed and one
    that is spurious, as if the mentions of one type were all there is.
    """
    sheet: Sheet = case.content
    found: Tally = {}
    for layer in sheet.layers:
        judged = verdicts(layer, sheet.rules)
        for part in sheet.slices:
            inside = _inside(part, layer)
            parts = [labels for several in judged for labels in _labels(layer, several, inside)]
            names = dict.fromkeys(label for labels in parts for label in labels)
            found[Group(layer.name, part)] = tuple(map(len, parts))
            counters = [Counter(labels) for labels in parts]
            for name in names:
                if name is not None:
                    counts = tuple(counter[name] for counter in counters)
                    found[Group(layer.name, part, name)] = counts
    return found


def _labels(layer: Layer, judged: Sequence[Verdict], inside: Inside) -> Iterator[list[str | None]]:
    """Yield the labels of gold and system mentions and of correct pairs; a pair of two labels has none."""
    golds: list[str | None] = []
    systems: list[str | None] = []
    pairs: list[str | None] = []
    for outcome, at, index in judged:
        is_correct = outcome == "correct"
        gold = None if at is None else layer.gold[at]
        system = None if index is None else layer.system[index]
        if gold is not None and inside(gold, True, is_correct):
            golds.append(gold.label)
        if system is not None and inside(system, False, is_correct):
            systems.append(system.label)
            if is_correct and gold is not None and inside(gold, True, is_correct):
                pairs.append(gold.label if gold.label == system.label else None)
    yield from (golds, systems, pairs)


def _inside(part: str, layer: Layer) -> Inside:
    """Return what says whether a mention belongs to a slice."""
    if part == IN_KB:
        return lambda one, is_gold, is_correct: not one.target.is_nil
    if part == EMERGING:
        return lambda one, is_gold, is_correct: one.target.is_nil
    if part == GOLD_IN_KB:
        places = {one.spans for one in layer.gold if not one.target.is_nil}
        return lambda one, is_gold, is_correct: (
            one.spans in places and not (one.target.is_nil and (is_gold or is_correct))
        )
    return lambda one, is_gold, is_correct: True


def figures(rules: Sequence[str], averages: Sequence[Average], macro: bool = False) -> tuple[Figure, ...]:
    """Return precision, recall and F1 of each rule; with ``macro`` units are averaged by the conventions of GERBIL."""
    return tuple(
        Figure(
            measure,
            rule,
            average,
            partial(_gerbil if macro and average == "macro-unit" else _plain, len(PARTS) * at, measure),
            {part: f"{rule}-{part}" for part in PARTS},
        )
        for average in averages
        for at, rule in enumerate(rules)
        for measure in _RATIOS
    )


def _plain(first: int, measure: str, counts: Sequence[Any]) -> Ratio:
    gold, system, correct = counts[first : first + len(PARTS)]
    return _RATIOS[measure](correct, system, gold)


def _gerbil(first: int, measure: str, counts: Sequence[Any]) -> Ratio:
    """Return the ratio of a document: 1 where there is nothing to find and nothing found, else 0 if it is undefined."""
    gold, system, _ = counts[first : first + len(PARTS)]
    above, below = _plain(first, measure, counts)
    return above + (gold + system == 0), below + (below == 0)
