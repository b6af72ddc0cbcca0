"""What CorefUD counts in a document: the measures over matched mentions, and two of its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain

from karat.measures.coreference import Chains, Contingency, contingency
from karat.protocols.coreference import measured
from karat.protocols.coreference.corefud.anaphors import zero_anaphors
from karat.protocols.coreference.corefud.draft import MarkedPage
from karat.protocols.coreference.corefud.marks import Mark
from karat.protocols.coreference.corefud.matching import Match, matches
from karat.protocols.coreference.corefud.overlap import overlap
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.measured import Measure

_REASONS = {
    "same": "same words",
    "head": "same head, other words",
    "partial": "a part of the gold mention with its head",
    "zero": "zeros that depend on the same words",
}


class MatchedJudgement(Judgement):
    """What is found out about a document whose mentions are matched, and not only compared."""

    def __init__(self, page: MarkedPage, *, lone: bool) -> None:
        gold, system = (
            [[mark.key(page.match) for mark in marks] for marks in side.chains] for side in (page.gold, page.system)
        )
        self.page = page
        golds, systems = _distinct(page.gold.chains, gold), _distinct(page.system.chains, system)
        self.matches = matches(golds, systems, page.match, page.zeros)
        names = translation(self.matches)
        super().__init__(gold, system, table_of(gold, system, names), names, lone=lone)
        self.partners = {match.gold: match.system for match in self.matches}
        self.rules = {match.gold: match.rule for match in self.matches}

    def described(self, key: Hashable, company: str, *, right: bool) -> tuple[str, str]:
        """Return the rule by which a gold mention is matched, and what it is."""
        del right
        return self.rules[key], f"{_REASONS[self.rules[key]]}; {company}"


def _distinct(chains: Iterable[Iterable[Mark]], keys: Iterable[Iterable[Hashable]]) -> dict[Hashable, Mark]:
    """Return the mentions of a side by their identity; of those that are the same the first one speaks for all."""
    distinct: dict[Hashable, Mark] = {}
    for key, mark in zip(chain.from_iterable(keys), chain.from_iterable(chains), strict=True):
        distinct.setdefault(key, mark)
    return distinct


def translation(matched: Sequence[Match]) -> dict[Hashable, Hashable]:
    """Return the name of each mention on the other side, where it has another one there.

    As published, one dictionary serves both directions. So where a gold mention equals a system mention, and each is
    matched with another one, the entry of the system mention stands for both.
    """
    unequal = [match for match in matched if match.gold != match.system]
    return {match.gold: match.system for match in unequal} | {match.system: match.gold for match in unequal}


def table_of(gold: Chains, system: Chains, names: Mapping[Hashable, Hashable]) -> Contingency:
    """Return how the chains overlap if the members of each side are looked up by their names on the other side."""
    if not names:
        return contingency(gold, system)

    def named(chains: Chains) -> Chains:
        return [[names.get(key, key) for key in members] for members in chains]

    found, given = contingency(named(gold), system), contingency(named(system), gold)
    turned = {(of_gold, of_system): size for (of_system, of_gold), size in given.found.items()}
    mentions = (found.mentions[0], given.mentions[2], found.mentions[2])
    return found._replace(given=turned, mentions=mentions)


def _mentions(judged: MatchedJudgement) -> Sequence[float]:
    """Count the mentions that are matched."""
    matched, (_, gold, system) = len(judged.matches), judged.table.mentions
    return matched, gold, matched, system


def _mor(judged: MatchedJudgement) -> Sequence[float]:
    page = judged.page
    return overlap(chain.from_iterable(page.gold.chains), chain.from_iterable(page.system.chains))


def _zero(judged: MatchedJudgement) -> Sequence[float]:
    page = judged.page
    return zero_anaphors(page.gold.chains, page.system.chains, page.match, judged.names)


MEASURES: Mapping[str, Measure] = {
    "mentions": _mentions,
    "muc": measured.muc,
    "b3": measured.b3,
    "ceafe": measured.ceafe,
    "ceafm": measured.ceafm,
    "blanc": measured.blanc,
    "lea": measured.lea,
    "mor": _mor,
    "zero": _zero,
}
