"""Readers of relation tools: REBEL, UniRel, DeepStruct and PL-Marker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat import formats
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.relations import deepstruct_triples as deepstruct
from karat.formats.tools.relations import rebel_triples as rebel
from karat.model import Document

CSV = """c5_id,c119_input,head,relation,tail
A1,THE WING FELL,wing,did,FELL
A1,THE WING FELL,wing,was,tank
A2,NONE,,,
"""
Read = tuple[list[Document], list[str]]


def read(folder: Path, tool: str, content: str, name: str = "native", **options: str) -> Read:
    path = folder / name
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, tool, problems=problems, options=options))
    return documents, [one.message for one in problems.found]


def line(**record: Any) -> str:
    return json.dumps(record) + "\n"


def triples(document: Document) -> list[tuple[str, str, str]]:
    given = {mention.id: mention.attributes.get("given", mention.text) for mention in document.mentions}
    return [
        (given[relation.arguments[0].target], relation.label, given[relation.arguments[1].target])
        for relation in document.relations
    ]


@pytest.fixture
def records(tmp_path: Path) -> str:
    (tmp_path / "records.csv").write_text("c5,c119\nA0,A TANK\nA1,THE WING FELL\n", "utf-8")
    return str(tmp_path / "records.csv")


@pytest.mark.parametrize("tool", ["unirel", "deepstruct", "plmarker_scierc_re"])
def test_recorded_triples(tool: str, tmp_path: Path) -> None:
    (first, second), messages = read(tmp_path, tool, CSV)
    assert triples(first) == [("wing", "did", "FELL"), ("wing", "was", "tank")]
    assert [mention.spans for mention in first.mentions] == [((4, 8),), ((9, 13),), ()]
    assert (second.id, second.relations) == ("A2", [])
    assert messages == ["document 'A1': 'tank' is hallucinated: the text does not have it; it is kept without a place"]


def test_rebel_uses_heads_again_and_reports_what_is_missing(tmp_path: Path) -> None:
    generated = "<s><triplet> WING <subj> FELL <obj> did it <subj> THE <obj> has<triplet> WING <subj> X</s>"
    assert rebel(generated) == [("WING", "did it", "FELL"), ("WING", "has", "THE"), ("WING", "", "X")]
    (document,), messages = read(tmp_path, "rebel", line(index="1", input="THE WING FELL", generated=generated))
    assert document.id == "1"
    assert triples(document) == [("WING", "did it", "FELL"), ("WING", "has", "THE")]
    assert messages == ["the triple ('WING', '', 'X') has an empty part; it is left out"]


def test_rebel_rows_get_the_ids_of_the_records(records: str, tmp_path: Path) -> None:
    content = line(index=1, input="THE WING FELL  ", generated="<triplet> WING <subj> FELL <obj> did")
    (document,), _ = read(tmp_path, "rebel", content, records=records)
    assert (document.id, document.text) == ("A1", "THE WING FELL")
    csv = "index,input,head,relation,tail\n1,THE WING FELL,WING,did,FELL\n"
    (document,), _ = read(tmp_path, "rebel", csv, records=records)
    assert document.id == "A1"
    with pytest.raises(InputError, match=r"there is no row 7 \(from 0\)"):
        read(tmp_path, "rebel", content.replace("1", "7", 1), records=records)


def test_rows_of_a_file_with_several_rows_for_a_record_mean_nothing(tmp_path: Path) -> None:
    (tmp_path / "records.csv").write_text("id,sample\nA0,A\nA0,A\n", "utf-8")
    with pytest.raises(InputError, match="name a file with one row for each"):
        read(tmp_path, "deepstruct", "\n\n", records=str(tmp_path / "records.csv"))


def test_unirel_reads_printed_tuples(tmp_path: Path) -> None:
    content = line(id="A1", text="THE WING FELL", output="[[('WING', '/a/b', 'FELL'), ('WING', '/a/c', \"WING\")]]")
    (document, empty), _ = read(tmp_path, "unirel", content + line(id="A2", output="[[]]"))
    assert empty.relations == []
    assert triples(document) == [("WING", "/a/b", "FELL"), ("WING", "/a/c", "WING")]
    assert len(document.mentions) == 2
    with pytest.raises(InputError, match="triples cannot be read"):
        read(tmp_path, "unirel", line(id="A1", output="[[('A', 'B')]]"))


def test_deepstruct_lines_are_documents(records: str, tmp_path: Path) -> None:
    documents, _ = read(tmp_path, "deepstruct", "\n ( WING ; did ; FELL ) ( WING ; is ; FELL )\n")
    assert [document.id for document in documents] == ["0", "1"]
    assert triples(documents[1]) == [("WING", "did", "FELL"), ("WING", "is", "FELL")]
    documents, _ = read(tmp_path, "deepstruct", "\n ( WING ; did ; FELL )\n", records=records)
    assert [(document.id, document.text) for document in documents] == [("A0", "A TANK"), ("A1", "THE WING FELL")]
    assert documents[1].mentions[0].spans == ((4, 8),)


def test_deepstruct_takes_brackets_away() -> None:
    assert deepstruct("( WING (LEFT) ; did ; FELL )") == [("WING LEFT", "did", "FELL")]
    with pytest.raises(InputError, match="has 2 parts"):
        deepstruct("( WING ; did )")


ENTITIES = line(sentences=[["the", "wing"], ["it", "fell"]], predicted_ner=[[[1, 1, "PART"]], []], doc_key="faa/7_A1")


def test_plmarker_joins_entities_and_relations(tmp_path: Path) -> None:
    (tmp_path / "ent_pred_test.json").write_text(ENTITIES, "utf-8")
    content = '{"7": [[1, [[[1, 1], [2, 3], "DID"]]]]}'
    (document,), _ = read(tmp_path, "plmarker_ace05_bert_re", content, "pred_results.json")
    assert (document.id, triples(document)) == ("A1", [("wing", "DID", "it fell")])
    assert [mention.labels for mention in document.mentions] == [("PART",), ()]


def test_plmarker_faults_are_named(tmp_path: Path) -> None:
    content = '{"7": [[1, [[[1, 1], [2, 9], "DID"]]]]}'
    with pytest.raises(InputError, match="name it with --read entities=FILE"):
        read(tmp_path, "plmarker_scierc_re", content, "pred_results.json")
    (tmp_path / "ent_pred_test.json").write_text(ENTITIES, "utf-8")
    with pytest.raises(InputError, match="there are no words 2 to 9"):
        read(tmp_path, "plmarker_scierc_re", content, "pred_results.json")
    with pytest.raises(InputError, match="has no document '8'"):
        read(tmp_path, "plmarker_scierc_re", '{"8": []}', "pred_results.json")
