"""The protocol seqeval: its faults as published and put right, its options, and what it says about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import karat
from karat.errors import UsageError
from karat.quirks import quirks_of
from karat.scoring import Bootstrap


def f1(gold: str, system: str, profile: str = "published", **options: Any) -> float | None:
    average = options.pop("average", "micro")
    return karat.score("seqeval", [gold.split()], [system.split()], profile=profile, zero="zero", **options).value(
        "f1", average=average
    )


@pytest.mark.parametrize(
    ("quirk", "gold", "system", "options", "published", "corrected"),
    [
        ("u-and-l-unknown", "U-X U-X", "U-X O", {}, 0, 2 / 3),
        ("bare-letter-has-type-of-o", "O U", "O U", {}, 0, 1),
        ("iob1-needless-b", "B-X I-X", "O I-X", {"mode": "strict", "scheme": "IOB1"}, 1, 0),
        ("ioe1-needless-e", "I-X E-X O", "I-X E-X O", {"mode": "strict", "scheme": "IOE1"}, 0, 1),
        ("strict-strips-hyphens", "B-a- O", "B-a O", {"mode": "strict", "scheme": "IOB2"}, 1, 0),
        ("macro-counts-types-of-the-system", "B-X O", "B-X B-Y", {"average": "macro-label"}, 0.5, 0.5),
    ],
)
def test_faults(quirk: str, gold: str, system: str, options: dict, published: float, corrected: float) -> None:
    assert quirk in {one.name for one in quirks_of("karat.protocols.spans", "seqeval")}
    assert f1(gold, system, **options) == pytest.approx(published)
    assert f1(gold, system, "corrected", **options) == pytest.approx(corrected)


def test_scheme_ignored_with_a_note_or_refused() -> None:
    scores = karat.score("seqeval", [["I-X"]], [["I-X"]], scheme="IOB2")
    assert scores.value("f1") == 1
    assert 'seqeval looks at the scheme in its strict mode only; say mode="strict"' in scores.notes
    with pytest.raises(UsageError, match="a scheme is for the strict mode"):
        karat.score("seqeval", [["I-X"]], [["I-X"]], scheme="IOB2", profile="corrected")


def test_strict_without_scheme_says_so_or_is_refused() -> None:
    scores = karat.score("seqeval", [["I-X"]], [["I-X"]], mode="strict")
    assert scores.value("f1") == 1
    assert any("without a scheme" in note for note in scores.notes)
    with pytest.raises(UsageError, match="needs a scheme"):
        karat.score("seqeval", [["I-X"]], [["I-X"]], mode="strict", profile="corrected")


def test_a_letter_that_the_scheme_lacks_is_refused() -> None:
    with pytest.raises(karat.InputError, match="'E-X' is no tag of IOB2"):
        karat.score("seqeval", [["B-X", "E-X"]], [["B-X", "I-X"]], mode="strict", scheme="IOB2")


def test_macro_of_nothing_is_undefined() -> None:
    assert f1("O", "O", average="macro-label") is None


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
