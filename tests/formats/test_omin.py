"""The CSV files of OMIn as documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat import formats
from karat.annotations.faults import faults
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Document, Link


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str, problems: Problems | None = None, **options: str) -> list[Document]:
    Path("a.csv").write_text(text, "utf-8")
    return list(formats.read("a.csv", problems=problems, options=options))


def test_entities_are_found_in_the_text() -> None:
    problems = Problems()
    text = "c5_unique_id,c119_text,entities,labels\nA,THE WING; A WING  ,wing,LOC\nA,,WING,\nA,,WINGS,ORG\nB,NONE,,\n"
    first, second = read(text, problems)
    assert (first.id, first.text, second.id, second.mentions) == ("A", "THE WING; A WING", "B", [])
    assert [(mention.spans, mention.labels, mention.text) for mention in first.mentions] == [
        (((4, 8),), ("LOC",), "WING"),
        (((12, 16),), (), "WING"),
        ((), ("ORG",), "WINGS"),
    ]
    assert [mention.attributes for mention in first.mentions] == [
        {"row": "1", "given": "wing"},
        {"row": "2"},
        {"row": "3"},
    ]
    (problem,) = problems.found
    assert (problem.line, problem.severity) == (4, "repair")
    assert problem.message == "the text has no 'WINGS' that is still free; it is kept without a place"


def test_entities_are_found_among_tokens() -> None:
    rows = "\n".join(f"faa/0_A00000000000000 0 {at} {word}" for at, word in enumerate(["the", "pilot", "'s", "wing"]))
    Path("t.conll").write_text(f"#begin document (faa/0_A00000000000000); part 000\n{rows}\n#end document\n")
    text = "id,sample,entities\nA00000000000000,T,PILOT'S\nA00000000000000,T,WING\nA00000000000000,T,PILOT\n"
    (document,) = read(text, tokens="t.conll")
    assert document.text == "THE PILOT 'S WING"
    assert [mention.spans for mention in document.mentions] == [((4, 9),), ((13, 17),), ()]
    assert document.table is not None
    assert document.table.forms == ["THE", "PILOT", "'S", "WING"]
    with pytest.raises(InputError, match=r"a\.csv:2: document 'B' is not in the token file"):
        read("id,sample,entities\nB,T,WING\n", tokens="t.conll")


def test_gold_links_have_levels() -> None:
    levels = "\"['CARGO DOOR', 'DOOR', None]\",\"[None, 'Q2', None]\""
    (document,) = read(f"id,sample,entity,qid\nA,THE CARGO DOOR,{levels}\n")
    (mention,) = document.mentions
    assert (mention.text, mention.spans, mention.links) == ("CARGO DOOR", ((4, 14),), (Link("NIL"), Link("Q2")))
    assert mention.attributes == {"secondary": "DOOR", "row": "1"}
    with pytest.raises(InputError, match=r"a\.csv:2: the first of the entities is missing"):
        read('id,sample,entity,qid\nA,T,"[None]","[\'Q1\']"\n')


def test_result_links() -> None:
    text = "c5_id,mentions,entities,bi_qid,qids\nA,door,Door,Q1,Q2\nA,wing,Wing,,\n"
    assert [mention.links for mention in read(text)[0].mentions] == [(Link("Q2"),), ()]
    assert [mention.links for mention in read(text, targets="bi_qid")[0].mentions] == [(Link("Q1"),), ()]
    titles = read(text, phrases="entities")[0].mentions
    given = [(title.attributes.get("given", title.text), title.links) for title in titles]
    assert given == [("Door", ()), ("Wing", ())]


def test_chains() -> None:
    problems = Problems()
    text = 'c5,corefs\nA,"[[[0, 1], [4]], [[2, 2], [7, 6]]]"\nA,[]\n'
    (document,) = read(text, problems)
    assert [chain.mentions for chain in document.chains] == [("m1", "m2"), ("m3", "m4")]
    assert [(mention.spans, mention.attributes) for mention in document.mentions] == [
        (((0, 2),), {}),
        (((4, 5),), {"offset": "4"}),
        (((2, 3),), {}),
        ((), {"place": "[7, 6]"}),
    ]
    assert [problem.message for problem in problems.found] == ["document 'A' has a row already; this one is left out"]


def test_words_of_chains_that_the_text_lacks_make_no_document_unsound() -> None:
    Path("t.conll").write_text("#begin document (faa/0_A00000000000000); part 000\nfaa/0_A00000000000000 0 0 wing\n")
    text = 'id,sample,coreferences\nA00000000000000,WING,"[[[0, 0], [7, 9]]]"\n'
    (document,) = read(text, tokens="t.conll")
    assert [mention.spans for mention in document.mentions] == [((0, 4),), ()]
    assert list(faults(document)) == []


def test_column_options_are_about_results() -> None:
    gold = "id,sample,entities\nA,THE WING,WING\n"
    assert [mention.text for mention in read(gold, phrases="mentions", ids="doc")[0].mentions] == ["WING"]
    with pytest.raises(InputError, match="there is no column 'mentoins', only 'c5_id', 'mentions'; name it with"):
        read("c5_id,mentions\nA,WING\n", phrases="mentoins")


def test_faults_are_listed_in_one_pass() -> None:
    problems = Problems(collect=True)
    found = read('id,sample,coreferences\n,T,[]\nA,T,[\nB,T,"[[[0, 0], [1, 1]]]"\n', problems)
    assert [document.id for document in found] == ["B"]
    assert [(one.line, one.message.split(";")[0]) for one in problems.found] == [
        (2, "the id of the document is missing"),
        (3, "the chains cannot be read: the list is not closed"),
    ]
