"""Files that a protocol needs beside gold and system stand before GOLD, in every command that takes a protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import Command
from tests.protocols.coldstart.slot_files import POOL, RUN, write

from karat import io as files
from karat.cli import karat as program
from karat.vocabularies.coldstart import text_files as reading

SF = "tac2015-sf"
FILES = ["q.xml", "pool.fqec", "run.tab.txt"]


@pytest.fixture
def slots(karat: Command) -> Command:
    """Return the command line in a folder with a query file, a pool and a run."""
    write(Path(), RUN, POOL)
    return karat


def test_score_takes_them(slots: Command) -> None:
    shown = slots("score", SF, *FILES, "run.tab.txt", "--view", "jsonl")
    assert shown.status == 0
    rows = [json.loads(line) for line in shown.out.splitlines()]
    found = [row["value"] for row in rows if (row.get("measure"), row.get("layer")) == ("f1", "all hops")]
    assert found == pytest.approx([2 / 3] * 4)


def test_queries_and_pool_are_read_once_for_all_runs(slots: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noting(function: Callable[[str], Any]) -> Callable[[str], Any]:
        def noted(path: str) -> Any:
            read.append(path)
            return function(path)

        return noted

    monkeypatch.setattr("karat.io.lines", noting(files.lines))
    monkeypatch.setattr("karat.vocabularies.coldstart.queries.text_of", noting(reading.text_of))
    Path("other.tab.txt").write_text(Path("run.tab.txt").read_text("utf-8"), "utf-8")
    assert slots("score", SF, *FILES, "other.tab.txt").status == 0
    assert sorted(read) == ["other.tab.txt", *sorted(FILES)]


def test_flags_may_stand_anywhere(slots: Command) -> None:
    expected = slots("score", SF, *FILES, "--profile", "corrected").out
    assert slots("score", "--profile", "corrected", SF, "q.xml", "--", *FILES[1:]).out == expected


def test_explain_takes_them_once_for_two_protocols(slots: Command) -> None:
    assert len(slots("explain", SF, *FILES).out.splitlines()) == 4
    assert "nothing differs" in slots("explain", SF, SF, *FILES, "--view", "table").out


def test_help_shows_them(slots: Command) -> None:
    for command, usage in (
        ("score", "PROTOCOL QUERIES GOLD SYSTEM…"),
        ("explain", "PROTOCOL [OTHER_PROTOCOL] QUERIES GOLD SYSTEM"),
    ):
        shown = slots(command, SF, "--help").out
        assert usage in " ".join(shown.split())
        assert "Files:\n  QUERIES  The query file" in shown
        assert "--queries" not in shown
        assert "QUERIES" not in slots(command, "--help").out


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (FILES[1:], 2, "With tac2015-sf, give QUERIES before GOLD."),
        ([*FILES[1:], "run.tab.txt"], 3, "pool.fqec: has the lines of a pool or a run, where a query file is expected"),
        (["no.xml", *FILES[1:]], 3, "no.xml: cannot be read: no such file or directory"),
        ([*FILES, "--queries", "q.xml"], 2, "--queries"),
    ],
)
def test_mistakes(words: list[str], status: int, message: str, slots: Command) -> None:
    shown = slots("score", SF, *words)
    assert (shown.status, shown.out) == (status, "")
    assert message in shown.err


def test_they_are_completed_as_files(slots: Command) -> None:
    del slots
    for words in (["score", SF], ["score", SF, "q.xml"], ["explain", SF, SF]):
        (found,) = ShellComplete(program, {}, "karat", "_KARAT_COMPLETE").get_completions(words, "q.x")
        assert (found.value, found.type) == ("q.x", "file")
