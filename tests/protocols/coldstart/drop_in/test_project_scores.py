"""Scores of LDC queries: which tables are read, and from which files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coldstart.slot_files import POOL, RUN, Q, rows

from karat.cli import run as karat

LDC = "CS15_ENG_0001"


@pytest.fixture
def scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows(tmp_path, RUN, POOL)
    Path("index").write_text(f"{Q}\t{LDC}\n")
    return tmp_path


def projected(*switches: str) -> list[list[str]]:
    out = Path("out")
    assert karat(["coldstart", "project-scores", "-tabs", "-output_file", str(out), *switches, "index", "scores"]) == 0
    return [line.split("\t") for line in out.read_text().splitlines()[1:]]


def test_sums_of_queries_are_no_rows(scores, capfd):
    rows(scores, RUN, POOL, "-profile", "corrected", "-combo", "MACRO")
    assert karat(["coldstart", "project-scores", "index", "scores"]) == 3
    assert "scores:3: " in (err := capfd.readouterr().err)
    assert "expected a row for each class, as -combo MICRO writes them" in err


def test_marks_at_the_beginning_of_files(scores):
    expected = projected()
    assert expected[0][0] == LDC
    for name in ("index", "scores"):
        Path(name).write_text("\ufeff" + Path(name).read_text("utf-8"), "utf-8")
    Path("wanted").write_text(f"\ufeff{LDC}\n", "utf-8")
    assert projected("-queries", "wanted") == expected


@pytest.mark.parametrize("between", [" ", "  ", "\t", " \t "])
def test_mappings_with_any_blanks(scores, between):
    Path("mapping").write_text(f"{LDC}{between}{Q}\n")
    assert projected("-score", "RANDOM", "-mapping", "mapping") == projected()


def test_a_log_must_be_new(scores, capfd):
    Path("log").write_text("kept")
    assert karat(["coldstart", "project-scores", "-error_file", "log", "index", "scores"]) == 255
    assert "FATAL: File log already exists\n" in "".join(capfd.readouterr())
    assert Path("log").read_text() == "kept"


@pytest.mark.parametrize("command", ["validate-sf", "correct-query-ids", "score", "project-scores"])
def test_help_has_an_example(command, capfd):
    assert karat(["coldstart", command, "-help"]) == 0
    assert f"\n      karat coldstart {command} -" in capfd.readouterr().out
