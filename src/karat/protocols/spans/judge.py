"""Judging the entities of a document: from pairings to verdicts, from which both tally and ledger are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from karat.ledger import Outcome
from karat.measures.ratios import Formula, Ratio, precision, recall, two_sided_f1
from karat.protocols.base import Average, Case, Figure
from karat.protocols.spans.items import Entity
from karat.protocols.spans.pairing import Regime, Rows, candidates, pairings
from karat.tally import Group, Tally

AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")


class Layer(msgspec.Struct, frozen=True):
    """The entities of one layer of a document in the order of the text, and its tokens if both sides have tags."""

    name: str
    gold: Sequence[Entity]
    system: Sequence[Entity]
    tokens: int = 0
    same_tags: int = 0


class Place(msgspec.Struct, frozen=True):
    """Where the text of one side stands: the file, and in which line of it which character, if that is known."""

    source: str
    starts: Sequence[int] = ()
    lines: Sequence[tuple[int, int]] = ()


class Sheet(msgspec.Struct, frozen=True):
    """One document, ready to be judged."""

    text: str
    layers: Sequence[Layer]
    regimes: Sequence[Regime]
    gold_place: Place
    system_place: Place


class Verdict(NamedTuple):
    """What becomes of a pair, or of an entity that has no partner, under a regime."""

    outcome: Outcome
    gold: int | None
    system: int | None


def verdicts(layer: Layer, regimes: Sequence[Regime]) -> tuple[Rows, list[list[Verdict]]]:
    """Return the candidates of each system entity, and for each regime a verdict on every entity of both sides."""
    gold, system = layer.gold, layer.system
    rows = candidates(gold, system)
    found = []
    for regime, pairs in zip(regimes, pairings(gold, system, rows, regimes), strict=True):
        judged = [Verdict(regime.outcome(gold[at], system[index]), at, index) for index, at in pairs.items()]
        used = set(pairs.values())
        judged += [Verdict("missed", at, None) for at in range(len(gold)) if at not in used]
        judged += [Verdict("spurious", None, index) for index in range(len(system)) if index not in pairs]
        found.append(judged)
    return rows, found


class Booking:
    """The counts of a layer by label; a count has the label of a gold or of a system entity."""

    def __init__(self, names: Sequence[str]) -> None:
        self.places = {name: place for place, name in enumerate(names)}
        self.labels: dict[str, list[float]] = {}
        self.total: list[float] = [0] * len(names)

    def add(self, name: str, label: str, number: float = 1) -> None:
        """Count something for a label, and for all of them."""
        place = self.places[name]
        self.total[place] += number
        counts = self.labels.get(label)
        if counts is None:
            counts = self.labels[label] = [0] * len(self.total)
        counts[place] += number

    def tally(self, layer: str) -> Tally:
        """Return the tally of the layer."""
        labelled: Tally = {Group(layer, label=label): tuple(counts) for label, counts in self.labels.items()}
        return {Group(layer): tuple(self.total)} | labelled


def layers_of(case: Case) -> Iterator[tuple[Sheet, Layer]]:
    """Yield the layers of a unit, each with the sheet it stands on."""
    sheet: Sheet = case.content
    for layer in sheet.layers:
        yield sheet, layer


class Terms(NamedTuple):
    """The numbers of a regime: the credit on either side, by how much it is too large, and all entities."""

    gold_credit: Any
    system_credit: Any
    scale: int
    actual: Any
    possible: Any


def regime_figures(regime: str, average: Average, terms: Any, behind: dict[str, str]) -> Iterator[Figure]:
    """Yield precision, recall and F1 of a regime; ``terms`` finds its numbers among the counts."""

    def precise(counts: Sequence[Any]) -> Ratio:
        found: Terms = terms(counts)
        return precision(found.system_credit, found.scale * found.actual, 0)

    def complete(counts: Sequence[Any]) -> Ratio:
        found: Terms = terms(counts)
        return recall(found.gold_credit, 0, found.scale * found.possible)

    def both(counts: Sequence[Any]) -> Ratio:
        found: Terms = terms(counts)
        actual, possible = found.scale * found.actual, found.scale * found.possible
        return two_sided_f1(found.gold_credit, found.system_credit, actual, possible)

    formulas: dict[str, Formula] = {"precision": precise, "recall": complete, "f1": both}
    for measure, formula in formulas.items():
        yield Figure(measure, regime, average, formula, behind)
