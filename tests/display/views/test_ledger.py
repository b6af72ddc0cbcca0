from __future__ import annotations

import json
from itertools import count, islice
from typing import Any

import msgspec
import pytest
from tests.display.views.results import HOSTILE

from karat.display.views.ledger import render_entries
from karat.errors import UsageError
from karat.evaluation.ledger import Entry, Item

PAIR = Entry(
    unit="d1",
    layer="NE",
    label="LOC",
    case="wrong-boundary",
    verdicts={"strict": "incorrect", "fuzzy": "correct"},
    reason="same label, but tokens 3-4 for 3-5",
    gold=Item("LOC", "Bern city", (3, 5), place="gold.tsv:7"),
    system=Item("LOC", "Bern", (3, 4), ("ORG",), "team1.tsv:8"),
)
SPURIOUS = Entry(
    unit="d2",
    layer="NE",
    label="PER",
    case="spurious",
    verdicts={"strict": "spurious", "fuzzy": "spurious"},
    reason="nothing near",
    system=Item("PER", "Tell", (0, 1), place="team1.tsv:9"),
    slice="late",
)


TABLE = """\
unit  layer    case            strict     gold           system        reason                              place
----  -------  --------------  ---------  -------------  ------------  ----------------------------------  -----------
d1    NE       wrong-boundary  incorrect  LOC Bern city  LOC|ORG Bern  same label, but tokens 3-4 for 3-5  gold.tsv:7
d2    NE late  spurious        spurious   -              PER Tell      nothing near                        team1.tsv:9
"""


def test_table() -> None:
    assert list(render_entries([PAIR, SPURIOUS], "table", regimes=["strict"])) == TABLE.splitlines()


def test_tsv() -> None:
    head, pair, spurious = (line.split("\t") for line in render_entries([PAIR, SPURIOUS], "tsv"))
    assert head[:7] == ["unit", "layer", "slice", "label", "case", "strict", "fuzzy"]
    assert dict(zip(head, pair, strict=True))["gold_span"] == "3-5"
    assert dict(zip(head, pair, strict=True))["system_label"] == "LOC|ORG"
    assert spurious[:7] == ["d2", "NE", "late", "PER", "spurious", "spurious", "spurious"]
    assert spurious[7:] == ["-", "-", "-", "-", "PER", "Tell", "0-1", "team1.tsv:9", "nothing near"]


def test_jsonl_reads_back() -> None:
    lines = list(render_entries([PAIR, SPURIOUS], "jsonl"))
    assert [msgspec.json.decode(line, type=Entry) for line in lines] == [PAIR, SPURIOUS]


@pytest.mark.parametrize("view", ["table", "tsv", "jsonl"])
def test_only_the_chosen_regimes_are_shown(view: Any) -> None:
    text = "\n".join(render_entries([PAIR], view, regimes=["fuzzy"]))
    assert "fuzzy" in text
    assert "strict" not in text
    assert "incorrect" not in text


def test_a_long_ledger_is_shown_as_it_comes() -> None:
    endless = (msgspec.structs.replace(PAIR, unit=f"d{number}") for number in count())
    lines = list(islice(render_entries(endless, "table"), 1200))
    assert lines[1199].startswith("d1197  NE")


def test_an_empty_ledger_has_a_head_only() -> None:
    assert next(render_entries([], "table", regimes=["strict"])).split()[3] == "strict"
    assert len(list(render_entries([], "tsv"))) == 1
    assert list(render_entries([], "jsonl")) == []


def test_notes_stand_below_tables_and_not_among_json_lines() -> None:
    notes = ["left out 2 gold singletons", "hostile \x1b[2J"]
    table = list(render_entries([PAIR, SPURIOUS], "table", regimes=["strict"], notes=lambda: notes))
    assert table == [*TABLE.splitlines(), "", "note: left out 2 gold singletons", r"note: hostile \x1b[2J"]
    tsv = list(render_entries([PAIR], "tsv", notes=lambda: notes))
    assert tsv[2:] == ["# note: left out 2 gold singletons", r"# note: hostile \x1b[2J"]
    assert len(list(render_entries([PAIR], "jsonl", notes=lambda: notes))) == 1


def test_hostile_text_stays_in_its_cell() -> None:
    item = Item(HOSTILE, HOSTILE * 3, (0, 1), place=HOSTILE)
    entry = Entry(HOSTILE, HOSTILE, HOSTILE, HOSTILE, {"strict": "correct"}, HOSTILE, item, item)
    (_, _, line) = render_entries([entry], "table")
    assert not {"\x1b", "\t", "\n", "\u202e", "\udc80"} & set(line)
    (head, cells) = render_entries([entry], "tsv")
    assert head.count("\t") == cells.count("\t")
    (text,) = render_entries([entry], "jsonl")
    assert json.loads(text.encode("utf-8"))["gold"]["label"] == HOSTILE


def test_an_unknown_view_is_an_error() -> None:
    with pytest.raises(UsageError, match="unknown view 'pdf'"):
        render_entries([PAIR], "pdf")  # type: ignore[arg-type]
