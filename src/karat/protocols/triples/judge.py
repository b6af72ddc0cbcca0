"""Judging the triples of a document under nine definitions of a correct triple.

==============  ================================================================================
regime          what has to agree
==============  ================================================================================
``exact``       head, relation and tail, as they are written
``normalised``  the same in normal spelling
``arguments``   head and tail in normal spelling, whatever the relation
``undirected``  the same two, whichever is the head
``overlap``     heads and tails in part: by words, by place or by entity; one to one
``mapped``      the same, and the relation by the table of predicates
``graph``       the same for facts, after the graph was cleaned up
``soft``        how much of the words, one to one
``semantic``    how near in meaning by the vectors of a model, one to one; only if it is asked for
==============  ================================================================================

Triples that agree are partners, those that are the same in normal spelling first. Partners of which one is right with
another triple under some regime are told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

import msgspec

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Cases, Verdict
from karat.evaluation.tally import Group
from karat.matching.augmenting_paths import most_pairs_of_bits, number_of_bits
from karat.matching.greedy import equal_once
from karat.protocols.triples.agreement import Agreement, agree, agreement
from karat.protocols.triples.graph import Graph
from karat.protocols.triples.triples import Flags, Triple, Wording

if TYPE_CHECKING:
    from karat.matching.weighted import Weighted
    from karat.protocols.triples.embedding import Vectors
    from karat.protocols.triples.likeness import TripleLikeness
    from karat.protocols.triples.triples import Words

    Likeness = Callable[[Sequence[Triple]], TripleLikeness[Any]]

GOLD, SYSTEM = 0, 1
PLAIN = ("exact", "normalised", "arguments", "undirected", "overlap", "mapped", "graph")
"""The regimes under which a triple is correct or not."""
GRADED = ("soft", "semantic")
"""The regimes under which a pair is worth a number between 0 and 1."""
REGIMES = (*PLAIN, *GRADED)
LABELLED = ("exact", "normalised", "mapped", "graph")
"""The regimes under which the relation has to agree, so that they can be broken down by it."""

HEAD_IN_TEXT, TAIL_IN_TEXT, KNOWN_PREDICATE = "head-in-text", "tail-in-text", "known-predicate"
CHECKS = {
    HEAD_IN_TEXT: (None, "checked", "heads-in-text"),
    TAIL_IN_TEXT: (None, "checked", "tails-in-text"),
    KNOWN_PREDICATE: (None, "looked-up", "known-predicates"),
}
"""What is asked of the system's triples alone: how many were asked, and of how many it is true."""

EXACT, SPELLING, WIDER, MAPPED = "exact", "other-spelling", "other-extent", "other-name"
WRONG_LABEL, REVERSED, ALIKE, REGROUPED = "wrong-label", "reversed", "alike", "regrouped"
WRONG_HEAD, WRONG_TAIL = "wrong-head", "wrong-tail"
INVENTED_HEAD, INVENTED_TAIL, INVENTED_BOTH = "hallucinated-head", "hallucinated-tail", "hallucinated-both"
_HOLDS, _FAILS = "holds", "fails"

CASES: Cases = {
    **dict.fromkeys((EXACT, SPELLING, WIDER, MAPPED, WRONG_LABEL, REVERSED, WRONG_HEAD, WRONG_TAIL), INCORRECT),
    **dict.fromkeys((INVENTED_HEAD, INVENTED_TAIL, INVENTED_BOTH, ALIKE, REGROUPED), INCORRECT),
    "missed": MISSED,
    "spurious": SPURIOUS,
    _HOLDS: CORRECT,
    _FAILS: SPURIOUS,
}
"""What can happen; regimes pair differently, so a verdict says by its weight whether it is correct under them."""

MOST_CANDIDATES = 250_000
"""How many pairs are weighed against each other in a document; beyond, each triple takes the first that is free."""
_NEAR = 0.5
"""What a pair has to be worth under the semantic regime so that it is worth reading about: some meaning all have."""

