"""Strings to offsets: in the order of the text, each occurrence once, and nothing placed where it does not stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import steps

from karat.annotations.location import Haystack, Location, align_words, locate
from karat.errors import InputError

WORDS = ("wing", "WING", "tank", "fuel", "the", "left", "-", "it")
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
lists = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), max_size=8)


def spans(mentions: list[str], text: str) -> list[tuple[int, int] | None]:
    return [place.span for place in locate(mentions, text)]


def test_the_second_mention_is_the_second_occurrence() -> None:
    assert spans(["WING", "WING"], "WING OF THE WING") == [(0, 4), (12, 16)]


def test_a_later_mention_tells_which_occurrence_is_meant() -> None:
    text = "WING, TANK, WING, RUDDER"
    assert spans(["TANK", "WING", "RUDDER"], text) == [(6, 10), (12, 16), (18, 24)]
    assert spans(["WING", "TANK", "RUDDER"], text) == [(0, 4), (6, 10), (18, 24)]


def test_a_flat_list_does_not_nest() -> None:
    text = "BARTON MUNICIPAL AIRPORT IN BARTON"
    assert spans(["BARTON MUNICIPAL AIRPORT", "BARTON"], text) == [(0, 24), (28, 34)]


def test_what_does_not_fit_in_gets_a_free_occurrence() -> None:
    assert spans(["RUDDER", "TANK", "WING"], "WING TANK RUDDER") == [(10, 16), (5, 9), (0, 4)]
    assert spans(["LEFT WING", "WING"], "THE LEFT WING") == [(4, 13), (9, 13)]


def test_capitals_and_blanks_may_differ() -> None:
    assert locate(["wing"], "WING") == [Location((0, 4), "case")]
    assert locate(["PIS - 1", "new  york"], "PIS-1 IN NEW YORK") == [
        Location((0, 5), "spacing"),
        Location((9, 17), "spacing"),
    ]


def test_exact_spelling_is_preferred() -> None:
    assert locate(["it"], "IT WAS it") == [Location((7, 9), "exact")]


def test_inside_of_a_word_only_as_a_last_resort() -> None:
    assert spans(["it"], "with it") == [(5, 7)]
    assert locate(["AKEO"], "TAKEOFF") == [Location((1, 5), "inside")]


def test_hallucinated_and_repeated_are_told_apart() -> None:
    absent, _, repeated = locate(["rudder", "wing", "wing"], "the wing")
    assert (absent.how, repeated.how) == ("absent", "repeated")
    assert "hallucinated" in absent.why
    assert "more often" in repeated.why


@pytest.mark.parametrize("mention", ["", "  ", "\n"])
def test_nothing_is_nowhere(mention: str) -> None:
    assert spans([mention], "any text") == [None]


def test_letters_that_grow_in_small_keep_offsets() -> None:
    assert spans(["istanbul", "izmir"], "İ İstanbul İzmir IZMIR") == [None, (17, 22)]


@given(lists, texts)
def test_what_is_placed_stands_there(mentions: list[str], text: str) -> None:
    for mention, place in zip(mentions, locate(mentions, text), strict=True):
        if place.span is not None:
            assert "".join(text[slice(*place.span)].lower().split()) == "".join(mention.lower().split())


@given(lists, texts)
def test_equal_mentions_never_share_a_place(mentions: list[str], text: str) -> None:
    placed = [(mention, span) for mention, span in zip(mentions, spans(mentions, text), strict=True) if span]
    assert len(placed) == len(set(placed))


@given(lists, texts)
def test_a_mention_has_no_place_only_if_none_is_left(mentions: list[str], text: str) -> None:
    haystack = Haystack(text)
    for mention, place in zip(mentions, locate(mentions, text), strict=True):
        if place.span is None:
            assert len(haystack.find(mention)[0]) < mentions.count(mention)


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_all_words_of_a_text_are_found_in_their_order(words: list[str]) -> None:
    text = " ".join(words)
    found = spans(words, text)
    ends = [0]
    for word, span in zip(words, found, strict=True):
        assert span is not None
        assert text[slice(*span)] == word
        assert span[0] >= ends[-1]
        ends.append(span[1])


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_tokens_are_aligned_with_their_own_text(words: list[str]) -> None:
    text = " ".join(words)
    assert [text[slice(*span)] for span in align_words(words, text) if span] == words


def test_tokens_of_another_spelling_are_aligned() -> None:
    words = ["(", "he", "said", "``", "go", "''", "/.", "xyz", "-LRB-", "b", "-RRB-"]
    text = '(He said "go". (b)'
    found = align_words(words, text)
    assert [text[slice(*span)] if span else None for span in found] == [
        *["(", "He", "said", '"', "go", '"', "."],
        None,
        "(",
        "b",
        ")",
    ]


def test_a_word_far_behind_is_not_taken() -> None:
    assert align_words(["wing", "tank"], "wing" + " x" * 100 + " tank") == [(0, 4), None]


@pytest.mark.parametrize(
    ("mentions", "text"),
    [
        (["a"] * 20_000, "a " * 30_000),
        (["a b"] * 10, "a" + " " * 1_000_000),
        (["x y" * 300_000], "x" * 100),
        ([". . ."] * 10, ". " * 100_000),
        ([str(number) for number in range(5_000)], "nothing"),
    ],
)
def test_hostile_lists_take_little_work(mentions: list[str], text: str) -> None:
    found: list[object] = []
    assert steps(lambda: found.extend(locate(mentions, text))) < 5_000_000
    assert len(found) == len(mentions)


def test_too_much_work_is_refused() -> None:
    mentions = [" ".join(["a"] * number) for number in range(1, 400)]
    with pytest.raises(InputError, match="too many mentions"):
        locate(mentions, "a " * 200_000)
