"""The ledger of links: every pair and every mention without a partner, its verdict under each rule, and why.

A mention that has different partners under different rules has an entry for each of them, with the verdicts of those
rules only. Where a rule counts what is the same once, the others have no verdict under it.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.likeness import Judged
from karat.protocols.linking.items import Linked
from karat.protocols.linking.judge import Layer, Sheet, verdicts
from karat.protocols.linking.reasons import case_of, lone_reason, pair_reason
from karat.protocols.spans.pairing import candidates
from karat.protocols.spans.scribe import Ends, Scribe
from karat.vocabularies.identifiers import Identifier


def ledger(case: Case) -> list[Entry]:
    """Return every mention of a document with its verdicts, layer by layer in the order of the text."""
    return [one.entry for one in judged(case)]


def judged(case: Case) -> Iterator[Judged]:
    """Yield the ledger with the links of each pair: all that the gold accepts, and the one of the system."""
    sheet: Sheet = case.content
    for layer in sheet.layers:
        yield from _judged(case.unit, sheet, layer)


def _judged(unit: str, sheet: Sheet, layer: Layer) -> Iterator[Judged]:
    found: dict[Ends, dict[str, Outcome]] = {}
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
            named = one.target.name, other.target.name
            yield Judged(entry, *links, same_place=one.spans == other.spans, named=named)


def _known(*targets: Identifier) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in targets if not one.is_nil))


class _Scribe(Scribe[Linked]):
    """Writes the entries of one layer of a document."""

    def __init__(self, unit: str, sheet: Sheet, layer: Layer) -> None:
        rows = candidates(layer.gold, layer.system)
        super().__init__(unit, layer.name, layer.gold, layer.system, rows)
        self.text, self.sources = sheet.text, sheet.sources

    def of_pair(self, gold: Linked, system: Linked) -> tuple[str, str]:
        return case_of(gold, system), pair_reason(gold, system)

    def why_alone(self, one: Linked, other: str, is_met: bool) -> str:
        return lone_reason(one, other, is_met)

    def item(self, one: Linked, side: int) -> Item:
        """Return how a mention is shown: by its type, if it has one, and its identifier."""
        text = " ".join(self.text[start:end] for start, end in one.spans)
        names = (one.label, one.target.name) if one.label else (one.target.name,)
        return Item(names[0], text, (one.start, one.end), alternatives=names[1:], place=self.sources[side])
