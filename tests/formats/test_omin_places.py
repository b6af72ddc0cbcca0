"""Finding phrases in tokens, beside a plain search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.formats.omin.places import Locator, places_in_tokens

WORDS = st.sampled_from(["A", "B", "C", ","])


@given(st.lists(WORDS, max_size=8), st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=6))
def test_phrases_get_one_occurrence_after_the_other(words: list[str], phrases: list[str]) -> None:
    asked: dict[str, int] = {}
    expected = []
    for phrase in phrases:
        parts = phrase.split()
        starts = [place for place in range(len(words)) if words[place : place + len(parts)] == parts]
        number = asked[phrase] = asked.get(phrase, -1) + 1
        place = starts[0] if len(starts) == 1 else starts[number] if number < len(starts) else None
        expected.append(None if place is None else (place, place + len(parts)))
    locator = Locator(dict(enumerate(words)))
    assert [locator.find(phrase) for phrase in phrases] == expected


def test_the_second_possessive_is_joined_at_a_place_that_is_off() -> None:
    forms = ["A", "'S", "B", "C", "'S", "D"]
    gold = places_in_tokens(forms, "gold", "published")
    assert [gold.find(phrase) for phrase in ("A'S", "C", "D")] == [(0, 1), (7, 8), (12, 13)]
    results = places_in_tokens(forms, "results", "published")
    assert [results.find(phrase) for phrase in ("a's", "b's", "C", "'S D")] == [(0, 1), (5, 6), None, (9, 13)]
    assert not results.is_stuck
    assert places_in_tokens(["A", "'S", "'S"], "results", "published").is_stuck
    assert not places_in_tokens(["'S", "A"]).is_stuck


def test_full_stops_and_possessives_can_be_taken_as_they_are_written() -> None:
    places = places_in_tokens(["A", "'S", "WING", "/.", "/?"], "results", "apart", "plain")
    assert [places.find(phrase) for phrase in ("a's wing", "wing .", "?")] == [(0, 9), (5, 12), (13, 15)]


def test_gold_is_looked_for_as_it_is_written_and_blanks_are_everywhere() -> None:
    places = places_in_tokens(["A", "WING"], "gold")
    assert [places.find(phrase) for phrase in ("wing", "WING", " ", " ", " ")] == [None, (2, 6), (0, 6), (2, 2), None]
