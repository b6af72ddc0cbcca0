"""The doctor names a fault of seqeval where it touches the data, with both numbers, and is silent where none does."""

from __future__ import annotations

from typing import Any

import pytest

from karat.compat.seqeval import doctor
from karat.compat.seqeval.scheme import IOB1, IOB2, IOE1


def found(gold: str, system: str, **settings: Any) -> dict[str, tuple[float | None, float | None]]:
    findings = doctor([gold.split()], [system.split()], **settings)
    return {finding.quirk: (finding.published, finding.otherwise) for finding in findings}


@pytest.mark.parametrize(
    ("gold", "system", "settings", "quirk", "numbers"),
    [
        ("U-X U-X", "U-X O", {}, "u-and-l-unknown", (0.0, 2 / 3)),
        ("O U", "O U", {}, "bare-letter-has-type-of-o", (0.0, 1.0)),
        ("I-X O", "I-X O", {"scheme": IOB2}, "scheme-ignored", (1.0, 0.0)),
        ("B-X I-X", "I-X I-X", {"mode": "strict"}, "strict-without-scheme", (1.0, 0.0)),
        ("B-X I-X", "I-X I-X", {"mode": "strict", "scheme": IOB1}, "iob1-needless-b", (0.0, 1.0)),
        ("I-X E-X O", "I-X E-X O", {"mode": "strict", "scheme": IOE1}, "ioe1-needless-e", (0.0, 1.0)),
        ("B-a- O", "B-a O", {"mode": "strict", "scheme": IOB2}, "strict-strips-hyphens", (1.0, 0.0)),
        ("B-X O", "B-X B-Y", {}, "macro-counts-types-of-the-system", (0.5, 1.0)),
        ("B-X", "B-X", {"zero_division": 2}, "any-zero-division-is-one", (1.0, None)),
        ("B-X", "B-X", {"sample_weight": [2]}, "sample-weight-ignored", (1.0, None)),
        ("B-X O", "B-X", {}, "lengths-unchecked", (1.0, 2.0)),
        ("B-X", "B-Y", {}, "wrong-tag-is-no-false-negative", (0.0, 1.0)),
        ("B-micro\u00a0avg", "B-micro\u00a0avg", {}, "", ()),
    ],
)
def test_faults(gold: str, system: str, settings: dict, quirk: str, numbers: tuple) -> None:
    findings = found(gold, system, **settings)
    if quirk:
        assert findings[quirk] == pytest.approx(numbers)
    else:
        assert findings == {}


def test_a_type_that_is_named_like_an_average() -> None:
    findings = doctor([["B-micro avg"]], [["B-micro avg"]])
    assert [finding.quirk for finding in findings] == ["types-named-like-averages"]


def test_no_types_at_all() -> None:
    (finding,) = doctor([["O"]], [["O"]])
    assert finding.quirk == "macro-of-nothing"
    assert finding.otherwise is None


def test_sound_data_are_well() -> None:
    assert found("B-X I-X O B-Y", "B-X I-X O B-Y") == {}


def test_a_finding_is_a_sentence() -> None:
    (finding,) = doctor([["U-X", "U-X"]], [["U-X", "U-X"]], sample_weight=[1])
    assert (
        str(finding) == "sample-weight-ignored: f1 1 instead of undefined. sample_weight is accepted and has no effect."
    )
