"""The greedy pairings of nervaluate, version by version, in the order of the lists.

Places are half-open, whatever positions they count. A prediction *meets* a gold span if they share enough positions,
as a share of the gold. Under each scenario the predictions choose one after the other among the gold spans that are
free; what a pair is worth follows from what is different about it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from karat.errors import InputError
from karat.settings import LIMITS, limit

LabelledSpan = tuple[int, int, str]
"""Start, end and label."""
LabelledSpans = Sequence[LabelledSpan]
Partners = dict[int, int]
"""The gold partner of each prediction that has one, by their places in the lists."""
Meetings = Sequence[Sequence[int]]
"""For each prediction the gold spans that it meets, in their order."""

MOST_MEETINGS = 1_000_000
"""How many pairs of spans of a document may overlap; beyond it they are refused."""
_FEW = 16
"""Pairs of spans that are looked at one by one."""
STRICT, PARTIAL, ENT_TYPE, EXACT = SCENARIOS = ("strict", "partial", "ent_type", "exact")


def meetings(gold: LabelledSpans, system: LabelledSpans, minimum: float) -> list[list[int]]:
    """Return for each prediction the gold spans of which it covers the least percentage, or more.

    >>> meetings([(0, 4, "A"), (6, 8, "B")], [(3, 7, "A")], 1.0), meetings([(0, 4, "A")], [(3, 7, "A")], 50.0)
    ([[0, 1]], [[]])
    """
    if len(gold) * len(system) <= _FEW:
        return [[index for index, wanted in enumerate(gold) if _meets(wanted, span, minimum)] for span in system]
    check_meetings(gold, system)
    row = SortedSpans(gold)
    return [sorted(index for index in row.near(span) if _meets(gold[index], span, minimum)) for span in system]


class SortedSpans:
    """Spans in the order of their starts, of which those that overlap another one are found at once."""

    def __init__(self, spans: LabelledSpans) -> None:
        self.order = sorted(range(len(spans)), key=lambda index: spans[index][0])
        self.starts = [spans[index][0] for index in self.order]
        self.reached = list(accumulate((spans[index][1] for index in self.order), max))

    def near(self, span: LabelledSpan) -> list[int]:
        """Return the places of spans among which are all that overlap this one, in the order of their starts."""
        return self.order[bisect_right(self.reached, span[0]) : bisect_left(self.starts, span[1])]


def check_meetings(gold: LabelledSpans, system: LabelledSpans) -> None:
    """Raise an error if so many pairs of spans overlap that scoring would take hours."""
    starts, ends = sorted(span[0] for span in gold), sorted(span[1] for span in gold)
    pairs = sum(bisect_left(starts, span[1]) - bisect_right(ends, span[0]) for span in system)
    if pairs > limit(MOST_MEETINGS):
        fault = f"{pairs:,} pairs of entities of a document overlap; expected at most {limit(MOST_MEETINGS):,}"
        raise InputError(f"{fault}; the setting {LIMITS}, such as {LIMITS}=10, lets more of them be compared")


def _meets(gold: LabelledSpan, system: LabelledSpan, minimum: float) -> bool:
    start, end, _ = gold
    shared = (end if end < system[1] else system[1]) - (start if start > system[0] else system[0])
    return shared > 0 and shared / (end - start) * 100 >= minimum


def has_choice(gold_met: Meetings) -> bool:
    """Return whether a prediction meets several gold spans, among which the scenarios choose differently."""
    return any(len(golds) > 1 for golds in gold_met)


def first_come(gold_met: Meetings) -> Partners:
    """Return the partners if each prediction takes the first gold span that it meets and that is free.

    >>> first_come([[0], [0], [1, 2], [1]])
    {0: 0, 2: 1}
    """
    partners: Partners = {}
    taken: set[int] = set()
    for index, golds in enumerate(gold_met):
        for partner in golds:
            if partner not in taken:
                partners[index] = partner
                taken.add(partner)
                break
    return partners


Choice = Callable[[LabelledSpan, LabelledSpans, Sequence[int]], int | None]
"""Takes a prediction, all gold spans, and those that it meets and that are free; returns which it takes at once."""


def _identical(span: LabelledSpan, gold: LabelledSpans, free: Sequence[int]) -> int | None:
    return next((index for index in free if gold[index] == span), None)


def _in_place(span: LabelledSpan, gold: LabelledSpans, free: Sequence[int]) -> int | None:
    return next((index for index in free if gold[index][:2] == span[:2]), None)


def _closest_of_label(span: LabelledSpan, gold: LabelledSpans, free: Sequence[int]) -> int | None:
    labelled = [index for index in free if gold[index][2] == span[2]]
    return min(labelled, key=lambda index: _distance(gold[index], span), default=None)


def _distance(gold: LabelledSpan, span: LabelledSpan) -> int:
    return abs(gold[0] - span[0]) + abs(gold[1] - span[1])


CHOICES: dict[str, Choice] = {
    STRICT: _identical,
    PARTIAL: _in_place,
    ENT_TYPE: _closest_of_label,
    EXACT: _in_place,
}
"""What a prediction looks for under each scenario, before it takes the first gold span that it meets."""


def chosen(gold: LabelledSpans, system: LabelledSpans, gold_met: Meetings, choice: Choice) -> Partners:
    """Return the partners if predictions choose in their order, or else take the first that is free."""
    partners: Partners = {}
    taken: set[int] = set()
    for index, golds in enumerate(gold_met):
        free = [partner for partner in golds if partner not in taken]
        if free:
            preferred = choice(system[index], gold, free)
            partners[index] = free[0] if preferred is None else preferred
            taken.add(partners[index])
    return partners


def by_scenario(gold: LabelledSpans, system: LabelledSpans, minimum: float, version: str) -> dict[str, Partners]:
    """Return the partners of predictions under each scenario, by version 1.2.1 or 1.1.0.

    >>> gold, system = [(0, 6, "A"), (3, 5, "A")], [(3, 5, "A")]
    >>> by_scenario(gold, system, 1.0, "1.2.1")["strict"], by_scenario(gold, system, 1.0, "1.1.0")["strict"]
    ({0: 1}, {0: 0})
    """
    return by_meetings(gold, system, meetings(gold, system, minimum), version)


def by_meetings(gold: LabelledSpans, system: LabelledSpans, gold_met: Meetings, version: str) -> dict[str, Partners]:
    """Return the partners of predictions under each scenario among the gold spans that they meet."""
    if any(end <= start for start, end, _ in system):
        return _with_reversed(gold, system, gold_met)
    if version == "1.1.0" or not has_choice(gold_met):
        return dict.fromkeys(SCENARIOS, first_come(gold_met))
    return {name: chosen(gold, system, gold_met, choice) for name, choice in CHOICES.items()}


def _with_reversed(gold: LabelledSpans, system: LabelledSpans, gold_met: Meetings) -> dict[str, Partners]:
    """Return the partners where spans may cover nothing: these meet nobody, but may be in the same place."""
    placed = [
        golds or [index for index, other in enumerate(gold) if other[:2] == span[:2]]
        for golds, span in zip(gold_met, system, strict=True)
    ]
    return {
        name: chosen(gold, system, placed if name in (STRICT, EXACT) else gold_met, choice)
        for name, choice in CHOICES.items()
    }


def one_to_many(gold: LabelledSpans, system: LabelledSpans, version: str) -> Iterator[tuple[int | None, int | None]]:
    """Yield the pairs of version 0.2.0, or of NER-Evaluation (``classic``), and what has no partner.

    There a pair is the same under every scenario, a prediction may have several, and a gold span too.

    >>> list(one_to_many([(0, 2, "A"), (2, 4, "A")], [(0, 4, "A")], "0.2.0"))
    [(0, 0), (1, 0)]
    """
    check_meetings(gold, system)
    classic = version == "classic"
    identical = {span: index for index, span in reversed(list(enumerate(gold)))}
    row = SortedSpans(gold)
    spans_met: set[LabelledSpan] = set()
    for prediction in range(len(system)) if classic else sorted(range(len(system)), key=lambda index: system[index][1]):
        partner = None
        span = system[prediction]
        alike = identical.get(span)
        near = sorted(row.near(span)) if classic else row.near(span)
        for partner in _in_the_way(gold, near, span, spans_met, classic=classic) if alike is None else [alike]:
            spans_met.add(gold[partner])
            yield partner, prediction
        if partner is None:
            yield None, prediction
    yield from ((index, None) for index in range(len(gold)) if gold[index] not in spans_met)


def _in_the_way(
    gold: LabelledSpans, near: Sequence[int], span: LabelledSpan, spans_met: set[LabelledSpan], *, classic: bool
) -> Iterator[int]:
    """Yield the gold spans that a prediction meets, up to one in its place; classic, the first of them."""
    short = int(classic)  # there the last position of a span is no part of it
    for index in near:
        start, end, _ = gold[index]
        if (start, end) == span[:2]:
            yield index
            return
        if min(end, span[1]) - short > max(start, span[0]) and (classic or gold[index] not in spans_met):
            yield index
            if classic:
                return
