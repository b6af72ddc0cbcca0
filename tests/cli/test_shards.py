"""Shards on the command line: cut, scored one by one, merged in any order, refused if they do not belong together."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples" / "hipe"
GOLD, SYSTEM, OTHER = (str(EXAMPLES / name) for name in ("gold.tsv", "system-a.tsv", "system-b.tsv"))
PROTOCOL = "hipe2022-nerc-coarse"


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """Cut gold and systems in two, and score the shards of a system with the facts of all into the working folder."""
    monkeypatch.chdir(tmp_path)
    for path, folder in ((GOLD, "gold"), (SYSTEM, "system"), (OTHER, "other")):
        assert run(["split", path, "-n", "2", "-o", folder]) == 0
    assert run(["facts", PROTOCOL, "gold", "system", "-o", "facts.karat"]) == 0
    for number in (1, 2):
        assert run([*score(number), "--facts", "facts.karat", "--save", f"{number}.karat"]) == 0
    capfd.readouterr()
    return ["1.karat", "2.karat"]


def score(number: int, protocol: str = PROTOCOL) -> list[str]:
    """Return the words that score a shard."""
    return ["score", protocol, f"gold/gold-{number}-of-2.tsv", f"system/system-a-{number}-of-2.tsv"]


Fails = Callable[..., None]


@pytest.fixture
def fails(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Fails:
    """Return a check that a command ends with a status and one sentence, and writes no run."""

    def check(words: list[str], status: int, *sentence: str) -> None:
        before = sorted(tmp_path.iterdir())
        assert run(words) == status
        told = capfd.readouterr()
        assert told.out == ""
        assert all(part in told.err for part in sentence)
        assert "Traceback" not in told.err
        assert sorted(tmp_path.iterdir()) == before

    return check


def test_merged_shards_are_the_run_to_the_byte(shards: list[str], tmp_path: Path, capfd: Any) -> None:
    assert run(["merge", *reversed(shards), "-o", "merged.karat"]) == 0
    assert capfd.readouterr() == ("", "")
    for more in ([], ["--workers", "2"]):
        assert run(["score", PROTOCOL, "gold", "system", *more, "--save", "whole.karat"]) == 0
        assert (tmp_path / "merged.karat").read_bytes() == (tmp_path / "whole.karat").read_bytes()


def test_the_rows_of_shards_are_those_of_the_file(shards: list[str], capfd: Any) -> None:
    del shards
    rows = []
    for sides in ((GOLD, SYSTEM), ("gold/*.tsv", "system/*.tsv")):
        assert run(["score", PROTOCOL, *sides, "--view", "tsv", "--by", "label"]) == 0
        lines = capfd.readouterr().out.splitlines()
        rows.append([line.partition("\t")[2] for line in lines if not line.startswith("#")])
    assert rows[0] == rows[1]


def test_shards_of_gold_and_system_have_the_same_documents(shards: list[str], tmp_path: Path) -> None:
    del shards
    for number in (1, 2):
        names = [
            [document.id for document in karat.read(tmp_path / path)]
            for path in (f"gold/gold-{number}-of-2.tsv", f"other/system-b-{number}-of-2.tsv")
        ]
        assert names[0] == names[1] != []


def test_a_missing_shard_is_said_and_one_that_is_there_twice_refused(
    shards: list[str], fails: Fails, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["merge", shards[0], "-o", "x.karat"]) == 0
    assert "note: shards are missing" in capfd.readouterr().err
    fails(["merge", *shards, shards[0], "-o", "y.karat"], 3, "the shard gold-1-of-2.tsv is there twice")


@pytest.mark.parametrize(
    ("words", "difference"),
    [
        ((*score(2, "hipe2022-nerc-fine"),), "different protocols"),
        ((*score(2), "--profile", "2022"), "different options, profile=current and"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    shards: list[str], fails: Fails, capfd: Any, words: tuple[str, ...], difference: str
) -> None:
    assert run([*words, "--save", "stray.karat"]) == 0
    capfd.readouterr()
    sentence = ("1.karat and stray.karat do not belong together", difference)
    fails(["merge", shards[0], "stray.karat", "-o", "x.karat"], 3, *sentence)


def test_shards_that_were_not_told_the_facts_are_refused(shards: list[str], fails: Fails, capfd: Any) -> None:
    assert run([*score(2), "--save", "alone.karat"]) == 0
    capfd.readouterr()
    sentence = "gather them with karat facts, and score each shard with --facts"
    fails(["merge", shards[0], "alone.karat", "-o", "x.karat"], 3, sentence)


def test_facts_of_other_data_are_refused(shards: list[str], fails: Fails) -> None:
    del shards
    words = ["score", PROTOCOL, GOLD, GOLD, "--facts", "facts.karat", "--save", "x.karat"]
    fails(words, 3, "the facts that were given are not of a corpus with this shard; gather them again")
    fails([*score(1, "hipe2022-nerc-fine"), "--facts", "facts.karat"], 3, "has facts of another protocol")


def test_a_file_of_another_kind_says_what_it_is_for(shards: list[str], fails: Fails, tmp_path: Path) -> None:
    fails(["show", "facts.karat"], 3, "is a file of facts; give it to karat score --facts")
    fails(["merge", GOLD, "-o", "x.karat"], 3, "is no run file; expected one that karat score --save has made")
    (tmp_path / shards[1]).write_bytes((tmp_path / shards[1]).read_bytes()[:-1])
    fails(["merge", *shards, "-o", "x.karat"], 3, "2.karat: the run file is cut off or damaged")


def test_a_run_never_takes_the_place_of_an_input(shards: list[str], fails: Fails) -> None:
    fails(["merge", *shards, "-o", shards[0]], 3, "1.karat", "input")
    fails(["score", PROTOCOL, "gold", "system", "--save", "gold/gold-1-of-2.tsv"], 3, "input")
    fails(["split", "gold/gold-1-of-2.tsv", "-n", "9999"], 3, "cannot fill 9999 shards; choose a smaller -n")


def test_what_cannot_be_split_is_one_sentence(shards: list[str], fails: Fails, tmp_path: Path) -> None:
    del shards
    fails(["split", str(EXAMPLES.parent / "brat" / "gold"), "-n", "2"], 2, "only a file of many documents is split")
    (tmp_path / "run.tab").write_text("CSSF15_ENG_0001\tper:age\trun\td:0-1\t4\tSTRING\td:0-1\t1.0\n")
    fails(["split", "run.tab", "--from", "coldstart", "-n", "2"], 2, "files of the format coldstart cannot be split")


def test_a_full_disk_leaves_nothing(shards: list[str], fails: Fails, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    monkeypatch.setattr("os.replace", full)
    fails(["merge", *shards, "-o", "whole.karat"], 3, "no space left on device")


def test_facts_are_about_one_system(fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["score", PROTOCOL, "gold-that-is-not-there.tsv", SYSTEM, OTHER, "--facts", "facts"]
    fails(words, 2, "--facts is about one system")


def test_what_is_corpus_wide_is_scored_at_once(shards: list[str], fails: Fails, capfd: Any) -> None:
    del shards
    options = ["--clusters", "corpus"]
    assert run(["score", "tac-edl", *options, "gold", "system", "--workers", "2"]) == 0
    for number in (1, 2):
        assert run([*score(number, "tac-edl"), *options, "--save", f"tac-{number}.karat"]) == 0
    capfd.readouterr()
    reason = "cannot be merged: clusters of the whole corpus are aligned with each other; score all shards at once"
    fails(["merge", "tac-1.karat", "tac-2.karat", "-o", "x.karat"], 2, reason)


def test_a_protocol_without_facts_says_so(fails: Fails, tmp_path: Path) -> None:
    fails(["facts", "coref", GOLD, SYSTEM, "-o", str(tmp_path / "x")], 2, "coref need not know anything in advance")
