from __future__ import annotations

import re

from tests.display.views.results import NOTHING, hostile, team1, team2

from karat.display.views import render
from karat.evaluation.scores import Row, Scores

NOTE = r"{\footnotesize\texttt{team2: karat:1.0\textbar{}\allowbreak{}protocol:small\textbar{}\allowbreak{}gold:9f3c1a"


def test_two_systems() -> None:
    text = render("latex", [team1(), team2()])
    head, *notes = text.removesuffix("\n").split("\n\n")
    assert (
        head
        == r"""% note: team1: one document left out
% team1: karat:1.0|protocol:small|gold:9f3c1a
% team2: karat:1.0|protocol:small|gold:9f3c1a|ci:b1000
\begin{tabular}{lllllrrr}
\toprule
system & layer & label & average & regime & P & R & F1 \\
\midrule
team1 & NE & ALL & micro & strict & - & 0.667 & 0.500 \\
 &  &  & macro-unit & strict & 0.250 & 1.000 & 0.300 \\
 &  & LOC\_1 & micro & strict &  &  & 0.000 \\
team2 & NE & ALL & micro & strict &  &  & 0.812 [0.790, 0.833] \\
\bottomrule
\end{tabular}"""
    )
    assert len(notes) == 2
    assert notes[1] == NOTE + r"\textbar{}\allowbreak{}ci:b1000}}"


def test_hostile_names_are_escaped() -> None:
    lines = render("latex", [hostile()]).splitlines()
    assert [line.startswith("%") for line in lines[:3]] == [True, True, False]
    cells = lines[6]
    assert len(re.findall(r"(?<!\\)&", cells)) == 5
    assert not re.findall(r"(?<!\\)[$#_%]", cells)
    assert not re.findall(r"[~^<>|]", cells)
    commands = {r"\textbackslash", r"\textasciicircum", r"\textasciitilde"}
    commands |= {r"\textless", r"\textgreater", r"\textbar"}
    assert set(re.findall(r"\\[a-z]+", cells)) == commands


def test_a_bracket_at_the_beginning_of_a_line_is_no_option_of_the_line_break() -> None:
    rows = (Row("f1", "strict", "micro", "[2cm]", 0.5),)
    text = render("latex", [Scores("small", "t", rows, "karat:1.0", NOTHING)])
    assert "\n{[}2cm] & micro & strict & 0.500 \\\\\n" in text
