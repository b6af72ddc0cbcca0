from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.hipe.sheets import COARSE, LINKING, document
from tests.work import growth

import karat
from karat.measures.ratios import value
from karat.model import Document, Link, Mention
from karat.protocols.hipe.judge import CASES, TokenSource, casebook

PLACES = TokenSource("gold.tsv"), TokenSource("system.tsv")
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
        assert value(figure.formula.over(BOOK.counts)(counts)) == expected[figure.measure]


def test_exact_is_correct_under_every_regime() -> None:
    assert {BOOK.outcome("exact", regime) for regime in BOOK.regimes} == {"correct"}


@pytest.mark.parametrize("overlap", ["first", "best"])
@pytest.mark.parametrize("protocol", [COARSE, LINKING])
def test_many_mentions_at_one_place_take_few_steps(protocol: str, overlap: str) -> None:
    def work(number: int) -> Callable[[], object]:
        def side(shift: int) -> list[Document]:
            links = [(Link(f"Q{name}"),) for name in range(shift, shift + number)]
            mentions = [Mention(f"T{at}", ((3, 7),), ("A",), links=linked) for at, linked in enumerate(links)]
            return [Document("d", "in Bern", mentions)]

        gold, system = side(0), side(number)
        return lambda: karat.score(protocol, gold, system, overlap=overlap)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.matching.sweep.MOST_CANDIDATES", 100)
        assert growth(work, 200) < 2.5
