"""Tables on a terminal: never wider than it, what matters first, and numbers as pictures where there is room."""

from __future__ import annotations

import pytest
from tests.display.views.results import NOTHING

from karat.analysis.differences import Comparison, shifts
from karat.analysis.families import Family, Member, RegimeNumbers
from karat.analysis.slices.confusion import Cell, Confusion
from karat.display.views import render
from karat.display.views._columns import ScreenColumn, fitted
from karat.display.views._pictures import intervals_drawn
from karat.display.views.confusion import render_confusion
from karat.display.views.differences import render_comparison
from karat.display.views.family import render_family
from karat.evaluation.scores import Interval, Row, Scores
from karat.io.terminal import Screen, width

COUNTS = ("exact", "wrong-label", "wrong-boundary", "wrong-both", "spurious", "missed", "invented")


def result(system: str, value: float, *, intervals: bool) -> Scores:
    interval = Interval(value - 0.2, value + 0.1) if intervals else None
    counts = dict.fromkeys(COUNTS, 0.0) | {"exact": 9.0, "missed": 3.0}
    rows = tuple(
        Row(measure, regime, "micro", "NE-COARSE-LIT", value, counts=counts, interval=interval)
        for regime in ("strict", "fuzzy")
        for measure in ("precision", "recall", "f1")
    )
    signature = (
        f"karat:1.0|protocol:small|profile:current|zero:undefined|systems:{'a1b2c3d4e5f6,' * 9}|gold:0123456789ab"
    )
    return Scores("hipe2022-nerc-coarse", system, rows, signature, NOTHING, ("a note " * 20,))


def shown(columns: int, *, intervals: bool, plain: bool = False) -> list[str]:
    results = [result(name, value, intervals=intervals) for name, value in (("system-a", 0.5), ("地名システム", 0.7))]
    return render("table", results, screen=Screen(columns, plain=plain, terminal=True)).splitlines()


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("columns", [80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal(columns: int, *, intervals: bool) -> None:
    assert max(map(width, shown(columns, intervals=intervals))) <= columns


def test_what_is_the_same_everywhere_stands_in_the_title() -> None:
    assert shown(80, intervals=False)[0] == "hipe2022-nerc-coarse  NE-COARSE-LIT  micro"


def test_intervals_are_drawn_beside_the_number_that_matters() -> None:
    lines = shown(100, intervals=True)
    assert lines[2].split()[:6] == ["system", "regime", "P", "R", "F1", "95"]
    assert "[0.300, 0.600]  ├" in lines[4]
    assert lines[6].startswith("地名システム  strict")
    assert width(lines[4].partition("●")[0]) < width(lines[6].partition("●")[0])


def test_what_had_no_room_is_said() -> None:
    assert not any(line.startswith("no room for ") for line in shown(200, intervals=True))
    (said,) = (line for line in shown(80, intervals=False) if line.startswith("no room for "))
    assert said == "no room for invented; --view tsv has all numbers"


def test_bars_and_ascii() -> None:
    assert "############............" in "\n".join(shown(80, intervals=False, plain=True))
    assert "█" * 12 + "░" * 12 in "\n".join(shown(80, intervals=False))


def test_words_are_clipped_before_a_number_goes() -> None:
    columns = [ScreenColumn("system", ["x" * 60], left=True), ScreenColumn("F1", ["0.500"])]
    kept, left_out = fitted(columns, 40)
    assert (kept[0].cells, left_out) == (["x" * 32 + "…"], [])


def test_differences_have_a_line_of_no_difference() -> None:
    picture = intervals_drawn([(0.1, Interval(-0.05, 0.2)), (None, None)], 30, points=True)
    assert picture.axis.split() == ["−10", "0", "10", "20"]
    assert picture.lines[1].index("│") == picture.axis.index("0", 4)


@pytest.mark.parametrize("columns", [80, 200])
def test_comparisons_confusions_and_families_fit_too(columns: int) -> None:
    screen = Screen(columns, terminal=True)
    results = [result(name, value, intervals=False) for name, value in (("system-a", 0.5), ("地名システム", 0.7))]
    compared = Comparison(*results, shifts(*results), [])
    names = [f"a-label-of-some-length-{number}" for number in range(5)]
    cells = tuple(Cell("NE", name, two, 7, 3) for name in names for two in names)
    figures = [RegimeNumbers("small strict", "small", "NE", "strict", "micro", 0.5, 0.75, 0.6)]
    members = [Member("small", "small", "A title that is rather long, " * 4, "", "", figures)]
    family = Family("entities", "system", members, [], 0, 0, "karat:1.0|" + "x:1|" * 40)
    drawn = {
        "comparison": list(render_comparison(compared, "text", regimes=[], screen=screen)),
        "confusion": list(render_confusion(Confusion("small", "strict", cells), screen=screen)),
        "family": render_family("table", [family], screen).splitlines(),
    }
    assert {name: max(map(width, lines)) <= columns for name, lines in drawn.items()} == dict.fromkeys(drawn, True)
    assert any("█░" in line for line in drawn["family"])
    assert ("(rows)" in drawn["confusion"][0]) is (columns == 200)
    assert "7 (3 off)" in "\n".join(drawn["confusion"])
