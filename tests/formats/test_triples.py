from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.formats import read, sniff
from karat.formats.base import Problems
from karat.model import Document


def put(tmp_path: Path, text: str, name: str = "t.csv") -> str:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def triples(document: Document) -> list[tuple[str, str, str]]:
    mentions = {one.id: one.attributes.get("given") or one.text for one in document.mentions}
    return [
        (mentions[one.arguments[0].target], one.label, mentions[one.arguments[1].target]) for one in document.relations
    ]


@pytest.mark.parametrize(
    "text",
    [
        'id,head,relation,tail\na,"WING, LEFT",part of,NA\nb,,,\na,X,r,Y\n',
        "document\tsubject\tpredicate\tobject\na\tWING, LEFT\tpart of\tNA\nb\na\tX\tr\tY\n",
    ],
)
def test_rows_are_gathered_by_document(text: str, tmp_path: Path) -> None:
    path = put(tmp_path, text)
    assert sniff(path).name == "triples"
    first, second = read(path)
    assert (first.id, second.id, second.relations) == ("a", "b", [])
    assert triples(first) == [("WING, LEFT", "part of", "NA"), ("X", "r", "Y")]
    assert {one.attributes["located"] for one in first.mentions} == {"no"}


def test_a_column_of_texts_gives_places(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text,head,relation,tail\na,THE WING HIT IT,wing,hit,rotor\n")
    problems = Problems()
    (document,) = read(path, problems=problems)
    assert [mention.spans for mention in document.mentions] == [((4, 8),), ((0, 0),)]
    assert ["hallucinated" in one.message for one in problems.found] == [True]


def test_the_file_of_the_records_gives_texts_and_ids(tmp_path: Path) -> None:
    records = put(tmp_path, "id,text\nA,WING\nB,ROTOR\n", "records.csv")
    path = put(tmp_path, "index,head,relation,tail\n1,rotor,of,x\n")
    (document,) = read(path, options={"records": records})
    assert (document.id, document.text) == ("B", "ROTOR")


def test_rows_with_an_empty_part_are_left_out_and_reported(tmp_path: Path) -> None:
    problems = Problems()
    (document,) = read(put(tmp_path, "id,head,relation,tail\na,X,,Y\na,X,r,Y\n"), problems=problems)
    assert len(document.relations) == 1
    assert [(one.line, one.severity) for one in problems.found] == [(2, "repair")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,head,tail\na,b,c\n", r"t.csv:1: there is no column relation or predicate or property, only 'id'"),
        ("id,head,relation,tail\n,b,c,d\n", r"t.csv:2: the id of the document is empty"),
        ("id\thead\trelation\ttail\na\tb\tc\td\te\n", r"t.csv:2: the row has 5 cells, but the header 4"),
    ],
)
def test_faults_are_refused_with_their_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        list(read(put(tmp_path, text), "triples"))
