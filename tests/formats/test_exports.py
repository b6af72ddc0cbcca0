"""What annotation tools and corpora export: promises of every such format, hostile input, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from karat import formats
from karat.errors import InputError, KaratError
from karat.formats.base import Problems
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation
from karat.testing import check_format

TACRED = {"id": "n1", "token": ["Ada", "left", "Bern"], "subj_start": 0, "subj_end": 0, "obj_start": 2, "obj_end": 2}
TACRED |= {"subj_type": "PER", "obj_type": "LOC", "relation": "left", "docid": "d"}
SPERT = {
    "tokens": ["Ada", "left", "Bern"],
    "entities": [{"type": "PER", "start": 0, "end": 1}, {"type": "LOC", "start": 2, "end": 3, "sure": True}],
    "relations": [{"type": "left", "head": 0, "tail": 1}],
    "orig_id": 7,
}
DOCRED = {
    "title": "A",
    "sents": [["Ada", "left", "Bern"], ["She", "ran"]],
    "vertexSet": [
        [
            {"name": "Ada", "sent_id": 0, "pos": [0, 1], "type": "PER"},
            {"name": "She", "sent_id": 1, "pos": [0, 1], "type": "PER"},
        ],
        [{"name": "Bern", "sent_id": 0, "pos": [2, 3], "type": "LOC"}],
    ],
    "labels": [{"r": "left", "h": 0, "t": 1, "evidence": [0, 1]}],
}
SCIERC = {
    "doc_key": "s",
    "sentences": [["Ada", "was", "elected", "in", "Bern"], ["She", "ran"]],
    "ner": [[[0, 0, "PER"], [4, 4, "LOC"]], []],
    "relations": [[[0, 0, 4, 4, "in"], [0, 0, 3, 4, "near"]], []],
    "events": [[[[2, "Elect"], [0, 0, "Person"]]], [[[5, 6, "Run"], [5, 5, "Runner"]]]],
    "clusters": [[[0, 0], [5, 5]]],
    "event_clusters": [[[2, 2], [5, 6]]],
    "dataset": "made",
}
SAMPLES: dict[str, list[Any]] = {"tacred": [TACRED], "spert": [SPERT], "docred": [DOCRED], "scierc": [SCIERC]}
"""Items that a format can hold and, if it can be written, write again."""

every_format = pytest.mark.parametrize("name", SAMPLES)


def write(tmp_path: Path, items: Any, *, lines: bool = False) -> Path:
    path = tmp_path / "a"
    path.write_text("\n".join(map(json.dumps, items)) if lines else json.dumps(items))
    return path


def read(tmp_path: Path, name: str, *items: Any, **options: str) -> list[Document]:
    return list(formats.read(write(tmp_path, items), name, options=options))


@every_format
def test_a_format_keeps_its_promises(name: str) -> None:
    samples = [json.dumps(SAMPLES[name]).encode(), "\n".join(map(json.dumps, SAMPLES[name])).encode()]
    check_format(formats.format_named(name), samples)


@every_format
def test_a_sample_is_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    documents = read(tmp_path, name, *SAMPLES[name])
    assert all(document.mentions for document in documents)
    if formats.format_named(name).write is not None:
        formats.write(documents, tmp_path / "back", name)
        back = formats.read(tmp_path / "back", name)
        assert [msgspec.structs.replace(document, source="") for document in back] == [
            msgspec.structs.replace(document, source="") for document in documents
        ]


def changed(value: Any) -> list[Any]:
    """Return the value with each of its parts exchanged for something else, one at a time."""
    odd: list[Any] = [None, -1, 10**30, 0.5, True, "", "x", [], [[]], {}, {"": None}]
    found = list(odd)
    if isinstance(value, dict):
        for key, part in value.items():
            found.append({other: kept for other, kept in value.items() if other != key})
            found += [{**value, key: other} for other in changed(part)]
    if isinstance(value, list):
        for place, part in enumerate(value[:2]):
            found.append(value[:place] + value[place + 1 :])
            found += [[*value[:place], other, *value[place + 1 :]] for other in changed(part)]
    return found


@every_format
def test_items_of_any_other_shape_are_read_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    sentences = []
    for items in changed(SAMPLES[name]):
        path.write_text(json.dumps(items))
        for collect in (False, True):
            try:
                documents = list(formats.read(path, name, problems=Problems(collect=collect)))
            except KaratError as error:
                sentences.append(str(error))
            else:
                formats.render(documents, "jsonl")
    assert sentences
    assert [sentence for sentence in sentences if "\n" in sentence] == []


@every_format
def test_a_misspelt_list_is_told(name: str, tmp_path: Path) -> None:
    first, *others = SAMPLES[name]
    for key in ("relatons", "my notes"):
        problems = Problems()
        path = write(tmp_path, [{**first, key: [{"a": 1}]}, *others])
        (document, *_) = formats.read(path, name, problems=problems)
        assert [problem.message for problem in problems.found if repr(key) in problem.message]
        assert document.metadata[key] == '[{"a": 1}]'


PLAIN = Document("7", "Ada left Bern", [Mention("1", ((0, 3),), ("PER",)), Mention("2", ((9, 13),), ("LOC",))])
SURPLUS = {
    "notes": {"notes": [Note("n", "1", "?")]},
    "no id": {"id": ""},
    "a layer": {"mentions": [msgspec.structs.replace(PLAIN.mentions[0], layer="x"), PLAIN.mentions[1]]},
    "three ends": {"relations": [Relation("r", "x", tuple(Argument("head", "1") for _ in range(3)))]},
    "a trigger": {"relations": [Relation("r", "x", (Argument("head", "1"), Argument("tail", "2")), "2")]},
    "a labelled chain": {"chains": [Chain("c", ("1", "2"), "x")]},
    "a scored link": {
        "mentions": [msgspec.structs.replace(PLAIN.mentions[0], links=(Link("Q1", 0.5),)), PLAIN.mentions[1]]
    },
}
CHAINED = msgspec.structs.replace(PLAIN, chains=[Chain("c1", ("1",)), Chain("c2", ("2",))])
FITTING = {"docred": CHAINED}
"""Documents for formats that cannot hold the plain one."""
HELD: dict[str, set[str]] = {"scierc": {"a trigger"}}
"""What of the above a format can hold."""


@every_format
@pytest.mark.parametrize("what", SURPLUS)
def test_what_a_format_cannot_hold_is_refused(name: str, what: str, tmp_path: Path) -> None:
    if formats.format_named(name).write is None or what in HELD.get(name, ()):
        return
    with pytest.raises(InputError, match=f"cannot be written as {name}: .*; the format jsonl holds everything"):
        formats.render([msgspec.structs.replace(FITTING.get(name, PLAIN), **SURPLUS[what])], name)


@every_format
def test_two_documents_of_one_id_are_not_written(name: str) -> None:
    if formats.format_named(name).write is not None:
        documents = [msgspec.structs.replace(FITTING.get(name, PLAIN)) for _ in range(2)]
        with pytest.raises(InputError, match="that of another document"):
            formats.render(documents, name)
