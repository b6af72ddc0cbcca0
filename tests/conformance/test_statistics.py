"""The statistics on cases whose values were computed in fractions."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest

from karat.analysis.statistics.agreement import cohen, fleiss, krippendorff
from karat.analysis.statistics.bootstrap import design, resampled
from karat.analysis.statistics.contributions import Linear, doubt, linear, seeded, stratified_doubt
from karat.analysis.statistics.estimands import Estimand
from karat.analysis.statistics.intervals import (
    Bootstrap,
    acceleration,
    basic,
    bca,
    bca_levels,
    percentile,
    share_below,
    stretched,
    widened_tail,
)
from karat.analysis.statistics.randomisation import SystemPair, p_by_sign, p_centred, randomised
from karat.analysis.statistics.ranking import benjamini_hochberg, groups, holm, rank_intervals
from karat.analysis.statistics.samples import (
    JudgedSample,
    chapman,
    clopper_pearson,
    document_sample,
    pooled_recall,
    possible_totals,
    simple_sample,
    stratified_sample,
)
from karat.analysis.statistics.tallied import TalliedSystem
from karat.evaluation.scores import Row
from karat.evaluation.tally import Group
from tests.analysis.statistics.counting import PLAIN, tallies_of

from .packs import synthetic


@cache
def cases() -> dict[str, dict]:
    return {path.name[:2]: json.loads(path.read_text("utf-8")) for path in synthetic("statistics").glob("*.json")}


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9)


def test_every_case_is_known() -> None:
    assert set(cases()) == {f"{number:02}" for number in range(1, 26)}


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
        estimate = simple_sample(JudgedSample(inf, expected["judged"], expected["correct"]))
        assert list(estimate.interval()) == close(expected["wilson"])
        assert list(estimate.interval(method=clopper_pearson)) == close(expected["clopper_pearson"])


def test_a_share_of_so_many_items() -> None:
    for expected in cases()["22"]["expected"]["finite"]:
        sample = JudgedSample(expected["population"], expected["judged"], expected["correct"])
        estimate = simple_sample(sample)
        assert (estimate.error, estimate.worth) == close((expected["se"], expected["effective_n"]))
        assert list(estimate.interval()) == close(expected["wilson"])
        assert list(possible_totals(*sample)) == expected["hypergeometric_limits_of_K"]


def test_a_share_from_strata() -> None:
    strata = [JudgedSample(*stratum) for stratum in cases()["23"]["input"]["strata"]]
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
    documents = [
        JudgedSample(*sample) for sample in zip(given["items"], judged, given[f"{stage}_correct"], strict=True)
    ]
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


def estimands(
    case: str, measure: str, average: str = "micro", clusters: list[int] | None = None
) -> dict[str, Estimand]:
    """Return a number of each system as a function of sums over the units."""
    row = Row(measure, "strict", average, "", None)
    samples = {
        name: TalliedSystem(PLAIN, tallies_of([{Group(): tuple(unit)} for unit in units]), clusters)
        for name, units in cases()[case]["input"]["systems"].items()
    }
    return {name: sample.estimand(row, groups=[Group()], centre=0.7) for name, sample in samples.items()}


def test_scores_without_each_unit() -> None:
    expected = cases()["05"]["expected"]
    for measure in ("f1", "precision"):
        alone = estimands("05", measure)["a"].without_each()
        assert alone.tolist() == close(expected[f"{measure} a"]["jackknife"])
        assert acceleration(alone) == close(expected[f"{measure} a"]["acceleration"])
        error = sqrt((len(alone) - 1) / len(alone) * ((alone - alone.mean()) ** 2).sum())
        assert error == close(expected[f"{measure} a"]["jackknife_se"])
    first, second = estimands("05", "f1").values()
    assert acceleration(first.without_each() - second.without_each()) == close(expected["f1 a-b"]["acceleration"])


@pytest.mark.parametrize("case", ["06", "07", "08"])
def test_the_bootstrap_comes_close_to_all_resamples(case: str) -> None:
    given, expected = cases()[case]["input"], cases()[case]["expected"]
    systems = list(estimands(case, given["measure"], given["average"]).values())
    signs = (1, -1)[: len(systems)]
    results = resampled(systems, design([str(place) for place in range(systems[0].units)]), Bootstrap(20000, seed=1))
    values = sum(sign * result.values for sign, result in zip(signs, results, strict=True))
    value = sum(sign * result.value for sign, result in zip(signs, results, strict=True))
    alone = sum(sign * system.without_each() for sign, system in zip(signs, systems, strict=True))
    assert value == close(expected["estimate"])
    assert acceleration(alone) == close(expected["acceleration"])
    assert bca_levels(expected["share_below"], expected["acceleration"], 0.95) == close(tuple(expected["bca_levels"]))
    assert values.std() == pytest.approx(expected["bootstrap_se"], rel=0.05)
    assert near(share_below(value, values), expected["share_below"], len(values))
    units = systems[0].units
    tail = widened_tail(0.95, units - 1, stretched(units))
    assert [tail, 1 - tail] == close(expected["expanded_levels"])
    for name, limits in (
        ("percentile", percentile(values, 0.025, 0.975)),
        ("expanded", percentile(values, tail, 1 - tail)),
        ("bca", bca(value, values, acceleration(alone), 0.95)),
    ):
        for limit, (low, high) in zip(limits, expected[f"{name}_range"], strict=True):
            assert low - 1e-12 <= limit <= high + 1e-12
    if "p_sign" in expected:
        assert near(p_by_sign(values), expected["p_sign"], len(values))
        assert near(p_centred(value, values), expected["p_centred"], len(values))


@pytest.mark.parametrize("case", ["06", "07", "08"])
def test_all_resamples_there_are(case: str) -> None:
    given, expected = cases()[case]["input"], cases()[case]["expected"]
    systems = list(estimands(case, given["measure"], given["average"]).values())
    units = systems[0].units
    drawn = np.array(list(product(range(units), repeat=units)))
    weights = np.stack([(drawn == unit).sum(axis=1) for unit in range(units)]).astype(float)
    scores = [system.of_samples(system.summands(), weights)[0] for system in systems]
    values = scores[0] - (scores[1] if len(scores) > 1 else 0)
    value = expected["estimate"]
    assert (values.mean(), values.std()) == close((expected["bootstrap_mean"], expected["bootstrap_se"]))
    assert share_below(value, values) == close(expected["share_below"])
    if "p_sign" in expected:  # that of infinitely many resamples does not count the observed one
        number = len(values)
        assert (p_by_sign(values) * (number + 1) - 2) / number == close(expected["p_sign"])
        assert (p_centred(value, values) * (number + 1) - 1) / number == close(expected["p_centred"])


def near(share: float, expected: float, draws: int) -> bool:
    return abs(share - expected) <= 5 * sqrt(expected * (1 - expected) / draws) + 1 / (draws + 1)


def test_bca_from_given_resamples() -> None:
    given, expected = cases()["09"]["input"], cases()["09"]["expected"]
    values = np.array(given["resamples"])
    limits = percentile(values, 0.025, 0.975)
    assert list(limits) == close(expected["percentile"])
    assert list(basic(given["estimate"], limits)) == close(expected["basic"])
    share = share_below(given["estimate"], values)
    assert share == close(expected["share_below"])
    assert list(bca_levels(share, given["acceleration"], 0.95)) == close(expected["levels"])
    assert list(bca(given["estimate"], values, given["acceleration"], 0.95)) == close(expected["interval"])


@pytest.mark.parametrize("case", ["10", "11", "12", "13", "14", "15", "16"])
def test_randomisation_tries_all_swaps(case: str) -> None:
    clusters = cases()[case]["input"].get("clusters")
    for name, expected in cases()[case]["expected"].items():
        pair = SystemPair(*estimands(case, *name.split(), clusters=clusters).values())
        (plain,) = randomised([pair], pair.units, studentised=False)
        assert pair.first.observed()[0] - pair.second.observed()[0] == close(expected["difference"])
        assert plain[:3] == (expected["at_least_as_extreme"], expected["arrangements"], expected["undefined"])
        assert plain.p_value == expected["p"]
        if "p_studentised" in expected:
            (studentised,) = randomised([pair], pair.units)
            assert studentised.p_value == expected["p_studentised"]


def test_several_seeds() -> None:
    given, expected = cases()["21"]["input"], cases()["21"]["expected"]
    runs = {name: [score(run, given["measure"]) for run in runs] for name, runs in given["systems"].items()}
    for name, values in expected["seed_scores"].items():
        assert [run.value for run in runs[name]] == close(values)
    result = seeded(*runs.values())
    assert (result.value, result.units, result.together) == close(
        (expected["difference"], expected["variance_units"], expected["variance_interaction"])
    )
    assert dict(zip(runs, result.runs, strict=True)) == close(expected["variance_seeds"])
    assert result.doubt == close((expected["se"], expected["df"]))
    assert result.doubt.p_value(result.value) == close(expected["p"])
    assert list(result.doubt.interval(result.value)) == close(expected["interval"])


def test_errors_of_clusters_and_strata_as_functions_of_sums() -> None:
    given, expected = cases()["20"]["input"], cases()["20"]["expected"]
    units = [str(place) for place in range(len(given["strata"]))]
    strata = design(units, strata=given["strata"]).strata
    plain, clustered = estimands("20", "f1"), estimands("20", "f1", clusters=given["clusters"])
    figures = expected["a"]
    assert plain["a"].observed() == close((figures["value"], figures["se_units"]))
    assert plain["a"].observed(strata) == close((figures["value"], figures["se_strata"]))
    assert clustered["a"].observed() == close((figures["value"], figures["se_clusters"]))
    for sides, strata_used, error in (
        (plain, None, "se_units"),
        (plain, strata, "se_strata"),
        (clustered, None, "se_clusters"),
    ):
        pair = SystemPair(*sides.values(), strata_used)
        assert pair.observed() == close((expected["a-b"]["value"], expected["a-b"][error]))
