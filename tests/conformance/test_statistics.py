"""The statistics on cases whose values were computed in fractions."""

from __future__ import annotations

import json
from functools import cache
from math import inf

import pytest

from karat.statistics.agreement import cohen, fleiss, krippendorff
from karat.statistics.contributions import Linear, doubt, linear, stratified_doubt
from karat.statistics.pools import chapman, pooled_recall
from karat.statistics.ranking import benjamini_hochberg, groups, holm, rank_intervals
from karat.statistics.samples import (
    Judged,
    clopper_pearson,
    document_sample,
    possible_totals,
    simple_sample,
    stratified_sample,
)

from .packs import synthetic

NOT_YET = {f"{number:02}" for number in (*range(5, 17), 21)}
"""Cases about the difference of two systems, and about intervals that are not offered yet."""


@cache
def cases() -> dict[str, dict]:
    return {path.name[:2]: json.loads(path.read_text("utf-8")) for path in synthetic("statistics").glob("*.json")}


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9)


def test_every_case_is_computed_or_named() -> None:
    computed = {"01", "02", "03", "04", "17", "18", "19", "20", "22", "23", "24", "25"}
    assert set(cases()) == NOT_YET | computed


Units = list[list[int]]


def score(units: Units, measure: str) -> Linear:
    """Return a measure of units, each with its right, system and gold items, with what they contribute."""
    ratios = {
        "precision": lambda right, actual, possible: (right, actual),
        "recall": lambda right, actual, possible: (right, possible),
        "f1": lambda right, actual, possible: (2 * right, actual + possible),
    }
    name, _, average = measure.partition(" ")
    pairs = [ratios[name](*unit) for unit in units]
    if average == "macro-unit":
        pairs = [(upper / lower, 1) if lower else (0, 0) for upper, lower in pairs]
    result = linear(*zip(*pairs, strict=True))
    assert result is not None
    return result


@pytest.mark.parametrize("case", ["01", "02"])
def test_the_error_of_a_score(case: str) -> None:
    for measure, expected in cases()[case]["expected"].items():
        result = score(cases()[case]["input"]["systems"]["a"], measure)
        error = doubt(result.contributions)
        assert error is not None
        assert (result.value, error.error) == close((expected["value"], expected["se"]))
        assert list(error.interval(result.value)) == close(expected["interval_t"])


@pytest.mark.parametrize("case", ["03", "04"])
def test_the_difference_of_two_systems(case: str) -> None:
    first, second = cases()[case]["input"]["systems"].values()
    for measure, expected in cases()[case]["expected"].items():
        result = score(first, measure) - score(second, measure)
        error = doubt(result.contributions)
        assert error is not None
        assert (result.value, *error) == close((expected["difference"], expected["se"], expected["df"]))
        assert error.p_value(result.value) == close(expected["p"])
        assert list(error.interval(result.value)) == close(expected["interval_t"])
        assert error.detectable() == close(expected["smallest_detectable"])
        assert error.units_needed(0.02, len(first)) == expected["units_for_0_02"]


def test_all_pairs_of_three_systems() -> None:
    expected = cases()["18"]["expected"]
    scores = {name: score(units, "f1") for name, units in cases()["18"]["input"]["systems"].items()}
    pairs = {pair: scores[pair[0]] - scores[pair[2]] for pair in expected["pairs"]}
    errors = {pair: doubt(difference.contributions) for pair, difference in pairs.items()}
    values = [error.p_value(pairs[pair].value) for pair, error in errors.items() if error is not None]
    assert values == close([figures["p"] for figures in expected["pairs"].values()])
    assert holm(values) == close([figures["holm"] for figures in expected["pairs"].values()])
    assert benjamini_hochberg(values) == close(
        [figures["benjamini_hochberg"] for figures in expected["pairs"].values()]
    )
    order = sorted(scores, key=lambda name: -scores[name].value)
    assert order == expected["order"]
    apart = [pair for pair, value in zip(pairs, holm(values), strict=True) if value <= 0.05]
    better = {(pair[0], pair[2]) if pairs[pair].value > 0 else (pair[2], pair[0]) for pair in apart}
    assert {name: list(ranks) for name, ranks in rank_intervals(order, better).items()} == expected["rank_intervals"]
    assert groups(order, better) == expected["groups"]