RegimeMarks = tuple[bool | None, ...]
"""Whether a triple is correct under each of the plain regimes; ``None`` where another one counts for it."""
_UNCOUNTED: RegimeMarks = (None,) * len(PLAIN)
Worths = dict[int, tuple[float, int | None]]
"""What triples of one side are worth under a graded regime, and with whom."""
NOTHING = 0.0, None


class Page(msgspec.Struct, frozen=True):
    """The triples of one document, ready to be judged, and the graphs that they make.

    Behind the triples of either side, which are as many as ``sizes`` says, stand further spellings of them as triples
    of their own, which only the exact regime judges; ``spellings`` has their places by that of the triple.
    ``invented`` says of the heads and the tails of the system whether they are hallucinated; nothing without a text.
    ``looks_up`` says whether there is a table of predicates. ``vectors`` are those of all phrases and names, if the
    semantic regime is asked for.
    """

    gold: Sequence[Triple]
    system: Sequence[Triple]
    sizes: tuple[int, int]
    spellings: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]]
    shared: frozenset[Wording]
    graphs: tuple[Graph, Graph]
    invented: tuple[Flags, Flags] | None = None
    looks_up: bool = False
    vectors: Vectors | None = None
    sources: tuple[str, str] = ("", "")
    judgement: TripleJudgement | None = None
    group: Group = Group()

    @property
    def triples(self) -> tuple[Sequence[Triple], Sequence[Triple]]:
        """The triples of both sides, without further spellings."""
        return self.gold[: self.sizes[GOLD]], self.system[: self.sizes[SYSTEM]]

    @property
    def likenesses(self) -> dict[str, Likeness]:
        """How triples are alike under the graded regimes; the semantic one is lacking if nobody asked for it."""
        from karat.protocols.triples.likeness import by_meaning, by_words  # needs NumPy

        likenesses: dict[str, Likeness] = {"soft": by_words}
        if self.vectors is not None:
            likenesses["semantic"] = partial(by_meaning, vectors=self.vectors)
        return likenesses


def written(triple: Triple, shared: Container[Wording]) -> Wording:
    """Return the spelling by which a triple is shown: one that both sides share, if there is one."""
    return next((wording for wording in triple.wordings if wording in shared), triple.wordings[0])


@dataclass(eq=False)
class TripleJudgement:
    """What became of the triples of a document: the marks of either side, and which of them are told together.

    ``partners`` has for a system triple the gold one, and ``cases`` what the pair is. ``graded`` are the pairs under
    the graded regimes. ``is_best`` says that no regime had to leave candidates out.
    """

    triples: tuple[Sequence[Triple], Sequence[Triple]]
    marks: tuple[Sequence[RegimeMarks], Sequence[RegimeMarks]]
    partners: Mapping[int, int]
    cases: Mapping[int, str]
    graded: Mapping[str, Weighted]
    agreement: Agreement
    is_best: bool

    @cached_property
    def worths(self) -> tuple[dict[str, Worths], dict[str, Worths]]:
        """What the triples of either side are worth under the graded regimes, and with whom."""
        golds: dict[str, Worths] = {}
        systems: dict[str, Worths] = {}
        for regime, (pairs, worth, _) in self.graded.items():
            golds[regime] = {gold: (worth[system], system) for system, gold in pairs.items()}
            systems[regime] = {system: (worth[system], gold) for system, gold in pairs.items()}
        return golds, systems

    @cached_property
    def paired(self) -> tuple[set[int], set[int]]:
        """The triples of either side that have a partner."""
        return set(self.partners.values()), set(self.partners)

    @cached_property
    def likenesses(self) -> tuple[TripleLikeness[Words], TripleLikeness[Words]]:
        """The triples of either side, and how alike by words any other triple is to each of them."""
        from karat.protocols.triples.likeness import by_words  # needs NumPy

        return by_words(self.triples[GOLD]), by_words(self.triples[SYSTEM])


