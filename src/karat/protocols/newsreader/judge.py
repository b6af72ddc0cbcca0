"""Judging one document: which gold link each system link meets, as published and corrected.

The published evaluation counts *pairs*: a system link inside of two gold links of the same entity is right twice. So
its cases say which side of a pair has been counted before. The corrected one pairs each link at most once, over any
shared token, so that as many as possible are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import msgspec

from karat.ledger import Item
from karat.matching import crowds
from karat.matching.crowds import Placed
from karat.matching.greedy import equal, in_turn
from karat.matching.optimal import optimal
from karat.model import Span
from karat.protocols.base import Side
from karat.protocols.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Casebook, Cases, Verdict, Worth
from karat.protocols.newsreader.spans import RunIndex, ids_of, place_of
from karat.tally import Group

_ONLY_FUZZY = {"strict": INCORRECT, "fuzzy": CORRECT}

PUBLISHED: Cases = {
    # same entity, same tokens; once more: its gold link is counted already
    "exact": CORRECT,
    "repeated": Worth("correct", 1, system=1, gold=0),
    # same entity, one span a run of the other; the same, but a side or both are counted already
    "contained": _ONLY_FUZZY,
    "gold-again": {"strict": Worth("incorrect", 0, 1, 0), "fuzzy": Worth("correct", 1, system=1, gold=0)},
    "system-again": {"strict": Worth("incorrect", 0, 0, 1), "fuzzy": Worth("correct", 1, system=0, gold=1)},
    "both-again": {"strict": Worth("incorrect", 0, 0, 0), "fuzzy": Worth("correct", 1, system=0, gold=0)},
    # matching spans, another entity; a link that meets none of the other side
    "wrong-link": INCORRECT,
    "spurious": SPURIOUS,
    "missed": MISSED,
}
CORRECTED: Cases = {
    "exact": CORRECT,
    "overlap": _ONLY_FUZZY,
    "wrong-link": INCORRECT,
    "spurious": SPURIOUS,
    "missed": MISSED,
}
_FALSE = ("", "0")
"""Names that the published program takes for none: they are never right under strict."""
_COUNTED_BEFORE = {
    "repeated": ", but the gold link is counted already",
    "gold-again": ", but the gold link is counted already",
    "system-again": ", but the system link is counted already",
    "both-again": ", but both are counted already",
}


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A link over some tokens: their ids as in ``13-14``, the entity's name, and the range and text for the ledger."""

    span: str
    label: str
    range: Span = (0, 0)
    text: str = ""


@dataclass(frozen=True)
class Page:
    """The links of one document and layer, in text order.

    ``meets`` are the system links with the gold links that they meet, by their indices; only the published evaluation
    needs to know them.
    """

    group: Group
    gold: Sequence[Mark]
    system: Sequence[Mark]
    meets: Sequence[tuple[int, int]] = ()
    sources: tuple[str, str] = ("", "")

    @cached_property
    def repeated_spans(self) -> set[str]:
        """The spans over which the gold has several links."""
        return {span for span, number in Counter(mark.span for mark in self.gold).items() if number > 1}


def meetings(gold: Sequence[Mark], system: Sequence[Mark]) -> list[tuple[int, int]]:
    """Return each system link with the gold links of which it is a run, or which are a run of it.

    Of gold links over one span the last counts, as published.

    >>> meetings([Mark("1-2", "A"), Mark("3", "B"), Mark("1-2", "C")], [Mark("2", "A"), Mark("1-2-3", "A")])
    [(0, 2), (1, 2), (1, 1)]
    """
    spans = RunIndex({mark.span: index for index, mark in enumerate(gold)})
    return [(index, partner) for index, mark in enumerate(system) for partner in spans.matching(mark.span)]


def judge_published(page: Page) -> list[Verdict]:
    """Return the pairs of the published program, then what is left over.

    >>> gold, system = [Mark("1-2", "Bern"), Mark("3", "Bern")], [Mark("1-2-3", "Bern")]
    >>> [verdict.case for verdict in judge_published(Page(Group(), gold, system, meetings(gold, system)))]
    ['contained', 'system-again']
    """
    gold, system = page.gold, page.system
    verdicts: list[Verdict] = []
    golds: set[int] = set()
    systems: set[int] = set()
    parts: list[tuple[int, int]] = []

    def count(case: str, partner: int, index: int) -> None:
        verdicts.append(Verdict(case, partner, index))
        golds.add(partner)
        systems.add(index)

    for index, partner in page.meets:
        if gold[partner].label != system[index].label:
            continue
        if gold[partner].span != system[index].span or gold[partner].label in _FALSE:
            parts.append((index, partner))
        else:
            count("repeated" if partner in golds else "exact", partner, index)
    again: list[tuple[int, int]] = []
    for index, partner in parts:
        if index in systems or partner in golds:
            again.append((index, partner))
        else:
            count("contained", partner, index)
    for index, partner in again:
        case = "gold-again" if index not in systems else "system-again" if partner not in golds else "both-again"
        count(case, partner, index)
    wrong = _wrong_links(page, golds, systems)
    verdicts += [Verdict("wrong-link", partner, index) for index, partner in sorted(wrong.items())]
    return verdicts + _alone(page, golds.union(wrong.values()), systems.union(wrong))


