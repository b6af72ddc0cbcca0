from __future__ import annotations

import re

from tests.display.views.results import NOTHING, hostile, team1, team2

from karat.display.views import render
from karat.display.views.papers import markdown_escape
from karat.evaluation.scores import Scores


def test_two_systems() -> None:
    assert (
        render("markdown", [team1(), team2()])
        == r"""| system | layer | label | average | regime | P | R | F1 |
| :--- | :--- | :--- | :--- | :--- | ---: | ---: | ---: |
| team1 | NE | ALL | micro | strict | - | 0.667 | 0.500 |
|  |  |  | macro-unit | strict | 0.250 | 1.000 | 0.300 |
|  |  | LOC\_1 | micro | strict |  |  | 0.000 |
| team2 | NE | ALL | micro | strict |  |  | 0.812 [0.790, 0.833] |

note: team1: one document left out

`team1: karat:1.0|protocol:small|gold:9f3c1a`

`team2: karat:1.0|protocol:small|gold:9f3c1a|ci:b1000`
"""
    )


def test_hostile_names_leave_the_shape_alone() -> None:
    lines = render("markdown", [hostile()]).splitlines()
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines[:3]] == [7, 7, 7]
    assert len(lines) == 7
    assert not re.findall(r"(?<!\\)[<>*_`]", lines[2])


def test_a_backslash_before_a_pipe_does_not_free_the_pipe() -> None:
    assert markdown_escape("a\\|b") == "a\\\\\\|b"


def test_backticks_in_a_signature_do_not_end_the_code() -> None:
    result = Scores("small", "t", (), "a`b``c", NOTHING)
    assert render("markdown", [result]).splitlines()[-1] == "``` a`b``c ```"
