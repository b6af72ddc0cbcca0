from __future__ import annotations

import pytest

from karat.errors import InputError
from karat.model import Document
from karat.pairing import check_texts, pair

A, B, C = (Document(name, text=name) for name in "abc")


def ids(pairs: list[tuple[Document, Document]]) -> list[tuple[str, str]]:
    return [(gold.id, system.id) for gold, system in pairs]


def test_documents_meet_by_their_ids_in_gold_order() -> None:
    paired = pair([A, B, C], [C, A, B])
    assert ids(paired.pairs) == [("a", "a"), ("b", "b"), ("c", "c")]
    assert paired.notes == []


def test_what_one_side_lacks() -> None:
    for gold, system, side in (([A, B], [A], "system"), ([A], [A, B], "gold")):
        with pytest.raises(InputError, match=f"the {side} lacks 1 document.*: b; name them alike"):
            pair(gold, system)
    empty = pair([A, B], [B, C], missing="empty")
    assert ids(empty.pairs) == [("a", "a"), ("b", "b")]
    assert empty.pairs[0][1] == Document("a", text="a")
    assert [note.split()[0] for note in empty.notes] == ["counted", "left"]
    assert ids(pair([A, B], [B, C], missing="skip").pairs) == [("b", "b")]


def test_a_comparison_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"no gold document has a system document.* a, b in the gold and c in the sys"):
        pair([A, B], [C], missing="skip")
    with pytest.raises(InputError, match="a in the gold and none in the system; name them alike"):
        pair([A], [], missing="skip")
    assert pair([], [C], missing="skip").pairs == []
    assert ids(pair([A], [C], missing="empty").pairs) == [("a", "a")]


def test_many_missing_documents_are_not_all_listed() -> None:
    many = [Document(str(number)) for number in range(9)]
    with pytest.raises(InputError, match="lacks 9 documents: 0, 1, 2, 3, 4, …"):
        pair(many, [])


def test_an_id_names_one_document() -> None:
    twice = Document("a", source="run.jsonl")
    with pytest.raises(InputError, match=r"run\.jsonl: the system has several documents with the id 'a'"):
        pair([A], [twice, twice])


def test_texts_that_differ_cannot_be_compared() -> None:
    check_texts(Document("d", "Bern liegt"), Document("d", "Bern liegt"))
    with pytest.raises(InputError, match=r"'d': the texts differ from character 4 on: ', so' instead of ' liegt'"):
        check_texts(Document("d", "Bern liegt"), Document("d", "Bern, so"))


def test_surplus_may_be_left_out_where_missing_is_an_error() -> None:
    gold, system = [Document("a")], [Document("a"), Document("b")]
    assert pair(gold, system, surplus="leave").notes == ["left out 1 system document that the gold lacks: b"]
    with pytest.raises(InputError, match=r"the gold lacks 1 document: b; name them alike$"):
        pair(gold, system, "skip", surplus="error")
