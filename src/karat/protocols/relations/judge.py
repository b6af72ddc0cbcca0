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
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from karat.measures.ratios import Formula, f1, precision, recall
from karat.model import Span
from karat.protocols.base import Average, Case, Figure
from karat.protocols.relations.claims import Claim
from karat.protocols.relations.overlap import relaxed_pairs
from karat.tally import Group, Tally

REGIMES = ("strict", "boundaries", "last-token", "relaxed", "entity")
COUNTS = ("gold", "system", "strict", "boundaries", "last-token", "relaxed", "gold-facts", "system-facts", "entity")
"""The relations of either side and how many are correct under each regime; facts are relations between entities."""

KEYS: dict[str, Callable[[Claim], object]] = {
    "strict": lambda claim: claim.strict,
    "boundaries": lambda claim: claim.boundaries,
    "last-token": lambda claim: claim.last_token,
    "entity": lambda claim: claim.entities,
}
"""The regimes that compare for equality, and what they compare."""

AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")


class Sheet(msgspec.Struct, frozen=True):
    """The claims of one document, in the order of its text, ready to be judged.

    ``facts`` says that claims about the same entities count once under the entity regime. ``gold_places`` and
    ``system_places`` are where the mentions of either side are, ``gold_source`` and ``system_source`` their files.
    """

    gold: Sequence[Claim]
    system: Sequence[Claim]
    by_label: bool
    facts: bool
    gold_places: Sequence[Span]
    system_places: Sequence[Span]
    gold_source: str = ""
    system_source: str = ""


def tally(case: Case) -> Tally:
    """Count the claims of a document, and the correct ones under each regime, by label and over all labels."""
    sheet: Sheet = case.content
    counts: dict[str, list[int]] = {}

    def book(name: str, labels: Iterable[str]) -> None:
        for label, number in Counter(labels).items():
            counts.setdefault(label, [0] * len(COUNTS))[COUNTS.index(name)] += number

    for side, claims in (("gold", sheet.gold), ("system", sheet.system)):
        book(side, (claim.compared for claim in claims))
    for regime in ("strict", "boundaries", "last-token"):
        key = KEYS[regime]
        book(regime, _labels(Counter(map(key, sheet.gold)) & Counter(map(key, sheet.system))))
    book("relaxed", (sheet.system[at].compared for at in relaxed_pairs(sheet.gold, sheet.system)))
    gold, system = (facts(claims, sheet) for claims in (sheet.gold, sheet.system))
    for name, found in (("gold-facts", gold), ("system-facts", system), ("entity", gold & system)):
        book(name, _labels(found))
    total = [sum(column) for column in zip(*counts.values(), strict=True)] or [0] * len(COUNTS)
    tally: Tally = {Group(): tuple(total)}
    if sheet.by_label:
        tally |= {Group(label=label): tuple(numbers) for label, numbers in counts.items()}
    return tally


def facts(claims: Sequence[Claim], sheet: Sheet) -> Counter[Any]:
    """Return what the claims say about entities, and how often that counts."""
    found = Counter(claim.entities for claim in claims)
    return Counter(found.keys()) if sheet.facts else found


def _labels(keys: Counter[Any]) -> Iterable[str]:
    return (key[0] for key in keys.elements())


def _formula(regime: str, ratio: Any) -> Formula:
    names = ("entity", "system-facts", "gold-facts") if regime == "entity" else (regime, "system", "gold")
    correct, system, gold = map(COUNTS.index, names)

    def formula(counts: Sequence[Any]) -> tuple[Any, Any]:
        return ratio(counts[correct], counts[system], counts[gold])  # type: ignore[no-any-return]

    return formula


FIGURES = tuple(
    Figure(measure, regime, average, _formula(regime, ratio))
    for average in AVERAGES
    for regime in REGIMES
    for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1))
)
