"""Decisions on gold rows, beside the loops over all links that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth

from karat.protocols.omin.levels import (
    SETUPS,
    Decision,
    LinkedPhrase,
    LinkLevel,
    Setup,
    SystemLinks,
    decide_best,
    decide_published,
)

PHRASES = st.text("AB\0", max_size=3)
TARGETS = st.sampled_from(["Q1", "Q2", "Q3"])
ROWS = st.lists(st.builds(LinkLevel, st.none() | PHRASES, st.none() | TARGETS), min_size=3, max_size=3)
LINKS = st.lists(st.builds(LinkedPhrase, PHRASES, TARGETS), max_size=8)


def fits(level: LinkLevel, link: LinkedPhrase, setup: Setup) -> bool:
    if level.phrase is None:
        return False
    return level.phrase in link.phrase or link.phrase in level.phrase if setup.weak else level.phrase == link.phrase


def published(levels: Sequence[LinkLevel], links: Sequence[LinkedPhrase], setup: Setup) -> Decision | None:
    considered = levels if setup.extended else levels[:1]
    counted = [index for index, level in enumerate(considered) if level.phrase is not None and level.target is not None]
    for index in counted:
        for number, link in enumerate(links):
            if fits(levels[index], link, setup):
                longer = [other for other in counted if other <= index]
                return Decision(any(levels[other].target == link.target for other in longer), number, (index,))
    return Decision(correct=False) if counted else None


def best(levels: Sequence[LinkLevel], links: Sequence[LinkedPhrase], setup: Setup) -> Decision | None:
    considered = levels if setup.extended else levels[:1]
    named = [index for index, level in enumerate(considered) if level.target is not None]
    decisions = []
    for number, link in enumerate(links):
        fitting = [index for index, level in enumerate(considered) if fits(level, link, setup)]
        if fitting:
            accepted = [index for index in named if index <= max(fitting)]
            if considered[max(fitting)].target is None:
                accepted += [index for index in named if index > max(fitting)][:1]
            decisions.append(
                Decision(any(levels[at].target == link.target for at in accepted), number, tuple(accepted))
            )
    right = [decision for decision in decisions if decision.correct]
    return (right + decisions + [Decision(correct=False)])[0] if named else None


@given(ROWS, LINKS, st.sampled_from(list(SETUPS.values())))
def test_decisions_are_what_looking_at_every_link_finds(
    levels: list[LinkLevel], links: list[LinkedPhrase], setup: Setup
) -> None:
    assert decide_published(levels, SystemLinks(links), setup) == published(levels, links, setup)
    assert decide_best(levels, SystemLinks(links), setup) == best(levels, links, setup)


@pytest.mark.parametrize("setup", SETUPS.values())
@pytest.mark.parametrize("decide", [decide_published, decide_best])
def test_many_links_of_one_phrase_take_few_steps(decide: Callable[..., object], setup: Setup) -> None:
    def work(number: int) -> Callable[[], object]:
        links = SystemLinks([LinkedPhrase("WING", f"Q{name}") for name in range(number)])
        rows = [[LinkLevel("WING", f"R{name}"), LinkLevel(None, None), LinkLevel(None, None)] for name in range(number)]
        return lambda: [decide(row, links, setup) for row in rows]

    assert growth(work, 100) < 2.5
