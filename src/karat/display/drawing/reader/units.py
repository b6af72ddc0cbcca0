"""The units that the reader shows: a text, and its items with the verdicts of every system on each.

A gold item is one row, with the verdicts of all systems on it. A system item without a gold partner is one row for all
systems that have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from karat.evaluation.ledger import Item, Outcome


class ItemVerdicts(msgspec.Struct, frozen=True, omit_defaults=True):
    """One ledger entry of a system: case, outcome by regime, reason, and the system's item unless it missed the gold.

    ``source``, ``answer`` and ``leads`` describe an answer to a query: where it is justified, the answer as it was
    read (JSON), and the query that follows from it at the next hop.
    """

    case: str
    verdicts: dict[str, Outcome]
    reason: str
    item: Item | None
    source: str = ""
    answer: str = ""
    leads: str = ""


class ReaderRow(msgspec.Struct, omit_defaults=True):
    """A gold item, or a system item without a partner, with the verdicts on it by the index of the system."""

    layer: str
    slice: str
    label: str
    gold: Item | None
    judged: dict[int, list[ItemVerdicts]] = {}
    answer: str = ""


class ReaderUnit(msgspec.Struct, omit_defaults=True):
    """A unit with the text of its document ("" if there is none) and its rows.

    ``title`` is what people call the unit, if that is not its name.
    """

    name: str
    document: str
    text: str
    rows: list[ReaderRow]
    title: str = ""


def items_of(row: ReaderRow) -> Iterator[Item]:
    """Yield the gold item of a row, then the items of the systems."""
    yield from [row.gold] if row.gold is not None else []
    for judged in row.judged.values():
        yield from (verdicts.item for verdicts in judged if verdicts.item is not None)


def crop_text(unit: ReaderUnit) -> None:
    """Cut the text of a unit that is a part of a document down to the lines that its items are in."""
    edges = [
        edge for row in unit.rows for item in items_of(row) for spans in item.ends for span in spans for edge in span
    ]
    start = unit.text.rfind("\n", 0, min(edges)) + 1 if edges else 0
    end = unit.text.find("\n", max(edges)) if edges else 0
    unit.text = unit.text[start : end if end >= 0 else None]

    def moved(item: Item | None) -> Item | None:
        if item is None or not item.ends:
            return item
        ends = tuple(tuple((low - start, high - start) for low, high in spans) for spans in item.ends)
        return msgspec.structs.replace(item, ends=ends)

    for row in unit.rows:
        row.gold = moved(row.gold)
        row.judged = {
            system: [msgspec.structs.replace(judged, item=moved(judged.item)) for judged in several]
            for system, several in row.judged.items()
        }


def in_text_order(rows: Sequence[ReaderRow]) -> list[ReaderRow]:
    """Return rows sorted by layer, then by offset; rows without an offset come last, in their order."""
    layers = {layer: rank for rank, layer in enumerate(dict.fromkeys(row.layer for row in rows))}

    def order(row: ReaderRow) -> tuple[int, bool, int, int]:
        ends = next((item.ends for item in items_of(row) if item.ends), ())
        first = min((span for end in ends for span in end), default=None)
        return layers[row.layer], first is None, *((first[0], -first[1]) if first else (0, 0))

    return sorted(rows, key=order)


def declared_order(regimes: Iterable[str], declared: Iterable[str]) -> list[str]:
    """Return regimes in the order in which a protocol declares them, undeclared ones last; ["verdict"] if none.

    >>> declared_order({"fuzzy", "strict"}, ["strict", "fuzzy", "type"])
    ['strict', 'fuzzy']
    """
    names = set(regimes)
    known = [regime for regime in declared if regime in names]
    return [*known, *sorted(names - set(known))] or ["verdict"]
