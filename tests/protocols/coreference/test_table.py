"""The table "which tool does what" of the documentation, against what the programs said in the conformance pack."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.conformance import packs

import karat
from karat.errors import InputError

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "coreference.md"
BOTH = ("precision", "recall", "f1")
LETTERS = dict(zip(BOTH, ("P", "R", "F1"), strict=True))
OFFICIAL = {"muc": "muc", "b3": "bcub", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}
PYTHON = {"mentions": "mentions", "muc": "muc", "b3": "bcub", "ceafm": "ceafm", "ceafe": "ceafe", "lea": "lea"}
SCORCH = {"muc": "MUC", "b3": "B³", "ceafm": "CEAF_m", "ceafe": "CEAF_e", "blanc": "BLANC"}
NONE = "-"


@cache
def expected(case: str) -> dict[str, Any]:
    """Return what the programs said about a case of the pack."""
    (path,) = (one["expected"] for one in packs.manifest("coref") if one["id"] == case)
    found: dict[str, Any] = json.loads((packs.synthetic("coref") / path).read_text("utf-8"))
    return found


def ratio(counts: dict[str, Any], measure: str) -> float:
    """Return a ratio of four counts, 0 where there is nothing below the line, as all programs have it."""
    recall, precision = (counts[f"{side}n"] / (counts[f"{side}d"] or 1) for side in "rp")
    both = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return {"precision": precision, "recall": recall, "f1": both}[measure]


def official(case: str, regime: str, measure: str) -> float | None:
    found = expected(case)["conll_scorer_8.01"]["total"].get(OFFICIAL.get(regime, "muc"), {"exit": 1})
    if found["exit"] != 0 or regime == "lea":
        return None
    if regime == "mentions":
        return ratio(found["mentions"], measure)
    return float(found["printed"][LETTERS[measure]]) / 100 if regime == "blanc" else ratio(found, measure)


def coval(case: str, regime: str, measure: str) -> float | None:
    found = expected(case)["coval"]["keep_singletons"].get(PYTHON.get(regime, ""))
    return None if found is None or regime == "ceafm" else ratio(found, measure)


def coreference_eval(case: str, regime: str, measure: str) -> float | None:
    found = expected(case).get("coreference_eval", {}).get("b_cubed" if regime == "b3" else regime)
    return None if found is None else ratio(found, measure)


def scorch(case: str, regime: str, measure: str) -> float | None:
    printed = expected(case)["scorch_cli"].get("stdout") or ""
    lines = re.findall(rf"^{SCORCH.get(regime, '!')}:\tR=(\S+)\tP=(\S+)\tF₁=(\S+)$", printed, re.MULTILINE)
    return float(dict(zip(("recall", "precision", "f1"), lines[0], strict=True))[measure]) if lines else None


def corefud(case: str, regime: str, measure: str) -> float | None:
    found = expected(case).get("corefud_scorer", {}).get("head/keep_singletons/dependent", {})
    found = found.get("bcub" if regime == "b3" else regime)
    if not found:
        return None
    return float(found[LETTERS[measure]])


def ours(case: str, regime: str, measure: str) -> float | None:
    folder = packs.synthetic("coref") / "cases" / case
    try:
        return karat.score("coref", folder / "key.conll", folder / "resp.conll", zero="zero").value(
            measure, regime=regime
        )
    except InputError:
        return None


COLUMNS = (official, coval, coreference_eval, scorch, corefud, ours)


def rows() -> list[Any]:
    """Return the rows of the table: a case, a measure of a regime, and the values."""
    section = PAGE.read_text("utf-8").split("\n## Which tool does what")[1].split("\n## ")[0]
    found = re.findall(r"^\| [^|]+ \| `(e_\w+)` \| `(\w+)` of `(\w+)` \| (.+) \|$", section, re.MULTILINE)
    return [pytest.param(*row[:3], row[3].split(" | "), id="-".join(row[:3])) for row in found]


@pytest.mark.parametrize(("case", "measure", "regime", "cells"), rows())
def test_the_table_shows_what_the_programs_say(case: str, measure: str, regime: str, cells: list[str]) -> None:
    values = [column(case, regime, measure) for column in COLUMNS]
    assert cells == [NONE if one is None else f"{one:.3f}" for one in values]


def test_there_is_a_table() -> None:
    assert len(rows()) >= 12
