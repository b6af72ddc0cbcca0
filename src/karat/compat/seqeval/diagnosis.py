"""Bugs of seqeval that affect given data: the published number beside the number without the bug."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from karat.annotations.tag_chunks import OUTSIDE, Reading
from karat.compat.seqeval.metrics import classification_report, f1_score, performance_measure
from karat.compat.seqeval.metrics._scores import Average, averaged, counted
from karat.compat.seqeval.scheme import Token
from karat.evaluation.quirks import quirks_of
from karat.protocols.spans import readings

Tags = Sequence[Sequence[str]]
_Numbers = tuple[str, str, float | None, float | None]
"""The name of a bug, the measure, and both numbers."""

_KNOWN = frozenset("BIESO")
_AVERAGES = ("micro avg", "macro avg", "weighted avg", "overall_precision", "overall_recall", "overall_f1")


class Diagnosis(NamedTuple):
    """A bug that affects the data: its name, the measure, the numbers with and without it, and a description."""

    quirk: str
    measure: str
    published: float | None
    otherwise: float | None
    text: str

    def __str__(self) -> str:
        shown = ["undefined" if score is None else f"{score:.4g}" for score in (self.published, self.otherwise)]
        return f"{self.quirk}: {self.measure} {shown[0]} instead of {shown[1]}. {self.text}"


class _Case(NamedTuple):
    y_true: Tags
    y_pred: Tags
    suffix: bool
    mode: str | None
    scheme: type[Token] | None
    zero_division: Any
    sample_weight: Any

    @property
    def sides(self) -> tuple[Tags, Tags]:
        return self.y_true, self.y_pred

    @property
    def cells(self) -> list[tuple[str, str]]:
        """The different tags, each by letter and type."""
        tags = dict.fromkeys(chain(*self.y_true, *self.y_pred))
        return [readings.strict_cell(tag, suffix=self.suffix) for tag in tags]

    @property
    def is_strict(self) -> bool:
        return self.mode == "strict" and self.scheme is not None

    def f1(self, average: Average = "micro", **other: Any) -> float:
        """Return the F1 of the program, with the given or with other settings."""
        settings = {"suffix": self.suffix, "mode": self.mode, "scheme": self.scheme, "zero_division": 0, **other}
        return float(f1_score(*self.sides, average=average, **settings))

    def read_by(self, reading: Reading) -> float:
        """Return the F1 of the entities that a reading finds."""
        chunks = (
            ((chunk[2], (sentence, *chunk)) for sentence, tags in enumerate(side) for chunk in reading(tags))
            for side in self.sides
        )
        return float(averaged(counted(*chunks), "micro", warn_for=(), zero_division=0)[2])


def doctor(
    y_true: Tags,
    y_pred: Tags,
    *,
    suffix: bool = False,
    mode: str | None = None,
    scheme: type[Token] | None = None,
    zero_division: Any = "warn",
    sample_weight: Any = None,
) -> list[Diagnosis]:
    """Return the bugs of seqeval that affect these data under these settings.

    >>> print(*doctor([["U-X", "U-X"]], [["U-X", "O"]]), sep="\\n")
    u-and-l-unknown: f1 0 instead of 0.6667. U and L are not known by default: U-X U-X is one entity.
    """
    case = _Case(y_true, y_pred, suffix, mode, scheme, zero_division, sample_weight)
    texts = {quirk.name: quirk.text for quirk in quirks_of("karat.protocols.spans", "seqeval")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if list(map(len, y_true)) != list(map(len, y_pred)):
            sizes = [sum(map(len, side)) for side in case.sides]
            faults: list[_Numbers] = [("lengths-unchecked", "tags compared", float(min(sizes)), float(sizes[0]))]
        else:
            faults = [*_of_reading(case), *_of_settings(case), *_of_types(case)]
    return [Diagnosis(*numbers, texts[numbers[0]]) for numbers in faults if numbers[2] != numbers[3]]


def _of_reading(case: _Case) -> Iterator[_Numbers]:
    """Yield the bugs by which seqeval reads too many or too few entities."""
    by_any = lambda tags: readings.by_scheme(tags, suffix=case.suffix)  # noqa: E731
    if not case.is_strict:
        typed = {letter for letter, label in case.cells if label != "_"}
        if typed & {"U", "L"}:
            yield "u-and-l-unknown", "f1", case.f1(), case.read_by(by_any)
        if any(label == "_" and letter not in _KNOWN for letter, label in case.cells):
            yield "bare-letter-has-type-of-o", "f1", case.f1(), case.read_by(by_any)
        return
    name = case.scheme.__name__ if case.scheme else ""
    right = case.read_by(lambda tags: readings.by_scheme(tags, name, suffix=case.suffix))
    if name in ("IOB1", "IOE1"):
        yield ("iob1-needless-b" if name == "IOB1" else "ioe1-needless-e"), "f1", case.f1(), right
    tags = chain(*case.y_true, *case.y_pred)
    if any(len(tag) > 2 and tag != tag.strip("-") for tag in tags):
        yield "strict-strips-hyphens", "f1", case.f1(), right


def _of_settings(case: _Case) -> Iterator[_Numbers]:
    """Yield the settings that do not do what their documentation says."""
    if case.mode != "strict" and case.scheme is not None:
        yield "scheme-ignored", "f1", case.f1(), case.f1(mode="strict")
    if case.mode == "strict" and case.scheme is None:
        yield "strict-without-scheme", "f1", case.f1(), _guessed(case)
    if case.zero_division not in ("warn", 0, 1):
        yield "any-zero-division-is-one", "zero_division", 1.0, None
    if case.sample_weight is not None:
        yield "sample-weight-ignored", "f1", case.f1(), None


def _guessed(case: _Case) -> float | None:
    """Return the F1 of the report, which guesses the scheme, or None if it cannot."""
    try:
        report = classification_report(
            *case.sides, suffix=case.suffix, output_dict=True, mode="strict", zero_division=0
        )
    except (ValueError, KeyError):
        return None
    return float(report["micro avg"]["f1-score"]) if isinstance(report, dict) else None


def _of_types(case: _Case) -> Iterator[_Numbers]:
    """Yield the bugs by which seqeval counts too many or too few types or tags."""
    settings = {"suffix": case.suffix, "mode": case.mode if case.is_strict else None, "scheme": case.scheme}
    report = classification_report(*case.sides, output_dict=True, zero_division=0, **settings)  # type: ignore[arg-type]
    assert isinstance(report, dict)  # noqa: S101 - which was asked for
    types = {name: row for name, row in report.items() if name not in _AVERAGES[:3]}
    gold = [row["f1-score"] for row in types.values() if row["support"]]
    named = set(_AVERAGES) & {label for _, label in case.cells}
    if not types and not named:
        yield "macro-of-nothing", "macro f1", float("nan"), None
    elif len(gold) < len(types):
        macro = sum(gold) / len(gold) if gold else None
        yield "macro-counts-types-of-the-system", "macro f1", case.f1("macro"), macro
    for name in named:
        yield "types-named-like-averages", f"rows named {name}", 1.0, 2.0
    pairs = list(zip(chain(*case.y_true), chain(*case.y_pred), strict=True))
    wrong = sum(true != predicted and true != OUTSIDE for true, predicted in pairs)
    missed = performance_measure(*case.sides)["FN"]
    yield "wrong-tag-is-no-false-negative", "FN of performance_measure", float(missed), float(wrong)
