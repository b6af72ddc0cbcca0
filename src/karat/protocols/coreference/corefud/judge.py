"""Judging one document: its tally, and the ledger of its mentions and chains."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain

from karat.ledger import Entry
from karat.protocols.base import Case
from karat.protocols.coreference.book import Book, Pairing
from karat.protocols.coreference.book import Side as LedgerSide
from karat.protocols.coreference.corefud.counting import MEASURES, counted, table_of, translation
from karat.protocols.coreference.corefud.marks import Mark
from karat.protocols.coreference.corefud.matching import Match, matches
from karat.protocols.coreference.corefud.prepare import Sheet, Side
from karat.protocols.coreference.places import named, shown
from karat.protocols.coreference.verdicts import Rules
from karat.tally import Group, Tally

REASONS = {
    "same": "same words",
    "head": "same head, other words",
    "partial": "a part of the gold mention with its head",
    "zero": "zeros that depend on the same words",
}


def tally(case: Case) -> Tally:
    """Count one document."""
    sheet: Sheet = case.content
    with named(case):
        counts = counted(sheet.gold.chains, sheet.system.chains, sheet.match, _matches(sheet))
    return {Group(): tuple(chain.from_iterable(counts))}


def _matches(sheet: Sheet) -> list[Match]:
    golds, systems = (_distinct(side, sheet.match) for side in (sheet.gold, sheet.system))
    return matches(golds, systems, sheet.match, sheet.zeros)


def _distinct(side: Side, match: str) -> dict[Hashable, Mark]:
    """Return the mentions of a side by their identity; of those that are the same the first one speaks for all."""
    found: dict[Hashable, Mark] = {}
    for mark in chain.from_iterable(side.chains):
        found.setdefault(mark.key(match), mark)
    return found


def ledger(case: Case) -> list[Entry]:
    """Return an entry for each mention, with what it is matched with, then for each chain."""
    sheet: Sheet = case.content
    gold, system = _side(sheet.gold, sheet.match), _side(sheet.system, sheet.match)
    with named(case):
        matched = _matches(sheet)
        names = translation(matched)
        table = table_of(gold.chains, system.chains, names)
    pairing = Pairing({one.gold: one.system for one in matched}, names)
    rules_by_key = {one.gold: one.rule for one in matched}

    def describe(key: Hashable, right: bool, company: str) -> tuple[str, str]:
        del right
        return rules_by_key[key], f"{REASONS[rules_by_key[key]]}; {company}"

    return Book(case.unit, (gold, system), table, pairing, rules=Rules(MEASURES), describe=describe).entries()


def _side(side: Side, match: str) -> LedgerSide:
    chains = [[mark.key(match) for mark in marks] for marks in side.chains]
    items = [
        [shown(mark.mention, side.document, name) for mark in marks]
        for name, marks in zip(side.names, side.chains, strict=True)
    ]
    return LedgerSide(chains, items, side.names)
