from __future__ import annotations

from typing import Any

import pytest

from karat.errors import InputError
from karat.formats.objects import documents_from
from karat.model import Document


def test_the_three_shapes_of_a_document() -> None:
    given = [
        Document("x", "Bern"),
        {"text": "Bern", "mentions": [{"id": "T1", "spans": [[0, 4]], "labels": ["LOC"]}]},
        ["B-LOC", "I-LOC", "O", "I-PER"],
        (),
    ]
    first, second, third, fourth = documents_from(given)
    assert first is given[0]
    assert (second.id, second.mentions[0].spans) == ("2", ((0, 4),))
    assert [(one.labels, one.spans) for one in third.mentions] == [(("LOC",), ((0, 3),)), (("PER",), ((6, 7),))]
    assert (fourth.id, fourth.text, fourth.mentions) == ("4", "", [])
    assert documents_from(first) == [first]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ("B-LOC", "a list of texts is not a list of documents"),
        (["B-LOC", 1], "document 1 is a list; expected"),
        (None, "document 1 is a NoneType; expected"),
        ({"text": 1}, r"document 1: Expected `str`, got `int` - at `\$\.text`; see the schema"),
        (
            {"text": "Ulm", "mentions": [{"id": "T1", "spans": [[0, 4]]}]},
            r"document '1': mention 'T1': span \[0, 4\] ends outside",
        ),
    ],
)
def test_what_is_no_document(one: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        documents_from([one])


def test_one_dictionary_is_one_document() -> None:
    assert [document.id for document in documents_from({"id": "a"})] == ["a"]


@pytest.mark.parametrize("nothing", [None, 3, "gold.tsv"])
def test_what_is_no_list_of_documents(nothing: Any) -> None:
    with pytest.raises(InputError, match="expected a path, a Document, or a list of documents"):
        documents_from(nothing)
