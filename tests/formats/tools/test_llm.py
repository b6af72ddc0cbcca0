"""What language models write: everything odd is reported, and the rest is read."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat import formats
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Document, Mention

TEXT = "Ada met Bob, and Ada left Bern."


def read(path: Path, content: str, **options: str) -> tuple[list[Document], list[str]]:
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, "llm", problems=problems, options=options))
    return documents, [f"{one.line}: {one.message}" for one in problems.found]


def places(document: Document) -> list[tuple[str, tuple[int, int]]]:
    return [(mention.attributes.get("given", mention.text), mention.spans[0]) for mention in document.mentions]


@pytest.mark.parametrize(
    "mentions",
    [
        ["Ada", "Bob", "Ada"],
        [{"text": "Ada"}, {"mention": "Bob"}, {"entity": "Ada"}],
        [{"text": "Ada", "start": 0, "end": 3}, {"text": "Bob", "start": 8, "end": 11}, "Ada"],
    ],
)
def test_mentions_in_many_shapes(mentions: list[object], tmp_path: Path) -> None:
    for key in ("mentions", "entities"):
        (document,), messages = read(tmp_path / "x", json.dumps({"id": "d", "text": TEXT, key: mentions}))
        assert places(document) == [("Ada", (0, 3)), ("Bob", (8, 11)), ("Ada", (17, 20))]
        assert messages == []


def test_mentions_by_label_and_links(tmp_path: Path) -> None:
    content = {
        "id": "d",
        "text": TEXT,
        "entities": {"PER": ["Bob"], "LOC": [{"text": "Bern", "type": "LOC", "qid": "Q70"}]},
    }
    (document,), _ = read(tmp_path / "x", json.dumps(content))
    assert [(mention.labels, mention.text) for mention in document.mentions] == [(("PER",), "Bob"), (("LOC",), "Bern")]
    assert document.mentions[1].links[0].target == "Q70"


def test_what_is_odd_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    content = "\n".join(
        [
            "```json",
            json.dumps({"id": "a", "text": TEXT, "mentions": ["Ada", "Eve", 7, "Bob", "Bob"], "mood": "good"}),
            '{"id": "b", "text": "cut off',
            "Here is the JSON you asked for:",
            json.dumps({"id": "a", "text": TEXT, "mentions": []}),
            json.dumps({"id": "c", "text": TEXT, "mentions": [{"text": "Ada", "start": 1, "end": 3, "sure": 1}]}),
            json.dumps({"id": "d", "text": TEXT}),
            "[1]",
            "```",
        ]
    )
    (first, second), messages = read(tmp_path / "x", content)
    assert places(first) == [("Ada", (0, 3)), ("Eve", (0, 0)), ("Bob", (8, 11)), ("Bob", (0, 0))]
    assert places(second) == [("Ada", (0, 3))]
    wanted = [
        "2: document 'a' has the unknown key 'mood'; it is ignored",
        "2: '7' is no mention",
        "2: document 'a': 'Eve' is hallucinated",
        "2: document 'a': 'Bob' is named more often than the text has it",
        "3: not JSON",
        "4: not JSON",
        "5: document 'a' is there already",
        "6: mention 'Ada' has the unknown key 'sure'",
        "6: 'Ada' does not stand at [1, 3]",
        "7: document 'd' has no mentions",
        "8: there is a list instead of a document",
    ]
    assert len(messages) == len(wanted)
    for message, beginning in zip(messages, wanted, strict=True):
        assert message.startswith(beginning), message


def test_one_array(tmp_path: Path) -> None:
    documents = [{"id": "a", "text": TEXT, "mentions": ["Ada"]}, 5, {"id": "b", "text": TEXT, "mentions": []}]
    found, messages = read(tmp_path / "x", json.dumps(documents, indent=1))
    assert [document.id for document in found] == ["a", "b"]
    assert len(messages) == 1
    (alone,), messages = read(tmp_path / "x", '["Ada", {"text": "Bob", "label": "PER"}]')
    assert (alone.id, len(alone.mentions)) == ("1", 2)
    assert any("without a text" in message for message in messages)


def test_a_broken_array_is_read_line_by_line(tmp_path: Path) -> None:
    lines = ["[", json.dumps({"id": "a", "text": TEXT, "mentions": ["Ada"]}) + ",", '{"id": "b", "te']
    (document,), messages = read(tmp_path / "x", "\n".join(lines))
    assert document.id == "a"
    assert messages[0].startswith("3: not JSON")


def test_texts_come_from_the_records(tmp_path: Path) -> None:
    (tmp_path / "records.csv").write_text(f'id,sample\na,"{TEXT}"\n', "utf-8")
    content = json.dumps({"id": "a", "mentions": ["Bern"]})
    (document,), messages = read(tmp_path / "x", content, records=str(tmp_path / "records.csv"))
    assert (places(document), messages) == ([("Bern", (26, 30))], [])


def test_relations(tmp_path: Path) -> None:
    relations = [["Ada", "met", "Bob"], {"subject": "Ada", "predicate": "left", "object": "Bern"}, ["Ada", "met"], "x"]
    (document,), messages = read(tmp_path / "x", json.dumps({"id": "a", "text": TEXT, "relations": relations}))
    assert [(one.label, one.arguments[1].target) for one in document.relations] == [("met", "m2"), ("left", "m3")]
    assert len(messages) == 2


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document that can be read"):
        read(tmp_path / "x", "I am sorry, I cannot do that.\n")


def test_it_is_scored(tmp_path: Path) -> None:
    gold = [Document("a", TEXT, [Mention("1", ((0, 3),), ("PER",)), Mention("2", ((8, 11),), ("PER",))])]
    content = json.dumps({"id": "a", "text": TEXT, "mentions": {"PER": ["Ada", "Eve"]}})
    (tmp_path / "run.jsonl").write_text(content, "utf-8")
    system = list(formats.read(tmp_path / "run.jsonl", "llm"))
    scores = karat.score("omin-head-ner", gold, system, types="all")
    assert scores.value("precision", regime="strict") == 0.5
    assert scores.value("recall", regime="strict") == 0.5


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "text", "mentions", "entities", "label", "relations", "start", "x"]), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(values, max_size=4))
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, found: list[object]) -> None:
    path = tmp_path_factory.mktemp("llm") / "x"
    for content in (json.dumps(found), "\n".join(map(json.dumps, found))):
        with suppress(InputError):
            documents, _ = read(path, content)
            assert formats.render(documents, "jsonl")[""]
