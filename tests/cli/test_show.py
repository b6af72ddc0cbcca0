"""``karat score --save`` and ``karat show``."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command

SCORE = ("score", "hipe2022-nerc-coarse", "gold.tsv")


@pytest.mark.parametrize(
    "ask",
    [
        "",
        "--by label",
        "--by unit",
        "--ci --seed 7 --resamples 20",
        "--all --zero one",
        "--view json",
        "--measure f2 --ci",
    ],
)
def test_a_run_shows_what_scoring_showed(karat: Command, ask: str) -> None:
    scored = karat(*SCORE, "good.tsv", "--save", "run.karat", *ask.split())
    shown = karat("show", "run.karat", *ask.split())
    assert (scored.status, shown.status, scored.err) == (0, 0, shown.err)
    assert scored.out == shown.out != ""


def test_several_systems_are_kept_in_a_folder(karat: Command) -> None:
    scored = karat(*SCORE, "good.tsv", "bad.tsv", "--save", "runs/")
    assert scored.out == karat("show", "runs/good.tsv.karat", "runs/bad.tsv.karat").out
    assert sorted(path.name for path in Path("runs").iterdir()) == ["bad.tsv.karat", "good.tsv.karat"]


def test_several_systems_in_one_file_are_refused(karat: Command) -> None:
    result = karat(*SCORE, "good.tsv", "bad.tsv", "--save", "run.karat")
    assert result.status == 2
    assert "--save run.karat names one file for 2 systems" in result.err
    assert not Path("run.karat").exists()


def test_systems_of_the_same_name_are_refused(karat: Command) -> None:
    assert "two systems have the same name" in karat(*SCORE, "good.tsv", "./good.tsv", "--save", "runs/").err
    assert not Path("runs").exists()


def test_an_input_is_not_replaced(karat: Command) -> None:
    before = Path("good.tsv").read_bytes()
    result = karat(*SCORE, "good.tsv", "--save", "good.tsv")
    assert result.status == 3
    assert "would replace this input" in result.err
    assert Path("good.tsv").read_bytes() == before


def test_what_is_no_run_is_refused(karat: Command) -> None:
    result = karat("show", "gold.tsv")
    assert result.status == 3
    assert result.err == "karat: gold.tsv: is no run file; expected one that karat score --save has made\n"


def test_a_run_that_cannot_be_written_is_no_half_file(karat: Command) -> None:
    result = karat(*SCORE, "good.tsv", "--save", "nowhere/run.karat")
    assert (result.status, result.out) == (3, "")
    assert "nowhere/run.karat: cannot be written" in result.err


@pytest.mark.parametrize("view", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex", "html"])
def test_measures_that_are_asked_for_stand_in_every_view(karat: Command, view: str) -> None:
    shown = karat(*SCORE, "good.tsv", "--measure", "fbeta=0.5", "--measure", "f2", "--view", view)
    assert (shown.status, shown.err) == (0, "")
    assert "f0.5" in shown.out.lower()
    assert "measures:f0.5+f2" in shown.out


def test_a_measure_that_nobody_knows_is_a_wrong_command_line(karat: Command) -> None:
    result = karat(*SCORE, "good.tsv", "--measure", "recal")
    assert (result.status, result.out) == (2, "")
    assert result.err == "karat: unknown measure of hipe2022-nerc-coarse 'recal'; did you mean 'recall'?\n"


def test_a_gate_takes_a_measure_of_any_beta(karat: Command) -> None:
    karat(*SCORE, "good.tsv", "--save", "run.karat")
    assert karat("show", "run.karat", "--fail-under", "f2=0.01").status == 0
    failed = karat("show", "run.karat", "--fail-under", "fbeta=0.5=1")
    assert failed.status in (0, 1)
    assert karat("show", "run.karat", "--fail-under", "f1000=0.5").status == 2


def test_verification_asks_for_the_same_measures(karat: Command) -> None:
    karat(*SCORE, "good.tsv", "--measure", "f2", "-o", "result.json")
    assert karat("verify", "result.json", "--gold", "gold.tsv", "--system", "good.tsv").status == 0
    karat(*SCORE, "good.tsv", "--measure", "f2", "-o", "result.csv")
    assert karat("verify", "result.csv", "--gold", "gold.tsv", "--system", "good.tsv").status == 0
