"""score.py of 2020 and 2019: one text against its gold."""

from __future__ import annotations

import os
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.io import plain_path
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaluation import Metrics, TextEvaluation, evaluate_annotations
from karat.protocols.ehealthkd.drop_in.files import read_sides
from karat.protocols.ehealthkd.drop_in.reports import report, warning_lines
from karat.protocols.ehealthkd.rules import Rules


class TextInput(NamedTuple):
    """The path of the system file, the annotations of both sides, the rules, and the subtasks that are skipped."""

    path: str
    gold: Annotations
    system: Annotations
    rules: Rules
    skip_a: bool
    skip_b: bool


class TextResult(NamedTuple):
    """What was evaluated, its evaluation, and the numbers over the subtasks that are not skipped."""

    asked: TextInput
    evaluation: TextEvaluation
    metrics: Metrics


def read(
    gold: str | os.PathLike[str],
    system: str | os.PathLike[str],
    rules: Rules,
    *,
    skip_a: bool = False,
    skip_b: bool = False,
) -> TextInput:
    """Read the text files of both sides with their annotations.

    Args:
        gold: The text file of the gold.
        system: The text file of the system.
        rules: The rules of the edition and profile; corrected, relations are read only if they count.
        skip_a: Whether entities do not count.
        skip_b: Whether relations do not count.

    """
    sides = read_sides(gold, system, rules, relations=not (rules.corrected and skip_b))
    return TextInput(plain_path(system), *sides, rules, skip_a, skip_b)


def evaluate(asked: TextInput) -> TextResult:
    """Score the text of the system."""
    evaluation = evaluate_annotations(asked.gold, asked.system, asked.rules)
    return TextResult(asked, evaluation, evaluation.metrics(skip_a=asked.skip_a, skip_b=asked.skip_b))


def printed(result: TextResult, *, verbose: bool) -> ProgramOutput:
    """Return the report on a text, with its items if ``verbose``, and the warnings.

    In 2019 an undefined ratio is the integer 0, which the published program cannot print: the output ends before it
    with an error.
    """
    asked, evaluation, metrics = result
    lines = list(report(evaluation, skip_a=asked.skip_a, skip_b=asked.skip_b, verbose=verbose))
    failure = None
    for name, value in metrics.items():
        if isinstance(value, int):
            message = f"nothing is correct, so {name} is 0, which the published program cannot print and stops"
            failure = InputError(f"{message}; choose --profile corrected to see it", path=asked.path)
            break
        lines.append(f"{name}: {value:0.4}")
    text = "".join(f"{line}\n" for line in lines)
    return ProgramOutput(text, notes=warning_lines(evaluation.warnings), failure=failure)
