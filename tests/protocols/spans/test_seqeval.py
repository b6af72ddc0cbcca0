"""The protocol seqeval: its faults as published and put right, its options, and what it says about them."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.analysis.statistics.intervals import Bootstrap
from karat.compat.seqeval import doctor, metrics
from karat.errors import UsageError
from karat.evaluation.quirks import quirks_of


def f1(gold: str, system: str, profile: str = "published", **options: Any) -> float | None:
    average = options.pop("average", "micro")
    return karat.score("seqeval", [gold.split()], [system.split()], profile=profile, zero="zero", **options).value(
        "f1", average=average
    )


def both_profiles(gold: str, system: str, **options: Any) -> list[float | None]:
    """Return the value as published, and corrected."""
    return [f1(gold, system, profile, **options) for profile in ("published", "corrected")]


def test_u_and_l_unknown() -> None:
    assert both_profiles("U-X U-X", "U-X O") == [0, pytest.approx(2 / 3)]


def test_bare_letter_has_type_of_o() -> None:
    assert both_profiles("O U", "O U") == [0, 1]


def test_iob1_needless_b() -> None:
    assert both_profiles("B-X I-X", "O I-X", mode="strict", scheme="IOB1") == [1, 0]


def test_ioe1_needless_e() -> None:
    assert both_profiles("I-X E-X O", "I-X E-X O", mode="strict", scheme="IOE1") == [0, 1]


def test_strict_strips_hyphens() -> None:
    assert both_profiles("B-a- O", "B-a O", mode="strict", scheme="IOB2") == [1, 0]


def test_macro_counts_types_of_the_system() -> None:
    """It has no profile without it: the doctor says what the macro average is over the types of the gold."""
    assert both_profiles("B-X O", "B-X B-Y", average="macro-label") == [0.5, 0.5]
    assert [one.otherwise for one in doctor([["B-X", "O"]], [["B-X", "B-Y"]])] == [1]


def test_scheme_ignored() -> None:
    scores = karat.score("seqeval", [["I-X"]], [["I-X"]], scheme="IOB2")
    assert scores.value("f1") == 1
    assert 'seqeval looks at the scheme in its strict mode only; say mode="strict"' in scores.notes
    with pytest.raises(UsageError, match="a scheme is for the strict mode"):
        karat.score("seqeval", [["I-X"]], [["I-X"]], scheme="IOB2", profile="corrected")


def test_strict_without_scheme() -> None:
    scores = karat.score("seqeval", [["I-X"]], [["I-X"]], mode="strict")
    assert scores.value("f1") == 1
    assert any("without a scheme" in note for note in scores.notes)
    with pytest.raises(UsageError, match="needs a scheme"):
        karat.score("seqeval", [["I-X"]], [["I-X"]], mode="strict", profile="corrected")


def test_macro_of_nothing() -> None:
    assert isnan(metrics.f1_score([["O"]], [["O"]], average="macro", zero_division=0))
    with pytest.raises(ValueError, match="nothing to report"):
        metrics.classification_report([["O"]], [["O"]], zero_division=0)
    assert both_profiles("O", "O", average="macro-label") == [None, None]


def test_scheme_guessed_from_letters() -> None:
    with pytest.raises(ValueError, match="This scheme is not supported"):
        metrics.classification_report([["S-X", "O"]], [["S-X", "O"]], mode="strict")
    assert f1("S-X O", "S-X O", mode="strict", scheme="IOBES") == 1


def test_any_zero_division_is_one() -> None:
    assert [metrics.precision_score([["B-X"]], [["O"]], zero_division=zero) for zero in (0, 2)] == [0, 1]
    with pytest.raises(UsageError):
        karat.score("seqeval", [["B-X"]], [["O"]], zero="two")


def test_sample_weight_ignored() -> None:
    sides = [["B-X"], ["O"]], [["B-X"], ["B-X"]]
    assert metrics.precision_score(*sides, sample_weight=[9, 1]) == metrics.precision_score(*sides) == 0.5
    assert "sample-weight-ignored" in {one.quirk for one in doctor(*sides, sample_weight=[9, 1])}


def test_lengths_unchecked() -> None:
    assert metrics.accuracy_score([["B-X", "O"]], [["B-X"]]) == 0.5
    with pytest.raises(karat.InputError):
        karat.score("seqeval", [["B-X", "O"]], [["B-X"]])


def test_wrong_tag_is_no_false_negative() -> None:
    assert metrics.performance_measure([["B-X"]], [["B-Y"]]) == {"TP": 0, "FP": 1, "FN": 0, "TN": 0}
    assert karat.score("seqeval", [["B-X"]], [["B-Y"]]).value("recall") == 0


def test_types_named_like_averages() -> None:
    sides = [["B-micro avg", "B-X"]], [["B-micro avg", "O"]]
    assert list(metrics.classification_report(*sides, output_dict=True, zero_division=0)) == [
        "X",
        "micro avg",
        "macro avg",
        "weighted avg",
    ]
    assert karat.score("seqeval", *sides, by="label").value("f1", label="micro avg") == 1


def test_places_in_the_joined_list() -> None:
    assert metrics.sequence_labeling.get_entities([["B-X"], ["B-X"]]) == [("X", 0, 0), ("X", 2, 2)]
    entries = list(karat.explain("seqeval", [["B-X"], ["B-X"]], [["B-X"], ["B-X"]]))
    assert {entry.gold.span[0] for entry in entries} == {0}


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.spans", "seqeval")}
    assert names <= globals().keys()


def test_a_letter_that_the_scheme_lacks_is_refused() -> None:
    with pytest.raises(karat.InputError, match="'E-X' is no tag of IOB2"):
        karat.score("seqeval", [["B-X", "E-X"]], [["B-X", "I-X"]], mode="strict", scheme="IOB2")


def test_letters_at_the_end() -> None:
    for profile in ("published", "corrected"):
        assert f1("PER-B PER-I O", "PER-B PER-I O", profile, suffix="yes") == 1


def test_weighted_by_gold_entities_with_an_interval() -> None:
    gold = [["B-X", "O", "B-Y"], ["B-X", "O", "O"]]
    system = [["B-X", "O", "B-Z"], ["B-X", "O", "O"]]
    scores = karat.score("seqeval", gold, system, ci=Bootstrap(50), zero="zero")
    assert scores.value("f1", average="weighted-label") == pytest.approx(2 / 3)
    (row,) = [row for row in scores if row.measure == "f1" and row.average == "weighted-label"]
    assert row.interval is not None
    assert row.interval.low == pytest.approx(0.5)
    assert row.interval.high == 1


def test_any_format_will_do(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(
        '{"id": "a", "text": "Bern", "mentions": [{"id": "1", "spans": [[0, 4]], "labels": ["LOC"]}]}\n', "utf-8"
    )
    assert karat.score("seqeval", tmp_path / "gold.jsonl", tmp_path / "gold.jsonl").value("f1") == 1
