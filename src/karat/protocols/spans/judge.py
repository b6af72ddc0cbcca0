"""Judging the entities of a page: as conlleval does, under the regimes of SemEval-2013, and by overlap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from karat.evaluation.casebook import Verdict
from karat.matching.sweep import candidates
from karat.protocols.spans.cases import EXACT, GRADED, MISSED, SPURIOUS, case_of
from karat.protocols.spans.draft import Page
from karat.protocols.spans.items import Entity, overlap
from karat.protocols.spans.options import OverlapOptions
from karat.protocols.spans.pairing import Ends, Gain, Pairs, by_regime, pairings
from karat.protocols.spans.scenarios import ENT_TYPE, SCENARIOS, LabelledSpan, by_meetings, meetings, one_to_many

WHOLE = 1_000_000
"""The gain of a pair in the same place under overlap; other pairs gain their share of it."""


def judge_conll2003(page: Page) -> Iterator[Verdict]:
    """Yield the verdict on each entity; entities on both sides are correct, and no pairing would do better.

    The others are paired with what is nearest to them, so that the ledger can say what is wrong.
    """
    golds = _by_entity(page.gold)
    systems = []
    for system, entity in enumerate(page.system):
        gold = golds.pop(entity, None) if entity.spans else None
        if gold is None:
            systems.append(system)
        else:
            yield Verdict(EXACT, gold, system)
    yield from _near_misses(page, list(golds.values()), systems)


def judge_exact(page: Page) -> Iterator[Verdict]:
    """Yield which entities are on both sides and which are not; nothing that is near another one changes a count."""
    golds = _by_entity(page.gold)
    for system, entity in enumerate(page.system):
        gold = golds.pop(entity, None) if entity.spans else None
        yield Verdict(SPURIOUS if gold is None else EXACT, gold, system)
    yield from (Verdict(MISSED, gold, None) for gold in golds.values())


def _by_entity(golds: Sequence[Entity]) -> dict[Entity | int, int]:
    """Return the places of gold entities by what equals them: nothing but themselves if the text does not have them."""
    return {entity if entity.spans else gold: gold for gold, entity in enumerate(golds)}


def judge_wnut17(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on entities by span, and on the surface forms that count in this document."""
    yield from (verdict._replace(regimes=("entity",)) for verdict in judge_conll2003(page))
    yield from page.forms


def _near_misses(page: Page, golds: list[int], systems: list[int]) -> Iterator[Verdict]:
    left, right = [page.gold[gold] for gold in golds], [page.system[system] for system in systems]
    (pairs,) = pairings(left, right, candidates(left, right), [lambda *_: 0]) if left and right else [{}]
    partners = {systems[index]: golds[partner] for index, partner in pairs.items()}
    for system, gold in partners.items():
        yield Verdict(case_of(page.gold[gold], page.system[system]), gold, system)
    yield from (Verdict(MISSED, gold, None) for gold in sorted(set(golds).difference(partners.values())))
    yield from (Verdict(SPURIOUS, None, system) for system in systems if system not in partners)


SEMEVAL_GAINS: dict[str, Gain[Entity]] = {
    "strict": lambda gold, system: int(gold.spans == system.spans and gold.label == system.label),
    "exact": lambda gold, system: int(gold.spans == system.spans),
    "partial": lambda gold, system: 1 + (gold.spans == system.spans),
    "type": lambda gold, system: int(gold.label == system.label),
}
"""What a pair is worth under each regime of SemEval-2013: the most correct pairs, and partial ones for a half."""


def judge_semeval2013(page: Page) -> Iterator[Verdict]:
    """Yield the verdict on each entity under each regime, which has a pairing of its own."""
    paired = pairings(page.gold, page.system, page.candidates, SEMEVAL_GAINS.values())
    regimes = dict(zip(SEMEVAL_GAINS, paired, strict=True))
    for (gold, system), names in by_regime(len(page.gold), len(page.system), regimes):
        yield Verdict(_case(page, gold, system), gold, system, names)


