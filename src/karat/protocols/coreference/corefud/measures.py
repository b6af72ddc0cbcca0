"""What CorefUD counts in a document: the measures over matched mentions, zero anaphors, and the overlap of mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain

from karat.matching.fragments import common
from karat.matching.optimal import optimal
from karat.matching.sweep import number_overlapping, overlapping
from karat.measures.coreference import Chains, Contingency, Counts, chain_of, contingency
from karat.protocols.coreference.corefud.draft import MarkedPage
from karat.protocols.coreference.corefud.marks import Mark, Runs, in_text_order
from karat.protocols.coreference.corefud.matching import Match, check_work, matches
from karat.protocols.coreference.judgement import COREF, Judgement, Measure


def zero_anaphors(
    gold: Sequence[Sequence[Mark]], system: Sequence[Sequence[Mark]], match: str, names: Mapping[Hashable, Hashable]
) -> Counts:
    """Count the zero anaphors of the gold that the system links to a mention of the same gold chain before them.

    Each gold chain is read in the order of the text, together with the set of system chains of its mentions so far.
    A zero that is not the first of its chain is an anaphor, and right if its own system chain is in this set. A
    gold anaphor is missed if the system lacks it or has it first in a chain, and linked wrongly if its system chain
    holds nothing of what its gold chain holds before it. A zero of the system is an anaphor if it is first in no chain,
    and invented if it is no partner of a gold anaphor. ``names`` are the names of mentions on the other side; here an
    equal mention comes before them.
    """
    if not any(mark.zero for chains in (gold, system) for marks in chains for mark in marks):
        return 0, 0, 0, 0
    golds, systems = _in_text_order(gold, match), _in_text_order(system, match)
    system_of = chain_of([[key for key, _ in members] for members in systems])
    firsts = {members[0][0] for members in systems}
    right = wrong = missed = 0
    partners: set[Hashable] = set()
    for members in golds:
        chains_so_far: set[int] = set()
        for position, (key, is_zero) in enumerate(members):
            partner = key if key in system_of else names.get(key)
            system_chain = None if partner is None else system_of[partner]
            if position and is_zero:
                if system_chain is None or partner in firsts:
                    missed += 1
                elif system_chain in chains_so_far:
                    right += 1
                else:
                    wrong += 1
                partners.add(partner)
            if system_chain is not None:
                chains_so_far.add(system_chain)
    anaphors = (key for members in systems for key, is_zero in members if is_zero and key not in firsts)
    invented = sum(key not in partners for key in anaphors)
    return right, right + missed + wrong, right, right + invented + wrong


def _in_text_order(chains: Sequence[Sequence[Mark]], match: str) -> list[list[tuple[Hashable, bool]]]:
    """Return chains in the order of the text: the key of each mention, and whether it is a zero."""
    return [[(mark.key(match), mark.zero) for mark in sorted(marks, key=in_text_order)] for marks in chains]


def overlap(gold: Iterable[Mark], system: Iterable[Mark]) -> Counts:
    """Count the words that mentions share if they are paired one to one so that they share as many as possible.

    This is MOR, the Mention Overlap Ratio, whatever the chains and heads of mentions. Mentions with the same words are
    paired first, which loses nothing: a word that both share with other partners is one that these share, too.
    """
    marks = list(gold), list(system)
    golds, systems = (Counter(mark.runs for mark in side) for side in marks)
    same = golds & systems
    with_runs = {mark.runs: mark for side in marks for mark in side}
    unshared_marks = ([with_runs[runs] for runs in sorted((side - same).elements())] for side in (golds, systems))
    common_words = _words(same) + _shared(*unshared_marks)
    return common_words, _words(golds), common_words, _words(systems)


def _words(stretches: Counter[Runs]) -> int:
    return sum(times * sum(end - start for start, end in runs) for runs, times in stretches.items())


def _shared(gold: Sequence[Mark], system: Sequence[Mark]) -> int:
    """Count the words that mentions share in the best pairing; no two mentions have the same words."""
    check_work(number_overlapping(gold, system))

    def in_common(system_place: int, gold_place: int) -> int:
        return common(gold[gold_place].runs, system[system_place].runs)

    candidates = [
        [gold_place for gold_place in near if in_common(system_place, gold_place)]
        for system_place, near in enumerate(overlapping(gold, system))
    ]
    return sum(in_common(*pair) for pair in optimal(candidates, in_common).items())


_REASONS = {
    "same": "same words",
    "head": "same head, other words",
    "partial": "a part of the gold mention with its head",
    "zero": "zeros that depend on the same words",
}


class MatchedJudgement(Judgement):
    """The judgement of a document whose mentions are matched by :mod:`.matching` instead of by equal keys."""

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
        """Return the rule by which a gold mention is matched as its case, and the reason."""
        del right
        return self.rules[key], f"{_REASONS[self.rules[key]]}; {company}"


def _distinct(chains: Iterable[Iterable[Mark]], keys: Iterable[Iterable[Hashable]]) -> dict[Hashable, Mark]:
    """Return the mentions of a side by their key; of several with the same key, the first."""
    distinct: dict[Hashable, Mark] = {}
    for key, mark in zip(chain.from_iterable(keys), chain.from_iterable(chains), strict=True):
        distinct.setdefault(key, mark)
    return distinct


def translation(matched: Sequence[Match]) -> dict[Hashable, Hashable]:
    """Return the key of the partner of each mention whose partner has another key.

    As published, one dictionary serves both directions. So where a gold mention equals a system mention, and each is
    matched with another one, the entry of the system mention stands for both.
    """
    unequal = [match for match in matched if match.gold != match.system]
    return {match.gold: match.system for match in unequal} | {match.system: match.gold for match in unequal}


def table_of(gold: Chains, system: Chains, names: Mapping[Hashable, Hashable]) -> Contingency:
    """Return the contingency table of the chains, with mentions looked up by the keys of their partners."""
    if not names:
        return contingency(gold, system)

    def named(chains: Chains) -> Chains:
        return [[names.get(key, key) for key in members] for members in chains]

    found, given = contingency(named(gold), system), contingency(named(system), gold)
    turned = {(of_gold, of_system): size for (of_system, of_gold), size in given.found.items()}
    mentions = (found.mentions[0], given.mentions[2], found.mentions[2])
    return found._replace(given=turned, mentions=mentions)


def _mentions(judged: MatchedJudgement) -> Sequence[float]:
    matched, (_, gold, system) = len(judged.matches), judged.table.mentions
    return matched, gold, matched, system


def _mor(judged: MatchedJudgement) -> Sequence[float]:
    return overlap(*map(chain.from_iterable, (judged.page.gold.chains, judged.page.system.chains)))


def _zero(judged: MatchedJudgement) -> Sequence[float]:
    page = judged.page
    return zero_anaphors(page.gold.chains, page.system.chains, page.match, judged.names)


MEASURES: Mapping[str, Measure] = {
    "mentions": _mentions,
    **{name: COREF[name] for name in ("muc", "b3", "ceafe", "ceafm", "blanc", "lea")},
    "mor": _mor,
    "zero": _zero,
}
