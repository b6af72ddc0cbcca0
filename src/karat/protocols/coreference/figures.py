"""The numbers of the coreference protocols: which counts each measure has, and how they become ratios.

Every measure has four counts, those of :data:`karat.measures.coreference.Counts`. A regime is a measure of coreference:
``f1`` under ``b3`` is the F1 of B³. BLANC is the mean of two, for pairs of mentions in one chain (``blanc-linked``) and
for pairs in two chains (``blanc-unlinked``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any

from karat.measures.chain_ratios import RATIOS, BlancRule, mean_f1, mean_of_kinds
from karat.measures.published import truncated_share
from karat.measures.ratios import Ratio
from karat.protocols.base import Figure

PARTS = ("found", "gold", "given", "system")
"""What of the gold is found, of how much; and what of the system is right, of how much."""

CONLL = ("muc", "b3", "ceafe")
"""The measures whose F1 the CoNLL-2012 average is of."""

BLANC_KINDS = ("blanc-linked", "blanc-unlinked")
UNCOUNTED = "blanc-uncounted"
"""The count of documents in which mentions are repeated in too many ways for their pairs to be counted."""


def names(measures: Collection[str], *, bounded: bool = False) -> tuple[str, ...]:
    """Return the names of the counts, as ``muc-found``; where BLANC is ``bounded``, it has one more.

    >>> names(["muc"])
    ('muc-found', 'muc-gold', 'muc-given', 'muc-system')
    """
    counts: list[str] = []
    for measure in measures:
        counts += (f"{kind}-{part}" for kind in _kinds(measure) for part in PARTS)
        counts += [UNCOUNTED] if bounded and measure == "blanc" else []
    return tuple(counts)


def _kinds(measure: str) -> tuple[str, ...]:
    return BLANC_KINDS if measure == "blanc" else (measure,)


def figures(
    measures: Collection[str], counts: Sequence[str], blanc: BlancRule = "gold", *, truncated: bool = False
) -> Iterator[Figure]:
    """Yield the figures of these measures: the average first, then precision, recall and F1 of each.

    With ``truncated`` there is also the average of percentages that are cut off after two digits, which is what
    wrappers around the official scorer report.
    """
    if set(CONLL) <= set(measures):
        places = [counts.index(f"{measure}-found") for measure in CONLL]
        yield Figure("f1", "conll", "micro", partial(_average, places, _exactly), {})
        if truncated:
            yield Figure("f1", "conll-truncated", "micro", partial(_average, places, truncated_share), {})
    for measure in measures:
        uncounted = counts.index(UNCOUNTED) if measure == "blanc" and UNCOUNTED in counts else None
        kinds = [counts.index(f"{kind}-found") for kind in _kinds(measure)]
        if measure == "blanc":
            for name, ratio in RATIOS.items():
                yield Figure(name, measure, "micro", partial(_of_blanc, ratio, kinds, blanc, uncounted), {})
        for kind, place in zip(_kinds(measure), kinds, strict=True):
            behind = {part: f"{kind}-{part}" for part in PARTS}
            for name, ratio in RATIOS.items():
                yield Figure(name, kind, "micro", partial(_of_measure, ratio, place, uncounted), behind)


def _of_measure(ratio: Callable[..., Ratio], place: int, uncounted: int | None, counts: Sequence[Any]) -> Ratio:
    return _if_counted(ratio(*counts[place : place + 4]), uncounted, counts)


def _if_counted(ratio: Ratio, uncounted: int | None, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is undefined if the pairs of some document could not be counted."""
    return ratio if uncounted is None else (ratio[0], ratio[1] * (counts[uncounted] == 0))


def _of_blanc(
    ratio: Callable[..., Ratio], places: Sequence[int], rule: BlancRule, uncounted: int | None, counts: Sequence[Any]
) -> Ratio:
    kinds = [counts[place : place + 4] for place in places]
    return _if_counted(mean_of_kinds(ratio, kinds, rule), uncounted, counts)


def _average(places: Sequence[int], shown: Callable[[Any], Any], counts: Sequence[Any]) -> Ratio:
    return mean_f1([counts[place : place + 4] for place in places], shown)


def _exactly(value: Any) -> Any:
    return value
