"""``karat.leaderboard``: ranks, the ranks that chance allows, groups; what is undefined is never ranked."""

from __future__ import annotations

import csv
import io
import re

import pytest
from tests.analysis.comparison.building import run_of
from tests.analysis.comparison.test_compare import ROWS, drawn, systems_of
from tests.conformance.test_statistics import cases

import karat
from karat.display.views.leaderboard import VIEWS, render
from karat.errors import InputError
from karat.io.terminal import Screen


def test_ranks_and_groups_are_those_of_the_pack() -> None:
    expected = cases()["18"]["expected"]
    board = karat.leaderboard(systems_of("18"), sort=ROWS["f1"], test="t")
    assert [standing.system for standing in board] == expected["order"]
    assert {standing.system: list(standing.ranks or ()) for standing in board} == expected["rank_intervals"]
    letters = sorted({letter for standing in board for letter in standing.group})
    groups = [[standing.system for standing in board if letter in standing.group] for letter in letters]
    assert groups == expected["groups"]


def systems() -> dict[str, karat.Run]:
    shares = {"bad": 0.5, "good": 0.9, "near": 0.88}
    return {name: run_of(drawn(seed, 40, share), name) for seed, (name, share) in enumerate(shares.items())}


def test_the_order_is_by_the_number_and_then_by_name() -> None:
    twice = systems()
    board = karat.leaderboard(twice | {"again": twice["good"]}, ci=False)
    ranks = {standing.system: standing.rank for standing in board}
    assert [ranks[name] for name in ("near", "again", "good", "bad")] == [1, 2, 2, 4]
    assert [standing.ranks for standing in board] == [None] * 4
    assert board.contest is None


def test_what_is_undefined_is_never_ranked() -> None:
    empty = run_of([[0, 0, 5]] * 40, "empty")
    board = karat.leaderboard(systems() | {"empty": empty}, sort="precision")
    assert (board.standings[-1].system, board.standings[-1].rank) == ("empty", None)
    assert [standing.rank for standing in board][:3] == [1, 2, 3]
    assert "not ranked, because the number is undefined: empty" in str(board)


def test_a_single_system_and_several_runs() -> None:
    alone = karat.leaderboard([run_of(drawn(1, 40, 0.7))])
    assert alone.standings[0].rank == 1
    assert alone.standings[0].row.interval is not None
    assert alone.signature.endswith("|ci:studentised2000/v3/seed42")
    assert alone.notes == ()
    (note,) = karat.leaderboard([run_of(drawn(1, 8, 0.7))]).notes
    assert note.startswith("8 documents are few")
    seeds = karat.leaderboard(
        {"a": [run_of(drawn(seed, 40, 0.7)) for seed in (1, 2, 3)], "b": run_of(drawn(9, 40, 0.4))}
    )
    assert [standing.system for standing in seeds] == ["a", "b"]


def test_which_runs_differ_is_said() -> None:
    several = {f"s{number}": run_of(drawn(1, 8, 0.7), version=f"0.{number // 2}") for number in range(4)}
    with pytest.raises(
        InputError, match=r"unlike s0, s2 is scored by version 0\.1, not 0\.0, s3 is scored by version 0\.1"
    ):
        karat.leaderboard(several)


def test_a_run_is_added_without_touching_the_others() -> None:
    before, after = (
        karat.leaderboard(systems()),
        karat.leaderboard(systems() | {"new": run_of(drawn(7, 40, 0.3), "new")}),
    )
    values = {standing.system: standing.row for standing in before}
    assert all(values.get(standing.system, standing.row) == standing.row for standing in after)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_too_wide_and_every_system_is_there(view: str, width: int) -> None:
    text = render([karat.leaderboard(systems())], view, screen=Screen(width))
    assert all(name in text for name in ("good", "bad", "near"))
    if view == "table":
        assert all(len(line) <= width for line in text.splitlines() if not line.startswith("karat:"))


def test_tables_for_papers() -> None:
    board = karat.leaderboard(systems())
    latex, markdown = render([board], "latex"), render([board], "markdown", intervals=False)
    assert latex.startswith("% needs \\usepackage{booktabs}\n")
    assert latex.count("\\textbf{") >= 3
    assert "$^{\\dagger}$: not first, but no system is significantly better" in latex
    assert "interval" not in markdown.splitlines()[4]
    table = list(csv.reader(io.StringIO(render([board], "csv"))))
    assert table[0][:5] == ["rank", "system", board.number, "low", "high"]
    assert [float(line[2]) for line in table[1:]] == [standing.row.value for standing in board]
    assert len({len(line) for line in table}) == 1
    assert "low" not in render([board], "csv", intervals=False).splitlines()[0]
    assert all(f"F1 {average}-label" in render([board], "markdown") for average in ("macro", "weighted"))


def test_names_do_not_break_a_table_and_all_that_are_best_are_bold() -> None:
    units = drawn(1, 40, 0.9)
    names = ("a_b&c%#$", "{x}~^\\y", "<z>|")
    board = karat.leaderboard({name: run_of(units, name) for name in names} | {"low": run_of(drawn(2, 40, 0.5))})
    latex = render([board], "latex")
    rows = latex.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
    columns = latex.split("\\begin{tabular}{")[1].index("}")
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [columns - 1] * 4
    assert [row.count("\\textbf{") for row in rows] == [4, 4, 4, 0]
    assert not re.search(r"(?<!\\)[#$%_](?!\^)", "".join(rows).replace("$^{", ""))
    cells = [
        len(re.findall(r"(?<!\\)\|", line)) for line in render([board], "markdown").splitlines() if line[:1] == "|"
    ]
    assert cells == [cells[0]] * 6


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({}, "Only good has this number."),
        ({"bad": 0.5}, "good is better than every other system that has this number."),
        ({"near": 0.88}, "near and good are statistically tied; no system is significantly better."),
    ],
)
def test_who_is_first_is_said_of_those_that_have_the_number(others: dict[str, float], sentence: str) -> None:
    several = {"none": run_of([[0, 0, 0]] * 40), "good": run_of(drawn(1, 40, 0.9))}
    several |= {name: run_of(drawn(2, 40, share)) for name, share in others.items()}
    assert sentence in str(karat.leaderboard(several))


def test_several_boards_stand_below_one_heading() -> None:
    board = karat.leaderboard(systems())
    one, two = (render([board] * number, "html") for number in (1, 2))
    assert (one.count("<h1>"), one.count("<h2>"), two.count("<h1>"), two.count("<h2>")) == (1, 0, 1, 2)


def test_a_submission_that_is_the_gold_or_another_is_named() -> None:
    """Such a rank means nothing, with intervals or without."""
    other = [["O", "B-LOC"]] * 8
    gold = [["B-LOC", "B-PER"]] * 8
    tagged = {"copied": gold, "first": other, "second": other}
    runs = {name: karat.score("seqeval", gold, tags) for name, tags in tagged.items()}
    told = {"copied has the same content as the gold", "second has the same content as first"}
    for ci in (True, False):
        assert told <= {*karat.leaderboard(runs, ci=ci).notes}
