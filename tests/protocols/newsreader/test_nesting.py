"""Links inside of each other, as published: the cases of every pair, without looking at every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.work import growth

import karat
from karat.errors import InputError
from karat.model import Document, Link, Mention, Span

NAMES = ["A", "B", "0"]
SPAN = st.tuples(st.integers(0, 5), st.integers(1, 4)).map(lambda pair: (pair[0], min(6, sum(pair))))
LINKS = st.lists(st.tuples(st.lists(SPAN, min_size=1, max_size=2).map(tuple), st.sampled_from(NAMES)), max_size=7)
Links = list[tuple[tuple[Span, ...], str]]


def document(links: Links, size: int = 6) -> Document:
    """Return a document of words of one letter; spans are ranges of words."""
    mentions = [
        Mention(f"m{number}", tuple((2 * start, 2 * end - 1) for start, end in spans), links=(Link(name),))
        for number, (spans, name) in enumerate(links)
    ]
    return Document("d", " ".join("x" * size), mentions)


def is_part(one: list[int], two: list[int]) -> bool:
    return any(two[place : place + len(one)] == one for place in range(len(two)))


def pairs(gold: Links, system: Links) -> Iterator[tuple[bool, bool]]:
    """Yield the pairs of the published program that are right: whether it is so under strict, and under fuzzy."""
    tokens = [[[token for span in spans for token in range(*span)] for spans, _ in side] for side in (gold, system)]
    last = {tuple(words): name for words, (_, name) in zip(tokens[0], gold, strict=True)}
    for words, (_, name) in zip(tokens[1], system, strict=True):
        if last.get(tuple(words)) == name != "0":
            yield True, False
        for others, expected in last.items():
            if expected == name and (is_part(words, list(others)) or is_part(list(others), words)):
                yield False, True


@settings(deadline=None)
@given(LINKS, LINKS)
def test_the_pairs_are_those_of_the_program(gold: Links, system: Links) -> None:
    """Mentions whose spans are not in the order of the text are tokens in that order, as in a file of ids."""
    scores = karat.score("newsreader-ned", [document(gold)], [document(system)])
    right = list(pairs(gold, system))
    for regime, hits in (("strict", sum(strict for strict, _ in right)), ("fuzzy", sum(fuzzy for _, fuzzy in right))):
        assert scores.value("precision", regime=regime) == (hits / len(system) if system else None)
        assert scores.value("recall", regime=regime) == (hits / len(gold) if gold else None)


@settings(deadline=None)
@given(LINKS, LINKS)
def test_the_ledger_tells_every_pair_that_is_counted(gold: Links, system: Links) -> None:
    sides = [document(gold)], [document(system)]
    scores = karat.score("newsreader-ned", *sides)
    row = next(iter(scores.rows))
    told = Counter(entry.case for entry in karat.explain("newsreader-ned", *sides))
    assert {case: number for case, number in row.counts.items() if number} == dict(told)


@pytest.mark.parametrize("names", ["AA", "AB"])
def test_nested_links_take_work_that_grows_as_they_do(names: str) -> None:
    def work(size: int) -> Callable[[], object]:
        sides = [[document([(((0, end),), name) for end in range(1, size)], size)] for name in names]
        return lambda: karat.score("newsreader-ned", *sides)

    assert growth(work, 100) < 2.4


def test_nested_links_of_one_entity_are_right_with_each_other() -> None:
    sides = [document([(((0, end),), "A") for end in range(1, 301)], 300)]
    scores = karat.score("newsreader-ned", sides, sides)
    assert scores.value("precision", regime="fuzzy") == 300


def test_too_many_pairs_of_discontinuous_links_are_refused_unless_more_are_allowed() -> None:
    links: Links = [(((0, 1), (2, end)), "A") for end in range(3, 7)]
    sides = [document(links)], [document(links)]
    with pytest.raises(InputError, match="more than 10 pairs of links, one of them discontinuous, might meet; allow"):
        karat.score("newsreader-ned", *sides, max_meetings=10)
    assert karat.score("newsreader-ned", *sides).value("precision", regime="fuzzy") == 4
