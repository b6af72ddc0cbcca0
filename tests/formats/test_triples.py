from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.formats import read, sniff
from karat.formats.base import Problems
from karat.formats.triples import FORMAT
from karat.model import Document


def put(tmp_path: Path, text: str, name: str = "t.csv") -> str:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def triples(document: Document) -> list[tuple[str, str, str]]:
    mentions = {mention.id: mention.attributes.get("given") or mention.text for mention in document.mentions}
    return [
        (mentions[relation.arguments[0].target], relation.label, mentions[relation.arguments[1].target])
        for relation in document.relations
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
    assert {mention.spans for mention in first.mentions} == {()}


def test_a_column_of_texts_gives_places(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text,head,relation,tail\na,THE WING HIT IT,wing,hit,rotor\n")
    problems = Problems()
    (document,) = read(path, problems=problems)
    assert [mention.spans for mention in document.mentions] == [((4, 8),), ()]
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


ONE_CELL = 'index,c5_unique_id,c119_text,"entity1, relation_type, entity2",Notes\n'


def test_a_cell_may_hold_whole_triples(tmp_path: Path) -> None:
    cell = '"wing, part of, plane              tree, located in, wood\nwing, has effect, tree   "'
    path = put(tmp_path, f'{ONE_CELL}7,A,THE WING,{cell},\n8,B,X,,\n7,A,THE WING,"tree, near, wood",\n')
    assert sniff(path).name == "triples"
    first, second = read(path)
    assert (first.id, first.text, second.id, second.relations) == ("A", "THE WING", "B", [])
    assert triples(first) == [
        ("wing", "part of", "plane"),
        ("tree", "located in", "wood"),
        ("wing", "has effect", "tree"),
        ("tree", "near", "wood"),
    ]


def test_triples_in_a_cell_may_stand_in_a_table_with_tabs(tmp_path: Path) -> None:
    path = put(tmp_path, "doc\thead, relation, tail\na\twing, part of, plane  tree, near, wood\n")
    assert sniff(path).name == "triples"
    (document,) = read(path)
    assert triples(document) == [("wing", "part of", "plane"), ("tree", "near", "wood")]


def test_a_comma_inside_of_a_phrase_is_told_by_the_relations_of_other_triples(tmp_path: Path) -> None:
    cells = ["wing, part of, plane", "road, Near, town", "N7, CE-182, part_of, fleet", "road, near, Bern, Ohio"]
    path = put(tmp_path, ONE_CELL + "".join(f'1,A,,"{cell}",\n' for cell in cells))
    (document,) = read(path)
    assert triples(document)[2:] == [("N7, CE-182", "part_of", "fleet"), ("road", "near", "Bern, Ohio")]


@pytest.mark.parametrize("cell", ["struck tree, location 3 miles", "a, b, c, d", "a, , b", "a, near, near, b", "word"])
def test_what_has_no_three_parts_is_left_out_and_reported(cell: str, tmp_path: Path) -> None:
    problems = Problems()
    path = put(tmp_path, f'doc,"entity1, relation_type, entity2"\nA,"x, near, y"\nA,"{cell}   x, near, z"\n')
    (document,) = read(path, problems=problems)
    assert triples(document) == [("x", "near", "y"), ("x", "near", "z")]
    (problem,) = problems.found
    assert (problem.line, problem.severity) == (3, "repair")
    assert problem.message.startswith(f"{cell!r} is no triple; expected head, relation and tail with commas")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,head,tail\na,b,c\n", r"t.csv:1: there is no column relation or predicate or property, only 'id'"),
        ("id,head,relation,tail\n,b,c,d\n", r"t.csv:2: the id of the document is empty"),
        ("\t", r"t.csv: the file has only blank lines; expected a header with id, head, relation and tail"),
        ("id\thead\trelation\ttail\na\tb\tc\td\te\n", r"t.csv:2: the row has 5 cells, but the header 4"),
    ],
)
def test_faults_are_refused_with_their_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        list(read(put(tmp_path, text), "triples"))


@pytest.mark.parametrize("head", ["", "id,head,re\rlation,tail\n", f"{'x' * 200_000},id,head,relation,tail\n"])
def test_a_damaged_header_is_not_taken_for_a_table(head: str) -> None:
    assert not FORMAT.sniff(head)
