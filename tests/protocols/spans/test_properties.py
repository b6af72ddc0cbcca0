"""What the ledger of the entity protocols adds up to is what they count."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.books import BOOK_SUMMARIES
from tests.properties.corpora import PAIRS

import karat
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocols
from karat.formats.objects import documents_from
from karat.model import Mention
from karat.protocols.spans.books import ExactBook

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


_TAGS = st.sampled_from(["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "S-LOC", "E-PER", "X"])


@given(st.lists(st.tuples(_TAGS, _TAGS), max_size=12), st.sampled_from(["conll2003", "conlleval", "seqeval"]))
def test_what_is_counted_at_once_is_what_the_verdicts_add_up_to(pairs: list[tuple[str, str]], name: str) -> None:
    bound = protocols()[name].with_options()
    book = bound.book
    assert isinstance(book, ExactBook)
    gold, system = (documents_from([[pair[side] for pair in pairs]])[0] for side in (0, 1))
    invented = msgspec.structs.replace(system, mentions=[*system.mentions, Mention("M", (), ("PER",), text="Ada")])
    for answer in (system, invented):
        for sheet in bound.draft(gold, answer, bound.settle(Counter())):
            (page,) = sheet.content
            told = book.completed(page, book.book_page(page, book.verdicts(page)))
            assert book.tally(sheet) == told
