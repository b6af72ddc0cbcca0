"""The ledger of entities: every pair and every entity without a partner, its verdict under each regime, and why."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter

from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.spans.items import Entity
from karat.protocols.spans.judge import Layer, Place, Sheet, layers_of, verdicts
from karat.protocols.spans.pairing import Rows
from karat.protocols.spans.reasons import case_of, lone_reason, pair_reason
from karat.protocols.spans.scribe import Ends, Scribe


def ledger(case: Case) -> list[Entry]:
    """Return every entity of a document with its verdicts, layer by layer in the order of the text."""
    return [entry for sheet, layer in layers_of(case) for entry in _entries(case.unit, sheet, layer)]


def _entries(unit: str, sheet: Sheet, layer: Layer) -> list[Entry]:
    rows, judged = verdicts(layer, sheet.regimes)
    found: dict[Ends, dict[str, Outcome]] = {}
    for regime, several in zip(sheet.regimes, judged, strict=True):
        for outcome, gold, system in several:
            found.setdefault((gold, system), {})[regime.name] = outcome
    scribe = _Scribe(unit, sheet, layer, rows)
    return [scribe.entry(*ends, found[ends]) for ends in sorted(found, key=scribe.order)]


class _Scribe(Scribe[Entity]):
    """Writes the entries of one layer of a document."""

    def __init__(self, unit: str, sheet: Sheet, layer: Layer, rows: Rows) -> None:
        super().__init__(unit, layer.name, layer.gold, layer.system, rows)
        self.text, self.places = sheet.text, (sheet.gold_place, sheet.system_place)

    def of_pair(self, gold: Entity, system: Entity) -> tuple[str, str]:
        return case_of(gold, system), pair_reason(gold, system)

    def why_alone(self, one: Entity, other: str, is_met: bool) -> str:
        del one
        return lone_reason(other, is_met)

    def item(self, one: Entity, side: int) -> Item:
        text = " ".join(self.text[start:end] for start, end in one.spans)
        return Item(one.label, text, (one.start, one.end), place=_shown(self.places[side], one.start))


def _shown(place: Place, character: int) -> str:
    """Return ``file:line`` of a character, as far as it is known."""
    token = bisect_right(place.starts, character) - 1
    at = bisect_right(place.lines, token, key=itemgetter(0)) - 1
    if token < 0 or at < 0 or not place.source:
        return place.source
    return f"{place.source}:{place.lines[at][1] + token - place.lines[at][0]}"
