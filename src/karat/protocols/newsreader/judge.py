"""Judges a document as published: finds the gold links that each system link matches.

The published evaluation counts *pairs*: a system link inside of two gold links of the same entity is right twice. So
its cases say which side of a pair has been counted before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any

import msgspec

from karat.evaluation.casebook import (
    CORRECT,
    INCORRECT,
    MISSED,
    SPURIOUS,
    Casebook,
    Cases,
    Verdict,
    Worth,
    on_gold_label,
)
from karat.evaluation.counting import CaseCounts, Charge
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.evaluation.tally import Group, Tally
from karat.model import Span
from karat.protocols.newsreader.meetings import Meetings, Ranged
from karat.protocols.newsreader.spans import Tokens, place_of, shown

ONLY_FUZZY = {"strict": INCORRECT, "fuzzy": CORRECT}

PUBLISHED: Cases = {
    # same entity, same tokens; once more: its gold link is counted already
    "exact": CORRECT,
    "repeated": Worth("correct", 1, system=1, gold=0),
    # same entity, one span a run of the other; the same, but a side or both are counted already
    "contained": ONLY_FUZZY,
    "gold-again": {"strict": Worth("incorrect", 0, 1, 0), "fuzzy": Worth("correct", 1, system=1, gold=0)},
    "system-again": {"strict": Worth("incorrect", 0, 0, 1), "fuzzy": Worth("correct", 1, system=0, gold=1)},
    "both-again": {"strict": Worth("incorrect", 0, 0, 0), "fuzzy": Worth("correct", 1, system=0, gold=0)},
    # matching spans, another entity; a link that meets none of the other side
    "wrong-link": INCORRECT,
    "spurious": SPURIOUS,
    "missed": MISSED,
}
_AGAIN = "both-again"
_PAIRS = ("exact", "repeated", "contained", "gold-again", "system-again", _AGAIN)
"""The cases that are pairs of links of one entity."""
FALSE = ("", "0")
"""Names that the published program takes for none: they are never right under strict."""
_COUNTED_BEFORE = {
    "repeated": ", but the gold link is counted already",
    "gold-again": ", but the gold link is counted already",
    "system-again": ", but the system link is counted already",
    "both-again": ", but both are counted already",
}


class TokenLink(msgspec.Struct, frozen=True, gc=False):
    """A link over some tokens, with the entity's name, and the range, text and characters for the ledger."""

    span: Tokens
    label: str
    range: Span = (0, 0)
    text: str = ""
    ends: tuple[Span, ...] = ()


@dataclass
class Page:
    """The links of one document and layer, in text order.

    How links meet matters to the published evaluation only. ``rows`` are pairs that are listed, and ``ranged`` are the
    gold and the system links that meet if their ranges are nested; of gold links over one span only the last meets any.
    ``nameless`` are names that are taken for none.
    """

    group: Group
    gold: Sequence[TokenLink]
    system: Sequence[TokenLink]
    rows: dict[int, list[int]] = field(default_factory=dict)
    ranged: tuple[Sequence[int], Sequence[int]] = ((), ())
    sources: tuple[str, str] = ("", "")
    nameless: Sequence[str] = FALSE

    @cached_property
    def repeated_spans(self) -> set[Tokens]:
        """The spans over which the gold has several links."""
        return {span for span, times in Counter(mark.span for mark in self.gold).items() if times > 1}

    @cached_property
    def right(self) -> Meetings:
        """The links of one entity that meet."""
        rows: dict[int, list[int]] = {}
        for index, partners in self.rows.items():
            label = self.system[index].label
            for partner in partners:
                if self.gold[partner].label == label:
                    rows.setdefault(index, []).append(partner)
        return Meetings(rows, *self._ranged(by_entity=True))

    def meetings(self, taken: Iterable[int]) -> Meetings:
        """Return the links that meet, whatever their entity, without some gold links."""
        golds, systems = self._ranged(by_entity=False)
        return Meetings(self.rows, golds, systems, taken)

    def _ranged(self, *, by_entity: bool) -> tuple[dict[int, Ranged], dict[int, Ranged]]:
        golds, systems = self.ranged
        return _by_range(self.gold, golds, by_entity), _by_range(self.system, systems, by_entity)

    @cached_property
    def last(self) -> dict[Tokens, int]:
        """The gold link over each span that counts as published: the last."""
        return {mark.span: index for index, mark in enumerate(self.gold)}


def _by_range(marks: Sequence[TokenLink], ranged: Sequence[int], by_entity: bool) -> dict[int, Ranged]:
    return {index: Ranged(marks[index].label if by_entity else "", marks[index].range) for index in ranged}


