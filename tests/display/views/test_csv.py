from __future__ import annotations

import csv
import io

from tests.display.views.results import HOSTILE, SIGNATURE, hostile, team1, team2

from karat.display.views import render


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_line_says_all_that_it_is_about_with_all_digits() -> None:
    first, macro, label, other = rows_of(render("csv", [team1(), team2()]))
    assert [line["system"] for line in (first, macro, label, other)] == ["team1", "team1", "team1", "team2"]
    assert (first["average"], first["precision"], first["recall"]) == ("micro", "", repr(2 / 3))
    assert float(macro["f1"]) == 0.1 + 0.2
    assert (label["label"], label["f1"]) == ("LOC_1", "0.0")
    assert (other["f1"], other["f1 low"], other["f1 high"]) == ("0.8123", "0.79", "0.8333")
    assert (first["f1 low"], first["possible"], first["signature"]) == ("", "2.5", SIGNATURE)


def test_names_stay_in_their_cell_and_are_computed_by_no_spreadsheet() -> None:
    (line,) = rows_of(render("csv", [hostile()]))
    assert line["system"] == line["label"]
    assert line["system"].startswith(r"a|b\tc\nd\e<f>")
    assert len(line) == len(set(line)) == 10
    assert not any("\x1b" in cell for cell in line.values())
    assert HOSTILE not in line.values()
