"""Progress is shown where somebody watches, once something takes long, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.cli import progress, run
from karat.files.watching import expect, see, watched, watching

EXAMPLES = Path(__file__).parents[2] / "examples" / "hipe"
WORDS = ["score", "hipe2022-nel", str(EXAMPLES / "gold.tsv"), str(EXAMPLES / "system-a.tsv")]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let somebody watch, who wonders at once."""
    shown: list[str] = []
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_BETWEEN", -1.0)
    monkeypatch.setattr(progress, "show_status", shown.append)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    return shown


def test_documents_are_counted_and_the_line_is_emptied_at_the_end(lines: list[str]) -> None:
    assert run(WORDS) == 0
    assert lines[0].startswith("score: 1 documents read, ")
    assert lines[-1] == ""


@pytest.mark.parametrize("words", [WORDS, ["explain", *WORDS[1:]], ["convert", WORDS[2], "-", "--to", "jsonl"]])
def test_nothing_of_it_stands_before_the_results(
    lines: list[str], words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.echo", lambda *_, **__: lines.append("result"))
    assert run(words) == 0
    assert lines[lines.index("result") - 1] == ""


@pytest.mark.parametrize("flag", ["--quiet", "--no-progress"])
def test_who_wants_none_has_none(lines: list[str], flag: str) -> None:
    assert run([flag, *WORDS]) == 0
    assert lines == []


def test_there_is_none_in_a_pipe(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    assert run(WORDS) == 0
    assert lines == []


def test_what_is_short_is_not_worth_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "show_status", pytest.fail)
    shown = progress.DocumentProgress("score")
    shown.see(1)
    shown.end()


def test_time_left_is_told_where_the_number_is_known(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    with watching(progress.DocumentProgress("score")):
        expect(4)
        assert list(watched("a")) == ["a"]
        see(1)
    assert lines == [
        "score: 1 documents read, 0 a second, about 0:30 left",
        "score: 2 documents read, 0 a second, about 0:20 left",
    ]
