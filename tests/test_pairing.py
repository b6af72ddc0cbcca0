from __future__ import annotations

import pytest

from karat.errors import InputError
from karat.model import Document
from karat.pairing import pair

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


def test_many_missing_documents_are_not_all_listed() -> None:
    many = [Document(str(number)) for number in range(9)]
    with pytest.raises(InputError, match="lacks 9 documents: 0, 1, 2, 3, 4, …"):
        pair(many, [])


def test_an_id_names_one_document() -> None:
    twice = Document("a", source="run.jsonl")
    with pytest.raises(InputError, match=r"run\.jsonl: the system has several documents with the id 'a'"):
        pair([A], [twice, twice])
