from __future__ import annotations

from tests.display.views.results import HOSTILE, NOTHING, hostile, team1, team2

from karat.display.views import render
from karat.evaluation.scores import Row, Scores
from karat.io.terminal import Screen

ONE = """\
small: team1

layer  label  average     regime      P      R     F1  correct  actual  possible
-----  -----  ----------  ------  -----  -----  -----  -------  ------  --------
NE     ALL    micro       strict      -  0.667  0.500        1       3     2.500
              macro-unit  strict  0.250  1.000  0.300
       LOC_1  micro       strict                0.000        1       3     2.500

note: one document left out
karat:1.0|protocol:small|gold:9f3c1a
"""

TWO = """\
small

system  layer  label  average     regime  P      R      F1
------  -----  -----  ----------  ------  -----  -----  --------------------
team1   NE     ALL    micro       strict  -      0.667  0.500
                      macro-unit  strict  0.250  1.000  0.300
               LOC_1  micro       strict                0.000
team2   NE     ALL    micro       strict                0.812 [0.790, 0.833]

system  layer  label  correct  actual  possible
------  -----  -----  -------  ------  --------
team1   NE     ALL          1       3     2.500
               LOC_1        1       3     2.500
team2   NE     ALL          1       3     2.500

note: team1: one document left out
team1: karat:1.0|protocol:small|gold:9f3c1a
team2: karat:1.0|protocol:small|gold:9f3c1a|ci:b1000
"""


def test_one_system() -> None:
    assert render("table", [team1()]) == ONE
    assert str(team1()) == ONE.removesuffix("\n")


def test_several_systems_with_counts_below_where_they_do_not_fit() -> None:
    assert render("table", [team1(), team2()]) == TWO
    assert "\n\nsystem  layer  label  correct" not in render("table", [team1(), team2()], screen=Screen(120))


def test_a_result_without_rows_still_has_its_signature() -> None:
    assert render("table", [Scores("small", "team1", (), "karat:1.0", NOTHING)]).endswith("\n\nkarat:1.0\n")


def test_wide_characters_are_aligned_by_what_they_take_on_the_screen() -> None:
    rows = tuple(Row("f1", "strict", "micro", "NE", 0.5, label=label) for label in ("地名", "LOCS"))
    _, _, _, _, first, second, *_ = render("table", [Scores("small", "t", rows, "karat:1.0", NOTHING)]).splitlines()
    assert first == "NE     地名   micro    strict  0.500"
    assert second == "       LOCS   micro    strict  0.500"


def test_nothing_in_the_data_reaches_the_terminal_as_a_control() -> None:
    text = render("table", [hostile()])
    assert not {"\x1b", "\t", "\u202e", "\udc80"} & set(text)
    assert text.count("\n") == render("table", [Scores("p", "s", hostile().rows, "x", NOTHING, ("n",))]).count("\n")
    assert "\\x1b[2J" in text
    assert HOSTILE not in text
