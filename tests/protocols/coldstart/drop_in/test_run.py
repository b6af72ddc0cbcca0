"""``karat coldstart run``: what it looks at before its first step, and what it says if that cannot work."""

from __future__ import annotations

import gzip

import pytest
from tests.protocols.coldstart.slot_files import POOL, QUERIES, RUN, Q, answer

from karat.cli import run as karat

WORDS = ["--queries", "q.xml", "--assessments", "pool", "-o", "results"]
HEADED = "# of 2015\n\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "q.xml").write_text(QUERIES)
    (tmp_path / "run").write_text("\n".join(RUN) + "\n")
    (tmp_path / "pool").write_text("\n".join(POOL) + "\n")
    (tmp_path / "index").write_text(f"{Q}\tCS1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def taken(words, capfd, status=3):
    """Take the way and return what is said."""
    assert karat(["coldstart", "run", *words]) == status
    out, err = capfd.readouterr()
    return err if status else out


def test_query_ids_are_a_file_or_known_ids(folder, capfd):
    whole = taken(["run", *WORDS], capfd, 0)
    (folder / "ids").write_text(f"{Q}\n")
    for number, ids in enumerate((Q, "ids")):
        words = [*WORDS[:-1], f"again{number}", "--query-ids", ids]
        assert taken(["run", *words], capfd, 0) == whole.replace("results", f"again{number}")


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ("nope", "karat: nope: is no file, and q.xml has no query of that id; give a file of ids, one a line\n"),
        (f"{Q}:Q2", f"karat: {Q}:Q2: is no file, and q.xml has no query Q2; give a file of ids, one a line\n"),
        ("other", "karat: other: has no id of a query in q.xml; expected ids, one a line\n"),
        (".", "karat: .: cannot be read: is a directory\n"),
    ],
)
def test_query_ids_that_nobody_knows(folder, capfd, ids, said):
    (folder / "other").write_text("Q2\nQ3\n")
    assert taken(["run", *WORDS, "--query-ids", ids], capfd) == said
    assert not (folder / "results").exists()


@pytest.mark.parametrize("name", ["queries.txt", "queries", "queries.xml.gz"])
def test_query_files_of_any_name(folder, capfd, name):
    whole = taken(["run", *WORDS], capfd, 0)
    text = QUERIES.encode()
    (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    words = ["--queries", name, "--assessments", "pool", "-o", "again"]
    assert taken(["run", *words], capfd, 0) == whole.replace("results", "again")
    assert "ALL-Micro" in whole


def test_assessments_of_any_name(folder, capfd):
    whole = taken(["run", *WORDS], capfd, 0)
    (folder / "pool").rename("pool.xml")
    words = ["--queries", "q.xml", "--assessments", "pool.xml", "-o", "again"]
    assert taken(["run", *words], capfd, 0) == whole.replace("results", "again")


def test_a_folder_of_assessments(folder, capfd):
    whole = taken(["run", *WORDS], capfd, 0)
    (folder / "pools").mkdir()
    words = ["--queries", "q.xml", "--assessments", "pools", "-o", "again"]
    assert taken(["run", *words], capfd) == "karat: pools: has no file *.tab.txt; expected assessments\n"
    (folder / "pool").rename("pools/pool.tab.txt")
    assert taken(["run", *words], capfd, 0) == whole.replace("results", "again")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--mapping", "index"], "--mapping needs --index, the LDC query of each entry point"),
        (["--index", "index"], "--index needs --assessments"),
        (["--query-ids", Q], "--query-ids needs --assessments"),
    ],
)
def test_options_that_need_others(folder, capfd, options, said):
    del folder
    words = [*WORDS[:2], *WORDS[-2:]] if "assessments" in said else WORDS
    assert said in taken(["run", *words, *options], capfd, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n".join(POOL), "has the lines of a pool; expected a knowledge base or a run"),
        (HEADED + "\n".join(POOL), "has the lines of a pool; expected a knowledge base or a run"),
        ("", "is empty; expected a knowledge base or a run"),
        (HEADED, "is empty; expected a knowledge base or a run"),
        ("run1\n", "has neither assertions nor answers; expected a knowledge base or a run"),
        (QUERIES, "has neither assertions nor answers; expected a knowledge base or a run"),
    ],
)
def test_what_is_no_run(folder, capfd, text, said):
    (folder / "run").write_text(text)
    assert taken(["run", *WORDS], capfd) == f"karat: run: {said}\n"
    assert not (folder / "results").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n".join(RUN), "has the lines of a run; expected assessments"),
        ("", "is empty; expected assessments"),
        ("x\ty\n", "has no assessments; expected 8 columns separated by tabs"),
    ],
)
def test_what_is_no_pool(folder, capfd, text, said):
    (folder / "pool").write_text(text)
    assert taken(["run", *WORDS], capfd) == f"karat: pool: {said}\n"
    assert not (folder / "results").exists()


@pytest.mark.parametrize("option", ["--queries", "--docs", "--assessments", "--index", "--mapping", "RUN"])
def test_every_file_is_looked_for_before_the_first_step(folder, capfd, option):
    given = {"--queries": "q.xml", "--assessments": "pool", "--index": "index"} | {option: "no/such"}
    source = given.pop("RUN", "run")
    words = [word for pair in given.items() for word in pair]
    said = taken([source, *words, "-o", "results"], capfd)
    assert said == "karat: no/such: cannot be read: no such file or directory\n"
    assert not (folder / "results").exists()


def test_wrong_tables_are_refused_before_the_first_step(folder, capfd):
    (folder / "wrong").write_text(f"{Q}\tCS1\nwrong\n")
    said = taken(["run", *WORDS, "--index", "wrong"], capfd)
    assert said.startswith("karat: wrong:2: 'wrong' is no pair of ids")
    said = taken(["run", *["pool" if word == "q.xml" else word for word in WORDS]], capfd)
    assert said == "karat: pool: is no query file: it has no query with an id and a slot0\n"
    assert not (folder / "results").exists()


def test_a_run_without_an_answer_that_counts(folder, capfd):
    (folder / "run").write_text(answer(Q, "Bob", "d1:10-12").replace("per:children", "per:age") + "\n")
    said = taken(["run", *WORDS], capfd)
    assert "score stopped: no answer is left to score; see results/run.validate-sf.log\n" in said
