"""Readers of entity recognisers: spaCy, flair, stanza, nltk and PL-Marker, native files and recorded ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat import formats
from karat.annotations.faults import faults
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.entities import parse_tree
from karat.model import Document

TEXT = "MR. LEE LEFT ELM CITY"
CSV = f"c5_id,c119_input,entities,labels\nA1,{TEXT}   ,LEE,PER\nA1,{TEXT}   ,ELM CITY,LOC\n"


def read(folder: Path, tool: str, content: str, **options: str) -> tuple[list[Document], list[str]]:
    path = folder / "native"
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, tool, problems=problems, options=options))
    return documents, [one.message for one in problems.found]


def line(**record: Any) -> str:
    return json.dumps(record) + "\n"


NATIVE = {
    "spacy_entityrecognizer": {
        "ents": [{"start": 4, "end": 7, "label": "PER"}, {"start": 13, "end": 21, "label": "LOC"}],
        "tokens": [],
    },
    "flair": {
        "entities": [
            {"text": "LEE", "start_pos": 4, "end_pos": 7, "labels": [{"value": "PER", "confidence": 0.5}]},
            {"text": "ELM CITY", "start_pos": 13, "end_pos": 21, "labels": [{"value": "LOC", "confidence": 1.0}]},
        ]
    },
    "stanza": {
        "entities": [
            {"text": "LEE", "type": "PER", "start_char": 4, "end_char": 7},
            {"text": "ELM CITY", "type": "LOC", "start_char": 13, "end_char": 21},
        ]
    },
    "nltk_ne_chunk": {"tree": "(S MR./NNP (PER LEE/NNP) LEFT/VBD\n  (LOC ELM/NNP CITY/NNP))"},
}
PLMARKER = {
    "sentences": [["mr.", "lee"], ["left", "elm", "city"]],
    "predicted_ner": [[[1, 1, "PER"]], [[3, 4, "LOC"]]],
    "doc_key": "faa/3_A1",
}
both = pytest.mark.parametrize("tool", [*NATIVE, "plmarker_scierc_ner"])


def summary(document: Document) -> list[tuple[Any, ...]]:
    return [(mention.spans, mention.labels, mention.text) for mention in document.mentions]


@pytest.mark.parametrize("tool", NATIVE)
def test_native_keeps_offsets(tool: str, tmp_path: Path) -> None:
    (document,), messages = read(tmp_path, tool, line(id="A1", text=TEXT, **NATIVE[tool]))
    assert (document.id, document.text, messages) == ("A1", TEXT, [])
    assert summary(document) == [(((4, 7),), ("PER",), "LEE"), (((13, 21),), ("LOC",), "ELM CITY")]


@both
def test_recorded_rows_are_located(tool: str, tmp_path: Path) -> None:
    (document,), _ = read(tmp_path, tool, CSV)
    assert summary(document) == [(((4, 7),), ("PER",), "LEE"), (((13, 21),), ("LOC",), "ELM CITY")]


@pytest.mark.parametrize("tool", NATIVE)
def test_native_files_are_recognised(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "native"
    path.write_text(line(id="A1", text=TEXT, **NATIVE[tool]), "utf-8")
    assert formats.sniff(path).name == {"spacy_entityrecognizer": "spacyjson"}.get(tool, tool)


@pytest.mark.parametrize("tool", NATIVE)
def test_documents_without_ids_are_numbered_and_that_is_said(tool: str, tmp_path: Path) -> None:
    documents, messages = read(tmp_path, tool, line(text=TEXT, **NATIVE[tool]) * 2)
    assert [document.id for document in documents] == ["1", "2"]
    assert messages == ["documents without an id are named by their number: 1, 2, …"]


@pytest.mark.parametrize("tool", NATIVE)
def test_a_document_that_is_there_twice_is_refused(tool: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'A1' is there twice"):
        read(tmp_path, tool, line(id="A1", text=TEXT, **NATIVE[tool]) * 2)


@pytest.mark.parametrize("span", [(0, 99), (-1, 3), (3, 3), (5, 2)])
def test_offsets_outside_of_the_text_are_refused(span: tuple[int, int], tmp_path: Path) -> None:
    record = line(id="A1", text=TEXT, ents=[{"start": span[0], "end": span[1], "label": "X"}])
    with pytest.raises(InputError, match=r"native:1: document 'A1': the span .* is outside of the text or empty"):
        read(tmp_path, "spacy_entityrecognizer", record)


def test_offsets_that_count_something_else_are_refused(tmp_path: Path) -> None:
    record = line(id="A1", text=TEXT, entities=[{"text": "LEE", "type": "X", "start_char": 5, "end_char": 8}])
    with pytest.raises(InputError, match="stands 'EE ', not 'LEE'"):
        read(tmp_path, "stanza", record)


def test_flair_keeps_how_sure_it_is(tmp_path: Path) -> None:
    (document,), _ = read(tmp_path, "flair", line(id="A1", text=TEXT, **NATIVE["flair"]))
    assert [mention.attributes for mention in document.mentions] == [{"confidence": "0.5"}, {"confidence": "1.0"}]


def test_spacy_links_are_kept(tmp_path: Path) -> None:
    ents = [{"start": 4, "end": 7, "label": "PER", "kb_id": "Q5"}]
    (document,), _ = read(tmp_path, "spacy_entityrecognizer", line(id="A1", text=TEXT, ents=ents))
    assert [link.target for link in document.mentions[0].links] == ["Q5"]


def test_a_text_in_small_letters_takes_that_of_the_records(tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text(f"id,sample\nA1,{TEXT}   \n", "utf-8")
    record = line(id="A1", text=TEXT.lower(), ents=[{"start": 4, "end": 7, "label": "PER"}])
    (document,), _ = read(tmp_path, "spacy_entityrecognizer", record, records=str(records))
    assert (document.text, document.mentions[0].text) == (TEXT, "LEE")


def test_another_text_than_that_of_the_records_is_refused(tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text("id,sample\nA1,SOMETHING ELSE\n", "utf-8")
    with pytest.raises(InputError, match="has another text than in"):
        read(tmp_path, "stanza", line(id="A1", text=TEXT, entities=[]), records=str(records))


def test_plmarker_joins_words_or_finds_them_in_the_record(tmp_path: Path) -> None:
    (joined,), _ = read(tmp_path, "plmarker_ace05_bert_ner", line(**PLMARKER))
    assert (joined.id, joined.text) == ("A1", "mr. lee left elm city")
    assert joined.table is not None
    assert joined.table.segments == [0, 2]
    assert [mention.attributes for mention in joined.mentions] == [
        {"first": "1", "last": "1"},
        {"first": "3", "last": "4"},
    ]
    records = tmp_path / "records.csv"
    records.write_text(f"c5,c119\nA1,{TEXT}\n", "utf-8")
    (found,), _ = read(tmp_path, "plmarker_ace05_bert_ner", line(**PLMARKER), records=str(records))
    assert summary(found) == [(((4, 7),), ("PER",), "LEE"), (((13, 21),), ("LOC",), "ELM CITY")]


def test_plmarker_words_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no words 4 to 9; it has 5 words"):
        read(tmp_path, "plmarker_scierc_ner", line(**{**PLMARKER, "predicted_ner": [[[4, 9, "X"]]]}))


def test_brackets_as_words_of_a_tree() -> None:
    words, chunks = parse_tree("(S (/( (ORG BVO/NNP) )/) 1/2/CD)")
    assert (words, chunks) == (["(", "BVO", ")", "1/2"], [(1, 2, "ORG")])


@pytest.mark.parametrize("tree", ["(S (ORG BVO/NNP)", "(S BVO/NNP))", "BVO/NNP)"])
def test_unbalanced_trees_are_refused(tree: str) -> None:
    with pytest.raises(InputError, match="tree"):
        parse_tree(tree)


def test_a_tree_without_text_is_its_words(tmp_path: Path) -> None:
    (document,), _ = read(tmp_path, "nltk_ne_chunk", line(id="A1", tree="(S (PER LEE/NNP) LEFT/VBD)"))
    assert (document.text, document.mentions[0].spans) == ("LEE LEFT", ((0, 3),))


def test_words_that_are_blank_stay_in_the_text(tmp_path: Path) -> None:
    content = line(sentences=[["", "wing"], ["it\n"], [""]], predicted_ner=[[[1, 1, "X"]], [], []], doc_key="A1")
    (document,), _ = read(tmp_path, "plmarker_scierc_ner", content)
    assert [mention.text for mention in document.mentions] == ["wing"]
    assert list(faults(document)) == []
