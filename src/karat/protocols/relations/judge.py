"""Judging the relations of a document under five definitions of a correct relation.

They differ in what has to agree about the ends of a relation, beside its label and the roles:

==============  ==================================================================
regime          what has to agree
==============  ==================================================================
``strict``      the boundaries and the entity types of all ends
``boundaries``  the boundaries of all ends
``last-token``  where all ends are over
``relaxed``     at least one character of each end
``entity``      the entities that the ends are mentions of
==============  ==================================================================

Claims that overlap are partners, and else those about the same entities. Under a regime that compares for equality a
claim is right with its partner or, if that is not its equal, with another one that has no equal either. Partners of
which only one is right are told apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from karat.evaluation.casebook import CORRECT, INCORRECT, MISSED, SPURIOUS, Cases, Verdict
from karat.evaluation.protocol import Side
from karat.evaluation.tally import Group
from karat.matching.greedy import equal, equal_once
from karat.protocols.relations.claims import Claim, Keys, MentionPlaces, agree
from karat.protocols.relations.overlaps import (
    REVERSED,
    WRONG_ARGUMENT,
    WRONG_HEAD,
    WRONG_LABEL,
    WRONG_TAIL,
    misses,
    relaxed_pairs,
)

REGIMES = ("strict", "boundaries", "last-token", "relaxed", "entity")

EXACT, WRONG_TYPE, WRONG_BOUNDARY, OTHER_MENTION = "exact", "wrong-type", "wrong-boundary", "other-mention"
MISSING_MENTION, SPURIOUS_MENTION = "missing-mention", "spurious-mention"

CASES: Cases = {
    EXACT: dict.fromkeys(REGIMES, CORRECT),
    WRONG_TYPE: dict.fromkeys(REGIMES, CORRECT) | {"strict": INCORRECT},
    WRONG_BOUNDARY: dict.fromkeys(REGIMES, INCORRECT) | {"relaxed": CORRECT},
    OTHER_MENTION: dict.fromkeys(REGIMES, INCORRECT) | {"entity": CORRECT},
    WRONG_LABEL: INCORRECT,
    REVERSED: INCORRECT,
    WRONG_HEAD: INCORRECT,
    WRONG_TAIL: INCORRECT,
    WRONG_ARGUMENT: INCORRECT,
    MISSING_MENTION: MISSED,
    "missed": MISSED,
    SPURIOUS_MENTION: SPURIOUS,
    "spurious": SPURIOUS,
}
"""What each case counts for, if the verdict does not say otherwise: a wrong boundary may be right by the last token."""

_NARROWEST = (EXACT, WRONG_TYPE, WRONG_BOUNDARY, WRONG_BOUNDARY, OTHER_MENTION)
"""For each regime the case of a claim that is right under it and under none before it."""

RegimeMarks = tuple[bool | None, ...]
"""Whether a claim is right under each of the regimes; ``None`` where another claim counts for it."""

_WRONG: RegimeMarks = (False,) * len(REGIMES)
_EXPECTED: dict[str, RegimeMarks] = {
    case: tuple(worth is CORRECT for worth in worths.values()) if isinstance(worths, Mapping) else _WRONG
    for case, worths in CASES.items()
}
_COMPARED = (0, 1, 2, 4)
"""The places among the regimes of those that compare for equality, in the order of the keys of a claim."""
_ENTITY = 4


class ClaimJudgement(NamedTuple):
    """What became of the claims of a document: the marks of either side, and which of them are told together.

    ``partners`` has for a system claim the gold claim, and ``cases`` what the pair is.
    """

    marks: tuple[Sequence[RegimeMarks], Sequence[RegimeMarks]]
    partners: Mapping[int, int]
    cases: Mapping[int, str]


class Page(msgspec.Struct, frozen=True):
    """The claims of one document, in the order of its text, ready to be judged.

    ``once`` says that claims about the same entities count once under the entity regime. ``gold_places`` and
    ``system_places`` are where the mentions of either side are, ``sources`` their files.
    """

    gold: Sequence[Claim]
    system: Sequence[Claim]
    once: bool
    gold_places: MentionPlaces
    system_places: MentionPlaces
    sources: tuple[str, str] = ("", "")
    judgement: ClaimJudgement | None = None
    group: Group = Group()


def judge(page: Page) -> Iterator[Verdict]:
    """Yield what became of every claim: gold claims with their partners, then system claims without one."""
    (golds, systems), partners, cases = page.judgement or judged(page)
    partner_of = {gold: system for system, gold in partners.items()}
    for gold, marks in enumerate(golds):
        system = partner_of.get(gold)
        if system is None:
            yield from _lone(page, marks, gold, None)
        elif _are_told_apart(marks, systems[system]):
            yield from _lone(page, marks, gold, None)
            yield from _lone(page, systems[system], None, system)
        else:
            yield from _pair(cases[system], marks, systems[system], gold, system)
    for system, marks in enumerate(systems):
        if system not in partners:
            yield from _lone(page, marks, None, system)


def _are_told_apart(gold: RegimeMarks, system: RegimeMarks) -> bool:
    """Return whether under some regime one of two partners is right and the other is not."""
    return gold != system and any(bool(left) != bool(right) for left, right in zip(gold, system, strict=True))


def _pair(case: str, gold_marks: RegimeMarks, system_marks: RegimeMarks, gold: int, system: int) -> Iterator[Verdict]:
    """Yield the verdicts on partners; where only one of them counts, the other one has no part in it."""
    if gold_marks == system_marks == _EXPECTED[case]:
        yield Verdict(case, gold, system, REGIMES)
        return
    regimes: dict[tuple[str, int | None], list[str]] = {}
    for regime, left, right in zip(REGIMES, gold_marks, system_marks, strict=True):
        if left is None and right is None:
            continue
        told = ("spurious", None) if left is None else ("missed", None) if right is None else (case, int(left))
        regimes.setdefault(told, []).append(regime)
    for (told_case, weight), several in regimes.items():
        yield Verdict(told_case, gold, system, tuple(several), weight)


def _lone(page: Page, marks: RegimeMarks, gold: int | None, system: int | None) -> Iterator[Verdict]:
    """Yield the verdicts on a claim without a partner, or with different ones."""
    if True in marks:
        right = tuple(regime for regime, mark in zip(REGIMES, marks, strict=True) if mark)
        yield Verdict(_NARROWEST[marks.index(True)], gold, system, right, 1)
        case = "missed" if system is None else "spurious"
    elif system is None:
        case = "missed" if page.system_places.have_all(page.gold[gold or 0]) else MISSING_MENTION
    else:
        case = "spurious" if page.gold_places.have_all(page.system[system]) else SPURIOUS_MENTION
    wrong = tuple(regime for regime, mark in zip(REGIMES, marks, strict=True) if mark is False)
    yield Verdict(case, gold, system, wrong)


def judged(page: Page) -> ClaimJudgement:
    """Judge the claims of a document under every regime."""
    keys = [claim.keys for claim in page.gold], [claim.keys for claim in page.system]
    relaxed = relaxed_pairs(page.gold, page.system, keys)
    lefts, rights = alone(page.gold, relaxed.values()), alone(page.system, relaxed)
    partners = relaxed | equal(
        ((index, keys[0][index].entity) for index in lefts), ((index, keys[1][index].entity) for index in rights)
    )
    marks = [_WRONG] * len(page.gold), [_WRONG] * len(page.system)
    cases: dict[int, str] = {}
    for system, gold in partners.items():
        strict, boundaries, last_token, entity = map(agree, keys[0][gold], keys[1][system])
        agreed = strict, boundaries, last_token, system in relaxed, entity
        marks[0][gold] = marks[1][system] = agreed
        cases[system] = _NARROWEST[agreed.index(True)]
    for key_index, regime in enumerate(_COMPARED):
        if regime == _ENTITY and page.once:
            golds = _entity_keys("gold", page.gold, keys[0])
            systems = _entity_keys("system", page.system, keys[1])
            counted = equal_once(golds, systems, dict(sorted(partners.items())))
            for side, right in zip(marks, counted, strict=True):
                side[:] = [(*mark[:_ENTITY], right.get(index)) for index, mark in enumerate(side)]
        else:
            _mark_others(marks, regime, keys, key_index)
    return ClaimJudgement(marks, partners, cases)


def _entity_keys(side: Side, claims: Sequence[Claim], keys: Sequence[Keys]) -> list[Hashable]:
    """Return what claims say of which entities; of one that the text lacks no other side says the same."""
    return [(side, claim.fact) if key.entity is None else key.entity for claim, key in zip(claims, keys, strict=True)]


def _mark_others(
    marks: tuple[list[RegimeMarks], list[RegimeMarks]],
    regime: int,
    keys: tuple[Sequence[Keys], Sequence[Keys]],
    key_index: int,
) -> None:
    """Mark claims as right that agree under a regime, though not with their partners."""
    lefts, rights = (
        [(index, side[index][key_index]) for index, mark in enumerate(several) if not mark[regime]]
        for side, several in zip(keys, marks, strict=True)
    )
    for system, gold in equal(lefts, rights).items():
        for side, index in zip(marks, (gold, system), strict=True):
            side[index] = (*side[index][:regime], True, *side[index][regime + 1 :])


def beside(page: Page) -> Page:
    """Return a page on which claims that agree with none stand beside those that come nearest, if the text has both."""
    judgement = judged(page)
    lefts, rights = (
        [index for index in alone(claims, paired) if not claims[index].is_invented]
        for claims, paired in ((page.gold, judgement.partners.values()), (page.system, judgement.partners))
    )
    near = misses([page.gold[index] for index in lefts], [page.system[index] for index in rights])
    partners = dict(judgement.partners) | {rights[system]: lefts[gold] for system, (gold, _) in near.items()}
    cases = dict(judgement.cases) | {rights[system]: case for system, (_, case) in near.items()}
    return msgspec.structs.replace(page, judgement=ClaimJudgement(judgement.marks, partners, cases))


def alone(claims: Sequence[Claim], paired: Iterable[int]) -> list[int]:
    """Return the places of claims that have no partner."""
    used = set(paired)
    return [index for index in range(len(claims)) if index not in used]
