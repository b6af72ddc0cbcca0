"""Published workbooks of manual evaluations: invented ones and, where they are present, the public ones."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from tests.conformance.packs import SHARED, manifest, public, synthetic

from karat.cli import run
from karat.errors import InputError
from karat.judge import workbook
from karat.judge.published import summary_of
from karat.judge.results import JudgedFigure, JudgedResults

pytest.importorskip("python_calamine", reason="python-calamine is not installed: pip install 'karat[judge]'")
INVENTED = [case for case in manifest("omin") if case["kind"] == "re_manual"]
PUBLIC = [case for case in public("omin") if case["kind"] == "re_manual"]
COLUMNS = {
    "Syntactic Accuracy": "syntactic",
    "Semantic Accuracy": "semantic",
    "Consistency": "consistency",
    "Hallucination": "hallucination",
}


def figure(results: JudgedResults, table: str, about: str) -> JudgedFigure:
    (only,) = (figure for figure in results.figures if (figure.table, figure.about) == (table, about))
    return only


@pytest.mark.parametrize("case", INVENTED, ids=lambda case: case["id"])
def test_invented(case: dict) -> None:
    folder = synthetic("omin") / case["dir"]
    expected = json.loads((folder / case["expected"]).read_text("utf-8"))
    results = summary_of(folder / case["inputs"][0], case["args"]["total_docs"])
    for about in ("syntactic", "semantic", "consistency"):
        answer = figure(results, expected["sheet"], about)
        rated = expected[about].get("rated", expected[about].get("documents"))
        assert (answer.value, answer.rated) == (pytest.approx(expected[about]["mean"]), rated)
    assert figure(results, "sampled", "hallucination").value == expected["hallucinations"]
    assert figure(results, "sampled", "semantic").listed == expected["triples_listed"]
    assert figure(results, "raw_output", "items").value == expected["raw_output"]["total_triples"]
    assert figure(results, "raw_output", "documents").value == pytest.approx(
        expected["raw_output"]["percent_documents"]
    )


@pytest.mark.skipif(not PUBLIC, reason="the public workbooks are not beside the repository")
@pytest.mark.parametrize("case", PUBLIC, ids=lambda case: case["id"])
def test_public(case: dict) -> None:
    folder = SHARED / "omin" / "public" / case["dir"]
    results = summary_of(folder / case["inputs"][0], case["args"]["total_docs"])
    differing = 0
    for sheet in json.loads((folder / case["expected"]).read_text("utf-8")):
        for column, about in COLUMNS.items():
            if column in sheet:
                answer = figure(results, sheet["sheet"], about)
                total = "sum" if about == "hallucination" else "mean"
                assert (answer.value, answer.rated) == (pytest.approx(sheet[column][total]), sheet[column]["n"])
                cached = [value for name, value in sheet["cached_formula_values"].items() if name.startswith(column)]
                differing += sum(abs(value - (answer.value or 0)) > 1e-6 for value in cached)
        if "pct2748" in sheet:
            assert figure(results, sheet["sheet"], "documents").value == pytest.approx(sheet["pct2748"])
            assert figure(results, sheet["sheet"], "items").value == sheet["n_triples"]
    assert sum(" says " in note for note in results.notes) == differing


def made(path: Path, formula: str, value: float, odd: str = "", question: str = "Semantic Accuracy") -> Path:
    """Write a workbook with answers to a question, a sum of its own, and maybe a cell that is no number."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("sampled")
    sheet.write_row(0, 0, ["id", "head", question, "Notes"])
    for row, (name, answer) in enumerate((("a", 1), ("a", 0), ("b", odd or 1)), 1):
        sheet.write_row(row, 0, [name, "h", answer])
    sheet.write_formula(1, 5, formula, None, value)
    book.close()
    return path


def test_a_sum_that_covers_the_wrong_rows_is_named(tmp_path: Path) -> None:
    results = summary_of(made(tmp_path / "x.xlsx", "=AVERAGE(C2:C3)", 0.5))
    assert [note for note in results.notes if "sampled!F2" in note and "from 2 of 3 answers" in note]
    assert summary_of(made(tmp_path / "y.xlsx", "=AVERAGE(C2:C4)", 2 / 3)).notes == ()


def test_a_cell_that_is_no_number_is_named(tmp_path: Path) -> None:
    results = summary_of(made(tmp_path / "x.xlsx", "=AVERAGE(C2:C4)", 0.5, odd="`"))
    assert results.notes == ("sampled!C4: '`' is not a number, and is not counted as an answer",)
    assert figure(results, "sampled", "semantic").rated == 2


def test_a_second_answer_about_a_document_is_named(tmp_path: Path) -> None:
    results = summary_of(made(tmp_path / "x.xlsx", "=AVERAGE(C2:C4)", 2 / 3, question="Consistency"))
    assert results.notes == ("sampled!C3: Consistency of document 'a' is already answered in row 2, and counts twice",)
    answer = figure(results, "sampled", "consistency")
    assert (answer.rated, answer.listed) == (3, 2)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # where the summary is saved
    path = made(tmp_path / "x.xlsx", "=AVERAGE(C2:C3)", 0.5)
    assert run(["judge", "summary", str(path), "--view", "json", "--of", "10"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"][0]["value"] == pytest.approx(2 / 3)


def test_what_would_unpack_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "x.xlsx", "=AVERAGE(C2:C3)", 0.5)
    monkeypatch.setattr(workbook, "MAX_SIZE", 100)
    with pytest.raises(InputError, match="unpacks to"):
        summary_of(path)


@pytest.mark.parametrize("cell", ["XFD1048576", "AAAAAAAAAA1", None], ids=["far out", "nowhere", "in a row far out"])
def test_a_cell_far_out_is_refused_before_the_cells_between_are_held(cell: str | None, tmp_path: Path) -> None:
    path, changed = made(tmp_path / "x.xlsx", "=AVERAGE(C2:C3)", 0.5), tmp_path / "y.xlsx"
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(changed, "w") as after:
        for part in before.namelist():
            attribute = f' r="{cell}"' if cell else ""
            row = f'<row r="1048576">{f"<c{attribute}><v>1</v></c>" * (1 if cell else 20)}</row></sheetData>'
            after.writestr(part, before.read(part).replace(b"</sheetData>", row.encode()))
    with pytest.raises(
        InputError, match=r"the sheet 'sampled' (reaches over 1,048,576 rows|has a cell with an invalid reference)"
    ):
        summary_of(changed)


def test_other_archives_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(InputError, match="cannot be read as a workbook"):
        summary_of(path)
    path.write_bytes(b"PK\x03\x04 and no more")
    assert run(["judge", "summary", str(path)]) == 3
