"""Entities that overlap enough: pairs above a threshold count as right, or by how much they overlap.

The measure of overlap is intersection over union: of the characters that are in either place, the share that is in
both. The pairing is the one with the greatest sum of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from karat.protocols.base import Case
from karat.protocols.spans.items import Entity, overlap
from karat.protocols.spans.judge import AVERAGES, Booking, Terms, layers_of, regime_figures, verdicts
from karat.protocols.spans.options import OverlapOptions
from karat.protocols.spans.pairing import Regime
from karat.tally import Tally

WHOLE = 1_000_000
"""The gain of a pair in the same place; other pairs gain their share of it."""
NAMES = ("typed", "untyped", "typed-graded", "untyped-graded")
_SYSTEM = "system"
COUNTS = ("gold", _SYSTEM, *NAMES, "untyped-system", "untyped-graded-system")
"""The entities of either side, the pairs under each regime, and the sums of their intersection over union.

They are counted for the label of the gold entity; where partners may have different labels, for that of the system
entity too.
"""


def regimes(options: OverlapOptions) -> Sequence[Regime]:
    """Return the regimes: pairs of the same label or of any, each as one or as much as they overlap."""
    least = Fraction(repr(options.min_iou))
    gains = [
        partial(_gain, share=(least.numerator, least.denominator), least=options.min_overlap, typed=typed)
        for typed in (True, False)
    ]
    best = (1, 1, WHOLE, WHOLE)
    return [Regime(name, gain, right) for name, gain, right in zip(NAMES, gains * 2, best, strict=True)]


def _gain(gold: Entity, system: Entity, *, share: tuple[int, int], least: int, typed: bool) -> int:
    """Return the intersection over union in millionths, at least one; none below the thresholds."""
    if typed and gold.label != system.label:
        return 0
    both, either = overlap(gold, system)
    if both < least or both * share[1] < either * share[0]:
        return 0
    return max(1, WHOLE * both // either)


def tally(case: Case) -> Tally:
    """Count the entities of a document, its pairs, and how much they overlap."""
    found: Tally = {}
    for sheet, layer in layers_of(case):
        booking = Booking(COUNTS)
        for name, side in (("gold", layer.gold), (_SYSTEM, layer.system)):
            for one in side:
                booking.add(name, one.label)
        _, judged = verdicts(layer, sheet.regimes)
        for regime, several in zip(sheet.regimes, judged, strict=True):
            for outcome, at, index in several:
                if outcome in ("correct", "partial") and at is not None and index is not None:
                    gold, system = layer.gold[at], layer.system[index]
                    both, either = overlap(gold, system)
                    credit = both / either if regime.name.endswith("graded") else 1
                    booking.add(regime.name, gold.label, credit)
                    if regime.name.startswith("untyped"):
                        booking.add(f"{regime.name}-{_SYSTEM}", system.label, credit)
        found |= booking.tally(layer.name)
    return found


def _terms(regime: str) -> Callable[[Sequence[Any]], Terms]:
    gold, system, credit = COUNTS.index("gold"), COUNTS.index(_SYSTEM), COUNTS.index(regime)
    right = COUNTS.index(f"{regime}-{_SYSTEM}") if regime.startswith("untyped") else credit
    return lambda counts: Terms(counts[credit], counts[right], 1, counts[system], counts[gold])


FIGURES = tuple(
    figure
    for average in AVERAGES
    for regime in NAMES
    for figure in regime_figures(regime, average, _terms(regime), {"gold": "gold", _SYSTEM: _SYSTEM, "credit": regime})
)
