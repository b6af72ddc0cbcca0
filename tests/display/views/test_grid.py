from __future__ import annotations

from tests.display.views.results import NOTHING, team1, team2

from karat.display.views._grid import pivot
from karat.evaluation.scores import Row, Scores


def result(*rows: Row, system: str = "team1") -> Scores:
    return Scores("small", system, rows, "karat:1.0", NOTHING)


def test_measures_become_columns_in_the_order_of_their_first_appearance() -> None:
    grid = pivot([team1()])
    assert grid.keys == ("layer", "label", "average", "regime")
    assert grid.measures == ("precision", "recall", "f1")
    assert grid.counts == ("correct", "actual", "possible")
    assert [line.keys for line in grid.lines] == [
        ("NE", "ALL", "micro", "strict"),
        ("NE", "ALL", "macro-unit", "strict"),
        ("NE", "LOC_1", "micro", "strict"),
    ]


def test_measures_that_are_not_precision_recall_and_f1_keep_their_names() -> None:
    rows = [Row(name, "", "micro", "", 0.5) for name in ("b3", "f1", "accuracy")]
    assert pivot([result(*rows)]).scores() == [
        ["average", "b3", "F1", "accuracy"],
        ["micro", "0.500", "0.500", "0.500"],
    ]


def test_a_key_is_blank_only_if_those_before_it_are_the_same_as_above() -> None:
    rows = [
        Row("f1", regime, "micro", layer, 0.5, part)
        for layer, part, regime in (
            ("A", "", "strict"),
            ("A", "", "fuzzy"),
            ("A", "late", "fuzzy"),
            ("B", "late", "fuzzy"),
        )
    ]
    assert [cells[:4] for cells in pivot([result(*rows)]).scores()] == [
        ["layer", "slice", "average", "regime"],
        ["A", "ALL", "micro", "strict"],
        ["", "", "", "fuzzy"],
        ["", "late", "micro", "fuzzy"],
        ["B", "late", "micro", "fuzzy"],
    ]


def test_two_systems_of_the_same_name_stay_apart() -> None:
    low, high = (Row("f1", "strict", "micro", "NE", value, counts={"correct": value}) for value in (0.25, 0.75))
    grid = pivot([result(low), result(high)])
    assert [cells[-2:] for cells in grid.scores_and_counts()[1:]] == [["0.250", "0.250"], ["0.750", "0.750"]]
    assert [cells[0] for cells in grid.group_counts()] == ["system", "team1", "team1"]


def test_group_counts_stand_once_for_all_regimes() -> None:
    rows = [Row("f1", regime, "micro", "NE", 0.5, counts={"correct": 2}) for regime in ("strict", "fuzzy")]
    assert pivot([result(*rows)]).group_counts() == [["layer", "correct"], ["NE", "2"]]


def test_numbers_show_interval_undefined_and_absent_apart() -> None:
    cells = pivot([team1(), team2()]).scores()
    assert cells[1][-3:] == ["-", "0.667", "0.500"]
    assert cells[4][-3:] == ["", "", "0.812 [0.790, 0.833]"]
