from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.tokens import covered_tokens, cut_text, join_tokens, line_of
from karat.model import TokenTable

forms = st.lists(st.text("aé中\U0001f600", min_size=1, max_size=4), max_size=8)


@given(forms, st.sets(st.integers(0, 8)))
def test_every_token_stands_where_it_is_said_to(forms: list[str], glued: set[int]) -> None:
    text, starts = join_tokens(forms, glued)
    assert [text[start : start + len(form)] for start, form in zip(starts, forms, strict=True)] == forms
    gaps = sum(index not in glued for index in range(len(forms) - 1))
    assert len(text) == sum(map(len, forms)) + gaps


@given(forms, st.sets(st.integers(0, 8)), st.integers(0, 30), st.integers(1, 9))
def test_covered_tokens_share_a_character(forms: list[str], glued: set[int], start: int, size: int) -> None:
    _, starts = join_tokens(forms, glued)
    ends = [start + len(form) for start, form in zip(starts, forms, strict=True)]
    first, last = covered_tokens((start, start + size), starts, ends)
    shared = [i for i in range(len(forms)) if starts[i] < start + size and start < ends[i]]
    assert list(range(first, last)) == shared


@given(st.text("ab \n\u00a0", max_size=20), st.sets(st.integers(0, 20), max_size=5))
def test_cutting_loses_nothing_but_blanks(text: str, boundaries: set[int]) -> None:
    spans = cut_text(text, boundaries)
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
    cuts = {end for _, end in spans}
    inside = {one for one in range(1, len(text)) if not text[one - 1].isspace() and not text[one].isspace()}
    assert cuts & inside == boundaries & inside


def test_the_line_of_a_token() -> None:
    table = TokenTable(list("abcd"), lines=[(0, 2), (2, 9)])
    assert [line_of(table, index) for index in range(4)] == [2, 3, 9, 10]
    assert line_of(TokenTable(["a"]), 0) is None
