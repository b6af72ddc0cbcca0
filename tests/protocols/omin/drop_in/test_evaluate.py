"""The whole comparison: which tables results get into, what is skipped and why, and the published cells."""

from __future__ import annotations

import csv
import json
import os
import re
from math import log
from pathlib import Path
from typing import Any

import pytest
from tests.conformance import packs
from tests.protocols.omin.files import put, tokens

from karat.cli import run
from karat.errors import InputError
from karat.formats.tools import tools as readers
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in.evaluate import evaluate, read
from karat.protocols.omin.drop_in.evaluate import results as evaluate_find
from karat.protocols.omin.drop_in.evaluate.results import find_results
from karat.protocols.omin.drop_in.evaluate.tables import table_files
from karat.protocols.omin.drop_in.evaluate.tools import TASKS, TOOLS, tool_of, types_of
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.store import digest_of

A, B = "A" + "0" * 14, "B" + "0" * 14


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a gold of two documents."""
    monkeypatch.chdir(tmp_path)
    ner = f"{A},LEFT WING HIT BOB,LEFT WING\n{A},LEFT WING HIT BOB,BOB\n{B},FUEL LEAK,FUEL\n"
    put("gold/ner.csv", "id,sample,entities\n" + ner)
    put("gold/ner_conll.csv", f"id,sample,entities,labels\n{A},LEFT WING HIT BOB,BOB,PER\n")
    put("gold/cr.csv", f'id,sample,coreferences\n{A},T,"[[[0, 1], [3, 3]]]"\n{B},T,[]\n')
    levels = "\"['LEFT WING', 'WING', None]\",\"['Q1', 'Q2', None]\""
    put("gold/nel.csv", f"id,sample,entity,qid\n{A},LEFT WING HIT BOB,{levels}\n")
    put("gold/tokens.conll", tokens(A="LEFT WING HIT BOB", B="FUEL LEAK"))


def entities(path: str = "results/flair/flair_conll03.csv") -> str:
    return put(path, f"c5_id,entities,labels\n{A},BOB,PER\n{B},LEAK,ORG\n")


def links(path: str = "results/refined/refined.csv", header: str = "c5_id,mentions,qids") -> str:
    return put(path, f"{header}\n{A},WING,Q2\n{A},BOB,\n")


def evaluated(profile: str = "head", **options: Any) -> dict[str, dict[str, list[float | None]]]:
    """Return the rows of the tables, by the tool."""
    comparison = evaluate(read("results", "gold", profile=profile, **options))
    return {name: {row.tool: list(row.numbers) for row in rows} for name, rows in comparison.tables.items()}


def skipped(profile: str = "head", **options: Any) -> dict[tuple[str, str], str]:
    comparison = evaluate(read("results", "gold", profile=profile, **options))
    return {(one.name, one.table): one.reason for one in comparison.skipped}


def test_the_table_has_the_21_tools_of_the_readers() -> None:
    assert [tool.reader for tool in TOOLS] == list(readers())
    assert {tool.task for tool in TOOLS} == set(TASKS)


@pytest.mark.parametrize(
    ("path", "task", "name"),
    [
        ("spacy_entityrecognizer/spacy_ner_sm.csv", "NER", "spaCy EntityRecognizer"),
        ("spacy_entity_linker/spacy_entitylinker_lg.csv", "NEL", "spaCy EntityLinker"),
        ("pl-marker/pl-marker_ace05_albert_NER_jun17.csv", "NER", "PL-Marker (ACE05 albert-xxl) NER"),
        ("pl-marker/pl-marker_ace05_bert_NER_jun17.csv", "NER", "PL-Marker (ACE05 bert) NER"),
        ("asp/asp_base.csv", "CR", "ASP"),
        ("grasp/results.csv", "CR", None),
    ],
)
def test_paths_name_tools(path: str, task: str, name: str | None) -> None:
    tool = tool_of(path, task)
    assert (tool.name if tool else None) == name


def test_the_types_come_from_the_path_the_tool_or_the_labels() -> None:
    assert types_of("flair/flair_conll03_ner.csv", None, {"GPE"}) == "conll03"
    assert types_of("nltk/x.csv", tool_of("nltk/x.csv", "NER"), {"GSP"}) == "ace05_nltk"
    assert types_of("mine/x.csv", None, {"PERSON", "DATE"}) == "ontonotes"
    assert types_of("mine/x.csv", None, set()) is None


def test_entities_get_into_the_tables_of_the_profile() -> None:
    entities()
    head = evaluated()
    assert set(head) == {"ner-untyped", "ner-conll03"}
    assert head["ner-conll03"]["flair NER"] == [1.0] * 12
    assert head["ner-untyped"]["flair NER"][:3] == [0.5, pytest.approx(1 / 3), 0.4]
    assert set(evaluated("seed")) == {"ner"}
    assert evaluated("seed")["ner"]["flair NER"] == [0.5, pytest.approx(1 / 3), pytest.approx(0.4)] * 2
    assert set(evaluated("corrected")) == {"ner", "ner-untyped", "ner-conll03"}


def test_linking_tools_get_an_evaluation_of_their_entities_too() -> None:
    links()
    head = evaluated()
    assert head["nel"]["ReFinED"] == [0, 0.0, 0, 0.0, 0, 0, 1.0, 1.0, 1.0]
    assert head["ner-untyped"]["ReFinED NER"] == [0.75, 0.5, 0.6, 0.5, pytest.approx(1 / 3), 0.4]
    seed = evaluated("seed")
    assert seed["nel"]["ReFinED"] == [1.0, 1.0, 1.0]
    assert seed["ner"]["ReFinED NER"][:3] == [1.0, pytest.approx(2 / 3), pytest.approx(0.8)]


def test_both_encoders_of_blink_have_rows() -> None:
    header = "c5_id,mentions,bi_pred_entity,bi_qid,cross_pred_entity,cross_qid"
    put("results/blink/blink.csv", f"{header}\n{A},LEFT WING,Bob,Q1,Left wing,Q9\n")
    head = evaluated()
    assert head["nel"]["BLINK (biencoder)"][:3] == [1.0, 1.0, 1.0]
    assert head["nel"]["BLINK (crossencoder)"][:3] == [0.0, 0, 0]
    assert list(head["ner-untyped"]) == ["BLINK NER"]
    assert set(evaluated("seed")["ner"]) == {"BLINK (biencoder) NER", "BLINK (crossencoder) NER"}


def test_likeness_fills_two_more_columns() -> None:
    put("results/genre/genre.csv", f"c5_id,mentions,qids\n{A},LEFT WING,Q7\n")
    put("likeness.csv", "q1,q2,class,jc\nQ1,Q7,0.25,0.5\n")
    assert evaluated(likeness=LikenessOptions(similarity_table="likeness.csv"))["nel"]["GENRE"][3:5] == [0.5, 0.25]


def test_an_ontology_fills_them_too_and_is_in_the_signature() -> None:
    put("results/genre/genre.csv", f"c5_id,mentions,qids\n{A},LEFT WING,Q7\n")
    claims = "Q9\tP279\tQ35120\nQ1\tP31\tQ9\nQ7\tP31\tQ9\nQ8\tP31\tQ35120\n"
    build("world.index", [put("claims.tsv", f"node1\tlabel\tnode2\n{claims}")])
    words = ["omin", "evaluate", "results", "-g", "gold", "-o", "tables", "--ontology", "world.index"]
    assert run([*words, "--rounding", "none", "--max-pairs", "7"]) == 0
    data = json.loads(Path("tables/evaluation.json").read_text("utf-8"))
    (row,) = next(table for table in data["tables"] if table["table"] == "nel")["rows"]
    of_wings = log(2 / 4) / log(1 / 4)  # two members of the class they share, of four of the root
    assert row["scores"]["JC (Strong)"] == pytest.approx(of_wings, abs=1e-15)
    assert row["remarks"] == [f"{name}: 1 of 1 pair could be scored" for name in ("Strong", "Weak", "Flex")]
    assert f"|ontology:{digest_of('world.index')}|max_pairs:7|gold:" in data["signature"]
    assert run([*words, "--similarity-table", "-"]) == 2
    assert run([*words[:-1], "results"]) == 3


def test_chains_of_documents_that_lack_are_skipped_or_empty() -> None:
    put("results/s2e-coref/s2e.csv", f'c5_id,corefs\n{A},"[[[0, 1], [3, 3]]]"\n')
    assert "there is no row for document" in skipped()["s2e-coref/s2e.csv", "cr"]
    assert evaluated("corrected")["cr"]["s2e-coref"] == [1.0] * 13


@pytest.mark.parametrize("profile", ["seed", "head", "corrected"])
def test_the_folder_of_neuralcoref_is_known_by_its_short_name(profile: str) -> None:
    put("results/ncoref/cr_2024.csv", f'c5_id,corefs\n{A},"[[[0, 1], [3, 3]]]"\n{B},[]\n')
    assert list(evaluated(profile)["cr"]) == ["neuralcoref"]
    assert find_results("results", ())[0][0].tool == "neuralcoref"


def test_native_output_is_read_by_the_reader_of_the_tool() -> None:
    spans = "[['LEFT WING', Entity(wikidata_entity_id=Q1, wikipedia_entity_title=Wing), 'ORG']]"
    record = {"id": A, "text": "LEFT WING HIT BOB", "spans": spans}
    put("results/refined/native.jsonl", json.dumps(record) + "\n")
    head = evaluated()
    assert head["nel"]["ReFinED"][:3] == [1.0, 1.0, 1.0]
    assert head["ner-untyped"]["ReFinED NER"][3:5] == [1.0, pytest.approx(1 / 3)]


def test_native_links_that_are_titles_are_skipped_but_their_entities_scored() -> None:
    record = {"id": A, "text": "LEFT WING HIT BOB", "output": "{ LEFT WING } [ Wing ] HIT BOB"}
    put("results/genre/native.jsonl", json.dumps(record) + "\n")
    assert "titles and not identifiers" in skipped()["genre/native.jsonl", "nel"]
    assert set(evaluated()) == {"ner-untyped"}


def test_native_chains_are_scored_in_the_words_of_the_token_file() -> None:
    runner = "08/05/2024 23:23:59 - INFO - util.runner - "
    said = (f"faa/0_{A}_0_0", "['x']", "[((1, 2), (4, 4))]", "[]")
    put("results/asp/eval.out", "".join(f"{runner}{line}\n" for line in said))
    assert evaluated()["cr"]["ASP"] == [1.0] * 13
    Path("gold/tokens.conll").unlink()
    assert "name it with --tokens" in skipped()["asp/eval.out", "cr"]


def test_corrected_reads_all_that_refined_printed() -> None:
    spans = (
        "[['BOB', Entity not linked to a knowledge base, 'PERSON'], ['LEFT WING', Entity(wikidata_entity_id=Q1), None]]"
    )
    put(
        "results/refined/refined.csv",
        f'c5_id,c119_input,c119_entity_linking,mentions,qids\n{A},LEFT WING HIT BOB,"{spans}",,\n',
    )
    assert evaluated()["nel"]["ReFinED"][:3] == [0, 0.0, 0]
    assert evaluated("corrected")["nel"]["ReFinED"][:3] == [1.0, 1.0, 1.0]


def test_a_csv_file_of_what_was_printed_is_native_output() -> None:
    spans = (
        "[['BOB', Entity not linked to a knowledge base, 'PERSON'], ['LEFT WING', Entity(wikidata_entity_id=Q1), None]]"
    )
    put("results/refined/raw.csv", f'c5,c119,c119_entity_linking\n{A},LEFT WING HIT BOB,"{spans}"\n')
    assert evaluated()["nel"]["ReFinED"][:3] == [1.0, 1.0, 1.0]


def test_what_is_skipped_says_why() -> None:
    entities()
    put("results/rebel/rebel.csv", "index,head,relation,tail\n0,A,is,B\n")
    put("results/mine/odd.csv", "a,b\n1,2\n")
    put("results/mine/empty.csv", "")
    put("results/mine/bytes.csv", b"c5_id,entities,labels\n\xff\xfe,x,PER\n")
    put("results/mine/noid.csv", "entities\nWING\n")
    put("results/mine/labels.csv", f"c5_id,entities,labels\n{A},BOB,AIRCRAFT\n")
    put("results/mine/unlabelled.csv", f"c5_id,entities\n{A},BOB\n")
    put("results/README.md", "text")
    put("results/mine/answers.json", "{}")
    put("results/flair/broken.jsonl", "{")
    why = skipped()
    assert why["rebel/rebel.csv", ""].startswith("holds relations")
    assert why["mine/odd.csv", ""].endswith("only a, b")
    assert why["mine/empty.csv", ""].startswith("is empty")
    assert "is not UTF-8" in why["mine/bytes.csv", "ner-typed"]
    assert "no column of ids" in why["mine/noid.csv", ""]
    assert "AIRCRAFT" in why["mine/labels.csv", "ner-typed"]
    assert "no column of labels" in why["mine/unlabelled.csv", "ner-untyped"]
    assert "neither a CSV file" in why["README.md", ""]
    assert "names no tool" in why["mine/answers.json", ""]
    assert "not JSON" in why["flair/broken.jsonl", ""]


def test_gold_tokens_and_tables_that_lack_are_reasons() -> None:
    entities("results/spacy_ner/spacy.csv")
    assert skipped()["spacy_ner/spacy.csv", "ner-typed"] == "the gold has no ner_on.csv"
    Path("gold/tokens.conll").unlink()
    assert "name it with --tokens" in skipped()["spacy_ner/spacy.csv", "ner-untyped"]
    put("elsewhere.conll", tokens(A="LEFT WING HIT BOB", B="FUEL LEAK"))
    assert "ner-untyped" in evaluated(tokens="elsewhere.conll")


def test_files_that_are_named_must_be_there_and_faults_of_the_gold_name_it() -> None:
    entities()
    with pytest.raises(InputError, match=r"absent\.conll: cannot be read"):
        evaluate(read("results", "gold", tokens="absent.conll"))
    with pytest.raises(InputError, match=r"absent\.csv: cannot be read"):
        evaluate(read("results", "gold", likeness=LikenessOptions(similarity_table="absent.csv")))
    put("gold/ner_conll.csv", "id,sample\nA,T\n")
    assert skipped()["flair/flair_conll03.csv", "ner-typed"].startswith("gold/ner_conll.csv:1: there is no column")


def test_hostile_cells_are_reasons() -> None:
    put("results/asp/deep.csv", f"c5_id,corefs\n{A},{'[' * 100_000}\n")
    put("results/asp/wide.csv", f"c5_id,corefs{',x' * 100_000}\n")
    put("results/asp/long.csv", f"c5_id,corefs\n{A},{'1' * 2_000_000}\n")
    why = skipped()
    assert "the chains cannot be read" in why["asp/deep.csv", "cr"]
    assert "expected at most 1,000" in why["asp/wide.csv", "cr"]
    assert "2,000,016 characters" in why["asp/long.csv", "cr"]


def test_the_gold_the_tables_and_hidden_files_are_no_results() -> None:
    entities()
    Path("gold").rename("results/gold")
    put("results/out/ner.csv", f"c5_id,entities\n{A},BOB\n")
    put("results/.git/x.csv", f"c5_id,entities\n{A},BOB\n")
    comparison = evaluate(read("results", "results/gold", leave_out="results/out"))
    assert {row.results for rows in comparison.tables.values() for row in rows} == {"flair/flair_conll03.csv"}
    assert not comparison.skipped


def test_pipes_and_too_many_files_do_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    entities()
    os.mkfifo("results/pipe.csv")
    assert skipped()["pipe.csv", ""] == "is no file that can be read"
    monkeypatch.setattr(evaluate_find, "MAX_FILES", 1)
    with pytest.raises(InputError, match="more than 1 files"):
        find_results("results", [])


def test_odd_names_are_shown_and_written() -> None:
    entities("results/a|b\n/x_conll03.csv")
    contents = table_files(evaluate(read("results", "gold")))
    assert "`a\\|b\N{REPLACEMENT CHARACTER}/x_conll03.csv`" in contents["evaluation.md"]
    assert "\N{REPLACEMENT CHARACTER}" in json.loads(contents["evaluation.json"])["tables"][0]["rows"][0]["tool"]


def test_the_three_forms_say_the_same() -> None:
    entities()
    links()
    contents = table_files(evaluate(read("results", "gold", profile="corrected")))
    data = json.loads(contents["evaluation.json"])
    for table in data["tables"]:
        rows = list(csv.DictReader(contents[f"{table['table']}.csv"].splitlines()))
        for row, entry in zip(rows, table["rows"], strict=True):
            assert {name: float(row[name]) if row[name] else None for name in entry["scores"]} == entry["scores"]
        assert f"## {table['title']}\n" in contents["evaluation.md"]
    assert contents["evaluation.md"].endswith(f"`{data['signature']}`\n")
    assert "| [x] flair NER | [ ] coref_mt5 | [ ] spaCy EntityLinker | [ ] UniRel |" in contents["evaluation.md"]
    assert "| [x] ReFinED |" in contents["evaluation.md"]


def test_the_order_of_rows_is_that_of_their_scores() -> None:
    entities()
    put("results/stanza/stanza_conll03.csv", f"c5_id,entities,labels\n{A},BOB,PER\n")
    put("results/flair/flair_conll03.csv", f"c5_id,entities,labels\n{A},BOB,PER\n{A},HIT,PER\n")
    contents = table_files(evaluate(read("results", "gold")))
    assert [row["tool"] for row in csv.DictReader(contents["ner-conll03.csv"].splitlines())] == [
        "stanza NERProcessor",
        "flair NER",
    ]


CASES = [case for case in packs.public("omin") if case.get("published_row")]
KINDS = {"ner_seed": "seed", "ner_head": "head", "cr": "head", "nel": "head"}
PUBLISHED_COLUMNS = {"nel": (0, 1, 2, 5, 6, 7, 10, 11, 12)}
"""The published columns that are reproducible: for links, likeness came from a service that is no more."""
HAND_EDITED = {("cr", "0.511"), ("ner", "0.30082")}
"""Published cells that the programs do not print: one edited by hand, one cut off instead of rounded."""


def profile_of(case: dict) -> str:
    return "seed" if case["what"].startswith("seed era") else KINDS[case["kind"]]


def published(case: dict) -> list[list[str]]:
    """Return the published rows of a case, in one or two tables."""
    path = packs.SHARED / "omin" / "public" / "published_tables.json"
    sections = json.loads(path.read_text("utf-8"))[
        f"{profile_of(case)}_{'automatic' if profile_of(case) == 'seed' else 'quantitative'}"
    ]
    wanted = {"cr": "CR", "nel": "NEL", "ner_seed": "NER"}.get(case["kind"])
    typed = case["kind"] == "ner_head" and not case["args"]["untyped"]
    rows = []
    for section in sections:
        title = section["section"]
        entities = title not in ("CR", "NEL")
        if title == wanted or (wanted is None and entities and title.startswith("Un-Typed") != typed):
            rows += [cells for name, cells in section["rows"].items() if name in case["published_row"].split("|")]
    return rows


@pytest.fixture(scope="module")
def comparisons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Lay out the public results of the pack as the project does, and compare them under both profiles."""
    public = packs.SHARED / "omin" / "public"
    found = {}
    for profile in ("head", "seed"):
        results = tmp_path_factory.mktemp(profile)
        for case in CASES:
            source = public / case["dir"] / case["inputs"][1]
            if profile_of(case) == profile:
                target = results / file_of(case)
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(source.read_bytes())
        comparison = evaluate(read(str(results), str(public / "gold"), profile=profile))
        found[profile] = comparison
    return found


