from __future__ import annotations

import json

import pytest
from tests.protocols.coldstart.kb_files import KB_TEXT, QUERIES_TEXT

from karat.cli import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "kb.tac").write_text(KB_TEXT)
    (tmp_path / "queries.xml").write_text(QUERIES_TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def coldstart(*words: str) -> int:
    return run(["coldstart", *words])


@pytest.mark.parametrize("dash", ["-", "--"])
def test_one_dash_or_two(dash, folder, capfd):
    words = [f"{dash}output", "tac", f"{dash}output_file", "kb.valid", f"{dash}error_file", "log", "kb.tac"]
    assert coldstart("validate-kb", *words) == 0
    assert capfd.readouterr() == ("", "")
    assert (folder / "kb.valid").read_text().startswith("run1\n\n:A\ttype\tPER\t\n")
    assert (folder / "log").read_text() == "No warnings encountered\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-nope", "kb.tac"], "ERROR: Unknown switch: -nope"),
        ([], "ERROR: Not enough arguments; filename must be provided"),
        (["kb.tac", "-docs"], "ERROR: Too many arguments"),
        (["-docs"], "ERROR: Not enough arguments; filename must be provided"),
        (["-output=tac", "kb.tac"], "ERROR: Unknown switch: -output=tac"),
    ],
)
def test_wrong_calls(words, message, folder, capfd):
    assert coldstart("validate-kb", *words) == 255
    assert capfd.readouterr().out.splitlines()[0] == message


def test_an_unknown_profile_is_named(folder, capfd):
    assert coldstart("validate-kb", "-profile", "2016", "kb.tac") == 2
    assert "unknown profile '2016'" in capfd.readouterr().err


def test_help_and_version(capfd):
    assert coldstart("resolve-queries", "-h") == 0
    out = capfd.readouterr().out
    assert all(name in out for name in ("-error_file", "-profile", "queryfile", "runfile", "output_file"))
    assert coldstart("resolve-queries", "--profile", "2015.11", "-version") == 0
    assert capfd.readouterr().out == "CS-ResolveQueries.pl version 2016.1.0\n"


def test_a_file_that_cannot_be_written_stops_it(folder, capfd):
    assert coldstart("validate-kb", "-output", "tac", "-output_file", "no/such/file", "kb.tac") == 255
    assert capfd.readouterr().err == "FATAL: Could not open no/such/file: No such file or directory\n"


def test_an_error_leaves_an_empty_output(folder, capfd):
    (folder / "kb.tac").write_text(KB_TEXT + ":A\tbogus\t:B\td1:0-1\n")
    assert coldstart("validate-kb", "-output", "tac", "-output_file", "kb.valid", "kb.tac") == 255
    assert (folder / "kb.valid").read_bytes() == b""
    assert capfd.readouterr().err.splitlines()[-1] == "FATAL: 1 error encountered"


def test_stats(folder, capfd):
    assert coldstart("stats", "kb.tac") == 0
    lines = dict(line.split("\t") for line in capfd.readouterr().out.splitlines())
    assert lines["assertions"] == "9"
    assert lines["entities per"] == "2"
    assert lines["errors"] == "0"
    assert coldstart("stats", "nothing") == 3


def test_validate_shows_the_problems_of_a_kb_by_kind(folder, capfd):
    (folder / "kb.tac").write_text(
        KB_TEXT + ":A\tper:title\tbare\td1:0-9\n:A\tper:title\tbare2\td1:0-8\n:A\tbogus\t:B\td1:0-1\n"
    )
    assert run(["validate", "kb.tac"]) == 3
    out, err = capfd.readouterr()
    assert out.index("error ILLEGAL_PREDICATE, 1 time") < out.index("warning UNQUOTED_STRING, 2 times")
    assert "  kb.tac:11: String bare not surrounded by double quotes\n      :A per:title bare d1:0-9\n" in out
    assert "  fix: Put the string in double quotes" in out
    assert err == "kb.tac: coldstart-kb: 11 assertions, 1 error, 2 warnings\n"
    assert run(["validate", "--view", "jsonl", "kb.tac"]) == 3
    problems = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [problem["line"] for problem in problems] == [13, 11, 12]


def test_validate_names_lines_by_their_real_number(folder, capfd):
    (folder / "kb.tac").write_text("\n" + KB_TEXT.removeprefix("run1\n") + ":A\tbogus\t:B\td1:0-1\n")
    assert run(["validate", "kb.tac"]) == 3
    assert "kb.tac:11: Illegal predicate: bogus\n      :A bogus :B d1:0-1" in capfd.readouterr().out


def test_validate_is_silent_about_a_sound_kb(folder, capfd):
    assert run(["validate", "kb.tac"]) == 0
    assert capfd.readouterr() == ("", "kb.tac: coldstart-kb: 9 assertions, 0 errors, 0 warnings\n")


def test_a_value_may_stand_behind_an_equals_sign(folder, capfd):
    assert coldstart("validate-kb", "--output=tac", "--profile=corrected", "kb.tac") == 0
    assert capfd.readouterr().out.startswith("run1\n")
