"""The items of a ledger with their places in the text that is shown, which is that of the gold if it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from karat.drawing.offsets import ShownOffsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.ledger import Entry, Item, Spans
    from karat.scoring.evaluation import UnitLedger


class Shown(NamedTuple):
    """A unit to be drawn: its name, its text, and its entries with their places in that."""

    unit: str
    text: str
    entries: Sequence[Entry]


def shown_ledger(ledger: UnitLedger) -> Shown:
    """Return a ledger of a unit as it is drawn."""
    _, text = origin_of(ledger)
    gold, system = offsets_of(text, ledger)
    entries = [
        msgspec.structs.replace(entry, gold=placed(entry.gold, gold), system=placed(entry.system, system))
        for entry in ledger.entries
    ]
    return Shown(ledger.unit, text, entries)


def origin_of(ledger: UnitLedger) -> tuple[str, str]:
    """Return the id and the text of the document of a unit."""
    if ledger.pair is None:
        return ledger.unit, ""
    gold, system = ledger.pair
    return gold.id, gold.text or system.text


def offsets_of(text: str, ledger: UnitLedger) -> tuple[ShownOffsets, ShownOffsets]:
    """Return how the places of both sides become places in the text that is shown."""
    if ledger.pair is None:
        return ShownOffsets("", ""), ShownOffsets("", "")
    gold, system = ledger.pair
    return ShownOffsets(gold.text, text), ShownOffsets(system.text, text)


def placed(item: Item | None, offsets: ShownOffsets) -> Item | None:
    """Return an item with its places in the text that is shown; none if one of them is not in it."""
    if item is None or not item.ends or offsets.keeps(item.ends):
        return item
    ends = tuple(_joined(spans, offsets.shown) for spans in offsets.moved(item.ends))
    return item if ends == item.ends else msgspec.structs.replace(item, ends=ends)


def _joined(spans: Spans, text: str) -> Spans:
    """Return fragments in their order; those with nothing but blanks between them are one, as words of one mention."""
    if len(spans) == 1:
        return spans
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
