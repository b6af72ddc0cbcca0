"""Gates for continuous integration: minimum scores of a system, and baselines that it must not fall behind."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from karat.analysis.slices.breakdowns import LABEL, UNIT
from karat.errors import UsageError, unknown
from karat.evaluation.protocol import Bound
from karat.evaluation.run import Run, declared
from karat.evaluation.run_file import OneRun, run_behind
from karat.evaluation.scores import Row, ZeroRule, f_measures_in, name_parts, row_named

_KINDS = ("layer", "regime", "avg", "slice", "label")


class Condition(NamedTuple):
    """A lower bound of a number; an empty name stands for the first F1."""

    least: float
    number: str = ""

    def __str__(self) -> str:
        return f"{self.number or 'F1'} >= {self.least}"


def condition(text: str | float) -> Condition:
    """Return the condition in a text: a bound of the first F1, or ``NAME=BOUND`` for a named number.

    >>> condition("0.85"), condition("f1[regime=strict,label=PER]=0.85").number
    (Condition(least=0.85, number=''), 'f1[regime=strict,label=PER]')
    """
    name, _, bound = str(text).rpartition("=")
    if name.count("[") != name.count("]") or (bound.endswith("]") and "[" in str(text)):
        raise UsageError(f"the bound {text!r} does not end with a number; expected a bound such as f1[label=PER]=0.85")
    return Condition(_bound(bound, str(text)), name.strip())


def _bound(bound: str, text: str) -> float:
    try:
        least = float(bound.removesuffix("%"))
    except ValueError:
        raise UsageError(
            f"the bound {text!r} is not a number; expected a bound such as 0.85 or f1[label=PER]=0.85"
        ) from None
    is_percentage = bound.endswith("%")
    if is_percentage or not 0 <= least <= 1:
        meant = f"; did you mean {least / 100:g}?" if 0 <= least <= 100 and (is_percentage or least >= 10) else ""
        raise UsageError(f"the bound {text!r} is not between 0 and 1{meant}")
    return least


def check_condition(asked: Condition, bound: Bound) -> None:
    """Raise an error if a condition names a measure, regime or average that the protocol does not have."""
    if not asked.number:
        return
    bound, (measure, parts) = bound.asking(f_measures_in([asked.number])), name_parts(asked.number)
    known: dict[str, dict[str, None]] = {
        "avg": dict.fromkeys(str(figure.average) for figure in bound.figures),
        "regime": dict.fromkeys(figure.regime for figure in bound.figures),
    }
    measures = dict.fromkeys(figure.measure for figure in bound.figures)
    if measure not in measures:
        raise unknown(f"measure of {bound.name}", measure, measures)
    for kind, name in parts.items():
        if kind not in _KINDS:
            raise unknown("part of a number", kind, _KINDS)
        if kind in known and name not in known[kind]:
            raise unknown(f"{'average' if kind == 'avg' else kind} of {bound.name}", name, known[kind])


def breakdowns_for(asked: Iterable[Condition], bound: Bound) -> list[str]:
    """Return the breakdowns that scores need to contain all numbers of the conditions."""
    needed: dict[str, None] = {}
    for condition in asked:
        _, parts = name_parts(condition.number) if condition.number else ("", {})
        if parts.get("label"):
            needed[LABEL] = None
        name, is_part, _ = parts.get("slice", "").partition("=")
        if is_part:
            needed[UNIT if name == bound.unit else name] = None
    return list(needed)


class GateOutcome(msgspec.Struct, frozen=True):
    """The outcome of one condition for one system: the condition, whether it holds, and a sentence."""

    system: str
    asked: str
    is_passed: bool
    sentence: str
    value: float | None = None


class Gate(msgspec.Struct, frozen=True):
    """The outcomes of all conditions; the gate is passed if every condition holds."""

    outcomes: tuple[GateOutcome, ...]

    @property
    def is_passed(self) -> bool:
        """Whether every condition holds."""
        return all(outcome.is_passed for outcome in self.outcomes)

    @property
    def failures(self) -> list[GateOutcome]:
        """The conditions that do not hold."""
        return [outcome for outcome in self.outcomes if not outcome.is_passed]

    def __str__(self) -> str:
        told = self.failures or self.outcomes
        return "\n".join(f"{outcome.system}: {outcome.sentence}" for outcome in told)


def gate(
    system: OneRun,
    *bounds: str | float,
    baseline: OneRun | None = None,
    zero: ZeroRule = "undefined",
    level: float = 0.95,
) -> Gate:
    """Return the outcomes of bounds for a system, and of a test that it is not significantly worse than a baseline.

    A bound is a number for the first F1, or names one: ``"f1[regime=strict,label=PER]=0.85"``. ``system`` and
    ``baseline`` are scores, runs or run files; worse means that the difference of the first F1 is significant at the
    level.

    >>> import karat
    >>> scores = karat.score("seqeval", [["B-LOC", "O", "B-PER"]], [["B-LOC", "O", "O"]])
    >>> print(gate(scores, 0.6, "recall[label=PER]=0.5"))
    system: recall[label=PER] is 0.0000, below 0.5
    """
    run = run_behind(system)
    asked = [condition(bound) for bound in bounds]
    if not asked and baseline is None:
        raise UsageError("a gate needs a bound or a baseline")
    for wanted in asked:
        check_condition(wanted, declared(run))
    outcomes = list(outcomes_of(run, asked, zero=zero))
    if baseline is not None:
        outcomes.append(against(run, run_behind(baseline), named(baseline), zero=zero, level=level))
    return Gate(tuple(outcomes))


def named(given: OneRun) -> str:
    """Return the name of a baseline: its file name, or else its system."""
    return Path(given).name if isinstance(given, str | os.PathLike) else run_behind(given).system


def outcomes_of(run: Run, asked: Iterable[Condition], *, zero: ZeroRule = "undefined") -> Iterator[GateOutcome]:
    """Yield the outcome of each bound; a missing number raises an error that suggests similar ones."""
    conditions = list(asked)
    measures = f_measures_in(condition.number for condition in conditions if condition.number)
    by = breakdowns_for(conditions, declared(run))
    rows = run.scores(by=by, zero=zero, measures=measures).rows if conditions else ()
    for wanted in conditions:
        value = _value(rows, wanted)
        is_passed = value is not None and value >= wanted.least
        beside = "not below" if is_passed else "below"
        sentence = f"{wanted.number or 'F1'} is {_shown(value, wanted.least)}, {beside} {wanted.least}"
        yield GateOutcome(run.system, str(wanted), is_passed, sentence, value)


def _shown(value: float | None, least: float) -> str:
    """Return a value with four decimals, or with all of them if rounding would hide whether it reaches the bound."""
    if value is None:
        return "undefined"
    rounded = f"{value:.4f}"
    return rounded if (float(rounded) >= least) == (value >= least) else repr(value)


def _value(rows: Sequence[Row], asked: Condition) -> float | None:
    if asked.number:
        return row_named(rows, asked.number).value
    firsts = [row for row in rows if row.measure == "f1" and row.label is None and not row.slice]
    return next((row.value for row in firsts if row.average == "micro"), firsts[0].value if firsts else None)


def against(run: Run, baseline: Run, name: str, *, zero: ZeroRule = "undefined", level: float = 0.95) -> GateOutcome:
    """Return whether a system is significantly worse than a baseline in the first F1, as an outcome."""
    from karat.analysis.comparison import compare

    contest = compare({run.system: run, f"{name} (baseline)": baseline}, zero=zero)
    contrast = contest.of()[0]
    lost = contrast.values[0] is None and contrast.values[1] is not None
    is_worse = contrast.difference is not None and contrast.difference < 0 and contrast.is_told_apart(level)
    sentence = f"{contest.headline} is undefined, and was not in {name}" if lost else contest.sentence(contrast)
    return GateOutcome(run.system, f"not worse than {name}", not (lost or is_worse), sentence, contrast.values[0])
