"""What the drop-ins say to folders that are not there and to options that do not go together."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.cli import run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold").mkdir()
    Path("submit").mkdir()


@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_gold_that_is_not_there(profile: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ehealthkd", "score", "--gold", "nope", "--submit", "nope", "--profile", profile]) == 3
    assert capfd.readouterr() == ("", "karat: nope: is no folder; name the one of the gold\n")


def test_a_submission_without_runs(capfd: pytest.CaptureFixture[str]) -> None:
    """As published all is zero, which the pack of the program shows; there is a warning beside it."""
    score = ["ehealthkd", "score", "--gold", "gold", "--submit"]
    for submission in ("nope", "submit"):
        assert run([*score, submission]) == 0
        out, err = capfd.readouterr()
        assert out == "Run 1 not found!\nRun 2 not found!\nRun 3 not found!\n\n"
        assert f"{submission}: holds none of the runs run1, run2, run3" in err
    assert run([*score, "nope", "--profile", "corrected"]) == 3
    assert capfd.readouterr() == ("", "karat: nope: is no folder; name the one of the submission\n")
    assert run([*score, "submit", "--runs", "2", "--profile", "corrected"]) == 3
    assert capfd.readouterr() == (
        "Run 2 not found!\n",
        "karat: submit: holds none of the runs run2; name the folder that does\n",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--csv"], "--csv needs --best"),
        (["--best", "--final"], "--final needs --csv and --best"),
        (["--best", "--plain"], "--plain lists all runs and cannot be combined with --best"),
        (["--best", "--compact"], "--compact needs --single"),
        (["--single", "team", "--compact"], "--compact needs --best"),
    ],
)
def test_options_that_do_not_go_together(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ehealthkd", "rank", "--edition", "2020", "--mode", "test", *words]) == 2
    assert message in capfd.readouterr().err


def test_help_is_abbreviated_like_any_option(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ehealthkd", "score", "--hel"]) == 0
    assert capfd.readouterr().out.startswith("Usage: karat ehealthkd score")
