"""The sweep of the later evaluation of entities beside the loops that it stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth

from karat.evaluation.casebook import Verdict
from karat.protocols.omin.schemes import (
    NOT_FOUND,
    LabelledRange,
    grade,
    in_published_order,
    judge_one_to_one,
    judge_published,
)

LABELS = st.sampled_from(["PER", "ORG", "LOC"])
PLACES = st.one_of(
    st.just(NOT_FOUND), st.tuples(st.integers(0, 8), st.integers(-1, 4)).map(lambda one: (one[0], sum(one)))
)
ENTITIES = st.lists(st.builds(lambda label, place: LabelledRange(label, *place), LABELS, PLACES), max_size=8)


def overlap(one: LabelledRange, other: LabelledRange) -> bool:
    return bool(set(range(one.start, one.end)) & set(range(other.start, other.end)))


@given(ENTITIES)
def test_the_order_of_gold_counts_shorter_entities_across(gold: list[LabelledRange]) -> None:
    score = dict.fromkeys(gold, 0)
    for one in gold:
        for other in gold:
            longer = len(range(one.start, one.end)) > len(range(other.start, other.end))
            score[one] += one != other and overlap(one, other) and longer
    assert in_published_order(gold) == sorted(score, key=score.__getitem__)


@given(ENTITIES.map(in_published_order), ENTITIES)
def test_the_first_overlap_decides(gold: list[LabelledRange], system: list[LabelledRange]) -> None:
    verdicts = []
    for index, one in enumerate(system):
        same = [at for at, other in enumerate(gold) if other == one]
        meeting = [at for at, other in enumerate(gold) if other[1:] == one[1:] or overlap(one, other)]
        partner = next(iter(same + meeting), None)
        verdicts.append(Verdict(grade(None if partner is None else gold[partner], one), partner, index))
    met = {verdict.gold for verdict in verdicts}
    verdicts += [Verdict("missed", at, None) for at in range(len(gold)) if at not in met]
    assert judge_published(gold, system) == verdicts


@given(ENTITIES, ENTITIES)
def test_one_to_one_uses_everything_at_most_once(gold: list[LabelledRange], system: list[LabelledRange]) -> None:
    verdicts = judge_one_to_one(gold, system)
    for side, size in ((1, len(gold)), (2, len(system))):
        assert sorted(verdict[side] for verdict in verdicts if verdict[side] is not None) == list(range(size))
    exact = {one for one in gold if one.start < one.end} & set(system)
    assert sum(verdict.case == "exact" for verdict in verdicts) >= len(exact)


def test_many_entities_at_one_place_take_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.matching.sweep.MOST_CANDIDATES", 100)
    for judge in (judge_published, judge_one_to_one):

        def work(number: int, judge: Callable[..., object] = judge) -> Callable[[], object]:
            gold = [LabelledRange(f"G{label}", 0, 4) for label in range(number)]
            system = [LabelledRange(f"S{label}", 0, 4) for label in range(number)]
            return lambda: judge(in_published_order(gold), system)

        assert growth(work, 200) < 2.5
