"""The two result files of the HIPE scorer, to the byte.

Quotients are the integer 0 where undefined, F1 comes from precision and recall, and averages are summed in the order of
NumPy.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from karat.evaluation.tally import Counts, Group, Tallies, Tally, add
from karat.measures.published import pairwise_sum, whole_zero_f1, whole_zero_prf
from karat.protocols.hipe.judge import CASES, casebook

HEADER = ("System", "Evaluation", "Label", "P", "R", "F1", "F1_std", "P_std", "R_std", "TP", "FP", "FN")
"""The columns of the condensed report."""

WHOLE = "-TIME-ALL-LED-ALL"
"""How all of the data is called in the name of an evaluation."""

Number = int | float
Metrics = dict[str, Any]

_MEASURES = ("P", "R", "F1")
_REGIMES = {"partial": "partial", "strict": "strict", "ent_type": "fuzzy", "exact": "exact"}
"""The regimes by their names in the detailed report, in its order."""
_BOOK = casebook(())
_SCHEMES = {
    name: [
        [column for column, case in enumerate(CASES) if _BOOK.outcome(case, regime) == outcome]
        for outcome in ("correct", "incorrect", "partial")
    ]
    for name, regime in _REGIMES.items()
}
"""For each regime the places of the counts that are correct, incorrect and partial."""
_REPORTED = {"fuzzy": "ent_type", "strict": "strict"}
_SPURIOUS, _MISSED = list(CASES).index("spurious"), list(CASES).index("missed")


class ReportBlock(NamedTuple):
    """One column in one slice at one cutoff, with the names that the official files use for it."""

    column: str
    time: str
    noise: str
    layer: str
    slice: str
    cutoff: int | None = None


def detailed(tallies: Tallies, blocks: Iterable[ReportBlock]) -> dict[Any, Any]:
    """Return all figures, nested as in the JSON file: cutoff (for links), column, time, noise, label, scheme."""
    cases = [{group: counts[: len(CASES)] for group, counts in tally.items()} for tally in tallies.rows]
    total = add(cases)
    labels: dict[tuple[str, str], list[Group]] = {}
    for group in total:
        labels.setdefault((group.layer, group.slice), []).append(group)
    units: dict[Group, list[Counts]] = {}
    for tally in cases:
        for group, counts in tally.items():
            units.setdefault(group, []).append(counts)
    result: dict[Any, Any] = {}
    for block in blocks:
        level = result if block.cutoff is None else result.setdefault(block.cutoff, {})
        for key in (block.column, block.time):
            level = level.setdefault(key, {})
        level[block.noise] = _by_label(total, labels.get((block.layer, block.slice), []), units)
    return result


def _by_label(total: Tally, groups: Sequence[Group], units: dict[Group, list[Counts]]) -> dict[str, Any]:
    """Return the figures of each label in the order of first booking, those of all labels last."""
    typed = [group for group in groups if group.label is not None]
    everything = Group(*groups[0][:2]) if groups else Group()
    result = {
        group.label: {scheme: _metrics(scheme, total[group], units[group]) for scheme in _SCHEMES} for group in typed
    }
    overall = {
        scheme: _metrics(scheme, total.get(everything, (0,) * len(CASES)), units.get(everything, []))
        for scheme in _SCHEMES
    }
    for scheme, metrics in overall.items():
        metrics.update(_macro_over_labels([by_scheme[scheme] for by_scheme in result.values()]))
    return {**result, "ALL": overall}  # type: ignore[dict-item]


def _metrics(scheme: str, counts: Counts, units: Sequence[Counts]) -> Metrics:
    correct, incorrect, partial = (sum(counts[case] for case in cases) for cases in _SCHEMES[scheme])
    actual, possible = _sizes(counts)
    precision, recall, f1 = _prf(scheme, counts)
    metrics: Metrics = {
        "correct": correct,
        "incorrect": incorrect,
        "partial": partial,
        "missed": counts[_MISSED],
        "spurious": counts[_SPURIOUS],
        "possible": possible,
        "actual": actual,
        "TP": correct,
        "FP": actual - correct,
        "FN": possible - correct,
        "P_micro": precision,
        "R_micro": recall,
        "F1_micro": f1,
    }
    averages = [_mean_and_deviation(values) for values in _unit_values(scheme, units)]
    metrics |= {f"{name}_macro_doc": mean for name, (mean, _) in zip(_MEASURES, averages, strict=True)}
    metrics |= {f"{name}_macro_doc_std": deviation for name, (_, deviation) in zip(_MEASURES, averages, strict=True)}
    return metrics


@lru_cache(maxsize=65_536)
def _prf(scheme: str, counts: Counts) -> tuple[Number, Number, Number]:
    """Return precision, recall and F1; the integer 0 stands for what is undefined."""
    correct, _, partial = _SCHEMES[scheme]
    credit = sum(counts[case] for case in correct)
    if partial:
        credit += 0.5 * sum(counts[case] for case in partial)
    return whole_zero_prf(credit, *_sizes(counts))


def _sizes(counts: Counts) -> tuple[Number, Number]:
    """Return how many entities the system and the gold have."""
    pairs = counts[0] + counts[1] + counts[2] + counts[3]
    return pairs + counts[_SPURIOUS], pairs + counts[_MISSED]


def _unit_values(scheme: str, units: Sequence[Counts]) -> tuple[list[Number], list[Number], list[Number]]:
    """Return precision, recall and F1 of the documents that enter the average of each."""
    precisions: list[Number] = []
    recalls: list[Number] = []
    f1s: list[Number] = []
    for counts in units:
        actual, possible = _sizes(counts)
        precision, recall, f1 = _prf(scheme, counts)
        if actual:
            precisions.append(precision)
        if possible:
            recalls.append(recall)
        if actual and possible:
            f1s.append(f1)
    return precisions, recalls, f1s


def _mean_and_deviation(values: Sequence[Number]) -> tuple[float | None, float | None]:
    if not values:
        return None, None
    mean = pairwise_sum(values) / len(values)
    return mean, math.sqrt(pairwise_sum([(value - mean) * (value - mean) for value in values]) / len(values))


def _macro_over_labels(labels: Sequence[Metrics]) -> Metrics:
    means: list[Number] = []
    for name in _MEASURES:
        total: Number = 0
        for metrics in labels:
            total += metrics[f"{name}_micro"]
        means.append(total / len(labels) if labels else 0)
    precision, recall, f1 = means
    return {
        "P_macro": precision,
        "R_macro": recall,
        "F1_macro": f1,
        "F1_macro (recomputed from P & R)": whole_zero_f1(precision, recall),
    }


def condensed(details: dict[Any, Any], system: str, suffix: str, cutoffs: Sequence[int] | None) -> list[dict[str, str]]:
    """Return the rows of the condensed report; for links one set of rows a cutoff, and only for all labels."""
    if cutoffs is None:
        return list(_rows(details, system, suffix))
    return [row for cutoff in cutoffs for row in _rows(details.get(cutoff, {}), system, suffix, cutoff)]


def _rows(details: dict[str, Any], system: str, suffix: str, cutoff: int | None = None) -> Iterator[dict[str, str]]:
    # The scorer nests its figures by column, time and noise; what it writes is a row for each way through them.
    ending = "" if cutoff is None else f"-@{cutoff}"
    for column in sorted(details):
        for time, by_noise in details[column].items():
            for noise, by_label in by_noise.items():
                for average in ("micro", "macro_doc"):
                    for regime, scheme in _REPORTED.items():
                        middle = f"{suffix}-" if suffix else ""
                        name = f"{column}-{average}-{regime}-{middle}{time}-{noise}{ending}"
                        for label in sorted(by_label) if cutoff is None else ["ALL"]:
                            yield _row(system, name, label, average, by_label[label][scheme])


def details_of_june_2020(details: dict[Any, Any], cutoffs: Sequence[int] | None) -> dict[Any, Any]:
    """Return the figures as the program of June 2020 nested them: no slices, and of links the last cutoff only."""
    columns = details if cutoffs is None else details[cutoffs[-1]]
    return {column: by_time["TIME-ALL"]["LED-ALL"] for column, by_time in columns.items()}


def rows_of_june_2020(rows: Iterable[dict[str, str]], cutoffs: Sequence[int] | None) -> list[dict[str, str]]:
    """Return the rows as the program of June 2020 named them: without slices, and of links the fuzzy ones only."""
    named = [{**row, "Evaluation": row["Evaluation"].replace(WHOLE, "")} for row in rows]
    return named if cutoffs is None else [row for row in named if "-strict-" not in row["Evaluation"]]


def _row(system: str, evaluation: str, label: str, average: str, metrics: Metrics) -> dict[str, str]:
    row = dict.fromkeys(HEADER, "") | {"System": system, "Evaluation": evaluation, "Label": label}
    for measure in _MEASURES:
        row[measure] = _rounded(metrics[f"{measure}_{average}"])
        if average == "macro_doc":
            row[f"{measure}_std"] = _rounded(metrics[f"{measure}_macro_doc_std"])
    if average == "micro":
        row |= {count: str(metrics[count]) for count in ("TP", "FP", "FN")}
    return row


def _rounded(number: Number | None) -> str:
    return "" if number is None else str(round(number, 3))


def tsv_text(rows: Iterable[dict[str, str]]) -> str:
    """Return the condensed report as the file holds it: tabs, CR LF, quotes only where they must be."""
    target = io.StringIO()
    writer = csv.DictWriter(target, HEADER, delimiter="\t")
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue()


def json_text(details: dict[Any, Any]) -> str:
    """Return the detailed report as the file holds it: indented by four, only ASCII, no line end at the end.

    The standard library is slow where it indents, and a report on links has hundreds of thousands of numbers.

    >>> json_text({1: {"é": {"P": 0.5, "R": None}}}) == json.dumps({1: {"é": {"P": 0.5, "R": None}}}, indent=4)
    True
    """
    return _json(details, "\n")


def _json(value: Any, line_end: str) -> str:
    if not isinstance(value, dict):
        return "null" if value is None else repr(value)
    if not value:
        return "{}"
    inner = f"{line_end}    "
    members = [f"{_key(str(key))}: {_json(member, inner)}" for key, member in value.items()]
    return f"{{{inner}{f',{inner}'.join(members)}{line_end}}}"


_key = lru_cache(maxsize=4096)(json.dumps)
