"""Documents in which very many links share a token: bounded, and as many right links as the best pairing has."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import karat
from karat.evaluation.tally import Group
from karat.matching import crowds
from karat.protocols.newsreader import corrected
from karat.protocols.newsreader.corrected import judge_corrected
from karat.protocols.newsreader.drop_in.evaluate import Line, evaluate_corrected
from karat.protocols.newsreader.judge import Page, TokenLink
from karat.protocols.newsreader.spans import ids_of

SPANS = st.lists(st.integers(1, 6).map(str), min_size=1, max_size=3).map("-".join)
MARKS = st.lists(st.builds(TokenLink, SPANS, st.sampled_from("AB")), max_size=9)
LINES = 20_000
NOTE = "so many links share a token that a simpler rule than the best pairing decides"


@pytest.fixture
def _crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "LIMIT", 0)


def cases(gold: list[TokenLink], system: list[TokenLink]) -> Counter[str]:
    return Counter(verdict.case for verdict in judge_corrected(Page(Group(), gold, system)))


def lines(marks: list[TokenLink]) -> list[Line]:
    return [("d", mark) for mark in marks]


@settings(deadline=None)
@given(MARKS, MARKS)
def test_as_many_are_right_as_in_the_best_pairing(gold: list[TokenLink], system: list[TokenLink]) -> None:
    best = cases(gold, system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowds, "LIMIT", 0)
        by_groups = cases(gold, system)
        patch.setattr(crowds, "MAX_MEETINGS", 0)
        by_tokens = cases(gold, system)
    assert (by_groups["exact"], by_groups["overlap"]) == (best["exact"], best["overlap"])
    assert by_tokens["exact"] == best["exact"]
    assert best["overlap"] >= by_tokens["overlap"] >= best["overlap"] / 2


@pytest.mark.usefixtures("_crowded")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MARKS, MARKS, st.data())
def test_every_link_has_one_verdict_whatever_the_order(
    gold: list[TokenLink], system: list[TokenLink], data: st.DataObject
) -> None:
    verdicts = list(judge_corrected(Page(Group(), gold, system)))
    assert sorted(verdict.gold for verdict in verdicts if verdict.gold is not None) == list(range(len(gold)))
    assert sorted(verdict.system for verdict in verdicts if verdict.system is not None) == list(range(len(system)))
    assert all(
        set(ids_of(gold[verdict.gold].span)) & set(ids_of(system[verdict.system].span))
        for verdict in verdicts
        if verdict.gold is not None and verdict.system is not None
    )

    def result(golds: list[TokenLink], systems: list[TokenLink]) -> tuple[Sequence[str], Counter[str]]:
        evaluation = evaluate_corrected(lines(golds), lines(systems))
        return evaluation.printed, Counter(evaluation.results)

    assert result(data.draw(st.permutations(gold)), data.draw(st.permutations(system))) == result(gold, system)


@pytest.mark.usefixtures("_crowded")
def test_the_rule_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = lines([TokenLink("1-2", "A")]), lines([TokenLink("2", "A")])
    notes = list(evaluate_corrected(*sides).notes)
    monkeypatch.setattr(crowds, "MAX_MEETINGS", 0)
    notes += evaluate_corrected(*sides).notes
    assert notes == [
        f"document 'd': {NOTE}; as many as possible are right",
        f"document 'd': {NOTE}; at least half as many as possible are right",
    ]


@pytest.mark.usefixtures("_crowded")
def test_the_protocol_notes_the_rule() -> None:
    def document(start: int) -> dict[str, object]:
        mention = {"id": "m", "spans": [[start, 9]], "links": [{"target": "A"}]}
        return {"id": "d", "text": "Bern Genf", "mentions": [mention]}

    scores = karat.score("newsreader-ned-corrected", [document(0)], [document(5)])
    assert f"document 'd': {NOTE}; as many as possible are right" in scores.notes


def crowd(seed: int, names: int) -> list[TokenLink]:
    chance = random.Random(seed)  # noqa: S311 - no secret
    marks = []
    for _ in range(LINES):
        first = chance.randint(1, 300)
        span = "-".join(str(first + more) for more in range(chance.choice((1, 1, 2, 3))))
        marks.append(TokenLink(span, f"N{chance.randint(1, names)}"))
    return marks


@pytest.mark.parametrize("names", [1, 50, 1_000])
def test_a_dense_document_takes_bounded_work(names: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many pairs of links are looked at, or pairs of groups, or each group is used up once at each token."""
    looked_at: Counter[str] = Counter()

    def count(module: Any, name: str, amount: Callable[..., int]) -> None:
        function = getattr(module, name)

        def counted(*words: Any) -> Any:
            looked_at[name] += amount(*words)
            return function(*words)

        monkeypatch.setattr(module, name, counted)

    def pairs_of_groups(golds: Any, systems: Any, _: Any) -> int:
        return crowds._meetings(*([group.points for group in side] for side in (golds, systems)))

    count(crowds, "_pair", lambda *_: 1)
    count(crowds, "_pair_most", pairs_of_groups)
    count(corrected, "optimal", lambda candidates, _: sum(map(len, candidates)))
    evaluation = evaluate_corrected(lines(crowd(1, names)), lines(crowd(2, names)))
    assert f"SYSTEM\t{LINES}" in evaluation.printed
    assert looked_at["optimal"] <= crowds.LIMIT
    assert looked_at["_pair_most"] <= crowds.MAX_MEETINGS
    assert looked_at["_pair"] <= looked_at["_pair_most"] + 2 * 3 * LINES
