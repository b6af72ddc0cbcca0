"""Judges a document as documented: each link is paired at most once, with one that shares a token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Sequence
from functools import partial

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Casebook, Cases, Verdict
from karat.matching import crowds
from karat.matching.crowds import CrowdItem
from karat.matching.greedy import equal
from karat.matching.optimal import optimal
from karat.protocols.newsreader.judge import ONLY_FUZZY, Page, TokenLink, alone, item, place, reason
from karat.protocols.newsreader.spans import ids_of

CORRECTED: Cases = {
    "exact": CORRECT,
    "overlap": ONLY_FUZZY,
    "wrong-link": INCORRECT,
    "spurious": SPURIOUS,
    "missed": MISSED,
}


def judge_corrected(page: Page) -> list[Verdict]:
    """Pair links that share a token, each at most once: exact pairs first, then the most pairs with the same entity.

    Of pairings with as many right links, that with the most equal spans counts, then that with the most shared tokens,
    then places in the text decide; so the order of the links makes no difference.

    >>> from karat.evaluation.tally import Group
    >>> gold, system = [TokenLink("1-2", "Bern"), TokenLink("3", "Bern")], [TokenLink("2-3", "Bern")]
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
    return verdicts + alone(page, set(pairs.values()), pairs)


def placed(mark: TokenLink) -> CrowdItem:
    """Return the span and the entity of a link."""
    return CrowdItem(ids_of(mark.span), mark.label)


def _in_text_order(marks: Sequence[TokenLink], paired: Container[int]) -> list[int]:
    """Return the links that are not paired yet, by their index."""
    return sorted((index for index in range(len(marks)) if index not in paired), key=lambda index: place(marks[index]))


def _overlapping(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> dict[int, int]:
    """Pair links that share a token: most pairs of the same entity, then most equal spans, then most tokens."""
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
    """Return the rule that pairs links if too many share a token for the optimal pairing, else an empty string."""
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


CORRECTED_BOOK = Casebook(CORRECTED, judge_corrected, item=item, reason=partial(reason, published=False))
