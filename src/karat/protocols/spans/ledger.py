"""The ledger of entities: every pair and every entity without a partner, its verdict under each regime, and why.

An entity that has different partners under different regimes has an entry for each of them, with the verdicts of those
regimes only. So it has exactly one verdict under every regime.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter

from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.spans.items import Entity
from karat.protocols.spans.judge import Layer, Place, Sheet, layers_of, verdicts
from karat.protocols.spans.pairing import Rows
from karat.protocols.spans.reasons import MISSED, SPURIOUS, case_of, lone_reason, pair_reason

_Ends = tuple[int | None, int | None]


def ledger(case: Case) -> list[Entry]:
    """Return every entity of a document with its verdicts, layer by layer in the order of the text."""
    return [entry for sheet, layer in layers_of(case) for entry in _entries(case.unit, sheet, layer)]


def _entries(unit: str, sheet: Sheet, layer: Layer) -> list[Entry]:
    rows, judged = verdicts(layer, sheet.regimes)
    found: dict[_Ends, dict[str, Outcome]] = {}
    for regime, several in zip(sheet.regimes, judged, strict=True):
        for outcome, gold, system in several:
            found.setdefault((gold, system), {})[regime.name] = outcome
    scribe = _Scribe(unit, sheet, layer, rows)
    return [scribe.entry(*ends, found[ends]) for ends in sorted(found, key=scribe.order)]


class _Scribe:
    """Writes the entries of one layer of a document."""

    def __init__(self, unit: str, sheet: Sheet, layer: Layer, rows: Rows) -> None:
        self.unit, self.sheet, self.layer = unit, sheet, layer
        self.met_systems = {index for index, row in enumerate(rows) if row}
        self.met_golds = {at for row in rows for at in row}

    def order(self, ends: _Ends) -> tuple[int, ...]:
        """Return what puts entries in the order of the text, gold before system."""
        gold, system = ends
        one = self.layer.gold[gold] if gold is not None else self.layer.system[system or 0]
        return one.start, one.end, gold is None, gold or 0, -1 if system is None else system

    def entry(self, at: int | None, index: int | None, verdicts: dict[str, Outcome]) -> Entry:
        """Return the entry of a pair, or of an entity without a partner."""
        gold = None if at is None else self.layer.gold[at]
        system = None if index is None else self.layer.system[index]
        if gold is not None and system is not None:
            case, reason = case_of(gold, system), pair_reason(gold, system)
        elif gold is not None:
            case, reason = MISSED, lone_reason("system", at in self.met_golds)
        else:
            case, reason = SPURIOUS, lone_reason("gold", index in self.met_systems)
        return Entry(
            unit=self.unit,
            layer=self.layer.name,
            label=(gold or system).label,  # type: ignore[union-attr]
            case=case,
            verdicts=verdicts,
            reason=reason,
            gold=None if gold is None else self._item(gold, self.sheet.gold_place),
            system=None if system is None else self._item(system, self.sheet.system_place),
        )

    def _item(self, one: Entity, place: Place) -> Item:
        text = " ".join(self.sheet.text[start:end] for start, end in one.spans)
        return Item(one.label, text, (one.start, one.end), place=_shown(place, one.start))


def _shown(place: Place, character: int) -> str:
    """Return ``file:line`` of a character, as far as it is known."""
    token = bisect_right(place.starts, character) - 1
    at = bisect_right(place.lines, token, key=itemgetter(0)) - 1
    if token < 0 or at < 0 or not place.source:
        return place.source
    return f"{place.source}:{place.lines[at][1] + token - place.lines[at][0]}"
