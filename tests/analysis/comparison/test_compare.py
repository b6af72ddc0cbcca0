"""``karat.compare``: the same numbers as the statistics, from runs; what cannot be compared is refused."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.comparison.building import run_of
from tests.conformance.test_statistics import cases, close

import karat
from karat import compare
from karat.errors import InputError, UsageError
from karat.evaluation.scores import row_named
from karat.evaluation.tally import Group, Tallies

ROWS = {
    "f1": "f1[regime=strict,avg=micro]",
    "precision": "precision[regime=strict,avg=micro]",
    "recall": "recall[regime=strict,avg=micro]",
}


def systems_of(case: str) -> dict[str, karat.Run]:
    return {name: run_of(units, name) for name, units in cases()[case]["input"]["systems"].items()}


@pytest.mark.parametrize("case", ["03", "04"])
def test_differences_and_what_would_be_needed(case: str) -> None:
    contest = compare(systems_of(case), rows=ROWS.values(), test="t")
    for measure, expected in cases()[case]["expected"].items():
        if measure not in ROWS:
            continue
        (contrast,) = contest.of(ROWS[measure])
        assert (contrast.difference, contrast.error) == close((expected["difference"], expected["se"]))
        assert contrast.p_value == close(expected["p"])
        assert contrast.detectable == close(expected["smallest_detectable"])
        assert contrast.effect == close(expected["difference"] / expected["se"] / sqrt(contrast.units))


@pytest.mark.parametrize("case", ["10", "11", "12", "13", "14", "15"])
def test_all_swaps_of_few_units(case: str) -> None:
    for name, expected in cases()[case]["expected"].items():
        measure, _, average = name.partition(" ")
        if (average or "micro") != "micro" or "p_studentised" not in expected:
            continue
        (contrast,) = compare(systems_of(case), rows=[ROWS[measure]])
        assert contrast.difference == close(expected["difference"])
        if contrast.units >= 6:
            assert contrast.p_value == expected["p_studentised"]


def test_all_pairs_are_adjusted_for_their_number() -> None:
    expected = cases()["18"]["expected"]
    contest = compare(systems_of("18"), rows=[ROWS["f1"]], test="t")
    for contrast in contest:
        figures = expected["pairs"][f"{contrast.first}-{contrast.second}"]
        assert contrast.p_value == close(figures["p"])
        assert (contrast.holm, contrast.bh) == close((figures["holm"], figures["benjamini_hochberg"]))


def test_clusters_and_strata_by_metadata() -> None:
    given, expected = cases()["20"]["input"], cases()["20"]["expected"]["a-b"]
    keys = {"cluster": list(map(str, given["clusters"])), "stratum": list(map(str, given["strata"]))}
    runs = [run_of(units, name, metadata=keys) for name, units in given["systems"].items()]
    for bootstrap, error in (
        (karat.Bootstrap(clusters="cluster"), "se_clusters"),
        (karat.Bootstrap(strata="stratum"), "se_strata"),
    ):
        (contrast,) = compare(runs, rows=[ROWS["f1"]], ci=bootstrap)
        assert (contrast.difference, contrast.error) == close((expected["value"], expected[error]))


def test_seeds_are_a_second_level() -> None:
    given, expected = cases()["21"]["input"], cases()["21"]["expected"]
    runs = {
        name: [run_of(units, f"{name}{place}") for place, units in enumerate(several)]
        for name, several in given["systems"].items()
    }
    contest = compare(runs, rows=[ROWS[given["measure"]]])
    (contrast,) = contest
    assert (contrast.difference, contrast.error) == close((expected["difference"], expected["se"]))
    assert contrast.interval is not None
    assert [contrast.interval.low, contrast.interval.high] == close(expected["interval"])
    assert contrast.p_value == (close(expected["p"]) if contrast.units >= 6 else None)
    assert contest.test == "seeds"


def drawn(seed: int, units: int, quality: float) -> list[list[int]]:
    chance = np.random.default_rng(seed)
    gold = chance.integers(3, 12, units)
    right = chance.binomial(gold, quality)
    return [[int(r), int(r + chance.poisson(1)), int(g)] for r, g in zip(right, gold, strict=True)]


def test_intervals_and_p_values_are_those_of_scipy() -> None:
    """Where the unit is one item each, recall is a mean, and its difference a paired one."""
    from scipy import stats

    chance = np.random.default_rng(5)
    ours, theirs = (chance.random(40) < share for share in (0.8, 0.55))
    runs = [run_of([[int(hit), 1, 1] for hit in hits], name) for name, hits in (("a", ours), ("b", theirs))]
    bootstrap = karat.Bootstrap(20_000)
    (contrast,) = compare(runs, rows=[ROWS["recall"]], ci=bootstrap, difference_method="percentile")
    apart = (ours.astype(float) - theirs,)
    expected = stats.bootstrap(apart, np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    assert contrast.interval is not None
    assert (contrast.interval.low, contrast.interval.high) == pytest.approx(expected, abs=0.026)
    test = stats.permutation_test(
        (ours.astype(float), theirs.astype(float)),
        lambda x, y, axis: np.abs((x - y).mean(axis)) / (x - y).std(axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
        alternative="greater",
        rng=1,
    )
    assert contrast.p_value == pytest.approx(test.pvalue, abs=0.01)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t"])
def test_every_test_sees_what_is_there_and_what_is_not(test: karat.analysis.comparison.Test) -> None:  # type: ignore[name-defined]
    good, bad, like_bad = drawn(1, 40, 0.9), drawn(2, 40, 0.5), drawn(3, 40, 0.5)
    contest = compare({"good": run_of(good), "bad": run_of(bad), "other": run_of(like_bad)}, test=test)
    told = {(contrast.first, contrast.second): contrast.is_told_apart() for contrast in contest.of()}
    assert told == {("good", "bad"): True, ("good", "other"): True, ("bad", "other"): False}


def test_the_same_system_twice_is_a_tie() -> None:
    units = drawn(1, 30, 0.7)
    contest = compare({"a": run_of(units), "b": run_of(units)})
    contrast = contest.of()[0]
    assert (contrast.difference, contrast.p_value, contrast.won, contrast.tied, contrast.lost) == (0, 1, 0, 30, 0)
    assert contrast.interval is None
    assert contest.sentences == ("a and b do the same in every document.",)


def test_runs_that_are_all_the_same_leave_nothing_to_doubt() -> None:
    runs = [run_of(drawn(1, 30, 0.7))] * 2
    contrast = compare({"a": runs, "b": runs}).of()[0]
    assert (contrast.difference, contrast.interval, contrast.detectable, contrast.p_value) == (0, None, None, 1)


def test_where_no_item_decides_units_do() -> None:
    contest = compare({"A": run_of(EVEN), "B": run_of(TURNED)}, rows=["f1"])
    assert contest.sentence(contest.of()[0], (0, 0)).endswith("A is better in 3 documents, B in 9.")
    assert contest.sentence(contest.of()[0], (3, 1)).endswith("the systems differ on 4 items; A is better on 3.")


def test_sentences() -> None:
    good, bad, near = (run_of(drawn(seed, 40, share)) for seed, share in ((1, 0.9), (2, 0.5), (4, 0.89)))
    (told,) = compare({"A": bad, "B": good}).sentences
    assert told.startswith("B beats A by ")
    (tie,) = compare({"A": good, "B": near}).sentences
    assert "are statistically tied" in tie
    assert "; with 40 documents " in tie
    assert " points are detectable; " in tie
    (few,) = compare({"A": run_of(drawn(1, 4, 0.9)), "B": run_of(drawn(2, 4, 0.5))}).sentences
    assert few.startswith("4 documents are too few to tell A and B apart: ")


EVEN = [[place % 4, 4, 5] for place in range(12)]
TURNED = [[(place + 1) % 4, 4, 5] for place in range(12)]
HALF = ([[2, 4, 5]] * 8, [[3, 4, 5]] * 8)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (EVEN, EVEN, "A and B do the same in every document."),
        (EVEN[:1], TURNED[:1], "1 document is too few to tell B and A apart: 22.2 points for B; B is better in every "),
        (EVEN[:5], TURNED[:5], "5 documents are too few to tell B and A apart: 4.4 points [−66.7, 22.2] for B; B is b"),
        (
            EVEN,
            TURNED,
            "A and B are statistically tied: 0.0 points [−22.2, 29.6] between them; with 12 documents only ",
        ),
        (EVEN, TURNED, " only differences above about 35.7 points are detectable; A is better in 3"),
        (EVEN, TURNED, " points are detectable; A is better in 3 documents, B in 9."),
        (*HALF, "B beats A by 22.2 points; better in every document."),
        (HALF[1], HALF[0], "A beats B by 22.2 points; better in every document."),
        (EVEN, [[0, 0, 0]] * 12, "A and B cannot be compared: the number is undefined for B."),
        ([[0, 0, 0]] * 12, [[0, 0, 0]] * 12, "A and B cannot be compared: the number is undefined for A and B."),
    ],
)
def test_the_sentence_is_right_in_every_case(first: list[list[int]], second: list[list[int]], sentence: str) -> None:
    (said,) = compare({"A": run_of(first), "B": run_of(second)}, rows=["f1"]).sentences
    assert sentence in said


def test_groups_of_units_are_called_so() -> None:
    keys = {"source": [str(place // 5) for place in range(11)], "all": ["one"] * 11}
    runs = {name: run_of(units[:11], metadata=keys) for name, units in (("A", EVEN), ("B", TURNED))}
    for key, words in (("source", "3 groups by source are too few"), ("all", "1 group by all is too few")):
        assert compare(runs, ci=karat.Bootstrap(20, clusters=key)).sentences[0].startswith(words)


def test_several_runs_within_strata_are_refused_and_the_signature_tells_of_runs() -> None:
    keys = {"year": [str(place % 2) for place in range(12)]}
    several = {"A": [run_of(EVEN, metadata=keys), run_of(TURNED, metadata=keys)], "B": run_of(EVEN, metadata=keys)}
    with pytest.raises(UsageError, match="several runs of a system cannot be drawn within strata"):
        compare(several, ci=karat.Bootstrap(strata="year"))
    contest = compare(several, rows=["f1"])
    assert "|ci:seeds+studentised2000/v3/seed42|difference:seeds+widened|test:seeds|" in contest.signature
    (contrast,) = contest
    assert sum(case.share or 0 for case in contrast.cases) == close(contrast.difference)
    assert [case.first for case in contrast.cases] == [60, 48, 18]


def test_few_units_of_a_label_are_said_and_draws_without_a_value_are_counted() -> None:
    units = [[1, 1, 1]] * 4 + [[0, 1, 1]] * 2 + [[0, 0, 0]] * 54
    runs = {"A": run_of(drawn(1, 60, 0.7), "A"), "B": run_of(drawn(2, 60, 0.7), "B")}
    assert compare(runs, rows=["f1"]).notes == ()
    scores = run_of(units).scores(ci=True)
    interval = next(row.interval for row in scores if row.measure == "recall")
    assert interval is not None
    assert (interval.method, interval.units) == ("widened", 6)
    assert 0 < interval.undefined < 0.01
    assert any("was undefined in up to 0." in note for note in scores.notes)
    seldom = run_of(units[:1] + units[5:]).scores(ci=True)
    assert all(row.interval is None for row in seldom if row.measure == "recall")


def test_the_order_of_the_units_makes_no_difference() -> None:
    import msgspec

    first, second = (run_of(drawn(seed, 25, 0.7), name) for seed, name in ((1, "a"), (2, "b")))
    order = list(range(25))[::-1]
    turned = msgspec.structs.replace(
        second, tallies=second.tallies.at(order), documents=[second.documents[place] for place in order]
    )
    assert compare([first, second]) == compare([first, turned])


def test_units_that_a_system_lacks_have_nothing_in_them() -> None:
    first, second = run_of(drawn(1, 25, 0.7), "a"), run_of(drawn(2, 24, 0.7), "b")
    (contrast,) = compare([first, second], rows=["f1"])
    assert contrast.units == 25
    assert contrast.values[1] == second.scores().value("f1")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"protocol": "conll2003"}, "is scored by conll2003, not seqeval"),
        ({"version": "0.0.9"}, "is scored by version 0.0.9, not"),
        ({"options": {"scheme": "IOB2"}}, "has scheme:IOB2, not nothing"),
        ({"gold_content": "123"}, "has a gold of other content (123, not 0)"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_what_differs(changed: dict[str, object], words: str) -> None:
    units = drawn(1, 10, 0.7)
    with pytest.raises(InputError, match="unlike a, b") as caught:
        compare([run_of(units, "a"), run_of(units, "b", **changed)])
    assert words in str(caught.value)


def test_requests_that_make_no_sense() -> None:
    run = run_of(drawn(1, 10, 0.7))
    for words, call in (
        ("two systems or more", lambda: compare([run])),
        ("0 parts to compare", lambda: compare([run], by="label")),
        ("unit by unit", lambda: compare({"a": run, "b": run}, by="unit")),
        ("in one run of it", lambda: compare({"a": [run, run]}, by="label")),
        ("two systems are called 'a'", lambda: compare([run, run])),
        ("unknown test 'sign'", lambda: compare({"a": run, "b": run}, test="sign")),  # type: ignore[arg-type]
        ("unknown number 'rand'", lambda: compare({"a": run, "b": run}, rows=["rand"])),
        ("Wilson's interval", lambda: compare({"a": run, "b": run}, difference_method="wilson")),
        ("has no run", lambda: compare({"a": run, "b": []})),
    ):
        with pytest.raises(UsageError, match=words):
            call()


def test_labels_allow_for_their_number() -> None:
    contest = compare(
        {"a": run_of(drawn(1, 30, 0.9), labels=["X", "Y"]), "b": run_of(drawn(2, 30, 0.6), labels=["X", "Y"])},
        by="label",
    )
    assert [contrast.is_part for contrast in contest] == [False, True, True]
    assert [contrast.number.partition("label=")[2] for contrast in contest] == ["", "X]", "Y]"]
    assert contest.contrasts[1].bh == contest.contrasts[1].adjusted


def test_slices_by_metadata_are_compared() -> None:
    keys = {"paper": ["x" if place % 2 else "y" for place in range(30)]}
    runs = {
        name: run_of(drawn(seed, 30, share), name, metadata=keys)
        for name, seed, share in (("a", 1, 0.9), ("b", 2, 0.6))
    }
    contest = compare(runs, by="paper", rows=["f1"])
    found = {contrast.number: contrast.values for contrast in contest if contrast.is_part}
    scores = {name: run.scores(by="paper") for name, run in runs.items()}
    assert len(found) == 2
    for number, values in found.items():
        assert values == pytest.approx([row_named(own.rows, number).value for own in scores.values()])


def test_parts_of_one_system_are_compared_with_each_other() -> None:
    """The difference of two labels is one of two numbers in the same draws."""
    good, bad = drawn(1, 40, 0.9), drawn(2, 40, 0.5)
    rows = [
        tally | {Group("", "", "X"): tally[Group()], Group("", "", "Y"): other[Group()]}
        for tally, other in zip(run_of(good).tallies.rows, run_of(bad).tallies.rows, strict=True)
    ]
    run = run_of(good, tallies=Tallies(run_of(good).tallies.units, rows))
    contest = compare([run], by="label", test="t")
    (contrast,) = contest
    (expected,) = compare({"X": run_of(good), "Y": run_of(bad)}, rows=["f1"], test="t")
    assert (contrast.first, contrast.second, contest.parts_of) == ("label=X", "label=Y", "a")
    assert (contrast.difference, contrast.error, contrast.p_value) == pytest.approx(
        (expected.difference, expected.error, expected.p_value)
    )
    assert contrast.interval == expected.interval
    assert contest.sentences[0].startswith("label=X is ahead of label=Y by ")


def test_counts_add_up_to_the_difference() -> None:
    contrast = compare({"a": run_of(drawn(1, 30, 0.9)), "b": run_of(drawn(2, 30, 0.6))}).of()[0]
    assert sum(case.share or 0 for case in contrast.cases) == close(contrast.difference)


unit = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)).map(
    lambda n: [n[0], n[0] + n[1], n[0] + n[2]]
)


@given(st.lists(st.tuples(unit, unit), min_size=1, max_size=14), st.sampled_from(["randomisation", "bootstrap", "t"]))
def test_either_side_says_the_same(
    pairs: list[tuple[list[int], list[int]]], test: karat.analysis.comparison.Test
) -> None:  # type: ignore[name-defined]
    ours, theirs = (run_of([pair[side] for pair in pairs], "ab"[side]) for side in (0, 1))
    bootstrap = karat.Bootstrap(50)
    for there, back in zip(
        compare([ours, theirs], test=test, ci=bootstrap), compare([theirs, ours], test=test, ci=bootstrap), strict=True
    ):
        assert there.values == back.values[::-1]
        assert (there.won, there.tied, there.lost) == (back.lost, back.tied, back.won)
        assert there.won + there.tied + there.lost == there.units
        if there.p_value is not None:
            assert 0 < there.p_value <= 1
            assert there.p_value == pytest.approx(back.p_value, abs=1e-9)
        if there.interval is not None and back.interval is not None:
            assert (there.interval.low, there.interval.high) == pytest.approx(
                (-back.interval.high, -back.interval.low), abs=1e-9
            )


def test_a_row_by_its_name() -> None:
    rows = run_of(drawn(1, 3, 0.5), labels=["a,b"]).scores(by="label").rows
    assert row_named(rows, "f1").name == ROWS["f1"]
    assert row_named(rows, "recall[avg=macro-label]").average == "macro-label"
    assert row_named(rows, "f1[label=a,b]").label == "a,b"
