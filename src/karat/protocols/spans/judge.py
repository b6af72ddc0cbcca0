"""Judging the entities of a page: as conlleval does, under the regimes of SemEval-2013, and by overlap."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from karat.matching.sweep import candidates
from karat.protocols.casebook import Verdict
from karat.protocols.spans.cases import EXACT, GRADED, MISSED, SPURIOUS, case_of
from karat.protocols.spans.draft import Page
from karat.protocols.spans.items import Entity, overlap
from karat.protocols.spans.options import OverlapOptions
from karat.protocols.spans.pairing import Gain, by_regime, pairings

WHOLE = 1_000_000
"""The gain of a pair in the same place under overlap; other pairs gain their share of it."""


def judge_conll2003(page: Page) -> Iterator[Verdict]:
    """Yield what became of each entity; those that are on both sides are right, and no other pair could do better.

    The others are paired with what is nearest to them, so that the ledger can say what is wrong.
    """
    golds = {entity: at for at, entity in enumerate(page.gold)}
    systems = []
    for index, entity in enumerate(page.system):
        at = golds.pop(entity, None)
        if at is None:
            systems.append(index)
        else:
            yield Verdict(EXACT, at, index)
    yield from _near_misses(page, list(golds.values()), systems)


def _near_misses(page: Page, golds: list[int], systems: list[int]) -> Iterator[Verdict]:
    gold, system = [page.gold[at] for at in golds], [page.system[index] for index in systems]
    (pairs,) = pairings(gold, system, candidates(gold, system), [_nothing]) if gold and system else [{}]
    for index, at in pairs.items():
        yield Verdict(case_of(gold[at], system[index]), golds[at], systems[index])
    used = set(pairs.values())
    yield from (Verdict(MISSED, place, None) for at, place in enumerate(golds) if at not in used)
    yield from (Verdict(SPURIOUS, None, place) for index, place in enumerate(systems) if index not in pairs)


def _nothing(gold: Entity, system: Entity) -> int:
    del gold, system
    return 0


def _same_entity(gold: Entity, system: Entity) -> int:
    return int(gold.spans == system.spans and gold.label == system.label)


def _same_place(gold: Entity, system: Entity) -> int:
    return int(gold.spans == system.spans)


def _place_or_part(gold: Entity, system: Entity) -> int:
    return 1 + (gold.spans == system.spans)


def _same_label(gold: Entity, system: Entity) -> int:
    return int(gold.label == system.label)


SEMEVAL_GAINS: dict[str, Gain[Entity]] = {
    "strict": _same_entity,
    "exact": _same_place,
    "partial": _place_or_part,
    "type": _same_label,
}
"""What a pair is worth under each regime of SemEval-2013: the most correct pairs, and partial ones for a half."""


def judge_semeval2013(page: Page) -> Iterator[Verdict]:
    """Yield what became of each entity under each regime, which has a pairing of its own."""
    paired = pairings(page.gold, page.system, page.candidates, SEMEVAL_GAINS.values())
    regimes = dict(zip(SEMEVAL_GAINS, paired, strict=True))
    for (at, index), names in by_regime(range(len(page.gold)), range(len(page.system)), regimes):
        yield Verdict(_case(page, at, index), at, index, names)


def _case(page: Page, at: int | None, index: int | None) -> str:
    if at is None:
        return SPURIOUS
    return MISSED if index is None else case_of(page.gold[at], page.system[index])


def overlap_gains(options: OverlapOptions) -> dict[str, Gain[Entity]]:
    """Return what a pair is worth if labels have to be the same, and if not."""
    least = Fraction(repr(options.min_iou))
    gain = partial(_gain, share=(least.numerator, least.denominator), least=options.min_overlap)
    return {"typed": partial(gain, typed=True), "untyped": partial(gain, typed=False)}


def _gain(gold: Entity, system: Entity, *, share: tuple[int, int], least: int, typed: bool) -> int:
    """Return the intersection over union in millionths, at least one; none below the thresholds."""
    if typed and gold.label != system.label:
        return 0
    both, either = overlap(gold, system)
    if both < least or both * share[1] < either * share[0]:
        return 0
    return max(1, WHOLE * both // either)


def judge_overlap(page: Page) -> Iterator[Verdict]:
    """Yield what became of each entity with and without labels; a pair counts as one, and by how much it overlaps."""
    gains = overlap_gains(page.options)
    paired = pairings(page.gold, page.system, page.candidates, gains.values())
    regimes = dict(zip(gains, paired, strict=True))
    for (at, index), names in by_regime(range(len(page.gold)), range(len(page.system)), regimes):
        case = _case(page, at, index)
        if at is None or index is None:
            yield Verdict(case, at, index, tuple(regime for name in names for regime in (name, GRADED[name])))
            continue
        gold, system = page.gold[at], page.system[index]
        both, either = overlap(gold, system)
        for name in names:
            is_right = bool(gains[name](gold, system))
            yield Verdict(case, at, index, (name,), weight=int(is_right))
            yield Verdict(case, at, index, (GRADED[name],), weight=both / either if is_right else 0)
