"""The views are the same everywhere: every command that shows a result has all of them, by name and by ending."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command

from karat.cli.results import ENDINGS, VIEWS

PROTOCOL = "hipe2022-nerc-coarse"
COMMANDS = {
    "score": ("score", PROTOCOL, "gold.tsv", "good.tsv"),
    "show": ("show", "run.karat"),
    "explain": ("explain", PROTOCOL, "gold.tsv", "good.tsv"),
    "two systems": ("explain", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv"),
    "two protocols": ("explain", PROTOCOL, "conll2003", "gold.tsv", "good.tsv"),
    "confusion": ("explain", PROTOCOL, "gold.tsv", "bad.tsv", "--confusion"),
    "compare": ("compare", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv"),
    "leaderboard": ("leaderboard", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv"),
    "verify": ("verify", "run.karat", "--gold", "gold.tsv", "--system", "good.tsv"),
}


def is_right(view: str, text: str) -> bool:
    """Say whether a text looks like a view."""
    if view == "json":
        return isinstance(json.loads(text), dict)
    if view == "jsonl":
        return all(isinstance(json.loads(line), dict) for line in text.splitlines())
    if view == "csv":
        return len({len(line) for line in csv.reader(text.splitlines())}) == 1
    if view == "tsv":
        return "\t" in text.splitlines()[0]
    return {"markdown": "| :--- |", "latex": r"\toprule", "html": "<!doctype html>", "table": "\n"}[view] in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_every_view(karat: Command, name: str) -> None:
    karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--save", "run.karat")
    for view in VIEWS:
        shown = karat(*COMMANDS[name], "--view", view)
        assert (shown.status, shown.err) == (0, ""), view
        assert is_right(view, shown.out), view
        for ending in (ending for ending, meant in ENDINGS.items() if meant == view):
            assert karat(*COMMANDS[name], "-o", f"out{ending}").status == 0
            assert Path(f"out{ending}").read_text("utf-8") == shown.out


def test_no_command_replaces_what_it_reads(karat: Command) -> None:
    karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--save", "run.karat")
    for name in ("compare", "leaderboard", "verify"):
        assert karat(*COMMANDS[name], "-o", "gold.tsv").status == 3
