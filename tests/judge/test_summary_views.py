"""The summary in its files."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.cli.conftest import Command, karat

from karat.judge.results import JudgedFigure, JudgedResults
from karat.judge.summary_views import show, workbook_of

__all__ = ["karat"]
DATA = Path(__file__).parent / "data"
EVIL = '=HYPERLINK("http://evil.example")'
ENDINGS = ("csv", "json", "md", "tex", "xlsx")


@pytest.fixture
def judged(tmp_path: Path, karat: Command) -> Path:
    """Return a folder with a pool that was judged."""
    for path in DATA.iterdir():
        shutil.copy(path, tmp_path)
    assert karat("judge", "take", "pool.jsonl", "ida.csv", "--scheme", "mine.toml", "--judge", "Ida").status == 0
    return tmp_path


def test_a_summary_is_saved_in_every_form_and_shown(judged: Path, karat: Command) -> None:
    pytest.importorskip("xlsxwriter")
    done = karat("judge", "summary", "pool.jsonl")
    assert done.status == 0
    saved = sorted((judged / "manual_evaluations").iterdir())
    assert [path.name for path in saved] == [f"pool.{ending}" for ending in ENDINGS]
    assert all(f"manual_evaluations/{path.name}" in done.err for path in saved)
    assert done.out == karat("judge", "summary", "pool.jsonl", "--no-save").out
    figures = json.loads((judged / "manual_evaluations/pool.json").read_text())["figures"]
    assert len((judged / "manual_evaluations/pool.csv").read_text().splitlines()) == len(figures) + 1


@pytest.mark.parametrize("words", [("--no-save",), ("-o", "out"), ("--view", "json", "-o", "out")])
def test_nothing_is_saved_if_nobody_wants_it(words: tuple[str, ...], judged: Path, karat: Command) -> None:
    assert karat("judge", "summary", "pool.jsonl", *words).status == 0
    assert not (judged / "manual_evaluations").exists()


def test_a_summary_that_cannot_be_saved_is_not_shown(judged: Path, karat: Command) -> None:
    (judged / "manual_evaluations").write_text("in the way")
    done = karat("judge", "summary", "pool.jsonl")
    assert (done.status, done.out) == (3, "")
    assert "manual_evaluations" in done.err


def test_two_sources_of_one_name_do_not_replace_each_others_summary(judged: Path, karat: Command) -> None:
    assert karat("judge", "summary", "pool.jsonl").status == 0
    before = {path: path.read_bytes() for path in (judged / "manual_evaluations").iterdir()}
    (judged / "b").mkdir()
    for path in judged.glob("pool.*"):
        shutil.copy(path, judged / "b")
    done = karat("judge", "summary", "b/pool.jsonl")
    assert (done.status, done.out) == (3, "")
    assert "manual_evaluations/pool.json: sums up pool.jsonl, not b/pool.jsonl, and would be replaced" in done.err
    assert {path: path.read_bytes() for path in (judged / "manual_evaluations").iterdir()} == before
    assert karat("judge", "summary", str(judged / "pool.jsonl")).status == 0


def test_without_what_makes_workbooks_that_is_said(
    judged: Path, karat: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xlsxwriter", None)
    done = karat("judge", "summary", "pool.jsonl")
    assert done.status == 0
    assert "no workbook was saved" in done.err
    assert not (judged / "manual_evaluations/pool.xlsx").exists()
    assert (judged / "manual_evaluations/pool.csv").exists()


def test_no_text_of_a_summary_is_computed_by_a_spreadsheet() -> None:
    pytest.importorskip("xlsxwriter")
    calamine = pytest.importorskip("python_calamine")
    results = JudgedResults(
        (JudgedFigure("precision", EVIL, "@SUM(1)", "precision", 0.5, rated=2),), ("+1+cmd|' /C calc'!A0",)
    )
    (_, row) = show(results, "csv").splitlines()
    assert not any(cell.lstrip('"').startswith(("=", "@", "+")) for cell in row.split(","))
    book = workbook_of(results)
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert b"<f>" not in content
    assert b"<hyperlink" not in content
    sheets = calamine.CalamineWorkbook.from_filelike(io.BytesIO(book))
    assert sheets.get_sheet_by_name("summary").to_python()[1][:5] == ["precision", EVIL, "@SUM(1)", "precision", 0.5]
