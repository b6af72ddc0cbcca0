"""Plain JSON, in files and from Python: a text with its entities, or tokens with their tags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import karat
from karat import formats
from karat.errors import InputError
from karat.formats import format_named, recognition
from karat.formats.objects import documents_from
from karat.formats.plain import PlainOptions
from karat.testing import check_format

TEXT = "Ada left Bern"
TOKENS = TEXT.split()
SHAPES: list[dict[str, Any]] = [
    {"text": TEXT, "entities": [[0, 3, "PER"], [9, 13, "LOC"]]},
    {
        "id": 7,
        "text": TEXT,
        "entities": [{"start": 0, "end": 3, "label": "PER"}, {"start": 9, "end": 13, "type": "LOC"}],
    },
    {
        "text": TEXT,
        "entities": [
            {"entity_group": "PER", "score": 0.5, "word": "ada", "start": 0, "end": 3},
            {"entity_group": "LOC", "score": 0.25, "word": "bern", "start": 9, "end": 13, "text": "Bern"},
        ],
    },
    {"tokens": TOKENS, "ner_tags": ["B-PER", "O", "B-LOC"]},
    {"words": TOKENS, "labels": ["S-PER", "O", "S-LOC"], "metadata": {"source": "wiki"}},
    {"tokenized_text": TOKENS, "ner": [[0, 0, "PER"], [2, 2, "LOC"]]},
]
EXPECTED = [(((0, 3),), ("PER",), "Ada"), (((9, 13),), ("LOC",), "Bern")]


def places(document: karat.Document) -> list[tuple[Any, ...]]:
    return [(mention.spans, mention.labels, mention.text) for mention in document.mentions]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_recognised_and_read_from_files_and_from_python(tmp_path: Path, shape: dict[str, Any]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(shape))
    assert recognition.sniff(path).name == "plain"
    (document,) = formats.read(path)
    (held,) = documents_from([shape])
    assert places(document) == places(held) == EXPECTED
    assert document.id == held.id == str(shape.get("id", 1))
    assert document.metadata == held.metadata == shape.get("metadata", {})


def test_the_promises_of_a_format_hold() -> None:
    check_format(format_named("plain"), [json.dumps([shape]).encode() for shape in SHAPES])


def test_scores_stay_with_their_entities_and_tags_with_their_tokens() -> None:
    (document,) = documents_from([SHAPES[2]])
    assert [mention.attributes for mention in document.mentions] == [{"score": "0.5"}, {"score": "0.25"}]
    tags = karat.score("seqeval", [SHAPES[3]], [{"tokens": TOKENS, "ner_tags": ["B-PER", "O", "O"]}])
    assert (tags.value("recall"), tags.value("accuracy")) == (0.5, pytest.approx(2 / 3))


def test_numbers_have_names(tmp_path: Path) -> None:
    shape = {"tokens": TOKENS, "ner_tags": [1, 0, 2]}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(shape))
    classes = "O,B-PER,B-LOC"
    (document,) = formats.read(path, options={"classes": classes})
    (held,) = documents_from([shape], options=PlainOptions(classes=classes))
    assert places(document) == places(held) == EXPECTED


@pytest.mark.parametrize(
    ("shape", "options", "expected"),
    [
        (
            {"tokens": TOKENS, "ner_tags": ["B-PER", "I-LOC", "B-LOC"]},
            {"scheme": "IOB2", "repair": "discard"},
            EXPECTED,
        ),
        ({"text": TEXT, "entities": [[0, 2, "PER"], [9, 12, "LOC"]]}, {"end": "inclusive"}, EXPECTED),
    ],
)
def test_options_hold_for_files_and_for_python(
    tmp_path: Path, shape: dict[str, Any], options: dict[str, Any], expected: list[tuple[Any, ...]]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(shape))
    (document,), (held,) = formats.read(path, options=options), documents_from([shape], options=PlainOptions(**options))
    assert places(document) == places(held) == expected


def test_a_tag_that_breaks_its_scheme_is_refused_if_that_is_asked_for(tmp_path: Path) -> None:
    shape = {"tokens": TOKENS, "ner_tags": ["B-PER", "I-LOC", "O"]}
    with pytest.raises(InputError, match="document 1: token 2: 'I-LOC' stands where IOB2 has"):
        documents_from([shape], options=PlainOptions(scheme="IOB2", repair="strict"))


def test_a_text_in_which_nothing_was_found_may_stand_anywhere(tmp_path: Path) -> None:
    """The first document of a system is often one without a finding; from Python all of them may be."""
    nothing, found = {"text": TEXT, "entities": []}, {"text": TEXT, "entities": [[0, 3, "PER"], [9, 13, "LOC"]]}
    path = tmp_path / "system.jsonl"
    path.write_text(f"{json.dumps(nothing)}\n{json.dumps(found)}\n", encoding="utf-8")
    held = documents_from([nothing, found]), documents_from([(TEXT, {"entities": []}), found]), formats.read(path)
    for documents in held:
        assert [len(document.mentions) for document in documents] == [0, 2]
    assert documents_from([nothing])[0].mentions == []


def test_pairs_of_a_text_and_its_entities(tmp_path: Path) -> None:
    pair = (TEXT, {"entities": [(0, 3, "PER"), (9, 13, "LOC")]})
    assert places(documents_from([pair])[0]) == EXPECTED
    path = tmp_path / "a.json"
    path.write_text(json.dumps([pair]))
    assert places(next(iter(formats.read(path, "spacyjson")))) == EXPECTED


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ({"tokens": TOKENS, "ner_tags": [1, 0, 2]}, "the tags are numbers; name their classes in order"),
        ({"tokens": TOKENS, "ner_tags": ["O"]}, "there are 3 tokens, but 1 tags"),
        ({"tokens": TOKENS, "ner_tags": ["O"] * 3, "tags": ["O"] * 3}, "'tokens' stand with 'ner_tags', 'tags'"),
        ({"tokenized_text": TOKENS, "ner": [[2, 3, "LOC"]]}, r"the tokens \[2, 3\] are empty, reversed, or outside"),
        ({"text": TEXT, "entities": [[9, 14, "LOC"]]}, "9, 14"),
        ({"text": TEXT, "entities": [[0, 3, "PER"], [9]]}, "expected"),
        ({"text": TEXT, "entities": [{"start": 0, "end": 3, "entity": "B-PER"}]}, "entity 1 is the tag of one token"),
        ({"text": TEXT, "entities": [{"start": 0, "end": 3, "label": "PER", "text": "Bo"}]}, "the text has 'Ada' at"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, shape: dict[str, Any], sentence: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(shape))
    with pytest.raises(InputError, match=f"^{path}:1: .*{sentence}"):
        list(formats.read(path, "plain"))
    with pytest.raises(InputError, match=f"^document 1: .*{sentence}"):
        documents_from([shape])


def test_an_unknown_key_is_no_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**SHAPES[0], "relatons": []}))
    with pytest.raises(InputError, match="the format is not recognised"):
        list(formats.read(path))
    with pytest.raises(InputError, match="unknown key 'relatons'"):
        list(formats.read(path, "plain"))