def test_clusters_and_strata() -> None:
    given = cases()["20"]["input"]
    first, second = (score(units, "f1") for units in given["systems"].values())
    for name, result in (("a", first), ("a-b", first - second)):
        expected = cases()["20"]["expected"][name]
        units, clusters, strata = (
            doubt(result.contributions),
            doubt(result.contributions, given["clusters"]),
            stratified_doubt(result.contributions, given["strata"]),
        )
        assert units is not None
        assert (result.value, units.error) == close((expected["value"], expected["se_units"]))
        assert clusters == close((expected["se_clusters"], expected["df_clusters"]))
        assert strata == close((expected["se_strata"], expected["df_strata"]))


def test_adjusted_values_ranks_and_groups() -> None:
    given, expected = cases()["17"]["input"], cases()["17"]["expected"]
    better = {tuple(pair) for pair in given["better"]}
    assert holm(given["p"]) == close(expected["holm"])
    assert benjamini_hochberg(given["p"]) == close(expected["benjamini_hochberg"])
    assert {name: list(ranks) for name, ranks in rank_intervals(given["order"], better).items()} == expected[
        "rank_intervals"
    ]
    assert sorted(groups(given["order"], better)) == sorted(expected["groups"])


def test_recall_in_a_pool() -> None:
    right = {name: set(items) for name, items in cases()["19"]["input"]["correct_items"].items()}
    expected = cases()["19"]["expected"]
    pooled = pooled_recall(right)
    assert {name: system.recall for name, system in pooled.items()} == close(expected["relative_recall"])
    assert {name: system.unique for name, system in pooled.items()} == expected["unique"]
    assert {name: system.recall_of_others for name, system in pooled.items()} == close(expected["leave_one_out_recall"])
    assert chapman(right["a"], right["b"]) == close((expected["chapman_a_b"], expected["chapman_se"]))


def test_a_share_of_infinitely_many_items() -> None:
    for expected in cases()["22"]["expected"]["infinite"]:
        estimate = simple_sample(Judged(inf, expected["judged"], expected["correct"]))
        assert list(estimate.interval()) == close(expected["wilson"])
        assert list(estimate.interval(method=clopper_pearson)) == close(expected["clopper_pearson"])


def test_a_share_of_so_many_items() -> None:
    for expected in cases()["22"]["expected"]["finite"]:
        sample = Judged(expected["population"], expected["judged"], expected["correct"])
        estimate = simple_sample(sample)
        assert (estimate.error, estimate.worth) == close((expected["se"], expected["effective_n"]))
        assert list(estimate.interval()) == close(expected["wilson"])
        assert list(possible_totals(*sample)) == expected["hypergeometric_limits_of_K"]


def test_a_share_from_strata() -> None:
    strata = [Judged(*stratum) for stratum in cases()["23"]["input"]["strata"]]
    expected = cases()["23"]["expected"]
    for smoothed, figures in ((False, expected), (True, expected["smoothed"])):
        estimate = stratified_sample(strata, smoothed=smoothed)
        assert (estimate.share, estimate.error) == close((expected["estimate"], expected["se"]))
        assert (estimate.freedom, estimate.effective()) == close((figures["df"], figures["effective_n"]))
        assert list(estimate.interval()) == close(figures["wilson"])
    plain = stratified_sample(strata, smoothed=False)
    assert list(plain.interval(method=clopper_pearson)) == close(expected["clopper_pearson"])


@pytest.mark.parametrize("stage", ["one_stage", "two_stage"])
def test_a_share_from_documents(stage: str) -> None:
    given, expected = cases()["24"]["input"], cases()["24"]["expected"][stage]
    judged = given.get(f"{stage}_judged", given["items"])
    documents = [Judged(*sample) for sample in zip(given["items"], judged, given[f"{stage}_correct"], strict=True)]
    estimate = document_sample(documents, given["documents_in_population"])
    assert (estimate.share, estimate.error) == close((expected["estimate"], expected["se"]))
    assert (estimate.freedom, estimate.effective()) == close((expected["df"], expected["effective_n"]))
    assert list(estimate.interval()) == close(expected["wilson"])
    assert list(estimate.interval(method=clopper_pearson)) == close(expected["clopper_pearson"])


def test_agreement() -> None:
    given, expected = cases()["25"]["input"], cases()["25"]["expected"]
    first, second, _ = given["complete"]
    for weighting, kappa in expected["cohen"].items():
        assert cohen(first, second, given["categories"], weighting) == close(kappa)
    assert fleiss(given["complete"]) == close(expected["fleiss"])
    for measurement, alpha in expected["krippendorff"].items():
        assert krippendorff(given["with_gaps"], measurement) == close(alpha)
