from __future__ import annotations

import json

from tests.cli.conftest import GOLD, Command

PROTOCOL = "hipe2022-nerc-coarse"


def test_every_item_with_its_place(karat: Command) -> None:
    shown = karat("explain", PROTOCOL, "gold.tsv", "good.tsv")
    entries = [json.loads(line) for line in shown.out.splitlines()]
    assert [entry["case"] for entry in entries] == ["exact", "missed", "exact"]
    assert entries[1]["gold"]["place"] == "gold.tsv:6"


def test_filters(karat: Command) -> None:
    words = ["explain", PROTOCOL, "gold.tsv", "bad.tsv"]
    assert len(karat(*words).out.splitlines()) == 3
    assert len(karat(*words, "--outcome", "missed").out.splitlines()) == 2
    assert len(karat(*words, "--label", "loc").out.splitlines()) == 2
    assert len(karat(*words, "--document", "b", "--document", "c").out.splitlines()) == 1
    assert len(karat(*words, "--outcome", "correct", "--regime", "partial").out.splitlines()) == 1


def test_views(karat: Command) -> None:
    words = ["explain", PROTOCOL, "gold.tsv", "good.tsv"]
    table = karat(*words, "--view", "table").out
    assert "London" in table
    assert "\t" not in table
    tsv = karat(*words, "--view", "tsv").out.splitlines()
    assert len({line.count("\t") for line in tsv}) == 1
    assert len(tsv) == 4


def test_standard_input_and_other_formats(karat: Command) -> None:
    assert karat("convert", "good.tsv", "good.jsonl").status == 0
    shown = karat("explain", PROTOCOL, "-", "good.jsonl", stdin=GOLD)
    assert [json.loads(line)["case"] for line in shown.out.splitlines()] == ["exact", "missed", "exact"]
