from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.normal_forms import normal_name, normal_phrase


@pytest.mark.parametrize(
    ("given_phrase", "expected"),
    [
        ("the the wing", "WING"),
        (" Wing\u00a0\ttip , ", "WING TIP"),
        ("ﬁre", "FIRE"),
        ("theory", "THEORY"),
        ("U.S.", "U.S"),
        (".,;:", ""),
    ],
)
def test_phrases(given_phrase: str, expected: str) -> None:
    assert normal_phrase(given_phrase) == expected


@given(st.text())
def test_blanks_and_capitals_make_no_difference(text: str) -> None:
    assert normal_phrase(f"  {text}\n") == normal_phrase(text)
    assert normal_name(normal_name(text)) == normal_name(text)
    assert normal_name(f"_{text}-") == normal_name(text)
