"""What the ledger of the entity protocols adds up to is what they count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.books import BOOK_SUMMARIES
from tests.properties.corpora import PAIRS

import karat
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocols

NAMES = ("conll2003", "semeval2013", "overlap")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_the_ledger_adds_up_to_the_tallies(name: str, data: st.DataObject) -> None:
    gold, system = data.draw(PAIRS["entities"])
    entries: dict[str, list[Entry]] = {}
    for entry in karat.explain(name, gold, system):
        entries.setdefault(entry.unit, []).append(entry)
    tallies = karat.score(name, gold, system).tallies
    counts = protocols()[name].with_options().counts
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        booked = BOOK_SUMMARIES[name](entries.get(unit, []), counts)
        assert {group: numbers for group, numbers in tally.items() if any(numbers)} == booked
