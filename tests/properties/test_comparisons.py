"""What holds for comparisons and leaderboards under every protocol."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.test_road import PROTOCOLS, draw_pair

import karat
from karat.comparison.items import item_changes
from karat.protocols import protocols
from karat.protocols.casebook import Casebook
from karat.views.contest import VIEWS, render
from karat.views.leaderboard import render as render_board

every_protocol = pytest.mark.parametrize("name", PROTOCOLS)
few = settings(max_examples=3, deadline=None)
BOOTSTRAP = karat.Bootstrap(20)


def test_no_protocol_is_exempt() -> None:
    assert set(PROTOCOLS) == set(protocols())


@every_protocol
@few
@given(data=st.data())
def test_systems_are_compared_and_ranked(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    scores = {
        "A": karat.score(name, gold, system),
        "B": karat.score(name, gold, gold if name != "tac2015-sf" else system),
    }
    contest = karat.compare(scores, ci=BOOTSTRAP)
    for contrast in contest:
        values = tuple(
            next((row.value for row in side if row.name == contrast.number), None) for side in scores.values()
        )
        assert contrast.values == pytest.approx(values)
        if contrast.difference is not None and any(case.share is not None for case in contrast.cases):
            assert sum(case.share or 0 for case in contrast.cases) == pytest.approx(contrast.difference)
    board = karat.leaderboard(scores, ci=BOOTSTRAP)
    ranked = [standing.row.value for standing in board if standing.rank is not None]
    assert ranked == sorted(ranked, reverse=True)
    assert all(standing.row.value is None for standing in board if standing.rank is None)
    for view in VIEWS:
        assert "A" in render(contest, view)
        assert "A" in render_board([board], view)
    assert json.loads(render_board([board], "json"))["leaderboards"][0]["protocol"] == name
    karat.compare({"A": [scores["A"], scores["B"]], "B": scores["B"]}, ci=BOOTSTRAP)


@every_protocol
@few
@given(data=st.data())
def test_items_add_up_to_the_difference_of_the_counts(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    other = gold if name != "tac2015-sf" else system
    ledgers = [list(karat.explain(name, gold, side)) for side in (system, other)]
    protocol = protocols()[name]
    found = item_changes(("A", "B"), (ledgers[0], ledgers[1]), protocol.main.regimes[0])
    assert sum(found.decide()) <= len(found.items)
    for cases, (number, ours, theirs) in found.by_case().items():
        assert number >= ours + theirs
        assert cases[0] != cases[1] or protocol.book.__class__ is not Casebook
    if protocol.book.__class__ is Casebook:
        totals = [karat.score(name, gold, side).tallies.total() for side in (system, other)]
        counted = [Counter[str]() for _ in totals]
        for total, counts in zip(totals, counted, strict=True):
            for group, numbers in total.items():
                if group.label is None:
                    counts.update(dict(zip(protocol.counts, numbers, strict=True)))
        for case in protocol.book.worths:
            moved = sum(
                number * (cases[0].split("+").count(case) - cases[1].split("+").count(case))
                for cases, (number, _, _) in found.by_case().items()
            )
            assert moved == counted[0][case] - counted[1][case]
