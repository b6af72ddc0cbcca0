"""Readers of entity linkers: BLINK, spaCy EntityLinker, GENRE and ReFinED."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.links import parse_entities, parse_output, parse_spans
from karat.formats.tools.recorded import as_published
from karat.model import Document

SPANS = (
    "[['FUEL', Entity(wikidata_entity_id=Q1, wikipedia_entity_title=Fuel (film)), None], "
    "['LEE', Entity not linked to a knowledge base, 'PERSON'], "
    '["INT\'L GATE", Entity(wikidata_entity_id=Q2), None]]'
)


def read(folder: Path, tool: str, content: str, **options: str) -> tuple[list[Document], list[str]]:
    path = folder / "native"
    path.write_text(content, "utf-8")
    problems = Problems()
    documents = list(formats.read(path, tool, problems=problems, options=options))
    return documents, [one.message for one in problems.found]


def line(**record: Any) -> str:
    return json.dumps(record) + "\n"


def links(document: Document) -> list[tuple[str, list[str]]]:
    return [
        (mention.attributes.get("given", mention.text), [link.target for link in mention.links])
        for mention in document.mentions
    ]


def test_refined_is_read_completely(tmp_path: Path) -> None:
    content = line(id="A1", text="LEE HAD FUEL AT INT'L GATE. FUEL", spans=SPANS)
    (document,), _ = read(tmp_path, "refined", content)
    assert links(document) == [("FUEL", ["Q1"]), ("LEE", ["NIL"]), ("INT'L GATE", ["Q2"])]
    assert [mention.spans[0] for mention in document.mentions] == [(8, 12), (0, 3), (16, 26)]
    assert document.mentions[0].attributes["title"] == "Fuel (film)"
    assert document.mentions[1].labels == ("PERSON",)


def test_refined_as_published_stops_early_and_says_so(tmp_path: Path) -> None:
    content = line(id="A1", text="LEE HAD FUEL AT INT'L GATE. FUEL", spans=SPANS.replace(" (film)", ""))
    (document,), messages = read(tmp_path, "refined", content, conversion="published")
    assert links(document) == [("FUEL", ["Q1"])]
    assert messages == ["document 'A1': 2 of 3 spans left out, as the published conversion does"]


@pytest.mark.parametrize(
    "span",
    [
        "['A', Entity(wikidata_entity_id=Q1, wikipedia_entity_title=A (film)), None]",
        "['A', Entity(wikidata_entity_id=Q1), 'ORG']",
        "['A', None, None]",
        '["A\'S", Entity(wikidata_entity_id=Q1), None]',
    ],
)
def test_refined_spans_that_end_the_published_conversion(span: str) -> None:
    plain = "['B', Entity not linked to a knowledge base, None]"
    spans = parse_spans(f"[{plain}, {span}, {plain}]")
    assert len(spans) == 3
    assert [one.mention for one in as_published(spans)] == ["B"]


def test_refined_numbers_have_no_link(tmp_path: Path) -> None:
    content = line(id="A1", text="60 MPH", spans="[['60 MPH', None, 'QUANTITY']]")
    (document,), _ = read(tmp_path, "refined", content)
    assert links(document) == [("60 MPH", [])]


def test_refined_raw_cells_of_a_table(tmp_path: Path) -> None:
    cell = SPANS.replace('"', '""')
    content = f'c5,c119,c119_entity_linking\nA1,LEE AT INT\'L GATE,"{cell}"\nA2,-,[]\n'
    (first, second), messages = read(tmp_path, "refined", content)
    assert [given for given, _ in links(first)] == ["FUEL", "LEE", "INT'L GATE"]
    assert second.mentions == []
    assert messages == ["document 'A1': 'FUEL' is hallucinated: the text does not have it; it is kept without a place"]


def test_refined_without_texts_says_it_once(tmp_path: Path) -> None:
    documents, messages = read(tmp_path, "refined", line(id="A1", spans=SPANS) + line(id="A2", spans=SPANS))
    assert not any(mention.spans for document in documents for mention in document.mentions)
    assert len(messages) == 1
    assert messages[0].startswith("2 documents without a text")


@pytest.mark.parametrize("spans", ["['FUEL']", "['FUEL', Entity(x), None]", "[['FUEL', Thing(x), None]]", "nothing"])
def test_refined_that_is_not_printed_so_is_refused(spans: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected"):
        read(tmp_path, "refined", line(id="A1", spans=spans))


def test_genre_offsets_come_from_the_mark_up() -> None:
    text, marked = parse_output("{ FUEL } [ Oil ] AND { FUEL } [ Gas ].")
    assert (text, [one.span for one in marked]) == ("FUEL AND FUEL.", [(0, 4), (9, 13)])


def test_genre_as_published_stops_before_a_full_stop(tmp_path: Path) -> None:
    content = line(id="A1", output="{ A } [ X ] AND { B } [ Y ]. THEN { C } [ Z ] ")
    (complete,), _ = read(tmp_path, "genre", content)
    (published,), messages = read(tmp_path, "genre", content, conversion="published")
    assert links(complete) == [("A", ["X"]), ("B", ["Y"]), ("C", ["Z"])]
    assert links(published) == [("A", ["X"])]
    assert messages == ["document 'A1': 2 of 3 links left out, as the published conversion does"]
    table = 'c5_id,c119_text,c119_output,mentions,qids\nA1,A,"{ A } [ X ].",B,Q1\n'
    (recorded,), _ = read(tmp_path, "genre", table)
    (complete,), _ = read(tmp_path, "genre", table, conversion="complete")
    assert (links(recorded), links(complete)) == ([("B", ["Q1"])], [("A", ["X"])])


def test_genre_titles_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "titles.tsv").write_text("Oil\tQ5\nOil\tQ12\nNew Gas\tQ3\n", "utf-8")
    content = line(id="A1", output="{ A } [ Oil ] { B } [ new gas ] { C } [ Coal ]")
    (document,), messages = read(tmp_path, "genre", content, titles=str(tmp_path / "titles.tsv"))
    assert links(document) == [("A", ["Q12"]), ("B", ["Q3"]), ("C", [])]
    assert messages == [f"document 'A1': the title 'Coal' has no identifier in {tmp_path / 'titles.tsv'}"]
    (document,), _ = read(tmp_path, "genre", content)
    assert links(document)[0] == ("A", ["Oil"])


def test_genre_is_moved_to_the_text_of_the_record(tmp_path: Path) -> None:
    content = line(id="A1", text="RAN  OUT OF FUEL.", output="RAN OUT OF { FUEL } [ Oil ] . { X } [ Y ]")
    (document,), messages = read(tmp_path, "genre", content)
    assert [mention.spans for mention in document.mentions] == [((12, 16),), ()]
    assert "'X' is hallucinated" in messages[0]


def blink(folder: Path, **more: Any) -> Path:
    lines = [
        {"context_left": "the ", "mention": "wing", "context_right": " fell.", "start_pos": 4, "end_pos": 8},
        {"context_left": "", "mention": "it", "context_right": " broke", "sent_idx": 1},
    ]
    path = folder / "mentions.jsonl"
    path.write_text("".join(line(**{"c5_id": "A1", **one, **more}) for one in lines), "utf-8")
    titles = {"biencoder": [["Wing", "Bird"], ["It"]], "crossencoder": [["Bird", "Wing"], []]}
    (folder / "predictions.json").write_text(json.dumps(titles), "utf-8")
    return path


def test_blink_ranks_titles_of_either_encoder(tmp_path: Path) -> None:
    path = blink(tmp_path)
    (cross,), (bi,) = (list(formats.read(path, "blink", options={"encoder": one})) for one in ("cross", "bi"))
    assert links(cross) == [("wing", ["Bird", "Wing"]), ("it", [])]
    assert links(bi) == [("wing", ["Wing", "Bird"]), ("it", ["It"])]
    assert cross.text == "the wing fell. it broke"
    assert [mention.spans for mention in cross.mentions] == [((4, 8),), ((15, 17),)]


def test_blink_finds_its_sentences_in_the_record(tmp_path: Path) -> None:
    (tmp_path / "records.csv").write_text("id,sample\nA1,HE SAW: THE WING FELL. IT BROKE  \n", "utf-8")
    (document,) = formats.read(blink(tmp_path), "blink", options={"records": str(tmp_path / "records.csv")})
    assert [mention.text for mention in document.mentions] == ["WING", "IT"]


def test_blink_faults_are_named(tmp_path: Path) -> None:
    path = blink(tmp_path, start_pos=3)
    with pytest.raises(InputError, match="is not where start_pos and end_pos say"):
        list(formats.read(path, "blink"))
    (tmp_path / "predictions.json").write_text('{"crossencoder": [["A"]]}')
    with pytest.raises(InputError, match="only 1 lists of titles"):
        list(formats.read(blink_mentions(path), "blink"))
    (tmp_path / "predictions.json").unlink()
    with pytest.raises(InputError, match="name the titles with --read predictions=FILE"):
        list(formats.read(path, "blink"))


def blink_mentions(path: Path) -> Path:
    path.write_text(line(c5_id="A1", context_left="", mention="a", context_right="") * 2, "utf-8")
    return path


def test_linker_entities_with_and_without_mentions(tmp_path: Path) -> None:
    old = "[{'indentifier': 5, 'label': 'Wing', 'description': 'a bird\\'s'}, {'indentifier': 6, 'label': None}]"
    (document,), messages = read(tmp_path, "spacy_entitylinker", line(id="A1", text="WING", linked=old))
    assert links(document) == [("Wing", ["Q5"]), ("", ["Q6"])]
    assert {mention.attributes["phrase"] for mention in document.mentions} == {"unknown"}
    assert len(messages) == 1
    later = "[{'mention': WING, 'identifier': 5, 'label': 'Wing'}]"
    (document,), messages = read(tmp_path, "spacy_entitylinker", line(id="A1", text="A WING", linked=later))
    assert (document.mentions[0].spans, messages) == (((2, 6),), [])


TITLES = (
    "id,sample,qid,entity,description\n"
    'A1,TAIL ROTOR FAILED.   ,193538,Rotor,"a part, of a machine"\n'
    "A1,TAIL ROTOR FAILED.   ,77,The Tail,\n"
    "A2,NO POWER.,,,\n"
)


def test_linker_titles_in_rows_are_recognised_and_read(tmp_path: Path) -> None:
    (tmp_path / "nel.csv").write_text(TITLES, "utf-8")
    assert formats.sniff(tmp_path / "nel.csv").name == "spacy_entitylinker"
    (first, second), messages = read(tmp_path, "spacy_entitylinker", TITLES)
    assert (first.text, links(first)) == ("TAIL ROTOR FAILED.", [("Rotor", ["Q193538"]), ("The Tail", ["Q77"])])
    assert (second.text, second.mentions) == ("NO POWER.", [])
    assert messages == ["the results do not say which words are linked; the titles stand for them, without places"]


def test_an_empty_answer_is_read_and_said(tmp_path: Path) -> None:
    rows = "A1,SHE SAW THE TAIL.,SHE SAW THE { TAIL } [ Tail ].,-0.5\nA2,IT FELL.  ,,\n"
    (tmp_path / "a.csv").write_text(f"c5,c119,c119_output,c119_score\n{rows}", "utf-8")
    problems = Problems()
    first, second = formats.read(tmp_path / "a.csv", "genre", problems=problems)
    assert links(first) == [("TAIL", ["Tail"])]
    assert (second.id, second.text, second.mentions) == ("A2", "IT FELL.", [])
    assert [(problem.severity, problem.line, problem.message) for problem in problems.found] == [
        ("repair", 3, "document 'A2': the cell c119_output is empty; read as an answer that finds nothing"),
    ]
    (tmp_path / "a.csv").write_text("c5,c119,c119_output\nA1,IT FELL.,7\n", "utf-8")
    with pytest.raises(InputError, match="the cell c119_output is a number; expected what the tool prints"):
        list(formats.read(tmp_path / "a.csv", "genre"))


@pytest.mark.parametrize("linked", ["[{'a': 1]", "[1]", "{}", "[{'a' 1}]"])
def test_linker_entities_that_are_not_printed_so_are_refused(linked: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_entities(linked)


def test_links_are_scored_against_omin_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = "id,sample,entity,qid\nA1,LEE HAD FUEL,\"['FUEL', None, None]\",\"['Q1', None, None]\"\n"
    (tmp_path / "gold.csv").write_text(gold, "utf-8")
    (tmp_path / "native.jsonl").write_text(line(id="A1", text="LEE HAD FUEL", spans=SPANS), "utf-8")
    words = ["score", "omin-head-nel", str(tmp_path / "gold.csv"), str(tmp_path / "native.jsonl")]
    assert run([*words, "--system-format", "refined", "--view", "tsv"]) == 0
    out = capsys.readouterr().out
    assert "refined" in out
    assert "1.0" in out


def test_convert_from_a_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "native.jsonl").write_text(line(id="A1", text="LEE HAD FUEL", spans=SPANS), "utf-8")
    assert run(["convert", str(tmp_path / "native.jsonl"), str(tmp_path / "out.jsonl"), "--from", "refined"]) == 0
    (document,) = formats.read(tmp_path / "out.jsonl")
    assert links(document) == [("FUEL", ["Q1"]), ("LEE", ["NIL"]), ("INT'L GATE", ["Q2"])]
    assert "1 repair while reading" in capsys.readouterr().err