def judge(page: Page) -> list[Verdict]:
    """Return what became of every triple and of its other spellings: gold triples first, with their partners."""
    judgement = page.judgement or judged(page)
    golds, systems = judgement.marks
    partner_of = {gold: system for system, gold in judgement.partners.items()}
    teller = _Teller(page, judgement)
    told: set[int] = set()
    for gold, marks in enumerate(golds):
        system = partner_of.get(gold)
        if system is not None and _are_together(page, judgement, gold, system):
            told.add(system)
            teller.pair(judgement.cases[system], marks, systems[system], gold, system)
        else:
            teller.gold(marks, gold)
        if gold in page.spellings[GOLD]:
            teller.verdicts += _gold_spellings(page, gold, system)
    for system, marks in enumerate(systems):
        if system not in told:
            teller.system(marks, system)
        for index in page.spellings[SYSTEM].get(system, ()):
            if page.system[index].wordings[0] not in page.shared:
                teller.verdicts.append(Verdict("spurious", None, index, ("exact",)))
    return teller.verdicts


def _are_together(page: Page, judgement: TripleJudgement, gold: int, system: int) -> bool:
    """Return whether no regime pairs one of two partners with another triple.

    Bit *gold* of the row of a system triple says whether the two agree.
    """
    gold_marks, system_marks = judgement.marks[GOLD][gold], judgement.marks[SYSTEM][system]
    if gold_marks != system_marks and any(
        bool(left) != bool(right) for left, right in zip(gold_marks, system_marks, strict=True)
    ):
        return False
    left, right = page.gold[gold], page.system[system]
    is_equal = left.key == right.key
    has_ends = is_equal or left.ends == right.ends
    agreed = (
        is_equal,
        is_equal,
        has_ends,
        has_ends or left.ends == right.ends[::-1],
        judgement.agreement.straight[system] >> gold & 1,
        judgement.agreement.meant[system] >> gold & 1,
        True,
    )
    return all(is_agreed or not mark for mark, is_agreed in zip(gold_marks, agreed, strict=True))


def _gold_spellings(page: Page, gold: int, system: int | None) -> Iterator[Verdict]:
    """Yield the verdicts on the other spellings of a gold triple; its partner has those that both sides share."""
    system_spellings = () if system is None else page.spellings[SYSTEM].get(system, ())
    partners = {page.system[index].wordings: index for index in system_spellings}
    for index in page.spellings[GOLD][gold]:
        if page.gold[index].wordings[0] in page.shared:
            yield Verdict(EXACT, index, partners[page.gold[index].wordings], ("exact",), 1)
        else:
            yield Verdict("missed", index, None, ("exact",))


class _Teller:
    """Builds the verdicts from the judgement of a document."""

    def __init__(self, page: Page, judgement: TripleJudgement) -> None:
        self.page = page
        self.verdicts: list[Verdict] = []
        self.add = self.verdicts.append
        self.gold_worths, self.system_worths = (
            [((regime,), worths) for regime, worths in side.items()] for side in judgement.worths
        )

    def pair(self, case: str, gold_marks: RegimeMarks, system_marks: RegimeMarks, gold: int, system: int) -> None:
        """Add the verdicts on partners; where only one of them counts, the other one has no part in it."""
        correct, incorrect, missed, spurious = _by_outcome(gold_marks, system_marks)
        if correct:
            self.add(Verdict(case, gold, system, correct, 1))
        if incorrect:
            self.add(Verdict(case, gold, system, incorrect, 0))
        if missed:
            self.add(Verdict("missed", gold, system, missed))
        if spurious:
            self.add(Verdict("spurious", gold, system, spurious))
        for regimes, worths in self.gold_worths:
            self.add(Verdict(case, gold, system, regimes, worths.get(gold, NOTHING)[0]))
        self._checks(gold, system)

    def gold(self, marks: RegimeMarks, gold: int) -> None:
        """Add the verdicts on a gold triple without a partner, or with different ones."""
        correct, _, missed, _ = _by_outcome(marks, _UNCOUNTED)
        if correct:
            self.add(Verdict(REGROUPED, gold, None, correct, 1))
        if missed:
            self.add(Verdict("missed", gold, None, missed))
        for regimes, worths in self.gold_worths:
            self.add(Verdict("missed", gold, None, regimes, worths.get(gold, NOTHING)[0]))

    def system(self, marks: RegimeMarks, system: int) -> None:
        """Add the verdicts on a system triple without a partner, or with different ones."""
        correct, _, _, spurious = _by_outcome(_UNCOUNTED, marks)
        case = "spurious"
        if correct:
            self.add(Verdict(REGROUPED, None, system, correct, 1))
        elif self.page.invented is not None:
            heads, tails = self.page.invented
            case = _hallucinated(heads[system], tails[system]) or case
        if spurious:
            self.add(Verdict(case, None, system, spurious, 0))
        for regimes, worths in self.system_worths:
            self.add(Verdict(case, None, system, regimes, worths.get(system, NOTHING)[0]))
        self._checks(None, system)

    def _checks(self, gold: int | None, system: int) -> None:
        page = self.page
        heads, tails = page.invented or (None, None)
        holds, fails = _checked(
            heads and heads[system],
            tails and tails[system],
            bool(page.system[system].canonical) if page.looks_up else None,
        )
        if holds:
            self.add(Verdict(_HOLDS, gold, system, holds))
        if fails:
            self.add(Verdict(_FAILS, gold, system, fails))


