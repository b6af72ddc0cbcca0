"""Mentions inside of others of their chain: against comparing every pair, in sentences of their own, and many."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coreference.chains import columns, value

import karat
from karat.protocols.coreference.coval import nestings

SPANS = st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda one: (one[0], one[0] + one[1]))


@given(st.lists(SPANS, max_size=8))
def test_every_mention_around_another_counts(spans: list[tuple[int, int]]) -> None:
    found = nestings([(span,) for span in spans])
    for span in set(spans):
        around = [one for one in spans if one[0] <= span[0] and span[1] <= one[1] and one != span]
        assert found[(span,)] == len(around) * spans.count(span)


@given(st.lists(st.tuples(st.integers(0, 2), SPANS), max_size=8))
def test_sentences_are_apart(places: list[tuple[int, tuple[int, int]]]) -> None:
    together = nestings([(sentence, (span,)) for sentence, span in places])
    for number in range(3):
        alone = nestings([(span,) for sentence, span in places if sentence == number])
        assert {key[0]: times for (sentence, key), times in together.items() if sentence == number} == {  # type: ignore[misc,index]
            key[0]: times
            for key, times in alone.items()  # type: ignore[index]
        }


def test_very_many_mentions_inside_of_each_other() -> None:
    chain = [((0, end),) for end in range(1, 50_001)]
    assert nestings(chain).total() == 49_999 * 50_000 // 2


def test_sides_may_have_other_sentences(tmp_path: Path) -> None:
    """Mentions are then placed by sentence, so ``d`` is not found, as in CoVal."""
    gold = columns(tmp_path / "gold.conll", "a (1", "b (1)", "c 1)", "", "d (1)")
    system = columns(tmp_path / "system.conll", "a (1", "b (1)", "c 1)", "d (1)")
    assert value("coval", gold, system, nested="remove") == 0.25
    assert karat.score("coval", gold, system, nested="remove").notes == (
        "left out 1 nested gold mention",
        "left out 1 nested system mention",
        "1 document with other sentences in the system than in the gold",
    )
