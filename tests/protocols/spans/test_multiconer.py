"""The protocol multiconer: its faults as published and put right."""

from __future__ import annotations

import pytest

import karat
from karat.compat.multiconer import span_f1
from karat.evaluation.quirks import quirks_of
from karat.testing import check_protocol


def f1(gold: str, system: str, **options: str) -> float | None:
    return karat.score("multiconer", [gold.split()], [system.split()], **options).value("f1")


def test_type_of_i_unread() -> None:
    assert f1("B-X I-X", "B-X I-Y") == pytest.approx(1)
    assert f1("B-X I-X", "B-X I-Y", profile="corrected") == 0


def test_i_behind_o_lost() -> None:
    assert f1("O I-X", "O B-X") == 0
    assert f1("O I-X", "O B-X", profile="corrected") == 1


def test_type_o_is_none() -> None:
    assert span_f1([["B-O", "B-X"]], [["B-O", "B-X"]])["ALLTRUE"] == 1
    assert f1("B-O B-X", "B-O O") == 0
    assert f1("B-O B-X", "B-O O", profile="corrected") == pytest.approx(2 / 3)


def test_tiny_number_below_the_line() -> None:
    assert f1("B-X", "B-X") == 0.9999999999998501
    assert f1("B-X", "B-X", profile="corrected") == 1
    assert f1("O", "O") == 0
    assert f1("O", "O", profile="corrected") is None


def test_sentences_cut() -> None:
    assert span_f1([["B-X"], ["B-X"]], [["B-X", "O"]])["ALLTRUE"] == 1
    with pytest.raises(karat.InputError):
        karat.score("multiconer", [["B-X"]], [["B-X", "O"]])
    with pytest.raises(karat.KaratError):
        karat.score("multiconer", [["B-X"], ["B-X"]], [["B-X"]])


def test_mentions_whatever_their_type() -> None:
    scores = karat.score("multiconer", [["B-X", "B-Y"]], [["B-Y", "B-Y"]], profile="corrected", ci=True)
    assert (scores.value("f1"), scores.value("f1", regime="mention")) == (0.5, 1)
    assert [entry.verdicts for entry in karat.explain("multiconer", [["B-X"]], [["B-Y"]])] == [
        {"strict": "incorrect", "mention": "correct"}
    ]


def test_mentions_have_no_labels() -> None:
    for profile in ("published", "corrected"):
        scores = karat.score("multiconer", [["B-X", "O"]], [["B-X", "O"]], profile=profile, by="label")
        values = {row.value for row in scores if row.label == "X" and row.regime == "mention"}
        assert values == {None}


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.spans", "multiconer")}
    assert names <= globals().keys()


def test_the_promises_of_a_protocol() -> None:
    check_protocol("multiconer", profile="corrected")
