"""The MultiCoNER baseline: what its metrics are, by the module and through ``karat.score``."""

from __future__ import annotations

import json
from typing import Any

import pytest

import karat
from karat.compat.multiconer import span_f1
from tests.conformance import packs
from tests.conformance.alike import differences
from tests.conformance.bunches import in_bunches

CASES = [case for case in packs.manifest("tags") if case["program"] == "multiconer"]
MEASURES = {"P": "precision", "R": "recall", "F1": "f1"}


def loaded(case: dict) -> tuple[dict, dict]:
    folder = packs.synthetic("tags")
    call, result = case["inputs"]["call"], case["expected"]["result"]
    return json.loads((folder / call).read_text("utf-8")), json.loads((folder / result).read_text("utf-8"))


@in_bunches("case", CASES)
def test_module(case: dict) -> None:
    call, expected = loaded(case)
    if "error" in expected:
        with pytest.raises(ValueError, match="a sentence has no tags"):
            span_f1(call["gold"], call["system"])
        return
    assert differences(span_f1(call["gold"], call["system"]), expected) == []


@in_bunches("case", CASES)
def test_score(case: dict) -> None:
    """What has no counterpart is left out as there; tags of other numbers of tokens cannot be compared."""
    call, expected = loaded(case)
    if case["id"].endswith("hand-lengths"):
        with pytest.raises(karat.InputError):
            karat.score("multiconer", call["gold"], call["system"])
        return
    if "error" in expected:
        with pytest.raises(karat.InputError):
            karat.score("multiconer", call["gold"], call["system"])
        return
    scores = karat.score("multiconer", call["gold"], call["system"], by="label", missing="skip")
    found: dict[str, Any] = {}
    ratios = {key: value for key, value in expected.items() if not key.startswith("ALL")}
    for key in ratios:
        prefix, _, rest = key.partition("@")
        if prefix in ("micro", "MD"):
            found[key] = scores.value(MEASURES[rest], regime="strict" if prefix == "micro" else "mention")
        else:
            found[key] = scores.value(MEASURES[prefix], label=rest)
    assert differences(found, ratios) == []