def _wrong_links(page: Page, golds: set[int], systems: set[int]) -> dict[int, int]:
    """Pair what is left over of links that meet, those over the same span first."""
    gold, system = page.gold, page.system
    free = [(index, partner) for index, partner in page.meets if index not in systems and partner not in golds]
    return in_turn(sorted(free, key=lambda pair: (gold[pair[1]].span != system[pair[0]].span, pair)))


def _alone(page: Page, golds: set[int], systems: Container[int]) -> list[Verdict]:
    """Return what is said of the links of both sides that are in no pair."""
    spurious = [Verdict("spurious", None, index) for index in range(len(page.system)) if index not in systems]
    return spurious + [Verdict("missed", index, None) for index in range(len(page.gold)) if index not in golds]


def judge_corrected(page: Page) -> list[Verdict]:
    """Pair links that share a token, each at most once: exact pairs first, then as many of one entity as there can be.

    Of pairings with as many right links, that with the most equal spans counts, then that with the most shared tokens,
    then places in the text decide; so the order of the links makes no difference.

    >>> gold, system = [Mark("1-2", "Bern"), Mark("3", "Bern")], [Mark("2-3", "Bern")]
    >>> [verdict.case for verdict in judge_corrected(Page(Group(), gold, system))]
    ['overlap', 'missed']
    """
    gold, system = page.gold, page.system
    pairs = equal(*(((index, (mark.span, mark.label)) for index, mark in enumerate(side)) for side in (gold, system)))
    exact = set(pairs)
    golds, systems = _in_text_order(gold, set(pairs.values())), _in_text_order(system, pairs)
    rest = _overlapping([placed(gold[index]) for index in golds], [placed(system[index]) for index in systems])
    pairs |= {systems[index]: golds[partner] for index, partner in rest.items()}
    verdicts = []
    for index, partner in sorted(pairs.items()):
        same = gold[partner].label == system[index].label
        case = "exact" if index in exact else "overlap" if same else "wrong-link"
        verdicts.append(Verdict(case, partner, index))
    return verdicts + _alone(page, set(pairs.values()), pairs)


def placed(mark: Mark) -> Placed:
    """Return where a link is, and its entity."""
    return Placed(ids_of(mark.span), mark.label)


def _in_text_order(marks: Sequence[Mark], paired: Container[int]) -> list[int]:
    """Return the links that are not paired yet, by their index."""
    return sorted((index for index in range(len(marks)) if index not in paired), key=lambda index: place(marks[index]))


def _overlapping(gold: Sequence[Placed], system: Sequence[Placed]) -> dict[int, int]:
    """Pair links that share a token: the most of one entity, then the most over the same tokens, then most tokens."""
    if crowds.is_crowded(gold, system):
        return crowds.pair_crowd(gold, system)
    holding: dict[Hashable, list[int]] = {}
    for index, link in enumerate(gold):
        for token in set(link.places):
            holding.setdefault(token, []).append(index)
    meets = [sorted({index for token in link.places for index in holding.get(token, ())}) for link in system]

    def weight(index: int, partner: int) -> tuple[int, int, int]:
        expected, answer = gold[partner], system[index]
        shared = len(set(expected.places).intersection(answer.places))
        return int(expected.label == answer.label), int(expected.places == answer.places), shared

    return optimal(meets, weight)


def rule_for_crowd(page: Page) -> str:
    """Return by which rule links are paired of which, without exact pairs, too many share a token; else nothing."""
    if len(page.gold) * len(page.system) <= crowds.LIMIT:
        return ""
    gold, system = (Counter(map(placed, side)) for side in (page.gold, page.system))
    rest = list((gold - system).elements()), list((system - gold).elements())
    if not crowds.is_crowded(*rest):
        return ""
    right = "as many" if crowds.can_pair_most(*rest) else "at least half as many"
    return (
        f"so many links share a token that a simpler rule than the best pairing decides; {right} as possible are right"
    )


def place(mark: Mark) -> tuple[tuple[tuple[bool, int, str], ...], str]:
    """Return the key that puts links in the order of the text: numbers of tokens as numbers, then the name.

    >>> sorted([Mark("10", "A"), Mark("9", "B"), Mark("9", "A")], key=place)[0]
    Mark(span='9', label='A', range=(0, 0), text='')
    """
    return place_of(mark.span), mark.label


def item(page: Page, side: Side, index: int) -> Item:
    """Return a link as the ledger shows it."""
    mark: Mark = getattr(page, side)[index]
    return Item(label=mark.label, text=mark.text, span=mark.range, place=page.sources[side == "system"])


def reason(page: Page, verdict: Verdict, *, published: bool) -> str:
    """Return in words why a case is what it is."""
    matching = "is a run of its tokens, or the other way round" if published else "shares a token with it"
    if verdict.gold is None:
        return f"no gold link that is still free {matching}"
    gold = page.gold[verdict.gold]
    if verdict.system is None:
        if published and gold.span in page.repeated_spans:
            return "the gold has another link over the same tokens, or none was found"
        return f"no system link that is still free {matching}"
    system = page.system[verdict.system]
    spans = "same tokens" if gold.span == system.span else f"tokens {system.span} for {gold.span}"
    if verdict.case == "wrong-link":
        return f"{system.label} for {gold.label}, {spans}"
    return f"same entity, {spans}{_COUNTED_BEFORE.get(verdict.case, '')}"


PUBLISHED_BOOK = Casebook(PUBLISHED, judge_published, item=item, reason=partial(reason, published=True))
CORRECTED_BOOK = Casebook(CORRECTED, judge_corrected, item=item, reason=partial(reason, published=False))
