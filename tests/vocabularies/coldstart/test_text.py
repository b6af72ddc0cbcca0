from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.coldstart.text import (
    BLANKS,
    is_blank,
    is_entity_name,
    lower,
    number,
    number_text,
    split_comment,
    trim,
    trimmer,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (":E1", True),
        ("E1", True),
        (":É", True),
        (":का", True),
        (":E²", False),
        (":", False),
        ("", False),
        ("::a", False),
    ],
)
def test_names_of_entities(name, expected):
    assert is_entity_name(name) is expected


def test_digits_of_any_length_are_a_number():
    assert number("9" * 5000) == float("inf")
    assert number("٣") == 0
    assert number(" 12\r") == 12
    assert number_text(10**17) == "1" + "0" * 17
    assert number_text(1e20 + 149) == "1e+20"


def test_sigma_has_one_lower_case():
    assert lower("ΟΔΟΣ") == "οδοσ"


@given(st.text(alphabet=st.sampled_from(BLANKS + "\x1c\x1fa\t\n")))
def test_the_chosen_trimmer_trims_every_field(text):
    trim_field = trimmer(text)
    for line in text.split("\n"):
        fields = line.rstrip("\t").split("\t") if trim_field else line.split("\t")
        if any(map(trim, fields)):
            assert [trim_field(field) if trim_field else field for field in fields] == [
                trim(one) for one in line.rstrip("\t").split("\t")
            ]
        else:
            assert is_blank(line)


@given(st.text(alphabet=st.sampled_from('ab# "\\')))
def test_a_comment_is_cut_once(line):
    text, comment = split_comment(line)
    assert text + comment == line
    assert comment == "" or comment[0] == "#"
    assert split_comment(text) == (text, "")
