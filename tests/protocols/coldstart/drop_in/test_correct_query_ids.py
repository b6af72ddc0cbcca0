"""The repair of query ids: what it reads, in which order it opens files, and what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coldstart.slot_files import BOB, POOL, QUERIES, RUN, Q, answer, judged

from karat.cli import run as karat

EARLY = [RUN[0], RUN[1], answer(BOB.replace("_0123456789", ""), "4", "d1:30-30")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(QUERIES)
    return tmp_path


def correct(lines: list[str] | None, *switches: str) -> int:
    if lines is not None:
        Path("run").write_text("\n".join(lines) + "\n")
    return karat(["coldstart", "correct-query-ids", *switches, "q.xml", "run"])


def test_a_comment_on_the_first_line_is_no_comment(folder, capfd):
    assert correct(["# mine", *EARLY]) == 255
    assert capfd.readouterr().err == "FATAL: Unknown file type: run.sorted\n"
    assert correct([*EARLY, "# mine"], "-output_file", "out") == 0
    assert len(Path("out").read_text().splitlines()) == len(EARLY)
    assert correct(["# mine", *EARLY], "-profile", "corrected") == 0


def test_without_a_run_nothing_is_opened(folder, capfd):
    assert correct(None, "-output_file", "out") == 2
    assert capfd.readouterr().err == "DIE: Could not open run: No such file or directory\n"
    assert {path.name for path in folder.iterdir()} == {"q.xml"}


@pytest.mark.parametrize("switches", [("-output_file", "no/out"), ("-error_file", "q.xml"), ("-docs", "nothing")])
def test_the_sorted_run_is_there_before_anything_is_opened(folder, switches):
    assert correct(EARLY[::-1], *switches) == 255
    assert Path("run.sorted").read_text().startswith(f"{Q}\t")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (judged(Q, "Bob", "d1:10-12", "X", "1"), f"Equivalence class without correct entry, query = {Q}"),
        (judged(Q, "Bob", "d1:10-12", "C", "0"), f"Correct entry without equivalence class, query = {Q}"),
    ],
)
def test_only_correct_assessments_had_a_class(folder, capfd, line, message):
    assert correct([line]) == 255
    assert capfd.readouterr().err == f"FATAL: {message}\n"
    assert correct(POOL[:3]) == 0


def test_corrected_the_order_of_lines_changes_nothing(folder):
    lines = [*EARLY, EARLY[0].replace("1.0", "0.5"), EARLY[0].replace("run1", "run2"), answer(BOB, "4", "d1:30-30")]
    found = set()
    for turn in range(2 * len(lines)):
        lines = [*lines[1:], lines[0]][:: -1 if turn % 3 else 1]
        assert correct(lines, "-profile", "corrected", "-output_file", "out") == 0
        found.add(Path("out").read_text())
    (text,) = found
    assert len(text.splitlines()) == 4
    assert "run2" not in text
