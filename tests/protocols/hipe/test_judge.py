from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.hipe.sheets import COARSE, document

import karat
from karat.measures.ratios import f1, precision, recall, value
from karat.protocols.hipe.judge import CASES, EXACT, REGIMES, _formula, outcome


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


@given(st.lists(st.integers(0, 5), max_size=12))
def test_figures_are_those_of_the_outcomes(found: list[int]) -> None:
    """The formulas on counts agree with counting the outcomes one by one."""
    counts = [found.count(case) for case in range(len(CASES))]
    for regime in REGIMES:
        outcomes = [outcome(case, regime) for case in found]
        correct = outcomes.count("correct") + 0.5 * outcomes.count("partial")
        actual, possible = (len(outcomes) - outcomes.count(one) for one in ("missed", "spurious"))
        for ratio, below in ((precision, actual), (recall, possible)):
            assert value(_formula(regime, ratio)(counts)) == (correct / below if below else None)
        assert value(_formula(regime, f1)(counts)) == (2 * correct / (actual + possible) if found else None)


def test_exact_is_correct_under_every_regime() -> None:
    assert {outcome(EXACT, regime) for regime in REGIMES} == {"correct"}
