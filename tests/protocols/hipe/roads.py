"""Both roads of HIPE side by side: the JSON report of the drop-in, and what ``karat.score`` says of the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isclose
from typing import Any, NamedTuple

from karat.analysis.summary import evaluate
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure
from karat.evaluation.scores import Row, Scores
from karat.protocols.hipe.declaration import name_of
from karat.protocols.hipe.drop_in.commands import evaluate as drop_in
from karat.protocols.hipe.judge import casebook

REGIMES = {"strict": "strict", "ent_type": "fuzzy", "partial": "partial", "exact": "exact"}
"""The regimes by their names in the report."""
SETTINGS = ("n_best", "noise_level", "time_period", "glue", "tagset", "profile")
BOOK = casebook(())


def understood(words: Sequence[str]) -> dict[str, Any]:
    """Return what the words of a command line mean to the drop-in."""
    return drop_in.make_context("evaluate", list(words), help_option_names=["-h", "--help"]).params


def score(words: Sequence[str]) -> Scores:
    """Score by the protocol what a command line asks of the drop-in, as ``karat score --from hipe`` does."""
    given = understood(words)
    settings = {name: given[name] for name in SETTINGS} | {"link_spans": "runs" if given["original_nel"] else ""}
    bound = configure(name_of(given["hipe_edition"], given["task"]), settings)
    sides = load(bound, [given["ref"], given["pred"]], [Reading("hipe")] * 2)
    return evaluate(bound, *sides, by="label", zero="zero")


class Place(NamedTuple):
    """What a number is about."""

    layer: str
    slice: str
    label: str | None
    regime: str


def compare(report: dict[str, Any], words: Sequence[str]) -> None:
    """Compare every number of a report: counts and quotients to the last bit, sums of quotients nearly so.

    A label that is called ALL is not in the report, where all labels together overwrite it. The report of June 2020 has
    no slices, and of links the last cutoff only.
    """
    scored = list(score(words))
    given = understood(words)
    if given["profile"] == "2020" and not given["noise_level"] and not given["time_period"]:
        report = {column: {"TIME-ALL": {"LED-ALL": labels}} for column, labels in report.items()}
        if given["task"] == "nel":
            report = {given["n_best"].split(",")[-1] or "1": report}
            scored = [row for row in scored if row.layer.endswith(f"@{next(iter(report))}")]
    rows: dict[Place, dict[tuple[str, str], Row]] = {}
    for row in scored:
        if row.label != "ALL":
            place = Place(row.layer, row.slice, row.label, row.regime)
            rows.setdefault(place, {})[row.average, row.measure] = row
    blocks = dict(_blocks(report, linking=given["task"] == "nel"))
    labelled = {place for place, metrics in blocks.items() if place.label is not None or _is_counted(metrics)}
    assert labelled <= rows.keys() <= blocks.keys()
    for place in rows:
        _compare_numbers(blocks[place], rows[place], place)


def _blocks(report: dict[str, Any], *, linking: bool) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the innermost blocks of a report; one on links has a level more, its cutoffs."""
    parts = report.items() if linking else [("", report)]
    for cutoff, columns in parts:
        for column, times in columns.items():
            for time, noises in times.items():
                for noise, labels in noises.items():
                    whole = (time, noise) == ("TIME-ALL", "LED-ALL")
                    layer, part = f"{column}@{cutoff}" if linking else column, "" if whole else f"{time}-{noise}"
                    for label, schemes in labels.items():
                        for scheme, metrics in schemes.items():
                            yield Place(layer, part, None if label == "ALL" else label, REGIMES[scheme]), metrics


def _is_counted(metrics: dict[str, Any]) -> bool:
    return bool(metrics["possible"] or metrics["actual"])


def _compare_numbers(metrics: dict[str, Any], rows: dict[tuple[str, str], Row], place: Place) -> None:
    outcomes: Counter[str] = Counter()
    for case, count in rows["micro", "f1"].counts.items():
        outcomes[str(BOOK.outcome(case, place.regime))] += int(count)
    for outcome in ("correct", "incorrect", "partial", "missed", "spurious"):
        assert outcomes[outcome] == metrics[outcome], (place, outcome)
    for measure, letter in (("precision", "P"), ("recall", "R"), ("f1", "F1")):
        value = rows["micro", measure].value
        assert value == metrics[f"{letter}_micro"] or (letter == "F1" and _near(value, metrics["F1_micro"])), place
        assert _near(rows["macro-unit", measure].value, metrics[f"{letter}_macro_doc"]), place
        if ("macro-label", measure) in rows:
            assert _near(rows["macro-label", measure].value or 0, metrics[f"{letter}_macro"]), place


def _near(value: float | None, expected: float | None) -> bool:
    """Say whether two numbers are the same but for the order of their operations."""
    if value is None or expected is None:
        return value is expected
    return isclose(value, expected, rel_tol=1e-13)