def judge_published(page: Page) -> list[Verdict]:
    """Return the pairs of the published program, then the links in no pair.

    Of nested links of which both are counted already there may be as many pairs as gold times system links; these are
    left to the book.

    >>> gold, system = [TokenLink("1-2", "Bern"), TokenLink("3", "Bern")], [TokenLink("1-2-3", "Bern")]
    >>> [verdict.case for verdict in judge_published(Page(Group(), gold, system, {0: [0, 1]}))]
    ['contained', 'system-again']
    """
    verdicts: list[Verdict] = []
    golds: set[int] = set()
    systems: set[int] = set()
    pairs: set[tuple[int, int]] = set()
    right = page.right.anew()

    def count(case: str, partner: int, index: int) -> None:
        verdicts.append(Verdict(case, partner, index))
        pairs.add((index, partner))
        golds.add(partner)
        systems.add(index)
        right.take(partner)

    same = [(index, page.last[mark.span]) for index, mark in enumerate(page.system) if mark.span in page.last]
    for index, partner in same:
        if page.gold[partner].label == page.system[index].label and page.gold[partner].label not in page.nameless:
            count("repeated" if partner in golds else "exact", partner, index)
    for index, partner in right.firsts(systems):
        count("contained", partner, index)
    for index, partner in page.right.firsts(systems):
        count("gold-again", partner, index)
    for index, partner in right.unpaired(golds):
        count("system-again", partner, index)
    if sum(map(len, right.rows.values())) > len(pairs) or right.systems:
        listed = ((index, partner) for index, row in right.rows.items() for partner in row)
        verdicts += [Verdict(_AGAIN, partner, index) for index, partner in listed if (index, partner) not in pairs]
    wrong = _wrong_links(page, same, golds, systems)
    verdicts += [Verdict("wrong-link", partner, index) for index, partner in sorted(wrong.items())]
    return verdicts + alone(page, golds.union(wrong.values()), systems.union(wrong))


def _wrong_links(page: Page, same: Iterable[tuple[int, int]], golds: set[int], systems: set[int]) -> dict[int, int]:
    """Pair the remaining links that meet, those with the same span first."""
    free = page.meetings(golds)
    taken = golds.copy()
    wrong: dict[int, int] = {}
    for index, partner in same:
        if index not in systems and partner not in taken and free.has(index, partner):
            wrong[index] = partner
            taken.add(partner)
            free.take(partner)
    for index, partner in free.firsts(systems.union(wrong)):
        wrong[index] = partner
        free.take(partner)
    return wrong


def alone(page: Page, golds: set[int], systems: Container[int]) -> list[Verdict]:
    """Return the verdicts on the links of both sides that are in no pair."""
    spurious = [Verdict("spurious", None, index) for index in range(len(page.system)) if index not in systems]
    return spurious + [Verdict("missed", index, None) for index in range(len(page.gold)) if index not in golds]


def place(mark: TokenLink) -> Any:
    """Return the sort key of a link in text order: token numbers as integers, then the name.

    >>> sorted([TokenLink("10", "A"), TokenLink("9", "B"), TokenLink("9", "A")], key=place)[0]
    TokenLink(span='9', label='A', range=(0, 0), text='', ends=())
    """
    return place_of(mark.span), mark.label


def item(page: Page, side: Side, index: int) -> Item:
    """Return a link as the ledger shows it."""
    mark: TokenLink = getattr(page, side)[index]
    place = page.sources[side == "system"]
    return Item(mark.label, mark.text, mark.range, place=place, ends=(mark.ends,) if mark.ends else ())


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
    spans = "same tokens" if gold.span == system.span else f"tokens {shown(system.span)} for {shown(gold.span)}"
    if verdict.case == "wrong-link":
        return f"{system.label} for {gold.label}, {spans}"
    return f"same entity, {spans}{_COUNTED_BEFORE.get(verdict.case, '')}"


class NestedCounts(CaseCounts):
    """Counts of pairs; nested links of which both are counted already are told one by one, but counted together."""

    def completed(self, page: Any, tally: Tally) -> Tally:
        """Count the pairs of nested links."""
        if not page.right.systems:
            return tally
        nested = page.right.number_nested()
        listed = (
            Counter(page.system[index].label for index, row in page.right.rows.items() for _ in row) if nested else {}
        )
        layer, part, _ = page.group
        column, told = self.counts.index(_AGAIN), [self.counts.index(case) for case in _PAIRS]
        for label, times in nested.items():
            own = Group(layer, part, label)
            again = times + listed[label] - sum(tally[own][pairs] for pairs in told)
            for group in (page.group, own) if again else ():
                counts = tally[group]
                tally[group] = (*counts[:column], counts[column] + again, *counts[column + 1 :])
        return tally


def listed_pairs(page: Any) -> Iterable[Verdict]:
    """Return the verdicts on a page, then those on nested links that have been counted before."""
    judged = list(judge_published(page))
    told = {(verdict.system, verdict.gold) for verdict in judged}
    pairs = page.right.nested_pairs()
    return chain(judged, (Verdict(_AGAIN, gold, index) for index, gold in pairs if (index, gold) not in told))


def published_book(charge: Charge | None = on_gold_label) -> Casebook:
    """Return the book of the program, with counts for each label or without."""
    return Casebook(
        PUBLISHED,
        judge_published,
        item=item,
        reason=partial(reason, published=True),
        counting=NestedCounts,
        charge=charge,
        listed=listed_pairs,
    )


PUBLISHED_BOOK = published_book()
