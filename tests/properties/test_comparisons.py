"""What holds for comparisons and leaderboards under every protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.walk import PROTOCOLS, Drawn, every_protocol, few

import karat
from karat.analysis.comparison.items import Change, item_changes
from karat.analysis.slices.breakdowns import breakdowns
from karat.analysis.slices.slicer import slicer_for
from karat.display.views.contest import VIEWS, render
from karat.display.views.leaderboard import render as render_board
from karat.evaluation.corpora import Reading, load
from karat.evaluation.counting import CaseCounts
from karat.evaluation.ledger import Entry
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Row, Scores
from karat.evaluation.tally import Group, Tally
from karat.evaluation.tasks import run_of
from karat.model import Document

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
    bound = drawn.protocol.with_options()
    ledgers = [list(karat.explain(drawn.name, drawn.gold, side)) for side in (drawn.system, other)]
    totals = [side.tallies.total() for side in scores.values()]
    counts_cases = getattr(bound.book, "counting", None).__class__ is CaseCounts
    numbers = [
        Row("f1", bound.main.regimes[0], "micro", layer, None)
        for layer in dict.fromkeys(group.layer for total in totals for group in total)
    ]
    for number in numbers:
        found = item_changes(("A", "B"), ledgers, number)
        assert sum(found.decide()) <= len(found.items)
        for cases, (items, ours, theirs) in found.by_case().items():
            assert items >= ours + theirs
            assert cases[0] != cases[1] or not counts_cases
        if counts_cases:
            they_add_up(found.items, totals, Group(number.layer), bound)
    if counts_cases:
        parts_add_up_as_well(drawn, ledgers, other, numbers)


def parts_add_up_as_well(
    drawn: Drawn, ledgers: list[list[Entry]], other: list[Document], numbers: Sequence[Row]
) -> None:
    """What items are like is told of those that differ as it is of those that are counted."""
    bound = drawn.protocol.with_options()
    features = ["length", "frequency", "ambiguity", *(["nesting"] if bound.task != "relations" else [])]
    gold, *systems = load(bound, [drawn.gold, drawn.system, other], again=True)
    slicer = slicer_for(bound, breakdowns(features), gold, Reading())
    runs = [run_of(bound, gold, system, slicer=slicer) for system in systems]
    for number in numbers:
        found = item_changes(("A", "B"), ledgers, number, slicer)
        for name in features:
            totals = [run.slices[name].total() for run in runs]
            for part in found.parts(breakdowns(name)[0], runs[0]):
                items = [item for item in found.items if item.features[name] == part]
                they_add_up(items, totals, Group(number.layer, f"{name}={part}"), bound)


def they_add_up(items: Sequence[Change], totals: Sequence[Tally], group: Group, bound: Bound) -> None:
    counted = [total.get(group, (0,) * len(bound.counts)) for total in totals]
    for place, case in enumerate(bound.counts):
        moved = [sum(item.cases[side].split("+").count(case) for item in items) for side in (0, 1)]
        if case in bound.book.worths:  # type: ignore[attr-defined]
            assert moved[0] - moved[1] == counted[0][place] - counted[1][place]
