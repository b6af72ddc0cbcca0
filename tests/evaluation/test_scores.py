from __future__ import annotations

import builtins
import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import MissingExtraError, UsageError
from karat.evaluation.protocol import Bound, Figure
from karat.evaluation.registry import protocol, protocols
from karat.evaluation.scores import Row, mean, rows_of, unit_rows
from karat.evaluation.tally import Group, Tallies, Tally
from karat.measures.formulas import Quotient

GOLD = [["B-LOC", "O", "B-PER"], ["B-LOC", "O", "O"]]
SYSTEM = [["B-LOC", "O", "B-LOC"], ["O", "O", "O"]]


def scores(**options: Any) -> karat.Scores:
    return karat.score("hipe2022-nerc-coarse", GOLD, SYSTEM, **options)


@given(st.lists(st.none() | st.floats(0, 1), max_size=8), st.randoms())
def test_a_mean_does_not_depend_on_the_order(values: list[float | None], random: Random) -> None:
    expected = mean(values)
    random.shuffle(values)
    assert mean(values) == expected


def test_the_three_averages() -> None:
    found = scores(by="label")
    assert found.value("recall") == 1 / 3
    assert found.value("recall", average="macro-unit") == (1 / 2 + 0) / 2
    assert found.value("recall", average="macro-label") == (1 / 2 + 0) / 2
    assert found.value("precision", average="macro-unit") == 1 / 2
    assert [found.value("recall", label=one) for one in ("LOC", "PER")] == [1 / 2, 0]


MEAN = Quotient(above={"shares": 1}, below={"queries": 1})


def two_averages() -> Bound:
    """Return a protocol whose counts are right, all, and the sum of the shares of queries and how many those are."""
    figures = (
        Figure("share", "each", "micro", Quotient({"right": 1}, {"all": 1}), {"right": "right", "all": "all"}),
        Figure("share", "each", "macro-query", MEAN, {"queries": "queries"}, optional=True),
        Figure("share", "mean", "macro-query", MEAN, {"queries": "queries"}, optional=True),
    )
    counts = ("right", "all", "shares", "queries")
    bound = protocol("hipe2022-nerc-coarse").with_options()
    return bound.with_rules(book=SimpleNamespace(counts=counts, figures=figures))


def test_an_average_over_queries_divides_the_sum_of_their_values() -> None:
    one = two_averages()
    tallies = Tallies(["a", "b"], [{Group("A"): (3, 5, 1.25, 2)}, {Group("A"): (0, 1, 0, 1)}])
    found = {(row.regime, row.average): (row.value, row.counts) for row in rows_of(one, tallies) if row.layer == "A"}
    assert found == {
        ("each", "micro"): (3 / 6, {"right": 3, "all": 6}),
        ("each", "macro-query"): (1.25 / 3, {}),
        ("mean", "macro-query"): (1.25 / 3, {}),
    }
    rows = [(row.slice, row.regime, row.value) for row in unit_rows(one, tallies) if row.layer == "A"]
    assert rows == [
        ("document=a", "each", 3 / 5),
        ("document=a", "mean", 1.25 / 2),
        ("document=b", "each", 0),
        ("document=b", "mean", 0),
    ]


def test_optional_averages_that_nobody_asked_for_are_left_out() -> None:
    tallies = Tallies(["a"], [{Group("A"): (0, 0, 0, 0)}])
    for zero in ("undefined", "zero"):
        rows = [row for row in rows_of(two_averages(), tallies, zero=zero) if row.layer == "A"]
        assert [row.average for row in rows] == ["micro"]


def test_zero_rules() -> None:
    empty = [["O", "O"]]
    for rule, expected in {"undefined": None, "zero": 0.0, "one": 1.0}.items():
        assert karat.score("hipe2022-nerc-coarse", empty, empty, zero=rule).value() == expected  # type: ignore[arg-type]


def test_rows_come_in_a_fixed_order() -> None:
    bound = protocol("hipe2022-nerc-coarse").with_options()
    one: Tally = {Group("A", label="z"): (1,) * 7, Group("A"): (1,) * 7}
    two: Tally = {Group("A", label="b"): (1,) * 7}
    rows = rows_of(bound, Tallies(["1", "2"], [one, two]), labels=True)
    assert list(dict.fromkeys(row.label for row in rows)) == [None, "b", "z"]


def test_rows_by_unit_are_those_of_the_unit_alone() -> None:
    by_unit = [row for row in scores(by="unit") if row.slice]
    assert {row.slice for row in by_unit} == {"document=1", "document=2"}
    alone = karat.score("hipe2022-nerc-coarse", GOLD[1:], SYSTEM[1:])
    second = [row.value for row in by_unit if row.slice == "document=2"]
    assert second == [row.value for row in alone if row.average == "micro"]


def test_names_and_lookups() -> None:
    row = Row("f1", "strict", "micro", "NE", 0.5, slice="late", label="LOC")
    assert row.name == "f1[layer=NE,regime=strict,avg=micro,slice=late,label=LOC]"
    found = scores()
    assert found.value() == found.value("f1", regime="strict", layer="NE-COARSE-LIT") == found.rows[2].value
    with pytest.raises(UsageError, match=r"unknown score 'f2\[avg=micro\]'"):
        found.value("f2")


def test_a_result_is_a_table() -> None:
    found = scores()
    assert len(found) == len(list(found)) == len(found.rows)
    plain = found.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["signature"] == found.signature
    assert found.signature in str(found)
    assert "<table" in found._repr_html_()


def test_pandas_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_pandas(name: str, *rest: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[frames\]'"):
        scores().to_pandas()


def test_a_data_frame_has_flat_columns() -> None:
    pytest.importorskip("pandas")
    frame = scores(ci=True).to_pandas()
    assert {"measure", "value", "low", "high", "exact", "missed"} <= set(frame.columns)
    assert not any(isinstance(cell, dict) for column in frame for cell in frame[column])


@pytest.mark.parametrize("name", protocols())
def test_no_count_is_called_like_a_field_of_a_row(name: str) -> None:
    found = protocol(name).with_options()
    shown = {one for figure in found.figures for one in figure.behind or {}} | set(found.counts)
    assert shown.isdisjoint({*Row.__struct_fields__, "low", "high"})


def test_scores_and_rows_can_be_hashed() -> None:
    assert len({scores(), scores()}) == 1
    assert len(set(scores())) == len(scores())