def file_of(case: dict) -> str:
    name = re.search(r"\S+/\S+\.csv", case["what"])
    assert name is not None
    return name[0] + (".gz" if case["inputs"][1].endswith(".gz") else "")


@pytest.mark.skipif(not CASES, reason="the public cases of OMIn are not here")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_published_cells(case: dict, comparisons: dict[str, Any]) -> None:
    profile = profile_of(case)
    table = {"ner_seed": "ner", "cr": "cr", "nel": "nel"}.get(case["kind"])
    if table is None:
        table = "ner-untyped" if case["args"]["untyped"] else f"ner-{case['args']['type_set']}"
    encoder = re.search(r"biencoder|crossencoder", case["published_row"])
    rows = [
        row
        for row in comparisons[profile].tables[table]
        if row.results == file_of(case) and (encoder is None or encoder[0] in row.tool)
    ]
    assert len(rows) == 1
    expected = published(case)
    assert expected
    for cells in expected:
        wanted = [cells[place] for place in PUBLISHED_COLUMNS.get(table, range(len(cells)))]
        for cell, number in zip(wanted, rows[0].numbers, strict=True):
            shown = "--" if number is None else f"{number:.5f}" if profile == "seed" else f"{float(number):.2}"
            same = cell == shown or (cell != "--" and float(cell) == float(shown))
            assert same or (table, cell) in HAND_EDITED, (cell, number)
