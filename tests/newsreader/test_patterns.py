"""Spans as regular expressions: the same answers as a backtracking engine, without its worst cases."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.newsreader.evaluation import Gold
from karat.newsreader.patterns import SPECIAL, Pattern
from karat.newsreader.spans import RunIndex, is_run

PIECES = st.sampled_from(["1", "2", "-", ".", "+", "*", "?", "|", "(", ")", "[12]", "[^1]", "^", "$", r"\.", "a"])
SPANS = st.lists(st.integers(1, 4).map(str), min_size=1, max_size=4).map("-".join)


@given(st.lists(PIECES, max_size=6).map("".join), st.text("12-a.", max_size=6))
def test_as_python_finds_it(span: str, text: str) -> None:
    try:
        pattern = Pattern(span)
    except InputError:
        return
    try:
        expected = re.compile(rf"(^|\-){span}($|\-)")
    except re.error:
        assume(False)  # Python knows fewer quantifiers of empty groups than Perl
    assert pattern.found_in(text) == (expected.search(text) is not None)


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ("(1", "an opening parenthesis has no closing one"),
        ("1)", "a closing parenthesis has no opening one"),
        ("[1", "an opening bracket has no closing one"),
        ("1|*", "a quantifier follows nothing"),
        ("1*?+", "a quantifier follows another"),
        ("[2-1]", "a range of characters is reversed"),
        (r"\d", "does not follow escapes"),
        ("1{2}", "does not follow counted quantifiers"),
        ("1++", "does not follow possessive quantifiers"),
        ("(?:1)", "does not follow extended groups"),
        ("[[:alpha:]]", "does not follow named classes"),
        ("(" * 60 + ")" * 60, "does not follow more than 50 parentheses inside of each other"),
        ("." * 2000, "does not follow patterns of more than 1,000 characters"),
    ],
)
def test_what_is_no_pattern_is_refused(span: str, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        Pattern(span)


def test_a_pattern_that_is_not_followed_is_still_called_one() -> None:
    with pytest.raises(InputError) as refused:
        Pattern(r"\d+")
    assert "is no pattern" not in refused.value.message
    assert refused.value.message == (
        r"the published program takes the span '\\d+' for a pattern, and Karat does not follow escapes such as \d or \1"
        "; choose --profile corrected"
    )


def test_a_brace_that_counts_nothing_is_a_brace() -> None:
    assert Pattern("1{a").found_in("1{a")


def test_a_pattern_that_would_take_ages_takes_none() -> None:
    begin = time.perf_counter()
    assert not Pattern("(1*)*(1*)*(1|1)*x").found_in("1" * 2000)
    assert time.perf_counter() - begin < 5


@given(st.lists(SPANS, max_size=8), SPANS)
def test_runs_are_found_as_patterns_find_them(spans: list[str], span: str) -> None:
    def found(part: str, whole: str) -> bool:
        return re.search(rf"(^|-){re.escape(part)}($|-)", whole) is not None

    expected = [one for one in dict.fromkeys(spans) if found(span, one) or found(one, span)]
    assert RunIndex(spans).matching(span) == expected
    assert all(is_run(span, one) or is_run(one, span) for one in expected)


@given(st.lists(SPANS | st.sampled_from(["1.2", ".", "2+", "*"]), max_size=8), SPANS | st.sampled_from(["1.2", "."]))
def test_plain_and_odd_spans_together(spans: list[str], span: str) -> None:
    gold = Gold()
    gold.entities = dict.fromkeys(spans, "x")

    def found(part: str, whole: str) -> bool:
        return Pattern(part).found_in(whole)

    assert gold.matching(span) == [one for one in gold.entities if found(span, one) or found(one, span)]


def test_plain_spans_have_no_special_character() -> None:
    assert not SPECIAL.search("t1-w2_é #3")
