"""Who is paired with whom by nervaluate, version by version: greedily, in the order of the lists.

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

Span = tuple[int, int, str]
"""Start, end and label."""
Partners = dict[int, int]
"""The gold partner of each prediction that has one, by their places in the lists."""
Meetings = Sequence[Sequence[int]]
"""For each prediction the gold spans that it meets, in their order."""

MOST_MEETINGS = 1_000_000
"""How many pairs of spans of a document may overlap; beyond it they are refused."""
_FEW = 16
"""Pairs of spans that are looked at one by one."""
STRICT, PARTIAL, ENT_TYPE, EXACT = SCENARIOS = ("strict", "partial", "ent_type", "exact")


def meetings(gold: Sequence[Span], system: Sequence[Span], minimum: float) -> list[list[int]]:
    """Return for each prediction the gold spans of which it covers the least percentage, or more.

    >>> meetings([(0, 4, "A"), (6, 8, "B")], [(3, 7, "A")], 1.0), meetings([(0, 4, "A")], [(3, 7, "A")], 50.0)
    ([[0, 1]], [[]])
    """
    if len(gold) * len(system) <= _FEW:
        return [[place for place, wanted in enumerate(gold) if _meets(wanted, span, minimum)] for span in system]
    check_meetings(gold, system)
    row = SortedSpans(gold)
    return [sorted(place for place in row.near(span) if _meets(gold[place], span, minimum)) for span in system]


class SortedSpans:
    """Spans in the order of their starts, of which those that overlap another one are found at once."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.order = sorted(range(len(spans)), key=lambda place: spans[place][0])
        self.starts = [spans[place][0] for place in self.order]
        self.reached = list(accumulate((spans[place][1] for place in self.order), max))

    def near(self, span: Span) -> list[int]:
        """Return the places of spans among which are all that overlap this one, in the order of their starts."""
        return self.order[bisect_right(self.reached, span[0]) : bisect_left(self.starts, span[1])]


def check_meetings(gold: Sequence[Span], system: Sequence[Span]) -> None:
    """Refuse spans so many pairs of which overlap that going through them would take hours."""
    starts, ends = sorted(span[0] for span in gold), sorted(span[1] for span in gold)
    pairs = sum(bisect_left(starts, span[1]) - bisect_right(ends, span[0]) for span in system)
    if pairs > limit(MOST_MEETINGS):
        fault = f"{pairs:,} pairs of entities of a document overlap; expected at most {limit(MOST_MEETINGS):,}"
        raise InputError(f"{fault}; the setting {LIMITS}, such as {LIMITS}=10, lets more of them be compared")


def _meets(gold: Span, system: Span, minimum: float) -> bool:
    start, end, _ = gold
    shared = (end if end < system[1] else system[1]) - (start if start > system[0] else system[0])
    return shared > 0 and shared / (end - start) * 100 >= minimum


def has_choice(met: Meetings) -> bool:
    """Say whether a prediction meets several gold spans, among which the scenarios choose differently."""
    return any(len(golds) > 1 for golds in met)


def first_come(met: Meetings) -> Partners:
    """Return the partners if each prediction takes the first gold span that it meets and that is free.

    >>> first_come([[0], [0], [1, 2], [1]])
    {0: 0, 2: 1}
    """
    partners: Partners = {}
    taken: set[int] = set()
    for place, golds in enumerate(met):
        for partner in golds:
            if partner not in taken:
                partners[place] = partner
                taken.add(partner)
                break
    return partners


Choice = Callable[[Span, Sequence[Span], Sequence[int]], int | None]
"""Takes a prediction, all gold spans, and those that it meets and that are free; returns which it takes at once."""


def _identical(span: Span, gold: Sequence[Span], free: Sequence[int]) -> int | None:
    return next((place for place in free if gold[place] == span), None)


def _in_place(span: Span, gold: Sequence[Span], free: Sequence[int]) -> int | None:
    return next((place for place in free if gold[place][:2] == span[:2]), None)


def _closest_of_label(span: Span, gold: Sequence[Span], free: Sequence[int]) -> int | None:
    labelled = [place for place in free if gold[place][2] == span[2]]
    return min(labelled, key=lambda place: _distance(gold[place], span), default=None)


