"""F-measures that are asked for: of every protocol that has an F1, from scores, runs, comparisons and gates."""

from __future__ import annotations

import pickle
from dataclasses import fields
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.analysis.gates import gate
from karat.errors import KaratError, UsageError
from karat.evaluation.f_measures import F1, beta_of, measure_named, with_measures
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Row, Scores
from karat.measures.formulas import with_beta
from karat.testing.documents import corpora
from tests.properties.corpora import HALF_FOUND

SUMMED_UP = {"scorch"}
"""Protocols whose F1 is computed document by document before anything is counted."""
TWO = ["f2", "fbeta=0.5"]


def profiles(name: str) -> list[dict[str, str]]:
    choices = [own.metadata["choices"] for own in fields(protocols()[name].options) if own.name == "profile"]
    return [{"profile": word} for word in choices[0]] if choices else [{}]


EVERY = [(name, options) for name in protocols() for options in profiles(name)]


def bound_to(name: str, options: dict[str, str]) -> Bound:
    return protocols()[name].with_options(**options)


def kind(row: Row) -> tuple[Any, ...]:
    return row.regime, row.average, row.layer, row.slice, row.label


def of_kinds(rows: Any) -> list[dict[str, Row]]:
    """Return the rows of each kind by their measures."""
    return [{row.measure: row for row in own} for _, own in groupby(rows, kind)]


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_f1_with_a_beta_of_one_is_f1_to_the_last_bit(name: str, options: dict[str, str]) -> None:
    """In figures, since one that is asked for as f1 is the own one: of all labels, and of a single one."""
    bound = bound_to(name, options)
    own = [figure for figure in bound.figures if figure.measure == F1]
    vectors = [tuple((7 * seed + 3 * place) % (seed + 2) for place in range(len(bound.counts))) for seed in range(9)]
    for figure in own:
        for label in (None, "a"):
            formula = figure.formula_of(label)
            again = with_beta(formula, 2) and with_beta(with_beta(formula, 2) or formula, 1.0)
            if again is not None:
                assert all(formula.over(bound.counts)(one) == again.over(bound.counts)(one) for one in vectors)
                assert again.factors(bound.counts) == formula.factors(bound.counts)
    assert bound.asking(["fbeta=1", "F1"] if own else []).figures == bound.figures


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_every_protocol_with_an_f1_has_others(name: str, options: dict[str, str]) -> None:
    bound = bound_to(name, options)
    if name in SUMMED_UP:
        with pytest.raises(UsageError, match="has no f2: it sums up F1 that is computed before"):
            bound.asking(TWO)
        return
    asked = bound.asking(TWO)
    assert asked.measures == ("f0.5", "f2")
    for place, figure in enumerate(asked.figures):
        if figure.measure == F1 and figure.average != "macro-query":
            assert [behind.measure for behind in asked.figures[place + 1 : place + 3]] == ["f0.5", "f2"]
            assert asked.figures[place + 2].behind == figure.behind
    assert [figure for figure in asked.figures if figure.measure not in asked.measures] == list(bound.figures)
    assert pickle.loads(pickle.dumps(asked)).figures == asked.figures  # noqa: S301 - our own bytes


@pytest.mark.parametrize("name", [name for name in protocols() if name not in SUMMED_UP])
def test_it_is_between_precision_and_recall(name: str) -> None:
    gold, system = HALF_FOUND[protocols()[name].task]
    plain = karat.score(name, gold, system, by="label")
    scores = karat.score(name, gold, system, by="label", measures=TWO)
    assert [row for row in scores if row.measure not in ("f0.5", "f2")] == list(plain)
    seen = 0
    for rows in of_kinds(scores):
        if "f2" not in rows or rows["f2"].average != "micro" or not {"precision", "recall"} <= rows.keys():
            continue
        precision, recall, f1, f2 = (rows[measure].value for measure in ("precision", "recall", "f1", "f2"))
        assert (f1 is None) == (f2 is None)
        if precision is not None and recall is not None and f2 is not None and rows["f2"].regime != "blanc":
            assert min(precision, recall) - 1e-9 <= f2 <= max(precision, recall) + 1e-9
            if precision and recall:
                assert f2 == pytest.approx(5 * precision * recall / (4 * precision + recall), abs=1e-9)
        assert rows["f2"].counts == rows["f1"].counts
        seen += 1
    assert seen


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([name for name in protocols() if name not in SUMMED_UP]), st.integers(0, 50))
def test_runs_say_the_same_and_intervals_hold_the_value(name: str, seed: int) -> None:
    gold, system = list(corpora(4, seed))[-1]
    try:
        scores = karat.score(name, gold, system, measures=TWO, ci=karat.Bootstrap(30))
    except KaratError:
        return
    assert scores.run is not None
    again = scores.run.scores(measures=TWO, ci=karat.Bootstrap(30))
    assert (again.rows, again.signature) == (scores.rows, scores.signature)
    assert "|measures:f0.5+f2|" in scores.signature
    for row in scores:
        if row.interval is not None and row.value is not None and row.interval.method != "studentised":
            assert row.interval.low <= row.value + 1e-9
            assert row.value <= row.interval.high + 1e-9


