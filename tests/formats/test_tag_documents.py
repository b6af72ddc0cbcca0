"""Documents of many lists of tags: the same as one by one, also as bytes."""

from __future__ import annotations

from enum import StrEnum
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.formats import tag_documents
from karat.formats.objects import documents_from
from karat.formats.tag_documents import TagDocuments, many_tags
from karat.signature import bytes_of

TAGS = st.one_of(st.sampled_from(["O", "B-PER", "I-PER", "S-LOC", "B", "", "%d-b", '"\\-é']), st.text(max_size=4))


@pytest.fixture(autouse=True)
def any_number() -> Any:
    with patch.object(tag_documents, "_MANY", 0):
        yield


@given(st.lists(st.lists(TAGS.filter(str.isprintable), max_size=12), max_size=6))
def test_documents_are_the_same(lists: list[list[str]]) -> None:
    one_by_one = documents_from(lists)
    many = many_tags(lists)
    assert many is not None
    assert many == one_by_one
    assert list(many.encoded(bytes_of)) == list(map(bytes_of, one_by_one))


class Text(str):
    """A text of a type of its own."""

    __slots__ = ()


class Tag(StrEnum):
    OUTSIDE = "O"
    PERSON = "B-PER"


@pytest.mark.parametrize(
    "lists",
    [
        [["O", Text("B-PER")], ["B-PER", "O"]],
        [["B-PER"], [Text("B-PER")]],
        [["O", Tag.OUTSIDE, Tag.PERSON]],
        [["O", 1]],
        [["O", ["B-PER"]]],
        [["O", None]],
        [["O", "\ud800"]],
        [np.array(["O", "B-PER"])],
        [["O"], {"text": "a", "entities": []}],
        [[f"B-{number}" for number in range(256)]],
    ],
)
def test_what_is_out_of_the_usual_is_read_one_by_one(lists: list[Any]) -> None:
    assert many_tags(lists) is None


def test_as_many_tags_as_a_byte_has_values() -> None:
    lists = [[f"B-{number}" for number in range(255)]]
    assert many_tags(lists) == documents_from(lists)


def test_a_list_that_holds_itself_is_no_list_of_tags() -> None:
    tags: list[Any] = ["O"]
    tags.append(tags)
    assert many_tags([tags]) is None


def test_lists_that_change_later_change_nothing() -> None:
    lists = [["O", "B-PER"]]
    many = many_tags(lists)
    lists[0][1] = "O"
    assert many is not None
    assert many[0].mentions[0].labels == ("PER",)


def test_few_lists_are_documents_at_once() -> None:
    with patch.object(tag_documents, "_MANY", 3):
        assert many_tags([["O"], ["O"]]) is None
        assert many_tags([["O"], ["O", "O"]]) is not None


def test_lists_stand_on_a_gold_with_as_many_tags() -> None:
    gold = documents_from([["O", "O"], []], at_once=True)
    assert isinstance(gold, TagDocuments)
    for lists, is_alike in (([["O", "O"], []], True), ([["O", "O"]], True), ([["O", "O"], ["O"]], False)):
        read = documents_from(lists, side="system", ground=lambda: gold, at_once=True)
        assert isinstance(read, TagDocuments) is is_alike
