"""``karat omin evaluate``: what it writes, what it says, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command

WORDS = ("omin", "evaluate", "results", "--gold", "gold", "-o")


@pytest.fixture(autouse=True)
def small_gold(karat: Command) -> None:
    """Make a gold of one document, beside the files of the command."""
    put("gold/ner.csv", "id,sample,entities\nA,LEFT WING,LEFT WING\n")


def put(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_all_tables_are_written_and_what_was_done_is_said_on_standard_error(karat: Command) -> None:
    put("results/flair/flair.csv", "c5_id,entities\nA,WING\n")
    put("results/notes.md", "text")
    found = karat(*WORDS, "new/out", "--profile", "seed")
    assert (found.status, found.out) == (0, "")
    assert found.err.splitlines() == [
        "karat: skipped notes.md: is neither a CSV file nor output of a tool, by its name",
        "karat: 1 row in 1 table, written to new/out",
    ]
    names = {path.name for path in Path("new/out").iterdir()}
    assert names == {"evaluation.md", "evaluation.json", "ner.csv", "skipped.csv"}
    assert (
        Path("new/out/ner.csv").read_text("utf-8").splitlines()[1]
        == "flair NER,flair/flair.csv,1.0,1.0,1.0,0.0,0.0,0.0"
    )


def test_the_tables_are_no_results_of_the_next_run(karat: Command) -> None:
    put("results/flair/flair.csv", "c5_id,entities\nA,WING\n")
    first = karat(*WORDS, "results/out", "--profile", "seed")
    assert karat(*WORDS, "results/out", "--profile", "seed").err == first.err


def test_where_tables_cannot_be_written_there_are_none(karat: Command) -> None:
    put("results/flair/flair.csv", "c5_id,entities\nA,WING\n")
    put("blocked", "")
    found = karat(*WORDS, "blocked/out", "--profile", "seed")
    assert found.status == 3
    assert "cannot be written" in found.err


def test_nothing_scored_is_an_error(karat: Command) -> None:
    put("results/mine/odd.csv", "a,b\n1,2\n")
    found = karat(*WORDS, "out")
    assert found.status == 3
    assert "karat: skipped mine/odd.csv: has no column of" in found.err
    assert "results: nothing could be scored: 1 skipped, as said above; nothing was written" in found.err
    assert not Path("out").exists()


def test_folders_must_be_there(karat: Command) -> None:
    assert "results: there is no such folder" in karat(*WORDS, "out").err
    Path("results").mkdir()
    assert "there are no files" in karat(*WORDS, "out").err
    assert karat("omin", "evaluate", "results", "-o", "out").status == 2
