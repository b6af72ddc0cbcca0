"""What every protocol offers once a system is scored: slices, a signature in words, its result again, and a gate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.properties.corpora import HALF_FOUND
from tests.properties.walk import PROTOCOLS, every_protocol

import karat
from karat.analysis.slices.breakdowns import ITEM_FEATURES
from karat.analysis.slices.items import casebook_of
from karat.analysis.verification import signature_in_words
from karat.cli import run
from karat.display.views import render


def sides(name: str) -> tuple[list[Any], list[Any]]:
    """Return gold and system with something to tell documents apart by."""
    gold, system = HALF_FOUND[PROTOCOLS[name].task]
    told = [
        {**document, "metadata": {"year": str(1900 + place % 2)}} if isinstance(document, dict) else document
        for place, document in enumerate(gold)
    ]
    return told, system


def features(name: str) -> list[str]:
    """Return what the scores of a protocol can be broken down by, but for the gold of another file."""
    of_items = (
        [feature for feature in ITEM_FEATURES if feature != "seen"]
        if casebook_of(PROTOCOLS[name].with_options())
        else []
    )
    without = {"nesting"} if PROTOCOLS[name].task == "relations" else set()
    return ["label", "unit", "document", *(feature for feature in of_items if feature not in without)]


def test_the_walk_has_every_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["protocols"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line and not line.endswith(":")]
    assert set(listed) >= set(PROTOCOLS)


@every_protocol
def test_slices_have_intervals_and_add_up(name: str) -> None:
    gold, system = sides(name)
    scores = karat.score(name, gold, system, by=features(name), ci=karat.Bootstrap(20))
    whole = next(row for row in scores if row.measure == "f1" and row.average == "micro")
    for feature in features(name)[2:]:
        parts = [
            row
            for row in scores
            if row.slice.startswith(f"{feature}=") and "macro" not in row.average
            if (row.measure, row.regime, row.layer, row.label) == (whole.measure, whole.regime, whole.layer, None)
            if " " not in row.slice
        ]
        assert parts, feature
        if feature != PROTOCOLS[name].unit:
            for count, number in whole.counts.items():
                assert sum(row.counts.get(count, 0) for row in parts) == pytest.approx(number), (feature, count)


@every_protocol
def test_its_own_result_is_reproduced_and_its_signature_has_words(name: str, tmp_path: Path) -> None:
    gold, system = sides(name)
    scores = karat.score(name, gold, system, by=features(name)[:2], ci=karat.Bootstrap(20))
    words = signature_in_words(scores.signature)
    assert [part.key for part in words][:2] == ["karat", "protocol"]
    assert all(part.meaning for part in words)
    assert "unknown to this version" not in {part.meaning for part in words}
    path = tmp_path / "run.karat"
    scores.save(path)
    for view in ("tsv", "csv"):
        (tmp_path / f"scores.{view}").write_text(render(view, [scores]))
    for result in (path, tmp_path / "scores.tsv", tmp_path / "scores.csv"):
        check = karat.verify(result, gold, system)
        assert check.is_reproduced, check.lines()
    other = karat.verify(path, gold, gold)
    assert not other.is_reproduced
    assert other.of("number")


@every_protocol
def test_a_gate_holds_it_back(name: str) -> None:
    gold, system = sides(name)
    half, perfect = karat.score(name, gold, system), karat.score(name, gold, gold)
    recall = next(row for row in half if row.measure == "recall" and row.average == "micro")
    assert recall.value is not None
    assert karat.gate(perfect, 0.99, f"{recall.name}=0.99", baseline=half).is_passed
    gate = karat.gate(half, 0.99, f"{recall.name}={recall.value}", baseline=perfect)
    assert [outcome.is_passed for outcome in gate.outcomes][:2] == [False, True]
