from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.display.views.results import HOSTILE, NOTHING, SIGNATURE, hostile, team1, team2

from karat.display.views import render
from karat.evaluation.scores import Interval, Row, Scores


def test_json_is_one_object_with_everything() -> None:
    text = render("json", [team1(), team2()])
    assert text.startswith('{\n  "scores": [\n    {\n      "protocol": "small",\n      "system": "team1",\n')
    first, second = json.loads(text)["scores"]
    assert [tuple(msgspec.convert(one["rows"], list[Row])) for one in (first, second)] == [team1().rows, team2().rows]
    assert first["notes"] == ["one document left out"]
    assert first["rows"][0]["value"] is None
    assert first["signature"] == SIGNATURE
    assert second["rows"][0]["interval"] == {
        "low": 0.79,
        "high": 0.8333,
        "level": 0.95,
        "method": "",
        "units": 0,
        "undefined": 0.0,
    }


def test_jsonl_has_one_line_per_number_with_its_origin() -> None:
    lines = render("jsonl", [team1(), team2()]).splitlines()
    assert len(lines) == len(team1()) + len(team2())
    assert lines[4] == (
        f'{{"system": "team1", "protocol": "small", "signature": "{SIGNATURE}", "measure": "recall", '
        '"regime": "strict", "average": "macro-unit", "layer": "NE", "value": 1.0}'
    )
    assert json.loads(lines[-1])["system"] == "team2"


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite, finite)
def test_all_digits_survive(value: float, low: float, count: float) -> None:
    row = Row("f1", "strict", "micro", "NE", value, counts={"n": count}, interval=Interval(low, value))
    result = Scores("small", "t", (row,), "karat:1.0", NOTHING)
    for found in (
        json.loads(render("json", [result]))["scores"][0]["rows"][0],
        json.loads(render("jsonl", [result])),
    ):
        assert (found["value"], found["interval"]["low"], found["counts"]["n"]) == (value, low, count)


@pytest.mark.parametrize("view", ["json", "jsonl"])
def test_hostile_names_survive_and_can_be_encoded(view: str) -> None:
    content = json.loads(render(view, [hostile()]).encode("utf-8"))
    row = content["scores"][0]["rows"][0] if view == "json" else content
    assert row["label"] == HOSTILE
    assert row["counts"] == {HOSTILE: 1}
