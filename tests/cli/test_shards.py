"""Parts of a run on the command line: scored one by one, merged in any order, refused if they are of different runs."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from karat.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples" / "hipe"
GOLD, SYSTEM, OTHER = (str(EXAMPLES / name) for name in ("gold.tsv", "system-a.tsv", "system-b.tsv"))
PROTOCOL = "hipe2022-nerc-coarse"


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Score three parts into the working folder."""
    monkeypatch.chdir(tmp_path)
    for number in (1, 2, 3):
        assert run(["score", PROTOCOL, GOLD, SYSTEM, "--part", f"{number}/3", "--save", f"{number}.karat"]) == 0
    return ["1.karat", "2.karat", "3.karat"]


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


def test_merged_parts_are_the_run_to_the_byte(parts: list[str], tmp_path: Path, capfd: Any) -> None:
    assert run(["merge", *reversed(parts), "-o", "merged.karat"]) == 0
    assert capfd.readouterr() == ("", "")
    assert run(["score", PROTOCOL, GOLD, SYSTEM, "--save", "whole.karat"]) == 0
    assert (tmp_path / "merged.karat").read_bytes() == (tmp_path / "whole.karat").read_bytes()


def test_parts_that_are_told_the_facts_are_the_same(parts: list[str], tmp_path: Path) -> None:
    assert run(["facts", PROTOCOL, GOLD, SYSTEM, "-o", "facts.karat"]) == 0
    words = ["score", PROTOCOL, GOLD, SYSTEM, "--part", "2/3", "--facts", "facts.karat", "--save", "told.karat"]
    assert run(words) == 0
    assert (tmp_path / "told.karat").read_bytes() == (tmp_path / parts[1]).read_bytes()


def test_a_missing_part_and_one_that_is_there_twice_are_named(parts: list[str], fails: Fails) -> None:
    fails(["merge", *parts[:2], "-o", "x.karat"], 3, "1 of 3 parts is missing: 3")
    fails(["merge", *parts, parts[0], "-o", "x.karat"], 3, "part 1 of 3 is there twice")


@pytest.mark.parametrize(
    ("words", "difference"),
    [
        ((PROTOCOL, GOLD, OTHER, "--part", "3/3"), "different system data"),
        ((PROTOCOL, SYSTEM, SYSTEM, "--part", "3/3"), "different gold data"),
        (("hipe2022-nerc-fine", GOLD, SYSTEM, "--part", "3/3"), "different protocols"),
        ((PROTOCOL, GOLD, SYSTEM, "--profile", "2022", "--part", "3/3"), "different options, profile=current and"),
        ((PROTOCOL, GOLD, SYSTEM, "--part", "3/4"), "one is part 1 of 3, the other part 3 of 4"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    parts: list[str], fails: Fails, capfd: Any, words: tuple[str, ...], difference: str
) -> None:
    assert run(["score", *words, "--save", "stray.karat"]) == 0
    capfd.readouterr()
    sentence = ("1.karat and stray.karat do not belong together", difference)
    fails(["merge", *parts[:2], "stray.karat", "-o", "x.karat"], 3, *sentence)


def test_facts_of_other_data_are_refused(fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["facts", PROTOCOL, GOLD, OTHER, "-o", "facts.karat"]) == 0
    words = ["score", PROTOCOL, GOLD, SYSTEM, "--facts", "facts.karat", "--part", "1/2", "--save", "1.karat"]
    fails(words, 3, "facts.karat: has facts of other data; gather them again")


def test_a_file_of_another_kind_says_what_it_is_for(parts: list[str], fails: Fails, tmp_path: Path) -> None:
    fails(["show", parts[0]], 3, "1.karat: is one part of a run; put all of them together with karat merge")
    assert run(["merge", *parts, "-o", "whole.karat"]) == 0
    fails(["merge", "whole.karat", "-o", "x.karat"], 3, "is a run file, which is whole already")
    fails(["merge", GOLD, "-o", "x.karat"], 3, "is no part of a run; expected one that karat score --part has made")
    (tmp_path / parts[1]).write_bytes((tmp_path / parts[1]).read_bytes()[:-1])
    fails(["merge", *parts, "-o", "x.karat"], 3, "2.karat: the part of a run is cut off or damaged")


def test_a_run_never_takes_the_place_of_a_part(parts: list[str], fails: Fails) -> None:
    fails(["merge", *parts, "-o", parts[0]], 3, "1.karat", "input")


def test_a_full_disk_leaves_nothing(parts: list[str], fails: Fails, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    monkeypatch.setattr("os.replace", full)
    fails(["merge", *parts, "-o", "whole.karat"], 3, "no space left on device")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--part", "1/2"], "--part needs --save FILE"),
        (["--part", "0/2", "--save", "1.karat"], "there is no part 0/2; parts of 2 go from 1/2 to 2/2"),
        (["--part", "third", "--save", "1.karat"], "'third' is no part; expected one such as 3/16"),
        (["--part", "1/2", "--save", "1.karat", "--fail-under", "0.5"], "--fail-under is about the whole run"),
        (["--part", "1/2", "--save", "1.karat", "--ci"], "--ci is about the whole run; merge the parts first"),
        (["--part", "1/2", "--save", "1.karat", "--strict"], "--strict is about the whole run; merge the parts first"),
        (["--facts", "facts", OTHER], "--facts is about one system"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_read(
    fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    fails(["score", PROTOCOL, "gold-that-is-not-there.tsv", SYSTEM, *words], 2, sentence)


def test_what_is_corpus_wide_cannot_be_cut(fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["score", "tac-edl", "--clusters", "corpus", GOLD, SYSTEM, "--part", "1/2", "--save", "1.karat"]
    fails(words, 2, "cannot be scored in parts with these options: clusters of the whole corpus are aligned")


def test_a_protocol_without_facts_says_so(fails: Fails, tmp_path: Path) -> None:
    fails(["facts", "coref", GOLD, SYSTEM, "-o", str(tmp_path / "x")], 2, "coref need not know anything in advance")
