from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from karat.measures.formulas import UNDEFINED, FMeasure, Formula, Mean, Published, Quotient, Rule, with_beta
from karat.measures.ratios import value

NAMES = ("correct", "system", "gold", "other")
PRECISION = Quotient(above={"correct": 1}, below={"system": 1})
RECALL = Quotient(above={"correct": 1}, below={"gold": 1})
F1 = FMeasure(PRECISION, RECALL)
BOTH = replace(F1, sides="both")
TWO_SIDED = FMeasure(PRECISION, Quotient(above={"other": 1}, below={"gold": 1}))
FORMULAS: list[Formula] = [
    PRECISION,
    RECALL,
    F1,
    BOTH,
    TWO_SIDED,
    UNDEFINED,
    replace(F1, divides_first=True),
    replace(F1, divides_first=True, plus=1e-13),
    replace(F1, empty=1, needed=("other",)),
    replace(PRECISION, plus=0.5, empty=0),
    replace(RECALL, empty=0, perfect=("gold", "system"), unless="other"),
    Mean((F1, PRECISION)),
    Mean((F1, PRECISION), truncated=True),
    Mean((F1, PRECISION), (("gold",), ("gold", "system"))),
    Published("forgetful-partial", ("correct", "other", "other", "gold")),
]

counts = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 3)).map(
    lambda one: (one[0], one[0] + one[1], one[0] + one[2], min(one[0], one[3]))
)
betas = st.sampled_from([0.25, 0.5, 1, 2, 3])


@given(counts)
def test_f1_is_the_harmonic_mean(numbers: tuple[int, ...]) -> None:
    p, r, f = (value(formula.over(NAMES)(numbers)) for formula in (PRECISION, RECALL, F1))
    if p and r:
        assert f == pytest.approx(2 * p * r / (p + r))
    else:
        assert f in (None, 0)
    assert (f is None) == (p is None and r is None)
    assert (value(BOTH.over(NAMES)(numbers)) is None) == (p is None or r is None)


@given(counts, betas, st.sampled_from([F1, TWO_SIDED, replace(F1, divides_first=True)]))
def test_an_f_measure_is_the_weighted_harmonic_mean(numbers: tuple[int, ...], beta: float, formula: FMeasure) -> None:
    p, r, f = (
        value(one.over(NAMES)(numbers)) for one in (formula.precision, formula.recall, replace(formula, beta=beta))
    )
    if p and r:
        assert f == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r))
        assert min(p, r) - 1e-12 <= (f or 0) <= max(p, r) + 1e-12
    else:
        assert f in (None, 0)


@given(st.lists(counts, min_size=1, max_size=5))
def test_a_formula_takes_arrays_as_well(numbers: list[tuple[int, ...]]) -> None:
    columns = np.array(numbers, dtype=float).T
    for formula in FORMULAS:
        divide = formula.over(NAMES)
        above, below = (np.broadcast_to(np.asarray(term, float), len(numbers)) for term in divide(columns))
        for index, one in enumerate(numbers):
            assert (above[index], below[index]) == divide(one)


@given(counts)
def test_factors_are_those_of_a_ratio_of_sums_and_nothing_else(numbers: tuple[int, ...]) -> None:
    for formula in FORMULAS:
        factors = formula.factors(NAMES)
        if factors is not None:
            taken = tuple(sum(times * count for times, count in zip(own, numbers, strict=True)) for own in factors)
            assert taken == formula.over(NAMES)(numbers)
    assert [formula.factors(NAMES) is not None for formula in FORMULAS] == [True, True, True, *[False] * 2, True] + [
        False
    ] * 9
    assert replace(F1, empty=0, needed=("gold", "system")).factors(NAMES) == F1.factors(NAMES)


@given(counts, st.integers(0, 3))
def test_a_formula_looks_at_its_counts_alone(numbers: tuple[int, ...], other: int) -> None:
    for formula in FORMULAS:
        changed = tuple(count if name in formula.counts else other for name, count in zip(NAMES, numbers, strict=True))
        assert formula.over(NAMES)(changed) == formula.over(NAMES)(numbers)


@pytest.mark.parametrize("formula", [F1, BOTH, TWO_SIDED, Mean((F1, BOTH)), Mean((F1,), (("gold",),))])
@given(numbers=counts)
def test_with_a_beta_of_one_it_is_the_same(formula: Any, numbers: tuple[int, ...]) -> None:
    again = with_beta(with_beta(formula, 2), 1.0)  # type: ignore[arg-type]
    assert again is not None
    assert again.over(NAMES)(numbers) == formula.over(NAMES)(numbers)
    assert again.factors(NAMES) == formula.factors(NAMES)


@pytest.mark.parametrize(
    "formula", [PRECISION, Mean((F1, PRECISION)), Published("forgetful-partial", ("correct",) * 4)]
)
def test_what_is_no_f1_has_no_other_beta(formula: Any) -> None:
    assert with_beta(formula, 2) is None


def test_rules_are_about_what_has_nothing_below_the_line() -> None:
    perfect = replace(PRECISION, empty=0, perfect=("gold", "system"))
    values = [value(perfect.over(NAMES)(numbers)) for numbers in ((0, 0, 0, 0), (0, 0, 2, 0), (1, 2, 2, 0))]
    assert values == [1, 0, 0.5]
    stopped = replace(F1, unless="other")
    assert [value(stopped.over(NAMES)((1, 2, 2, other))) for other in (0, 1)] == [0.5, None]
    assert Rule(needed=("gold",)).is_plain