def tags() -> dict[str, Scores]:
    gold = [["B-LOC", "O", "B-PER"]] * 8
    answers = {"A": [["B-LOC", "O", "O"]] * 8, "B": [["B-LOC", "B-LOC", "B-PER"]] * 8}
    return {name: karat.score("seqeval", gold, answer) for name, answer in answers.items()}


def test_the_conll_average_is_the_mean_of_the_same_f_measure() -> None:
    gold, system = HALF_FOUND["coreference"]
    scores = karat.score("conll2012", gold, system, measures=["f2"])
    own = [scores.value("f2", regime=regime) or 0.0 for regime in ("muc", "b3", "ceafe")]
    assert scores.value("f2", regime="conll") == pytest.approx(sum(own) / 3)


def test_where_f1_is_summed_up_there_is_no_other_and_a_note_says_so() -> None:
    gold, system = HALF_FOUND["slots"]
    scores = karat.score("tac2015-sf", gold, system, measures=["f2"])
    assert {row.average for row in scores if row.measure == "f2"} == {"micro"}
    assert "no f2 for the average macro-query: F1 is computed before it is summed up" in scores.notes


@pytest.mark.parametrize("zero", ["undefined", "zero", "one"])
def test_undefined_f_measures_follow_the_rule_of_f1(zero: Any) -> None:
    scores = karat.score("seqeval", [["O"]], [["O"]], measures=["f2"], zero=zero)
    assert scores.value("f2") == scores.value("f1")
    published = karat.score(
        "tacred", [karat.Document("a", "b")], [karat.Document("a", "b")], measures=["f2"], zero=zero
    )
    assert published.value("f2") == published.value("f1") == 0


def test_averages_over_labels_have_them() -> None:
    gold, system = [["B-LOC", "O", "B-PER", "B-PER"]], [["B-LOC", "B-LOC", "B-PER", "O"]]
    scores = karat.score("seqeval", gold, system, by="label", measures=["f2"])
    by_label = {row.label: row.value for row in scores if row.measure == "f2" and row.average == "micro"}
    assert scores.value("f2", average="macro-label") == pytest.approx((by_label["LOC"] + by_label["PER"]) / 2)
    assert scores.value("f2", average="weighted-label") == pytest.approx((by_label["LOC"] + 2 * by_label["PER"]) / 3)


def test_comparisons_boards_and_gates_take_them() -> None:
    scores = tags()
    contest = karat.compare(scores, measures=["f2"], ci=karat.Bootstrap(20))
    assert contest.of("f2")[0].values == (scores["A"].run.scores(measures=["f2"]).value("f2"), pytest.approx(10 / 11))
    assert "|measures:f2|" in contest.signature
    named = karat.compare(scores, rows=["fbeta=2"], ci=karat.Bootstrap(20))
    assert named.numbers == ("f2[regime=strict,avg=micro]",)
    board = karat.leaderboard(scores, sort="f2", ci=False)
    assert [standing.system for standing in board] == ["B", "A"]
    three = karat.compare(scores | {"C": scores["A"]}, measures=["f2"], ci=karat.Bootstrap(20))
    assert three.numbers == ("f1[regime=strict,avg=micro]", "f2[regime=strict,avg=micro]")
    passed = gate(scores["A"], "f2=0.5", "fbeta=0.5=0.8", "f0.5[label=PER]=0")
    assert [outcome.is_passed for outcome in passed.outcomes] == [True, True, True]
    assert [round(outcome.value or 0, 3) for outcome in passed.outcomes] == [0.556, 0.833, 0.0]


def test_a_measure_is_a_name_that_says_which_it_is() -> None:
    for text in ("f2", "fbeta=0.5", "f0.010", "F3.25", "f100", "fbeta=1"):
        name = measure_named(text)
        assert measure_named(name) == name
        assert beta_of(name) == beta_of(text)
    assert (beta_of("precision"), beta_of("f"), beta_of("f-2")) == (None, None, None)
    assert tags()["A"].run.scores(measures=["fbeta=2"]).value("fbeta=2.0") is not None
    assert with_measures((), ["f2"]) == ()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("f3x", "unknown measure of seqeval 'f3x'"),
        ("accuracies", "did you mean 'accuracy'"),
        ("f0", "beta out of bounds"),
        ("fbeta=1000", "beta out of bounds"),
    ],
)
def test_a_measure_that_nobody_knows_is_refused(asked: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        karat.score("seqeval", [["O"]], [["O"]], measures=[asked])
