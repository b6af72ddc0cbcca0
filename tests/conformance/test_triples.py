"""Every case of the OMIn pack about relation triples, under all regimes that it defines."""

from __future__ import annotations

import json
from typing import Any

import pytest

import karat
from karat.evaluation.scores import Row
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

CASES = [case for case in packs.manifest("omin") if case["kind"] == "re_match"]
REGIMES = {
    "exact": "exact",
    "normalised": "normalised",
    "arguments": "arguments",
    "arguments_undirected": "undirected",
    "overlap_arguments": "overlap",
    "mapped_overlap": "mapped",
    "soft": "soft",
}
COUNTS = {"gold": "gold", "system": "pred", "correct": "tp"}


@in_bunches("case", CASES)
def test_pack(case: dict[str, Any]) -> None:
    folder = packs.synthetic("omin") / case["dir"]
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    mapping = str(folder / case["args"]["map"])
    scores = karat.score("triples", folder / "gold.csv", folder / "pred.csv", zero="zero", mapping=mapping)
    rows: dict[str, dict[str, Row]] = {}
    for row in scores:
        if row.average == "micro":
            rows.setdefault(row.regime, {})[row.measure] = row
    assert set(expected) == set(REGIMES)
    for name, numbers in expected.items():
        found = rows[REGIMES[name]]
        for measure in ("precision", "recall", "f1"):
            assert found[measure].value == pytest.approx(numbers[measure], abs=1e-9), (name, measure)
        counts = {COUNTS[part]: number for part, number in found["f1"].counts.items()}
        assert counts == {part: pytest.approx(numbers[part], abs=1e-9) for part in COUNTS.values()}, name
