"""Where seqeval 1.2.2 and nervaluate 1.2.1 agree with Karat and, by name, where they do not.

``peers.json`` holds what these programs gave for sequences of tags; they are not needed to run the tests.
"""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.spans.build import document, outcomes, scored

import karat
from karat.analysis.summary import evaluate
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure

RECORDED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("peers.json").read_text("utf-8"))
MEASURES = ("precision", "recall", "f1")
REGIMES = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
recorded = pytest.mark.parametrize("case", RECORDED, ids=range(len(RECORDED)))


def tags(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


@recorded
@pytest.mark.parametrize("profile", ["official", "corrected"])
def test_seqeval_agrees(case: dict[str, Any], profile: str) -> None:
    scores = karat.score(
        "conll2003", tags(case["gold"]), tags(case["system"]), by="label", zero="zero", profile=profile
    )
    assert [scores.value(measure) for measure in MEASURES] == pytest.approx(case["seqeval"])
    assert [scores.value(measure, average="macro-label") for measure in MEASURES] == pytest.approx(case["macro"])
    assert scores.value("accuracy") == pytest.approx(case["accuracy"])
    for label, numbers in case["labels"].items():
        assert [scores.value(measure, label=label) for measure in MEASURES] == pytest.approx(numbers)


@recorded
def test_strict_mode_of_seqeval_is_discarding_what_breaks_the_scheme(case: dict[str, Any], tmp_path: Path) -> None:
    for side in ("gold", "system"):
        parts = [f"# newdoc id = {number}\n" + "".join(f"w {tag}\n" for tag in line.split()) + "\n"
                 for number, line in enumerate(case[side])]  # fmt: skip
        (tmp_path / f"{side}.conll").write_text("".join(parts), "utf-8")
    bound = configure("conll2003", {"profile": "corrected"})
    reading = Reading("conll", {"scheme": "IOB2", "repair": "discard"})
    sides = load(bound, [tmp_path / "gold.conll", tmp_path / "system.conll"], [reading, reading])
    scores = evaluate(bound, *sides, zero="zero")
    assert [scores.value(measure) for measure in MEASURES] == pytest.approx(case["seqeval_strict"])


@recorded
def test_nervaluate_agrees_or_finds_fewer(case: dict[str, Any]) -> None:
    scores = karat.score("semeval2013", tags(case["gold"]), tags(case["system"]))
    for regime, name in REGIMES.items():
        ours, theirs = outcomes(scores, regime), case["nervaluate"][name]
        if regime == "type":  # first come, first served: see below
            assert ours[0] >= theirs[0]
        else:
            assert ours == theirs


def test_the_record_has_differences() -> None:
    differing = [
        case
        for case in RECORDED
        if outcomes(karat.score("semeval2013", tags(case["gold"]), tags(case["system"])), "type")
        != case["nervaluate"]["ent_type"]
    ]
    assert 0 < len(differing) < len(RECORDED) / 2


def test_greedy_type() -> None:
    # nervaluate books the first system entity as incorrect and uses the gold one up: correct 0, incorrect 1, spurious 1
    scores = scored("semeval2013", [(0, 10, "PER")], [(0, 4, "LOC"), (5, 10, "PER")])
    assert outcomes(scores, "type") == [1, 0, 0, 0, 1]


def test_order_matters() -> None:
    # nervaluate: strict 0 correct and 2 incorrect in the one order, 1 correct in the other
    gold = [(4, 8, "LOC"), (1, 5, "PER")]
    found = []
    for system in permutations([(0, 4, "PER"), (1, 5, "PER")]):
        scores = scored("semeval2013", gold, list(system))
        found.append([outcomes(scores, regime) for regime in REGIMES])
    assert found[0] == found[1]
    assert found[0][0] == [1, 0, 0, 1, 1]


def test_repetitions_count() -> None:
    # nervaluate: 1 correct, 1 spurious
    scores = scored("semeval2013", [(0, 4, "LOC")], [(0, 4, "LOC"), (0, 4, "LOC")])
    assert outcomes(scores, "strict") == [1, 0, 0, 0, 0]
    assert scores.notes == ("left out 1 repetition of system entities with the same place and label",)


def test_labels_apart() -> None:
    # nervaluate judges each label without the others: for LOC missed and for PER spurious, also under exact
    scores = scored("semeval2013", [(0, 4, "LOC")], [(0, 4, "PER")], by="label")
    assert outcomes(scores, "exact", "LOC") == [1, 0, 0, 0, 0]
    assert scores.value("recall", regime="exact", label="LOC") == 1
    assert scores.value("precision", regime="exact", label="PER") == 1
    assert scores.value("recall", regime="strict", label="LOC") == 0


def test_least_overlap() -> None:
    # nervaluate wants 1 % of the gold entity to be covered: missed and spurious
    scores = scored("semeval2013", [(0, 300, "LOC")], [(299, 310, "LOC")])
    assert outcomes(scores, "partial") == [0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("line", "official", "corrected"),
    [
        ("B-X E-X B-X E-X", 1, 2),  # seqeval: 2
        ("S-X S-X", 1, 2),  # seqeval: 2
        ("U-X U-X", 1, 2),  # seqeval: 1
    ],
)
def test_other_schemes(line: str, official: int, corrected: int) -> None:
    found = [karat.score("conll2003", tags([line]), tags([line]), profile=one) for one in ("official", "corrected")]
    assert [scores.rows[0].counts["gold"] for scores in found] == [official, corrected]


def test_bare_tags_have_the_empty_label() -> None:
    # seqeval calls it _
    scores = karat.score("conll2003", [["B", "I"]], [["B", "I"]], by="label")
    assert scores.value("f1", label="") == 1


def test_nobody_is_left_without_a_document() -> None:
    assert karat.score("semeval2013", [document()], [document()]).value("f1", regime="strict") is None
