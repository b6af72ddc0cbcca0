"""Whether a system passes: every bound is looked up among its numbers, and it is compared with a baseline."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from karat.comparison import compare
from karat.comparison.systems import OneRun, run_behind
from karat.errors import UsageError
from karat.gates.conditions import Condition, breakdowns_for, check_condition, condition
from karat.runs.run import Run, declared
from karat.scores import Row, ZeroRule, row_named


class Outcome(msgspec.Struct, frozen=True):
    """What became of one condition: of which system, what was asked, whether it holds, and a sentence about it."""

    system: str
    asked: str
    is_passed: bool
    sentence: str
    value: float | None = None


class Gate(msgspec.Struct, frozen=True):
    """All conditions that were asked for; it is passed if each of them is."""

    outcomes: tuple[Outcome, ...]

    @property
    def is_passed(self) -> bool:
        """Whether every condition holds."""
        return all(outcome.is_passed for outcome in self.outcomes)

    @property
    def failures(self) -> list[Outcome]:
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
    """Say whether a system reaches its bounds, and is not significantly worse than a baseline.

    A bound is a number for the first F1, or names one: ``"f1[regime=strict,label=PER]=0.85"``. ``system`` and
    ``baseline`` are scores, runs or run files; worse means that the difference of the first F1 is told apart from
    chance at the level.

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
    """Return what a baseline is called: by its file, else by its system."""
    return Path(given).name if isinstance(given, str | os.PathLike) else run_behind(given).system


def outcomes_of(run: Run, asked: Iterable[Condition], *, zero: ZeroRule = "undefined") -> Iterator[Outcome]:
    """Yield what becomes of each bound; a number that is not there is an error with the nearest ones."""
    conditions = list(asked)
    rows = run.scores(by=breakdowns_for(conditions, declared(run)), zero=zero).rows if conditions else ()
    for wanted in conditions:
        value = _value(rows, wanted)
        is_passed = value is not None and value >= wanted.least
        beside = "not below" if is_passed else "below"
        sentence = f"{wanted.number or 'F1'} is {_shown(value, wanted.least)}, {beside} {wanted.least}"
        yield Outcome(run.system, str(wanted), is_passed, sentence, value)


def _shown(value: float | None, least: float) -> str:
    """Return a value with four decimals, or all of them if four would hide on which side of the bound it is."""
    if value is None:
        return "undefined"
    rounded = f"{value:.4f}"
    return rounded if (float(rounded) >= least) == (value >= least) else repr(value)


def _value(rows: Sequence[Row], asked: Condition) -> float | None:
    if asked.number:
        return row_named(rows, asked.number).value
    firsts = [row for row in rows if row.measure == "f1" and row.label is None and not row.slice]
    return next((row.value for row in firsts if row.average == "micro"), firsts[0].value if firsts else None)


def against(run: Run, baseline: Run, name: str, *, zero: ZeroRule = "undefined", level: float = 0.95) -> Outcome:
    """Say whether a system is significantly worse than a baseline in the first F1."""
    contest = compare({run.system: run, f"{name} (baseline)": baseline}, zero=zero)
    contrast = contest.of()[0]
    lost = contrast.values[0] is None and contrast.values[1] is not None
    is_worse = contrast.difference is not None and contrast.difference < 0 and contrast.is_told_apart(level)
    sentence = f"{contest.headline} is undefined, and was not in {name}" if lost else contest.sentence(contrast)
    return Outcome(run.system, f"not worse than {name}", not (lost or is_worse), sentence, contrast.values[0])
