"""Judging one document: its tally, and the ledger of its mentions."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from karat.errors import InputError, place
from karat.ledger import Entry, Item
from karat.protocols.base import Case
from karat.protocols.corefud.counting import counted
from karat.protocols.corefud.marks import Mark
from karat.protocols.corefud.matching import Match, matches
from karat.protocols.corefud.prepare import Sheet, Side
from karat.tally import Group, Tally
from karat.tokens import line_of

LAYER = "mentions"
REASONS = {
    "same": "same words",
    "head": "same head, other words",
    "partial": "a part of the gold mention with its head",
    "zero": "zeros that depend on the same words",
}


def tally(case: Case) -> Tally:
    """Count one document."""
    sheet: Sheet = case.content
    with _named(case):
        counts = counted(sheet.gold.chains, sheet.system.chains, sheet.match, _matches(sheet))
    return {Group(): tuple(chain.from_iterable(counts))}


@contextmanager
def _named(case: Case) -> Iterator[None]:
    """Say in which document something is wrong."""
    try:
        yield
    except InputError as error:
        path = case.content.system.document.source or None
        raise InputError(f"document {case.unit!r}: {error.message}", path=path) from None


def _matches(sheet: Sheet) -> list[Match]:
    golds, systems = (_distinct(side, sheet.match) for side in (sheet.gold, sheet.system))
    return matches(golds, systems, sheet.match, sheet.zeros)


def _distinct(side: Side, match: str) -> dict[Hashable, Mark]:
    """Return the mentions of a side by their identity; of those that are the same the first one speaks for all."""
    found: dict[Hashable, Mark] = {}
    for mark in chain.from_iterable(side.chains):
        found.setdefault(mark.key(match), mark)
    return found


class _Occurrence(NamedTuple):
    """A mention in a chain, as it is shown."""

    key: Hashable
    item: Item


def ledger(case: Case) -> list[Entry]:
    """Return an entry for each gold mention, with what it is matched with, then for each further system mention.

    A mention in several chains has an entry for each of them. It is matched where it first stands in the gold, with
    the last chain that it has in the system.
    """
    sheet: Sheet = case.content
    golds, systems = (list(_occurrences(side, sheet.match)) for side in (sheet.gold, sheet.system))
    last = {one.key: at for at, one in enumerate(systems)}
    with _named(case):
        waiting = {one.gold: one for one in _matches(sheet)}
    taken = {last[one.system] for one in waiting.values()}
    met: set[Hashable] = set()
    entries: list[Entry] = []
    for one in golds:
        found = waiting.pop(one.key, None)
        if found is None:
            entries.append(_missed(case.unit, one.item, repeated=one.key in met))
        else:
            entries.append(_matched(case.unit, one.item, systems[last[found.system]].item, found.rule))
        met.add(one.key)
    for at, one in enumerate(systems):
        if at not in taken:
            entries.append(_invented(case.unit, one.item, repeated=last[one.key] != at))
    return entries


def _occurrences(side: Side, match: str) -> Iterator[_Occurrence]:
    for name, marks in zip(side.names, side.chains, strict=True):
        for mark in marks:
            yield _Occurrence(mark.key(match), _item(side, name, mark))


def _item(side: Side, name: str, mark: Mark) -> Item:
    mention, document = mark.mention, side.document
    text = mention.text or " … ".join(document.text[start:end] for start, end in mention.spans)
    row = re.match(r"\d+", mention.attributes.get("rows", ""))
    line = line_of(document.table, int(row[0])) if row and document.table else None
    where = place(document.source or None, line).removesuffix(": ")
    return Item(name, text, (mention.start, mention.end), place=where)


def _matched(unit: str, gold: Item, system: Item, rule: str) -> Entry:
    return Entry(unit, LAYER, gold.label, rule, {LAYER: "correct"}, REASONS[rule], gold, system)


def _missed(unit: str, item: Item, *, repeated: bool) -> Entry:
    case, reason = (
        ("repeated", "in another gold chain, too") if repeated else ("missed", "no system mention matches it")
    )
    return Entry(unit, LAYER, item.label, case, {LAYER: "missed"}, reason, gold=item)


def _invented(unit: str, item: Item, *, repeated: bool) -> Entry:
    case, reason = (
        ("repeated", "in another system chain, too") if repeated else ("invented", "it matches no gold mention")
    )
    return Entry(unit, LAYER, item.label, case, {LAYER: "spurious"}, reason, system=item)
