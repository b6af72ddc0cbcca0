"""The drop-in beyond the conformance pack: what it refuses, and that nothing is ever overwritten or left half-done."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOLD, Command

WORDS = ("hipe", "evaluate", "-r", "gold.tsv", "-t", "nerc_coarse", "-e", "hipe-2022", "--skip-check")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_two_reports_and_a_log(karat: Command, tmp_path: Path) -> None:
    before = names(tmp_path)
    assert karat(*WORDS, "-p", "good.tsv", "-l", "log.txt").status == 0
    assert names(tmp_path) - before == {"good_nerc_coarse.tsv", "good_nerc_coarse.json", "log.txt"}


@pytest.mark.parametrize(
    "words",
    [
        ["-p", "good.tsv", "-l", "gold.tsv"],
        ["-p", "good.tsv", "-l", "./good.tsv"],
        ["-p", "good.txt", "-l", "log"],
    ],
)
def test_no_input_is_ever_overwritten(words: list[str], karat: Command, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text((tmp_path / "good.tsv").read_text())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    shown = karat(*WORDS, *words)
    assert shown.status == 3
    assert "would replace this input" in shown.err or "would overwrite this input" in shown.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_nothing_is_left_half_done(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "good_nerc_coarse.json").mkdir()
    before = names(tmp_path)
    assert karat(*WORDS, "-p", "good.tsv", "-l", "log.txt").status == 3
    assert karat(*WORDS, "-p", "bad.tsv", "-l", "no/log.txt").status == 3
    assert names(tmp_path) == before


def test_a_name_that_is_not_utf8(karat: Command, tmp_path: Path) -> None:
    odd = "run\udcff.tsv"
    (tmp_path / odd).write_text(GOLD)
    before = names(tmp_path)
    shown = karat(*WORDS, "-p", odd, "-l", "log.txt")
    assert (shown.status, shown.err.count("\n")) == (3, 1)
    assert names(tmp_path) == before


def test_options_may_be_shortened_but_not_repeated(karat: Command) -> None:
    assert karat(*WORDS, "--pred", "good.tsv", "--lo", "log.txt").status == 0
    assert karat(*WORDS, "-p", "good.tsv", "-p", "bad.tsv", "-l", "log.txt").status == 2
    assert karat(*WORDS, "-p", "good.tsv", "-l", "log.txt", "--no", "0-1").status == 0
