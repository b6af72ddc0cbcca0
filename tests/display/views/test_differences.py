from __future__ import annotations

import json
from typing import Any

import pytest
from tests.display.views.results import HOSTILE

from karat.analysis.differences import Comparison, differences, shifts
from karat.display.views.differences import render_comparison
from karat.errors import UsageError
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.scores import Row, Scores
from karat.evaluation.tally import Tallies

GOLD, SYSTEM = Item("LOC", "Bern", (0, 1), place="gold.tsv:7"), Item("LOC", "Bern city", (0, 2), place="team1.tsv:7")
PAIR = Entry("d1", "NE", "LOC", "overlap", {"strict": "incorrect"}, "shares a token", GOLD, SYSTEM)
MISSED = Entry("d1", "NE", "LOC", "missed", {"strict": "missed"}, "not found", GOLD)
SPURIOUS = Entry("d1", "NE", "LOC", "spurious", {"strict": "spurious"}, "nothing there", None, SYSTEM)
ALONE = Entry("d2", "NE", "PER", "missed", {"strict": "missed"}, "not found", Item("PER", "Tell", (3, 4)))


def scores(protocol: str, *rows: Row, notes: tuple[str, ...] = ()) -> Scores:
    return Scores(protocol, "team1", rows, f"karat:1.0|protocol:{protocol}", Tallies([], []), notes)


def comparison() -> Comparison:
    first = scores(
        "wide",
        Row("recall", "strict", "micro", "NE", 0.5),
        Row("f1", "strict", "micro", "NE", 0.25),
        Row("f1", "fuzzy", "micro", "NE", 1.0),
        notes=("one document left out",),
    )
    second = scores("narrow", Row("recall", "strict", "micro", "NE", None), Row("f1", "strict", "micro", "NE", 0.25001))
    found = differences([PAIR, ALONE], [MISSED, SPURIOUS])
    return Comparison(first, second, shifts(first, second), found, len(found))


TABLE = """\
wide and narrow: team1

measure  regime  average  layer    wide  narrow  difference
-------  ------  -------  -----  ------  ------  ----------
recall   strict  micro    NE     0.5000       -           -
f1       strict  micro    NE     0.2500  0.2500      +1e-05

only wide: regime fuzzy
note: wide: one document left out

unit  layer  protocol  case      strict     gold      system         reason             place
----  -----  --------  --------  ---------  --------  -------------  -----------------  -----------
d1    NE     wide      overlap   incorrect  LOC Bern  LOC Bern city  shares a token     gold.tsv:7
             narrow    missed    missed     LOC Bern  -              not found          gold.tsv:7
             narrow    spurious  spurious   -         LOC Bern city  nothing there      team1.tsv:7
d2    NE     wide      missed    missed     PER Tell  -              not found          -
             narrow    -         -          -         -              has no such entry  -

karat:1.0|protocol:wide
karat:1.0|protocol:narrow
"""


def test_table() -> None:
    assert list(render_comparison(comparison(), "table", regimes=["strict", "lea"])) == TABLE.splitlines()


def test_tsv_has_two_tables_with_all_digits() -> None:
    lines = list(render_comparison(comparison(), "tsv", regimes=["strict"]))
    blank = lines.index("")
    numbers = [line.split("\t") for line in lines[:blank]]
    assert numbers[0] == ["measure", "regime", "average", "layer", "slice", "wide", "narrow", "difference"]
    assert numbers[1:] == [
        ["recall", "strict", "micro", "NE", "ALL", "0.5", "-", "-"],
        ["f1", "strict", "micro", "NE", "ALL", "0.25", "0.25001", repr(0.25001 - 0.25)],
    ]
    head, *entries = [line.split("\t") for line in lines[blank + 1 :] if not line.startswith("#")]
    assert {len(line) for line in entries} == {len(head)}
    assert [line[:2] for line in entries] == [["1", "wide"], ["1", "narrow"], ["1", "narrow"], ["2", "wide"]]
    assert lines[-4:-2] == ["# only wide: regime fuzzy", "# note: wide: one document left out"]


def test_jsonl() -> None:
    head, *others = (json.loads(line) for line in render_comparison(comparison(), "jsonl", regimes=["strict"]))
    assert (head["kind"], head["numbers"], head["items"]) == ("comparison", 2, 2)
    assert head["first"]["only"] == {"regime": ["fuzzy"]}
    assert head["second"]["notes"] == []
    assert [one["kind"] for one in others] == ["number", "number", "items", "items"]
    assert (others[0]["first"], others[0]["second"], others[0]["difference"]) == (0.5, None, None)
    assert [entry["case"] for entry in others[2]["second"]] == ["missed", "spurious"]
    assert others[3]["second"] == []


def test_what_does_not_differ_is_said() -> None:
    one, other = scores("wide"), scores("narrow")
    (_, _, line, *_) = render_comparison(Comparison(one, other, [], []), regimes=[])
    assert line == "nothing differs: no number that both have, and no verdict"
    (_, _, line, *_) = render_comparison(Comparison(one, other, [], differences([ALONE], []), 1), regimes=[])
    assert line == "no number that both have differs"
    number = shifts(*(scores("p", Row("f1", "", "micro", "", value)) for value in (0.0, 1.0)))
    (_, _, line, *_) = render_comparison(Comparison(one, other, number, []), regimes=[])
    assert line == "no verdict differs"
    (_, _, line, *_) = render_comparison(Comparison(one, other, number, [], 3), regimes=[])
    assert line == "3 differences left out by the filters"


@pytest.mark.parametrize("view", ["table", "tsv", "jsonl"])
def test_hostile_text_stays_in_its_cell(view: Any) -> None:
    item = Item(HOSTILE, HOSTILE, (0, 1), place=HOSTILE)
    entry = Entry(HOSTILE, HOSTILE, HOSTILE, HOSTILE, {"strict": "missed"}, HOSTILE, item)
    results = [scores(HOSTILE, Row("f1", HOSTILE, "micro", HOSTILE, value), notes=(HOSTILE,)) for value in (0.0, 1.0)]
    one, other = results
    found = Comparison(one, other, shifts(one, other), differences([entry], []), 1)
    for line in render_comparison(found, view, regimes=["strict"]):
        line.encode()
        assert not {"\x1b", "\n", "\r"} & set(line)


def test_an_unknown_view_is_an_error() -> None:
    with pytest.raises(UsageError, match="unknown view 'pdf'"):
        render_comparison(comparison(), "pdf", regimes=[])  # type: ignore[arg-type]
