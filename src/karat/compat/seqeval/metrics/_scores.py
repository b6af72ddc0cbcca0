"""seqeval's numbers from the entities of both sides: counts by type, averages, and warnings."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from karat.compat.seqeval.reporters import DictReporter, StringReporter
from karat.measures.published import f_beta, pairwise_sum

Average = Literal["micro", "macro", "weighted"] | None
PRFS = tuple[Any, Any, Any, Any]
"""Precision, recall, F and support: numbers, or arrays with one for each type."""
Typed = tuple[str, Hashable]
"""An entity: its type, and its other identifying values."""


class UndefinedMetricWarning(UserWarning):
    """Warns of a ratio whose denominator is 0."""


class TypeCounts(NamedTuple):
    """The counts of correct, predicted and true entities of each type, in the order of the names."""

    names: list[str]
    correct: list[int]
    predicted: list[int]
    true: list[int]


def counted(true: Iterable[Typed], predicted: Iterable[Typed]) -> TypeCounts:
    """Count the entities of both sides by type.

    >>> counted([("PER", 0), ("LOC", 3)], [("PER", 0), ("ORG", 3)])
    TypeCounts(names=['LOC', 'ORG', 'PER'], correct=[0, 0, 1], predicted=[0, 1, 1], true=[1, 0, 1])
    """
    sides = set(true), set(predicted)
    both, gold, system = (Counter(entity[0] for entity in side) for side in (sides[0] & sides[1], *sides))
    names = sorted(gold.keys() | system.keys())
    return TypeCounts(names, *([side[name] for name in names] for side in (both, system, gold)))


def check_consistent_length(y_true: Sequence[Any], y_pred: Sequence[Any]) -> None:
    """Raise seqeval's error unless both are lists of lists with equal lengths."""
    lengths = [len(tags) for tags in y_true], [len(tags) for tags in y_pred]
    if set(map(type, y_true)) | set(map(type, y_pred)) != {list}:
        raise TypeError("Found input variables without list of list.")
    if lengths[0] != lengths[1]:
        raise ValueError(f"Found input variables with inconsistent numbers of samples:\n{lengths[0]}\n{lengths[1]}")


def check_options(average: Any, beta: float) -> None:
    """Raise an error for an unknown average or a negative beta."""
    if beta < 0:
        raise ValueError("beta should be >=0 in the F-beta score")
    if average not in (None, "micro", "macro", "weighted"):
        raise ValueError("average has to be one of (None, 'micro', 'macro', 'weighted')")


def averaged(
    counts: TypeCounts, average: Average, *, beta: float = 1.0, warn_for: Sequence[str], zero_division: Any
) -> PRFS:
    """Return precision, recall, F and support under an average; without one they are arrays, in the order of types."""
    if average == "micro":
        counts = TypeCounts([""], [sum(counts.correct)], [sum(counts.predicted)], [sum(counts.true)])
    zero = 0.0 if zero_division in ("warn", 0) else 1.0
    precisions, recalls = (
        [right / whole if whole else zero for right, whole in zip(counts.correct, below, strict=True)]
        for below in (counts.predicted, counts.true)
    )
    scores = [f_beta(*pair, beta) for pair in zip(precisions, recalls, strict=True)]
    if zero_division == "warn":
        _warn(counts, tuple(warn_for))
    support = sum(counts.true)
    if average is None:
        import numpy as np

        return np.array(precisions), np.array(recalls), np.array(scores), np.array(counts.true, dtype=int)
    if average == "weighted" and not support:
        nothing = 0.0 if any(counts.predicted) else zero
        return nothing, zero, nothing, support
    weights = counts.true if average == "weighted" else [1] * len(scores)
    return _mean(precisions, weights), _mean(recalls, weights), _mean(scores, weights), support


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return a weighted mean, summed as NumPy does; NaN without values."""
    whole = sum(weights)
    if not whole:
        return float("nan")
    return pairwise_sum([value * weight for value, weight in zip(values, weights, strict=True)]) / whole


def _warn(counts: TypeCounts, warn_for: tuple[str, ...]) -> None:
    """Warn of ratios whose denominator is 0, in the order and words of the program."""
    also_f = "f-score" in warn_for
    for metric, below, what in (("precision", counts.predicted, "predicted"), ("recall", counts.true, "true")):
        if metric in warn_for and 0 in below:
            _say(f"{metric.title()} and F-score are" if also_f else f"{metric.title()} is", what, len(below))
    nowhere = any(not true and not predicted for true, predicted in zip(counts.true, counts.predicted, strict=True))
    if warn_for == ("f-score",) and nowhere:
        _say("F-score is", "true nor predicted", len(counts.true))


def _say(what: str, samples: str, size: int) -> None:
    where = "due to" if size == 1 else "in labels with"
    message = f"{what} ill-defined and being set to 0.0 {where} no {samples} samples."
    warnings.warn(
        f"{message} Use `zero_division` parameter to control this behavior.", UndefinedMetricWarning, stacklevel=6
    )


def refuse_nothing(counts: TypeCounts, *, output_dict: bool) -> None:
    """Raise an error for a text report without any type, which would be empty."""
    if not output_dict and not counts.names:
        raise ValueError("there are no entities on either side, so there is nothing to report; ask for output_dict")


def report(
    counts: TypeCounts, *, digits: int, output_dict: bool, zero_division: Any
) -> str | dict[str, dict[str, Any]]:
    """Return the report on all types and the three averages, as a text or as a dictionary."""
    refuse_nothing(counts, output_dict=output_dict)
    settings: dict[str, Any] = {"warn_for": ("precision", "recall", "f-score"), "zero_division": zero_division}
    columns = [column.tolist() for column in averaged(counts, None, **settings)]
    types = list(zip(counts.names, *columns, strict=True))
    averages: tuple[Literal["micro", "macro", "weighted"], ...] = ("micro", "macro", "weighted")
    means = [(f"{average} avg", *averaged(counts, average, **settings)) for average in averages]
    width = max(*(len(name) for name, *_ in (*types, *means)), digits)
    reporter = DictReporter() if output_dict else StringReporter(width=width, digits=digits)
    for block in (types, means):
        for row in block:
            reporter.write(*row)
        reporter.write_blank()
    return reporter.report()
