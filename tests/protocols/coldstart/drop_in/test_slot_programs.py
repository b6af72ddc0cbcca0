"""Validation, correction of query ids, projection and the whole way, as published and corrected."""

from __future__ import annotations

import pytest
from tests.protocols.coldstart.kb_files import KB_TEXT, QUERIES_TEXT
from tests.protocols.coldstart.slot_files import BOB, POOL, QUERIES, RUN, Q, answer, write

from karat.cli import run as karat
from karat.vocabularies.coldstart.query_ids import base, base_without_entry_point

AGE = QUERIES.replace("<slot0>per:children</slot0><slot1>per:age</slot1>", "<slot0>per:age</slot0>")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("CS15_ENG_0001", "CS15_ENG_0001"),
        ("CS15_ENG_0001_aaaabbbbcccc", "CS15_ENG_0001"),
        ("CS15_ENG_0001_AAAABBBBCCCC", "CS15_ENG_0001"),
        ("CS15_ENG_0001_PSEUDO_1", "CS15_ENG_0001"),
        ("X_01234567-0123-0123-0123-0123456789ab", "X"),
        (Q, Q),
        (BOB, Q),
    ],
)
def test_bases(query, first):
    assert base(query) == first


def test_the_early_base_lacks_the_entry_point():
    assert base_without_entry_point(Q) == "CSSF15_ENG"


def test_single_values_unchecked(tmp_path, capfd):
    lines = [f"{Q}\tper:age\trun1\td1:0-9\t{age}\tSTRING\td1:0-{age}\t0.{age}" for age in (4, 7, 5)]
    queries, run, _ = write(tmp_path, lines, POOL, AGE)
    out = tmp_path / "out"
    words = ["-output_file", str(out), queries, run]
    assert karat(["coldstart", "validate-sf", *words]) == 0
    assert len(out.read_text().splitlines()) == 3
    assert karat(["coldstart", "validate-sf", "-profile", "corrected", *words]) == 0
    assert [line.split("\t")[4] for line in out.read_text().splitlines()] == ["7"]
    assert "WARNING: Multiple responses given to single-valued slot per:age" in capfd.readouterr().err
    assert karat(["coldstart", "validate-sf", "-profile", "corrected", "-groundtruth", *words]) == 0
    assert len(out.read_text().splitlines()) == 3


def test_what_follows_from_a_dropped_answer_is_dropped(tmp_path):
    queries = QUERIES.replace("per:children", "per:city_of_birth").replace("per:age", "gpe:births_in_city")
    from tests.protocols.coldstart.slot_files import target

    fills = [("Bern", "d1:0-3", "0.9"), ("Rome", "d1:5-8", "0.2")]
    lines = [f"{Q}\tper:city_of_birth\tr\td1:0-9\t{value}\tGPE\t{place}\t{sure}" for value, place, sure in fills]
    lines += [f"{target(v, p)}\tgpe:births_in_city\tr\td1:0-9\tX\tPER\td1:0-9\t1.0" for v, p, _ in fills]
    files = write(tmp_path, lines, POOL, queries)
    out = tmp_path / "out"
    assert karat(["coldstart", "validate-sf", "-profile", "corrected", "-output_file", str(out), *files[:2]]) == 0
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == [Q, target("Bern", "d1:0-3")]


def test_lines_in_any_order_are_validated_alike(tmp_path):
    found = []
    for lines in (RUN, RUN[::-1]):
        queries, run, _ = write(tmp_path, lines, POOL)
        out = tmp_path / "out"
        assert karat(["coldstart", "validate-sf", "-profile", "corrected", "-output_file", str(out), queries, run]) == 0
        found.append(out.read_text())
    assert found[0] == found[1]


def test_early_and_right_ids_become_right(tmp_path, capfd):
    early = BOB.replace("_0123456789", "")
    lines = [RUN[0], answer(early, "4", "d1:30-30"), answer(BOB, "5", "d1:31-31")]
    queries, run, _ = write(tmp_path, lines, POOL)
    out = tmp_path / "out"
    words = ["-output_file", str(out), queries, run]
    assert karat(["coldstart", "correct-query-ids", *words]) == 255
    assert f"FATAL: Query {BOB} not loaded" in capfd.readouterr().err
    assert karat(["coldstart", "correct-query-ids", "-profile", "corrected", *words]) == 0
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == [Q, BOB, BOB]


def test_projection_says_what_is_wrong_with_its_files(tmp_path, capfd):
    (tmp_path / "index").write_text(f"{Q} CS15_ENG_0001\n")
    (tmp_path / "scores").write_text("nothing\n")
    words = [str(tmp_path / "index"), str(tmp_path / "scores")]
    assert karat(["coldstart", "project-scores", *words]) == 3
    assert "index:1: " in capfd.readouterr().err
    (tmp_path / "index").write_text(f"{Q}\tCS15_ENG_0001\n")
    assert karat(["coldstart", "project-scores", *words]) == 3
    assert "scores:1: 'nothing' is no row of scores" in capfd.readouterr().err
    assert karat(["coldstart", "project-scores", "-score", "RANDOM", *words]) == 255
    assert karat(["coldstart", "project-scores", "-score", "BEST", *words]) == 255


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "kb.tac").write_text(KB_TEXT)
    (tmp_path / "queries.xml").write_text(QUERIES_TEXT)
    (tmp_path / "pool").write_text("\n".join(POOL) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_whole_way(folder, capfd):
    words = ["--queries", "queries.xml", "--assessments", "pool"]
    assert karat(["coldstart", "run", "kb.tac", *words, "-o", "results"]) == 0
    out, err = capfd.readouterr()
    assert "ALL-Micro" in out
    assert err.startswith("1/5 validate-kb: ")
    run = "results/kb.tac.valid.ldc.tab.txt"
    assert karat(["coldstart", "run", run, *words, "-o", "again"]) == 0
    again = (folder / "again" / "kb.tac.valid.ldc.tab.txt.score.cssf.txt").read_text()
    assert again == (folder / "results" / "kb.tac.score.cssf.txt").read_text()


def test_the_way_ends_where_a_step_stops(folder, capfd):
    (folder / "kb.tac").write_text(KB_TEXT + ":A\tper:nonsense\t:B\td1:0-2\n")
    assert karat(["coldstart", "run", "kb.tac", "--queries", "queries.xml", "-o", "results"]) == 3
    assert "validate-kb stopped: 1 error encountered; see results/kb.tac.validate-kb.log" in capfd.readouterr().err
    assert not (folder / "results" / "kb.tac.SF").exists()
    assert karat(["coldstart", "run", "kb.tac", "--queries", "queries.xml", "-o", "results"]) == 3
    assert "exists and is no empty folder" in capfd.readouterr().err
