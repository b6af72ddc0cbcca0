"""The ledger of links: every pair and every mention without a partner, its verdict under each rule, and why.

A mention that has different partners under different rules has an entry for each of them, with the verdicts of those
rules only. Where a rule counts what is the same once, the others have no verdict under it.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.identifiers import Identifier
from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.likeness import Judged
from karat.protocols.linking.items import Linked
from karat.protocols.linking.judge import Layer, Sheet, verdicts
from karat.protocols.linking.reasons import MISSED, SPURIOUS, case_of, lone_reason, pair_reason
from karat.protocols.spans.pairing import candidates

_Ends = tuple[int | None, int | None]


def ledger(case: Case) -> list[Entry]:
    """Return every mention of a document with its verdicts, layer by layer in the order of the text."""
    return [one.entry for one in judged(case)]


def judged(case: Case) -> Iterator[Judged]:
    """Yield the ledger with the links of each pair: all that the gold accepts, and the one of the system."""
    sheet: Sheet = case.content
    for layer in sheet.layers:
        yield from _judged(case.unit, sheet, layer)


def _judged(unit: str, sheet: Sheet, layer: Layer) -> Iterator[Judged]:
    found: dict[_Ends, dict[str, Outcome]] = {}
    for rule, several in zip(sheet.rules, verdicts(layer, sheet.rules, explain=True), strict=True):
        for outcome, gold, system in several:
            found.setdefault((gold, system), {})[rule.name] = outcome
    scribe = _Scribe(unit, sheet, layer)
    for at, index in sorted(found, key=scribe.order):
        entry = scribe.entry(at, index, found[at, index])
        if at is None or index is None:
            yield Judged(entry)
        else:
            one, other = layer.gold[at], layer.system[index]
            links = _known(one.target, *one.alternatives), _known(other.target)
            yield Judged(entry, *links, same_place=one.spans == other.spans)


def _known(*targets: Identifier) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in targets if not one.is_nil))


class _Scribe:
    """Writes the entries of one layer of a document."""

    def __init__(self, unit: str, sheet: Sheet, layer: Layer) -> None:
        self.unit, self.sheet, self.layer = unit, sheet, layer
        rows = candidates(layer.gold, layer.system)
        self.met_systems = {index for index, row in enumerate(rows) if row}
        self.met_golds = {at for row in rows for at in row}

    def order(self, ends: _Ends) -> tuple[int, ...]:
        """Return what puts entries in the order of the text, gold before system."""
        gold, system = ends
        one = self.layer.gold[gold] if gold is not None else self.layer.system[system or 0]
        return one.start, one.end, gold is None, gold or 0, -1 if system is None else system

    def entry(self, at: int | None, index: int | None, verdicts: dict[str, Outcome]) -> Entry:
        """Return the entry of a pair, or of a mention without a partner."""
        gold = None if at is None else self.layer.gold[at]
        system = None if index is None else self.layer.system[index]
        if gold is not None and system is not None:
            case, reason = case_of(gold, system), pair_reason(gold, system)
        elif gold is not None:
            case, reason = MISSED, lone_reason(gold, "system", at in self.met_golds)
        else:
            case, reason = SPURIOUS, lone_reason(self.layer.system[index or 0], "gold", index in self.met_systems)
        return Entry(
            unit=self.unit,
            layer=self.layer.name,
            label=(gold or system).label,  # type: ignore[union-attr]
            case=case,
            verdicts=verdicts,
            reason=reason,
            gold=None if gold is None else self._item(gold, self.sheet.sources[0]),
            system=None if system is None else self._item(system, self.sheet.sources[1]),
        )

    def _item(self, one: Linked, source: str) -> Item:
        """Return how a mention is shown: by its type, if it has one, and its identifier."""
        text = " ".join(self.sheet.text[start:end] for start, end in one.spans)
        names = (one.label, one.target.name) if one.label else (one.target.name,)
        return Item(names[0], text, (one.start, one.end), alternatives=names[1:], place=source)
