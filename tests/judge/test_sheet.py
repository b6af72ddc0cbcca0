"""A filled sheet summed up by itself, beside the project that its answers are taken into."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from karat.cli import run
from karat.judge.pool import make_pool, write_pool
from karat.judge.results import JudgedFigure, JudgedResults

from .test_results import SYSTEMS


def filled(folder: Path, answers: list[object], column: str = "right") -> Path:
    """Write the pool of one system, its sheet, and answers into a column of it, in the order of its rows."""
    calamine, xlsxwriter = pytest.importorskip("python_calamine"), pytest.importorskip("xlsxwriter")
    write_pool(make_pool({"a": SYSTEMS["a"]}, "relation"), folder / "pool.jsonl")
    sheet = folder / "sheet.xlsx"
    assert run(["judge", "sheet", str(folder / "pool.jsonl"), "--out", str(sheet)]) == 0
    head, *rows = calamine.CalamineWorkbook.from_path(str(sheet)).get_sheet_by_name("judge").to_python()
    with xlsxwriter.Workbook(str(sheet)) as book:
        written = book.add_worksheet("judge")
        written.write_row(0, 0, [column if name == "right" else name for name in head])
        for line, (row, answer) in enumerate(zip(rows, answers, strict=True), 1):
            written.write_row(line, 0, [*row[:4], answer])
    return sheet


def summary(capsys: pytest.CaptureFixture[str], *words: str) -> JudgedResults:
    capsys.readouterr()
    assert run(["judge", "summary", *words, "--view", "json", "--no-save"]) == 0
    return msgspec.json.decode(capsys.readouterr().out, type=JudgedResults)


def test_a_sheet_is_summed_up_as_its_project_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = filled(tmp_path, [row % 3 > 0 for row in range(18)])
    alone = summary(capsys, str(sheet), "--of", "6")
    assert alone.figures[0].value == pytest.approx(2 / 3)
    pool = str(tmp_path / "pool.jsonl")
    assert run(["judge", "take", pool, str(sheet), "--judge", "ann"]) == 0
    project = summary(capsys, pool, "--scheme", "correct")
    (question,) = [figure for figure in project.figures if figure.table == "questions"]
    assert alone.figures[0] == JudgedFigure("sheet", "", *_numbers(question))
    assert "neither the systems of its items" in alone.notes[0]


def _numbers(figure: JudgedFigure) -> tuple[object, ...]:
    return tuple(getattr(figure, name) for name in ("about", "measure", "value", "low", "high", "rated", "listed"))


def test_what_is_not_answered_is_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = filled(tmp_path, [1, 0, *[None] * 16])
    (figure,) = summary(capsys, str(sheet)).figures
    assert (figure.value, figure.rated, figure.listed) == (0.5, 2, 18)


@pytest.mark.parametrize(
    ("column", "words", "status", "sentence"),
    [
        ("other", [], 3, "its columns belong to neither omin nor correct; name the scheme with --scheme"),
        ("other", ["--scheme", "omin"], 3, "has no column for any question of this scheme"),
    ],
)
def test_a_sheet_of_other_questions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, words: list[str], status: int, sentence: str
) -> None:
    sheet = filled(tmp_path, [1] * 18, column)
    assert run(["judge", "summary", str(sheet), *words]) == status
    assert sentence in capsys.readouterr().err


def test_the_scheme_of_a_project_is_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(tmp_path, [1] * 18)
    assert run(["judge", "summary", str(tmp_path / "pool.jsonl"), "--scheme", "omin"]) == 2
    assert "were asked the questions of 'Right or wrong', not of omin" in capsys.readouterr().err


def test_what_is_asked_of_a_document_stands_in_the_row_of_its_last_item(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calamine = pytest.importorskip("python_calamine")
    pytest.importorskip("xlsxwriter")
    pool, sheet, answers = (str(tmp_path / name) for name in ("pool.jsonl", "sheet.xlsx", "ann.csv"))
    write_pool(make_pool({"a": SYSTEMS["a"]}, "relation"), pool)
    assert run(["judge", "sheet", pool, "--scheme", "omin", "-o", sheet]) == 0
    head, *rows = calamine.CalamineWorkbook.from_path(sheet).get_sheet_by_name("judge").to_python()
    assert head[4:] == ["syntactic", "semantic", "hallucination", "consistency", "note"]
    taken = [[row[0], "1", "1" if number % 3 == 2 else ""] for number, row in enumerate(rows)]
    Path(answers).write_text("\n".join(",".join(row) for row in [["item", "semantic", "consistency"], *taken]))
    assert run(["judge", "take", pool, answers, "--scheme", "omin", "--judge", "ann"]) == 0
    figures = {figure.about: figure for figure in summary(capsys, pool).figures if figure.table == "questions"}
    assert (figures["consistency"].value, figures["consistency"].rated) == (pytest.approx(2 / 3), 6)
    taken[0][2] = "2"
    Path(answers).write_text("\n".join(",".join(row) for row in [["item", "semantic", "consistency"], *taken]))
    assert run(["judge", "take", pool, answers, "--scheme", "omin", "--judge", "ann"]) == 3
    assert "has two different answers in the sheet" in capsys.readouterr().err
    assert run(["judge", "take", pool, answers, "--scheme", "omin", "--judge", " "]) == 2


def test_what_is_about_a_pool_or_a_workbook_is_refused_of_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = filled(tmp_path, [True] * 18)
    assert run(["judge", "summary", str(sheet), "--answers", str(tmp_path / "answers")]) == 2
    assert "--answers works only with a pool; a workbook has its answers in its cells" in capsys.readouterr().err
    assert run(["judge", "summary", str(tmp_path / "pool.jsonl"), "--of", "6"]) == 2
    assert "--of works only with a workbook; a pool has its number of documents" in capsys.readouterr().err