def judge_nervaluate(page: Page) -> Iterator[Verdict]:
    """Yield the verdict on each entity by a version of nervaluate, or with the best pairing under each scenario.

    Its versions compare numbers, so only entities that have a place are given to them.
    """
    golds, systems = ([index for index, entity in enumerate(side) if entity.spans] for side in (page.gold, page.system))
    left, right = [page.gold[index] for index in golds], [page.system[index] for index in systems]
    names: tuple[str, ...] | None = SCENARIOS
    if page.options.profile in ("0.2.0", "classic"):
        names = None
        pairs = one_to_many(_positions(page, left), _positions(page, right), page.options.profile)
        paired: Iterable[tuple[Ends, tuple[str, ...] | None]] = ((ends, names) for ends in pairs)
    else:
        paired = by_regime(len(left), len(right), _by_scenario(page, left, right))
    for (gold, system), regimes in paired:
        places = None if gold is None else golds[gold], None if system is None else systems[system]
        yield Verdict(_case(page, *places), *places, regimes)
    yield from (Verdict(MISSED, index, None, names) for index, entity in enumerate(page.gold) if not entity.spans)
    yield from (Verdict(SPURIOUS, None, index, names) for index, entity in enumerate(page.system) if not entity.spans)


def _by_scenario(page: Page, gold: Sequence[Entity], system: Sequence[Entity]) -> Mapping[str, Pairs]:
    """Return the gold partner of each system entity under each scenario of versions 1.x."""
    options = page.options
    minimum = options.min_overlap_percentage
    golds, systems = _positions(page, gold), _positions(page, system)
    gold_met = meetings(golds, systems, minimum)
    if options.mends("overlap-of-the-gold-only"):
        coverers = list(map(set, meetings(systems, golds, minimum)))
        gold_met = [[met for met in near if index in coverers[met]] for index, near in enumerate(gold_met)]
    if options.mends("first-come-first-served"):
        gains = [SEMEVAL_GAINS["type" if name == ENT_TYPE else name] for name in SCENARIOS]
        return dict(zip(SCENARIOS, pairings(gold, system, gold_met, gains), strict=True))
    return by_meetings(golds, systems, gold_met, options.profile)


def _positions(page: Page, entities: Sequence[Entity]) -> list[LabelledSpan]:
    """Return entities by their tokens, if both sides have the same, or else by their characters."""
    gold, system = (document.table for document in page.documents)
    if gold is None or system is None or not gold.starts or gold.starts != system.starts:
        return [(entity.start, entity.end, entity.label) for entity in entities]
    starts = gold.starts
    return [(bisect_left(starts, entity.start), bisect_left(starts, entity.end), entity.label) for entity in entities]


def _case(page: Page, gold: int | None, system: int | None) -> str:
    if gold is None:
        return SPURIOUS
    return MISSED if system is None else case_of(page.gold[gold], page.system[system])


def overlap_gains(options: OverlapOptions) -> dict[str, Gain[Entity]]:
    """Return the gain of a pair if labels have to match, and if not."""
    from fractions import Fraction

    least = Fraction(repr(options.min_iou))
    gain = partial(_gain, share=(least.numerator, least.denominator), least=options.min_overlap)
    return {"typed": partial(gain, typed=True), "untyped": partial(gain, typed=False)}


def _gain(gold: Entity, system: Entity, *, share: tuple[int, int], least: int, typed: bool) -> int:
    """Return the intersection over union in millionths, at least 1, or 0 below the thresholds."""
    if typed and gold.label != system.label:
        return 0
    both, either = overlap(gold, system)
    if both < least or both * share[1] < either * share[0]:
        return 0
    return max(1, WHOLE * both // either)


def judge_overlap(page: Page) -> Iterator[Verdict]:
    """Yield the verdict on each entity with and without labels; a pair counts as 1 and by its overlap."""
    gains = overlap_gains(page.options)
    paired = pairings(page.gold, page.system, page.candidates, gains.values())
    regimes = dict(zip(gains, paired, strict=True))
    for (gold, system), names in by_regime(len(page.gold), len(page.system), regimes):
        case = _case(page, gold, system)
        if gold is None or system is None:
            yield Verdict(case, gold, system, tuple(regime for name in names for regime in (name, GRADED[name])))
            continue
        pair = page.gold[gold], page.system[system]
        both, either = overlap(*pair)
        for name in names:
            is_right = bool(gains[name](*pair))
            yield Verdict(case, gold, system, (name,), weight=int(is_right))
            yield Verdict(case, gold, system, (GRADED[name],), weight=both / either if is_right else 0)
