from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.hipe.sheets import COARSE, document

import karat
from karat.measures.ratios import value
from karat.protocols.hipe.judge import CASES, casebook

BOOK = casebook(("micro", "macro-unit"))


def cases(gold: str, system: str, **options: str) -> list[str]:
    return [entry.case for entry in karat.explain(COARSE, [document(gold)], [document(system)], **options)]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("B-loc I-loc O", "B-loc I-loc O", ["exact"]),
        ("B-loc I-loc B-org", "B-org I-org B-org", ["wrong-label", "exact"]),
        ("B-loc I-loc O", "B-loc O O", ["wrong-boundary"]),
        ("B-loc I-loc B-org", "B-org O B-org", ["wrong-both", "exact"]),
        ("B-loc O O", "O O B-loc", ["spurious", "missed"]),
    ],
)
def test_the_six_cases(gold: str, system: str, expected: list[str]) -> None:
    assert cases(gold, system) == expected


def test_an_exact_partner_is_preferred_to_an_earlier_one() -> None:
    assert cases("B-loc B-loc I-loc O", "O B-loc I-loc O") == ["exact", "missed"]


def test_the_best_overlap_shares_most_tokens() -> None:
    gold, system = "B-loc B-loc I-loc I-loc O", "B-loc I-loc I-loc O O"
    for overlap, missed in (("first", (1, 4)), ("best", (0, 1))):
        entries = karat.explain(COARSE, [document(gold)], [document(system)], overlap=overlap)
        assert [entry.gold.span for entry in entries if entry.case == "missed" and entry.gold] == [missed]


def test_reasons_say_what_differs() -> None:
    gold, system = document("B-loc I-loc O B-org"), document("B-loc O O B-loc")
    first, second = karat.explain(COARSE, [gold], [system])
    assert first.reason == "same label, but tokens 0-1 for 0-2"
    assert second.reason == "same tokens, but LOC for ORG"
    assert second.verdicts == {"strict": "incorrect", "fuzzy": "incorrect", "partial": "correct", "exact": "correct"}


@given(st.lists(st.sampled_from(list(CASES)), max_size=12))
def test_figures_are_those_of_the_outcomes(found: list[str]) -> None:
    """The formulas on counts agree with counting the outcomes one by one; over documents F1 needs both sides."""
    counts = [found.count(case) for case in BOOK.counts]
    for figure in BOOK.figures:
        outcomes = [BOOK.outcome(case, figure.regime) for case in found]
        correct = outcomes.count("correct") + 0.5 * outcomes.count("partial")
        actual, possible = (len(outcomes) - outcomes.count(side) for side in ("missed", "spurious"))
        f1 = 2 * correct / (actual + possible) if found else None
        if figure.average == "macro-unit" and not (actual and possible):
            f1 = None
        expected = {
            "precision": correct / actual if actual else None,
            "recall": correct / possible if possible else None,
            "f1": f1,
        }
        assert value(figure.formula(counts)) == expected[figure.measure]


def test_exact_is_correct_under_every_regime() -> None:
    assert {BOOK.outcome("exact", regime) for regime in BOOK.regimes} == {"correct"}
