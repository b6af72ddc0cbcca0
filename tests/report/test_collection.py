"""The ledgers of a report are kept as bytes, unit by unit, and come back as they were."""

from __future__ import annotations

from karat.evaluation.evaluation import UnitLedger
from karat.evaluation.ledger import Entry, Item
from karat.model import Document
from karat.report.collection import LedgerCollection

BERN = Item("LOC", "Bern", (2, 3), ends=(((7, 11),),))


def ledger(unit: str, *entries: Entry, text: str = "Ada in Bern") -> UnitLedger:
    return UnitLedger(unit, (Document(unit, text), Document(unit, text)), list(entries))


def entry(unit: str, case: str, gold: Item | None, system: Item | None) -> Entry:
    outcome = "correct" if case == "exact" else "missed"
    return Entry(unit, "NE", "LOC", case, {"strict": outcome}, "a reason", gold, system)


def test_ledgers_come_back_as_they_were_in_their_order() -> None:
    collection = LedgerCollection()
    add = collection.next_system()
    ledgers = [
        ledger("d2", entry("d2", "exact", BERN, BERN), entry("d2", "missed", BERN, None)),
        ledger("d1", entry("d1", "missed", BERN, None)),
    ]
    for own in ledgers:
        add(own)
    assert list(collection.ledgers(0)) == [own.entries for own in ledgers]
    assert collection.size() == 3


def test_systems_share_the_rows_of_their_gold_items() -> None:
    collection = LedgerCollection()
    for case, system in (("exact", BERN), ("missed", None)):
        collection.next_system()(ledger("d1", entry("d1", case, BERN, system)))
    (unit,) = collection.units()
    (row,) = unit.rows
    assert (row.gold, {system: [judged.case for judged in several] for system, several in row.judged.items()}) == (
        BERN,
        {0: ["exact"], 1: ["missed"]},
    )


def test_units_of_one_name_get_numbers_and_slices_know_their_size() -> None:
    collection = LedgerCollection()
    add = collection.next_system()
    add(ledger("d", entry("d", "exact", BERN, BERN)))
    add(ledger("d"))
    units = collection.units()
    assert [summary.name for summary in units.summaries] == ["d", "d (2)"]
    assert (units.items, units[1:].items, len(units.with_items())) == (1, 0, 1)
    assert units.regimes(["lenient", "strict"]) == ["strict"]
    assert units[1].name == "d (2)"


def test_a_text_that_utf_8_does_not_have_is_kept_as_it_is() -> None:
    odd = Item("LOC", "\ud800", None)
    collection = LedgerCollection()
    collection.next_system()(ledger("d", entry("d", "missed", odd, None)))
    assert collection.units()[0].rows[0].gold == odd
