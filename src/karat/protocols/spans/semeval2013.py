"""Entities under the four regimes of SemEval-2013 task 9.1, with the five outcomes of MUC.

===========  ==========================  =====================  ===========
regime       correct                     partial                incorrect
===========  ==========================  =====================  ===========
``strict``   the same place and label    never                  other pairs
``exact``    the same place              never                  other pairs
``partial``  the same place              every other pair       never
``type``     the same label              never                  other pairs
===========  ==========================  =====================  ===========
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from karat.protocols.base import Case
from karat.protocols.spans.conll2003 import same_entity
from karat.protocols.spans.items import Entity
from karat.protocols.spans.judge import AVERAGES, Booking, Terms, layers_of, regime_figures, verdicts
from karat.protocols.spans.options import EntityOptions
from karat.protocols.spans.pairing import Regime
from karat.tally import Tally


def _same_place(gold: Entity, system: Entity) -> int:
    return int(gold.spans == system.spans)


def _same_label(gold: Entity, system: Entity) -> int:
    return int(gold.label == system.label)


def _place_or_part(gold: Entity, system: Entity) -> int:
    return 1 + (gold.spans == system.spans)


REGIMES = (
    Regime("strict", same_entity, 1),
    Regime("exact", _same_place, 1),
    Regime("partial", _place_or_part, 2),
    Regime("type", _same_label, 1),
)
_OUTCOMES = {
    "strict": ("correct", "incorrect", "missed", "spurious"),
    "exact": ("correct", "incorrect", "missed", "spurious"),
    "partial": ("correct", "partial", "missed", "spurious"),
    "type": ("correct", "incorrect", "missed", "spurious"),
}
_SYSTEM = "system"
_BY_SYSTEM_LABEL = ("exact-correct-system", "partial-correct-system", "partial-partial-system")
COUNTS = (
    "gold",
    _SYSTEM,
    *(f"{regime}-{outcome}" for regime, outcomes in _OUTCOMES.items() for outcome in outcomes),
    *_BY_SYSTEM_LABEL,
)
"""The entities of either side, and the outcomes by regime.

Pairs are counted for the label of the gold entity. Where partners may have different labels, what is right is counted
for the label of the system entity too, so that a label has the precision of its system entities and the recall of its
gold entities.
"""


def regimes(options: EntityOptions) -> Sequence[Regime]:
    """Return the regimes, which are the same whatever the options."""
    del options
    return REGIMES


def tally(case: Case) -> Tally:
    """Count the entities of a document and their outcomes under each regime."""
    found: Tally = {}
    for _, layer in layers_of(case):
        booking = Booking(COUNTS)
        for name, side in (("gold", layer.gold), (_SYSTEM, layer.system)):
            for one in side:
                booking.add(name, one.label)
        _, judged = verdicts(layer, REGIMES)
        for regime, several in zip(REGIMES, judged, strict=True):
            for outcome, gold, system in several:
                name = f"{regime.name}-{outcome}"
                if gold is not None:
                    booking.add(name, layer.gold[gold].label)
                    if system is not None and f"{name}-{_SYSTEM}" in _BY_SYSTEM_LABEL:
                        booking.add(f"{name}-{_SYSTEM}", layer.system[system].label)
                elif system is not None:
                    booking.add(name, layer.system[system].label)
        found |= booking.tally(layer.name)
    return found


def _terms(regime: str) -> Callable[[Sequence[Any]], Terms]:
    """Return what finds the numbers of a regime; correct counts two, so that a half is a whole number."""
    gold, system = COUNTS.index("gold"), COUNTS.index(_SYSTEM)
    correct = COUNTS.index(f"{regime}-correct")
    right = COUNTS.index(f"{regime}-correct-{_SYSTEM}") if regime in ("exact", "partial") else correct
    if regime != "partial":
        return lambda counts: Terms(counts[correct], counts[right], 1, counts[system], counts[gold])
    half, half_right = COUNTS.index("partial-partial"), COUNTS.index(f"partial-partial-{_SYSTEM}")
    return lambda counts: Terms(
        2 * counts[correct] + counts[half], 2 * counts[right] + counts[half_right], 2, counts[system], counts[gold]
    )


FIGURES = tuple(
    figure
    for average in AVERAGES
    for regime, outcomes in _OUTCOMES.items()
    for figure in regime_figures(
        regime, average, _terms(regime), {outcome: f"{regime}-{outcome}" for outcome in outcomes}
    )
)