@lru_cache(maxsize=1 << 12)
def _by_outcome(gold: RegimeMarks, system: RegimeMarks) -> tuple[tuple[str, ...], ...]:
    """Return the regimes under which triples are correct, incorrect, or only the gold or the system one is wrong."""
    regimes: tuple[list[str], list[str], list[str], list[str]] = ([], [], [], [])
    for regime, left, right in zip(PLAIN, gold, system, strict=True):
        if left or right:
            regimes[0].append(regime)
        elif left is not None or right is not None:
            regimes[3 if left is None else 2 if right is None else 1].append(regime)
    return tuple(map(tuple, regimes))


@lru_cache
def _checked(
    head_is_invented: bool | None, tail_is_invented: bool | None, is_known: bool | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the checks that hold and those that fail; what is unknown is not checked."""
    fails = dict(
        zip(CHECKS, (head_is_invented, tail_is_invented, None if is_known is None else not is_known), strict=True)
    )
    return tuple(check for check in fails if fails[check] is False), tuple(check for check in fails if fails[check])


def is_large(page: Page) -> bool:
    """Return whether a document has so many triples that a regime may have to leave candidates out."""
    return page.sizes[GOLD] * page.sizes[SYSTEM] > MOST_CANDIDATES


def judged(page: Page) -> TripleJudgement:
    """Judge the triples of a document under every regime."""
    from karat.protocols.triples.likeness import pairs_by  # needs NumPy

    gold, system = page.triples
    agreed = agreement(gold, system, page.graphs)
    places = {triple.key: index for index, triple in enumerate(gold)}
    equal = {index: places[triple.key] for index, triple in enumerate(system) if triple.key in places}
    mapped = most_pairs_of_bits(agreed.meant, equal, MOST_CANDIDATES)
    overlap = most_pairs_of_bits(agreed.straight, added(equal, mapped), MOST_CANDIDATES)
    facts = most_pairs_of_bits(agreed.related, mapped, MOST_CANDIDATES)
    partners = added(equal, mapped, overlap)
    lonely = [0 if index in partners else row for index, row in enumerate(agreed.crossed)]
    partners = added(partners, most_pairs_of_bits(lonely, {}, MOST_CANDIDATES))
    ends = [[triple.ends for triple in side] for side in (gold, system)]
    unordered = [[min(pair, pair[::-1]) for pair in side] for side in ends]
    arguments = equal_once(ends[GOLD], ends[SYSTEM], partners)
    undirected = equal_once(unordered[GOLD], unordered[SYSTEM], partners)
    counted = [dict.fromkeys((fact.members[0] for fact in graph.facts), False) for graph in page.graphs]
    graded = {regime: pairs_by(likeness, gold, system) for regime, likeness in page.likenesses.items()}
    one_to_one = equal, overlap, mapped, facts

    def marks(side: int, triples: Sequence[Triple], correct: Sequence[Container[int]]) -> list[RegimeMarks]:
        in_equal, in_overlap, in_mapped, in_facts = correct
        return [
            (
                not page.shared.isdisjoint(triple.wordings),
                index in in_equal,
                arguments[side].get(index),
                undirected[side].get(index),
                index in in_overlap,
                index in in_mapped,
                index in in_facts or counted[side].get(index),
            )
            for index, triple in enumerate(triples)
        ]

    cases = {right: case_of(page, agreed, left, right) for right, left in partners.items()}
    both = marks(GOLD, gold, [set(pairs.values()) for pairs in one_to_one]), marks(SYSTEM, system, one_to_one)
    return TripleJudgement((gold, system), both, partners, cases, graded, agreed, _is_best(agreed, graded))


def _is_best(agreed: Agreement, graded: Mapping[str, Weighted]) -> bool:
    rows = agreed.straight, agreed.meant, agreed.related
    return all(pairs.is_best for pairs in graded.values()) and max(map(number_of_bits, rows)) <= MOST_CANDIDATES


def added(first: Mapping[int, int], *others: Mapping[int, int]) -> dict[int, int]:
    """Return pairs, extended by those of ``others`` whose triples are still unpaired.

    >>> added({0: 0}, {1: 0, 2: 1})
    {0: 0, 2: 1}
    """
    pairs = dict(first)
    used = set(pairs.values())
    for more in others:
        for system, gold in more.items():
            if system not in pairs and gold not in used:
                pairs[system] = gold
                used.add(gold)
    return pairs


def case_of(page: Page, agreed: Agreement, gold: int, system: int) -> str:
    """Return the case of a pair: what its triples have in common."""
    left, right = page.gold[gold], page.system[system]
    if left.key == right.key:
        return SPELLING if set(left.wordings).isdisjoint(right.wordings) else EXACT
    if agreed.meant[system] >> gold & 1:
        return WIDER if left.name == right.name else MAPPED
    if agreed.straight[system] >> gold & 1:
        return WRONG_LABEL
    if agreed.reversed[system] >> gold & 1:
        return REVERSED if left.has_same_relation(right) else WRONG_LABEL
    head, tail = agree(left.head, right.head), agree(left.tail, right.tail)
    heads, tails = page.invented or ((), ())
    invented = _hallucinated(not head and bool(heads) and heads[system], not tail and bool(tails) and tails[system])
    if head or tail:
        return invented or (WRONG_TAIL if head else WRONG_HEAD)
    return invented or ALIKE


def _hallucinated(head: bool, tail: bool) -> str:
    """Return the case of a triple with an end that is not in the text, empty if both ends are."""
    return INVENTED_BOTH if head and tail else INVENTED_HEAD if head else INVENTED_TAIL if tail else ""


def beside(page: Page) -> Page:
    """Return a page that shows each unpaired triple beside the most similar one of the other side.

    They are paired by the words in common and, if the semantic regime is asked for, by what they mean.
    """
    from karat.protocols.triples.likeness import by_words, pairs_by  # needs NumPy

    judgement = page.judgement or judged(page)
    partners = dict(judgement.partners)
    used = set(partners.values())
    golds = [index for index in range(page.sizes[GOLD]) if index not in used]
    systems = [index for index in range(page.sizes[SYSTEM]) if index not in partners]
    alike = pairs_by(by_words, [page.gold[index] for index in golds], [page.system[index] for index in systems])
    partners = added(partners, {systems[right]: golds[left] for right, left in alike.pairs.items()})
    if (near := judgement.graded.get("semantic")) is not None:
        partners = added(partners, {right: left for right, left in near.pairs.items() if near.worth[right] >= _NEAR})
    cases = {
        right: judgement.cases.get(right) or case_of(page, judgement.agreement, left, right)
        for right, left in partners.items()
    }
    return msgspec.structs.replace(page, judgement=replace(judgement, partners=partners, cases=cases))
