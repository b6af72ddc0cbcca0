from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from karat.errors import InputError
from karat.evaluation.pairing import Missing, check_texts, pair
from karat.model import Document

A, B, C = (Document(name, text=name) for name in "abc")
Pairs = list[tuple[Document, Document]]


def paired(gold: list[Document], system: list[Document], missing: Missing = "error", **rules: Any) -> Pairs:
    return list(pair(gold, system, missing, note=lambda note: None, **rules))


def notes(gold: list[Document], system: list[Document], missing: Missing = "error", **rules: Any) -> list[str]:
    said: list[Any] = []
    list(pair(gold, system, missing, note=said.append, **rules))
    return list(map(str, said))


def ids(pairs: Pairs) -> list[tuple[str, str]]:
    return [(gold.id, system.id) for gold, system in pairs]


def test_documents_meet_by_their_ids_in_gold_order() -> None:
    assert ids(paired([A, B, C], [C, A, B])) == [("a", "a"), ("b", "b"), ("c", "c")]
    assert notes([A, B, C], [C, A, B]) == []


def test_documents_in_the_same_order_are_read_pair_by_pair() -> None:
    read: list[str] = []

    def side(name: str) -> Iterator[Document]:
        for document in (A, B, C):
            read.append(f"{name} {document.id}")
            yield document

    for gold, _ in pair(side("gold"), side("system"), note=read.append):
        assert read[-2:] == [f"gold {gold.id}", f"system {gold.id}"]
    assert len(read) == 6


def test_what_one_side_lacks() -> None:
    for gold, system, side in (([A, B], [A], "system"), ([A], [A, B], "gold")):
        with pytest.raises(InputError, match=f"the {side} lacks 1 document.*: b; name them alike"):
            paired(gold, system)
    empty = paired([A, B], [B, C], "empty")
    assert ids(empty) == [("a", "a"), ("b", "b")]
    assert empty[0][1] == Document("a", text="a")
    assert [note.split()[0] for note in notes([A, B], [B, C], "empty")] == ["counted", "left"]
    assert ids(paired([A, B], [B, C], "skip")) == [("b", "b")]


def test_a_comparison_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"no gold document has a system document.* a, b in the gold and c in the sys"):
        paired([A, B], [C], "skip")
    with pytest.raises(InputError, match="a in the gold and none in the system; name them alike"):
        paired([A], [], "skip")
    assert paired([], [C], "skip") == []
    assert ids(paired([A], [C], "empty")) == [("a", "a")]


def test_many_missing_documents_are_not_all_listed() -> None:
    many = [Document(str(number)) for number in range(9)]
    with pytest.raises(InputError, match="lacks 9 documents: 0, 1, 2, 3, 4, …"):
        paired(many, [])


def test_an_id_names_one_document() -> None:
    twice = Document("a", source="run.jsonl")
    with pytest.raises(InputError, match=r"run\.jsonl: the system has several documents with the id 'a'"):
        paired([A], [twice, twice])


def test_texts_that_differ_cannot_be_compared() -> None:
    check_texts(Document("d", "Bern liegt"), Document("d", "Bern liegt"))
    with pytest.raises(InputError, match=r"'d': the texts differ from character 4 on: ', so' instead of ' liegt'"):
        check_texts(Document("d", "Bern liegt"), Document("d", "Bern, so"))


def test_surplus_may_be_left_out_where_missing_is_an_error() -> None:
    gold, system = [Document("a")], [Document("a"), Document("b")]
    assert notes(gold, system, surplus="leave") == ["left out 1 system document that the gold lacks: b"]
    with pytest.raises(InputError, match=r"the gold lacks 1 document: b; name them alike$"):
        paired(gold, system, "skip", surplus="error")


def test_surplus_may_count_against_an_empty_gold_document() -> None:
    assert paired([A], [A, B], surplus="empty")[1] == (Document("b", text="b"), B)
    assert notes([A], [A, B], surplus="empty") == ["counted as wrong 1 system document that the gold lacks: b"]
