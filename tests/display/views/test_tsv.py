from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.display.views.results import HOSTILE, NOTHING, hostile, team1, team2

from karat.display.views import render
from karat.display.views.ledger import render_entries
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.scores import Interval, Row, Scores
from karat.io.terminal import escaped_cell

HEADER = "system protocol layer slice label average regime measure value low high correct actual possible"


def test_lines() -> None:
    lines = render("tsv", [team1(), team2()]).splitlines()
    assert lines[0].split("\t") == HEADER.split()
    assert lines[1] == "team1\tsmall\tNE\tALL\tALL\tmicro\tstrict\tprecision\t-\t-\t-\t1\t3\t2.5"
    assert lines[6] == ("team1\tsmall\tNE\tALL\tALL\tmacro-unit\tstrict\tf1\t0.30000000000000004\t-\t-\t-\t-\t-")
    assert lines[8] == "team2\tsmall\tNE\tALL\tALL\tmicro\tstrict\tf1\t0.8123\t0.79\t0.8333\t1\t3\t2.5"
    assert lines[9:] == [
        "# note: team1: one document left out",
        "# team1: karat:1.0|protocol:small|gold:9f3c1a",
        "# team2: karat:1.0|protocol:small|gold:9f3c1a|ci:b1000",
    ]


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite, finite, finite)
def test_all_digits_survive(value: float, low: float, high: float, count: float) -> None:
    row = Row("f1", "strict", "micro", "NE", value, counts={"n": count}, interval=Interval(low, high))
    cells = render("tsv", [Scores("small", "t", (row,), "karat:1.0", NOTHING)]).splitlines()[1].split("\t")
    assert [float(cell) for cell in cells[-4:]] == [value, low, high, count]


def unmasked(cell: str) -> str:
    return cell.encode("ascii", "backslashreplace").decode("unicode_escape")


@given(st.text())
def test_names_stay_in_their_cells_and_can_be_read_back(name: str) -> None:
    row = Row("f1", "strict", "micro", name, 0.5, label=name)
    text = render("tsv", [Scores("small", "t", (row,), "karat:1.0", NOTHING)])
    assert len(text.splitlines()) == 3
    cells = text.splitlines()[1].split("\t")
    assert len(cells) == 11
    assert [unmasked(cells[2]), unmasked(cells[4])] == [name, name]


FORMULAS = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "=HYPERLINK(1)", "\t=1", "\r=1", "--", "-\u2212"]


@pytest.mark.parametrize("name", FORMULAS)
def test_no_spreadsheet_computes_a_name(name: str) -> None:
    row = Row("f1", "strict", name, name, 0.5, label=name)
    lines = render("tsv", [Scores("small", name, (row,), "karat:1.0", NOTHING)]).splitlines()
    item = Item(name, name, (-1, -1), place=name)
    lines += render_entries([Entry(name, name, name, "missed", {"strict": "missed"}, name, item)], "tsv")
    cells = [cell for line in lines for cell in line.split("\t")]
    assert [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell not in ("", "-")] == []
    assert [unmasked(cell) for cell in cells].count(name) == 11


@pytest.mark.parametrize("name", ["-", "-1", "+0.5", "-1e-9", ".5"])
def test_a_number_stays_a_number(name: str) -> None:
    assert escaped_cell(name) == name


def test_hostile_names_leave_the_shape_alone() -> None:
    lines = render("tsv", [hostile()]).split("\n")
    assert [line.count("\t") for line in lines] == [11, 11, 0, 0, 0]
    assert unmasked(lines[1].split("\t")[0]) == HOSTILE


def test_a_system_whose_name_begins_with_a_hash_is_no_comment() -> None:
    row = Row("f1", "strict", "micro", "NE", 0.5)
    text = render("tsv", [Scores("small", "#1", (row,), "karat:1.0", NOTHING)])
    assert re.findall("^#.*", text, re.MULTILINE) == ["# karat:1.0"]
    assert text.splitlines()[1].startswith("\\#1\tsmall")
