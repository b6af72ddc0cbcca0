"""Flags that would do nothing where they stand are refused in one sentence."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO

import pytest
from tests.cli.conftest import Command

PROTOCOL = "hipe2022-nerc-coarse"
SCORE = f"score {PROTOCOL} gold.tsv good.tsv"


@pytest.fixture(autouse=True)
def _runs(karat: Command) -> None:
    karat("score", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv", "--save", "runs/")


@pytest.mark.parametrize("flag", ["--level 0.9", "--resamples 9", "--seed 1", "--ci-method bca", "--cluster-by year"])
@pytest.mark.parametrize("command", [SCORE, "show runs/good.tsv.karat"])
def test_intervals_that_nobody_asks_for(karat: Command, command: str, flag: str) -> None:
    asked = karat(*command.split(), *flag.split())
    assert (asked.status, asked.out) == (2, "")
    assert f"{flag.split()[0]} has no effect without intervals; add --ci" in asked.err


@pytest.mark.parametrize("flag", ["--from hipe", "--system-format hipe", "--read scheme=IOB1", "--share-links"])
@pytest.mark.parametrize("command", ["compare", "leaderboard", "report -o page.html"])
def test_how_files_are_read_where_there_are_runs(karat: Command, command: str, flag: str) -> None:
    asked = karat(*command.split(), "runs/good.tsv.karat", "runs/bad.tsv.karat", *flag.split())
    assert asked.status == 2
    assert f"{flag.split()[0]} has no effect on run files" in asked.err


@pytest.mark.parametrize("flag", ["--test t", "--level 0.9", "--seed 1"])
def test_draws_of_plain_ranks(karat: Command, flag: str) -> None:
    asked = karat("leaderboard", "runs/good.tsv.karat", "runs/bad.tsv.karat", "--no-ci", *flag.split())
    assert asked.status == 2
    assert f"{flag.split()[0]} needs intervals; leave --no-ci out" in asked.err


def test_a_view_of_a_leaderboard_without_systems(karat: Command) -> None:
    asked = karat("leaderboard", PROTOCOL, "gold.tsv", "--codabench", "bundle.zip", "-o", "board.html")
    assert asked.status == 2
    assert "--out needs systems" in asked.err


def test_a_bundle_scores_as_the_leaderboard_does(karat: Command) -> None:
    flags = ("--codabench", "bundle.zip", "--share-links", "--zero", "one")
    assert karat("leaderboard", PROTOCOL, "gold.tsv", *flags).status == 0
    with zipfile.ZipFile("bundle.zip") as bundle:
        program = zipfile.ZipFile(BytesIO(bundle.read("scoring_program.zip")))
    settings = json.loads(program.read("evaluation.json"))["settings"]
    assert settings == {"share_links": True, "zero": "one"}


@pytest.mark.parametrize("flags", ["--view table", "--view text --confusion", "--view html -o page.html"])
def test_groups_of_items_that_are_not_shown_in_their_words(karat: Command, flags: str) -> None:
    asked = karat("explain", PROTOCOL, "gold.tsv", "good.tsv", "--by", "case", *flags.split())
    assert asked.status == 2
    assert "--by works only with one system and --view text" in asked.err


def test_groups_of_items_are_shown_in_their_words_in_a_pipe_too(karat: Command) -> None:
    words = ("explain", PROTOCOL, "gold.tsv", "bad.tsv", "--by", "case")
    assert karat(*words).out == karat(*words, "--view", "text").out != ""