def _distance(gold: Span, span: Span) -> int:
    return abs(gold[0] - span[0]) + abs(gold[1] - span[1])


CHOICES: dict[str, Choice] = {
    STRICT: _identical,
    PARTIAL: _in_place,
    ENT_TYPE: _closest_of_label,
    EXACT: _in_place,
}
"""What a prediction looks for under each scenario, before it takes the first gold span that it meets."""


def chosen(gold: Sequence[Span], system: Sequence[Span], met: Meetings, choice: Choice) -> Partners:
    """Return the partners if predictions choose in their order, or else take the first that is free."""
    partners: Partners = {}
    taken: set[int] = set()
    for place, golds in enumerate(met):
        free = [partner for partner in golds if partner not in taken]
        if free:
            preferred = choice(system[place], gold, free)
            partners[place] = free[0] if preferred is None else preferred
            taken.add(partners[place])
    return partners


def by_scenario(gold: Sequence[Span], system: Sequence[Span], minimum: float, version: str) -> dict[str, Partners]:
    """Return the partners of predictions under each scenario, by version 1.2.1 or 1.1.0.

    >>> gold, system = [(0, 6, "A"), (3, 5, "A")], [(3, 5, "A")]
    >>> by_scenario(gold, system, 1.0, "1.2.1")["strict"], by_scenario(gold, system, 1.0, "1.1.0")["strict"]
    ({0: 1}, {0: 0})
    """
    return by_meetings(gold, system, meetings(gold, system, minimum), version)


def by_meetings(gold: Sequence[Span], system: Sequence[Span], met: Meetings, version: str) -> dict[str, Partners]:
    """Return the partners of predictions under each scenario among the gold spans that they meet."""
    if any(end <= start for start, end, _ in system):
        return _with_reversed(gold, system, met)
    if version == "1.1.0" or not has_choice(met):
        return dict.fromkeys(SCENARIOS, first_come(met))
    return {name: chosen(gold, system, met, choice) for name, choice in CHOICES.items()}


def _with_reversed(gold: Sequence[Span], system: Sequence[Span], met: Meetings) -> dict[str, Partners]:
    """Return the partners where spans may cover nothing: these meet nobody, but may be in the same place."""
    placed = [
        golds or [place for place, other in enumerate(gold) if other[:2] == span[:2]]
        for golds, span in zip(met, system, strict=True)
    ]
    return {
        name: chosen(gold, system, placed if name in (STRICT, EXACT) else met, choice)
        for name, choice in CHOICES.items()
    }


def one_to_many(gold: Sequence[Span], system: Sequence[Span], version: str) -> Iterator[tuple[int | None, int | None]]:
    """Yield the pairs of version 0.2.0, or of NER-Evaluation (``classic``), and what has no partner.

    There a pair is the same under every scenario, a prediction may have several, and a gold span too.

    >>> list(one_to_many([(0, 2, "A"), (2, 4, "A")], [(0, 4, "A")], "0.2.0"))
    [(0, 0), (1, 0)]
    """
    check_meetings(gold, system)
    classic = version == "classic"
    identical = {span: place for place, span in reversed(list(enumerate(gold)))}
    row = SortedSpans(gold)
    met: set[Span] = set()
    for place in range(len(system)) if classic else sorted(range(len(system)), key=lambda place: system[place][1]):
        partner = None
        span = system[place]
        alike = identical.get(span)
        near = sorted(row.near(span)) if classic else row.near(span)
        for partner in _in_the_way(gold, near, span, met, classic=classic) if alike is None else [alike]:
            met.add(gold[partner])
            yield partner, place
        if partner is None:
            yield None, place
    yield from ((place, None) for place in range(len(gold)) if gold[place] not in met)


def _in_the_way(
    gold: Sequence[Span], near: Sequence[int], span: Span, met: set[Span], *, classic: bool
) -> Iterator[int]:
    """Yield the gold spans that a prediction meets, up to one in its place; classic, the first of them."""
    short = int(classic)  # there the last position of a span is no part of it
    for place in near:
        start, end, _ = gold[place]
        if (start, end) == span[:2]:
            yield place
            return
        if min(end, span[1]) - short > max(start, span[0]) and (classic or gold[place] not in met):
            yield place
            if classic:
                return
