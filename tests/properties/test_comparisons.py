"""What holds for comparisons and leaderboards under every protocol."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.walk import PROTOCOLS, Drawn, every_protocol, few

import karat
from karat.comparison.items import item_changes
from karat.model import Document
from karat.protocols import protocols
from karat.protocols.casebook import Casebook
from karat.scores import Scores
from karat.views.contest import VIEWS, render
from karat.views.leaderboard import render as render_board

BOOTSTRAP = karat.Bootstrap(20)


def test_no_protocol_is_exempt() -> None:
    assert set(PROTOCOLS) == set(protocols())


@every_protocol
@few
@given(data=st.data())
def test_systems_are_compared_and_ranked(name: str, data: st.DataObject) -> None:
    drawn = Drawn(name, data)
    other = drawn.gold if name != "tac2015-sf" else drawn.system
    scores = {"A": drawn.scores, "B": karat.score(name, drawn.gold, other, by="label")}
    contrasts_are_differences(scores)
    standings_are_ordered(scores)
    items_add_up_to_the_difference_of_the_counts(drawn, scores, other)


def contrasts_are_differences(scores: dict[str, Scores]) -> None:
    contest = karat.compare(scores, ci=BOOTSTRAP)
    for contrast in contest:
        for side, value in zip(scores.values(), contrast.values, strict=True):
            row = next((row for row in side if row.name == contrast.number), None)
            if row is not None or "avg=micro" in contrast.number:  # GERBIL gives pages of an unshown slice their worth
                assert value == (None if row is None else pytest.approx(row.value)), contrast.number
        if contrast.difference is not None and contrast.cases:
            shares = [case.share for case in contrast.cases]
            assert None not in shares
            assert sum(shares) == pytest.approx(contrast.difference, abs=1e-9)
    assert all("A" in render(contest, view) for view in VIEWS)
    seeds = karat.compare({"A": [scores["A"], scores["B"]], "B": scores["B"]}, ci=BOOTSTRAP)
    assert [contrast.number for contrast in seeds] == [contrast.number for contrast in contest]


def standings_are_ordered(scores: dict[str, Scores]) -> None:
    board = karat.leaderboard(scores, ci=BOOTSTRAP)
    ranked = [standing.row.value for standing in board if standing.rank is not None]
    assert ranked == sorted(ranked, reverse=True)
    assert all(standing.row.value is None for standing in board if standing.rank is None)
    assert all("A" in render_board([board], view) for view in VIEWS)
    assert json.loads(render_board([board], "json"))["leaderboards"][0]["protocol"] == scores["A"].protocol


def items_add_up_to_the_difference_of_the_counts(
    drawn: Drawn, scores: dict[str, Scores], other: list[Document]
) -> None:
    protocol = drawn.protocol
    ledgers = [list(karat.explain(drawn.name, drawn.gold, side)) for side in (drawn.system, other)]
    found = item_changes(("A", "B"), (ledgers[0], ledgers[1]), protocol.main.regimes[0])
    assert sum(found.decide()) <= len(found.items)
    for cases, (number, ours, theirs) in found.by_case().items():
        assert number >= ours + theirs
        assert cases[0] != cases[1] or protocol.book.__class__ is not Casebook
    if protocol.book.__class__ is Casebook:
        counted = [Counter[str]() for _ in scores]
        for side, counts in zip(scores.values(), counted, strict=True):
            for group, numbers in side.tallies.total().items():
                if group.label is None:
                    counts.update(dict(zip(protocol.counts, numbers, strict=True)))
        for case in protocol.book.worths:
            moved = sum(
                number * (cases[0].split("+").count(case) - cases[1].split("+").count(case))
                for cases, (number, _, _) in found.by_case().items()
            )
            assert moved == counted[0][case] - counted[1][case]
