"""Numbers as the official scorer prints them."""

from __future__ import annotations

import pytest

from karat.measures.published import as_perl_shows, rounded_percent, truncated_percent
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.drop_in.program import ScorerLines
from karat.protocols.coreference.judgement import CONLL2012


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.0, "0"), (2.2, "2.2"), (1 / 3, "0.333333333333333"), (10**16, "10000000000000000"), (1e-5, "1e-05")],
)
def test_numbers_have_15_digits(value: float, shown: str) -> None:
    assert as_perl_shows(value) == shown


@pytest.mark.parametrize(("part", "whole"), [(57, 100), (69, 100), (43, 125), (51, 125), (71, 125), (86, 125)])
def test_percentages_cut_off_a_unit_of_exact_ratios(part: int, whole: int) -> None:
    exact = part * 100 / whole
    assert truncated_percent(part / whole) == pytest.approx(exact - 0.01)
    assert rounded_percent(part / whole) == exact


def test_nothing_of_nothing_is_zero() -> None:
    lines = ScorerLines(Countbook({"muc": CONLL2012["muc"]}))
    assert lines.ratios("muc", (0, 0, 0, 0)).startswith("Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%\n---")


@pytest.mark.parametrize(
    ("together", "apart", "shown"),
    [
        ((1, 2, 1, 1), (1, 1, 1, 4), "Recall: (0.75 / 1) 75%\tPrecision: (0.625 / 1) 62.5%\tF1: 53.33%"),
        ((0, 0, 0, 3), (1, 2, 1, 1), "Recall: (0.5 / 1) 50%\tPrecision: (1 / 1) 100%\tF1: 66.66%"),
        ((1, 2, 1, 0), (0, 0, 0, 3), "Recall: (0.5 / 1) 50%\tPrecision: (0 / 1) 0%\tF1: 0%"),
        ((0, 0, 0, 1), (0, 0, 0, 1), "Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%"),
    ],
)
def test_blanc_counts_the_kinds_of_links_that_the_gold_has(
    together: tuple[int, ...], apart: tuple[int, ...], shown: str
) -> None:
    lines = ScorerLines(Countbook({"blanc": CONLL2012["blanc"]}, bounded=True))
    assert lines.blanc((*together, *apart, 0)).split("BLANC: ")[1].startswith(shown)
