"""The scenarios of the challenge and the 2021 program, which scores the runs of a submission in each of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from karat.errors import InputError
from karat.files import is_folder, plain_path
from karat.protocols.ehealthkd.drop_in.evaluation import Metrics, Output, evaluate_files, report
from karat.protocols.ehealthkd.rules import Rules


class Scenario(NamedTuple):
    """A folder, and which subtasks count in it."""

    folder: str
    skip_a: bool = False
    skip_b: bool = False

    @property
    def name(self) -> str:
        """The name in results."""
        return self.folder.split("-")[0]


SCENARIOS = {
    1: Scenario("scenario1-main"),
    2: Scenario("scenario2-taskA", skip_b=True),
    3: Scenario("scenario3-taskB", skip_a=True),
    4: Scenario("scenario4-transfer"),
}
"""All scenarios; the fourth was of 2020 alone."""

Runs = dict[str, dict[str, Metrics]]
"""The numbers by run and scenario."""


def score_file(
    gold: str | os.PathLike[str],
    system: str | os.PathLike[str],
    rules: Rules,
    output: Output,
    *,
    skip_a: bool,
    skip_b: bool,
    verbose: bool,
) -> Metrics:
    """Score one file, report on it, and return the numbers.

    In 2019 an undefined ratio is the integer 0, at which the published program stops.
    """
    relations = not (rules.corrected and skip_b)
    evaluation = evaluate_files(gold, system, rules, relations=relations, listed=verbose)
    output.warnings += evaluation.warnings
    metrics = evaluation.metrics(skip_a=skip_a, skip_b=skip_b)
    lines = report(evaluation, skip_a=skip_a, skip_b=skip_b, verbose=verbose, correct=rules.edition != "2021")
    output.text += [f"{line}\n" for line in lines]
    for name, value in metrics.items():
        if isinstance(value, int):
            message = f"nothing is correct, so {name} is 0, which the published program cannot print and stops"
            raise InputError(f"{message}; choose --profile corrected to see it", path=plain_path(system))
        output.text.append(f"{name}: {value:0.4}\n")
    return metrics


def score_runs(
    gold: str | os.PathLike[str],
    submission: str | os.PathLike[str],
    scenarios: Sequence[int],
    runs: Sequence[int],
    rules: Rules,
    output: Output,
    *,
    verbose: bool = False,
) -> Runs:
    """Score the runs of a 2021 submission: ``run1``, ``run2`` … with a folder for each scenario.

    Without any run the published program shows zeros; that is a warning then, and an error where it is corrected.
    """
    gold, submission = plain_path(gold), plain_path(submission)
    for folder, what in ((gold, "gold"), *([(submission, "submission")] if rules.corrected else [])):
        if not is_folder(folder):
            raise InputError(f"is no folder; name the one of the {what}", path=folder)
    scored: Runs = {}
    for run in runs:
        folder = plain_path(submission, f"run{run}")
        if not _is_there(folder):
            output.text.append(f"Run {run} not found!\n")
            continue
        numbers: dict[str, Metrics] = {}
        for number in scenarios:
            if number not in (1, 2, 3):
                raise InputError(f"scenario {number} does not exist in 2021; expected 1, 2 or 3")
            scenario = SCENARIOS[number]
            left, right = (plain_path(root, scenario.folder, "output.txt") for root in (gold, folder))
            output.text.append(f"Scoring scenario {number} on run {run}:\n\n")
            numbers[scenario.name] = score_file(
                left, right, rules, output, skip_a=scenario.skip_a, skip_b=scenario.skip_b, verbose=verbose
            )
            output.text.append("\n")
        scored[f"run{run}"] = numbers
    if not scored:
        message = f"holds none of the runs {', '.join(f'run{run}' for run in runs)}"
        if rules.corrected:
            raise InputError(f"{message}; name the folder that does", path=submission)
        output.warnings.append(f"{submission}: {message}, and all zeros below stand for nothing")
    output.text.append("\n")
    return scored


def _is_there(folder: str) -> bool:
    """Say whether a folder is there; one that may not be looked at is an error."""
    try:
        os.stat(folder)  # noqa: PTH116 - pathlib takes longer
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def summary(runs: Runs, prefix: str, *, best: bool = False) -> list[str]:
    """Return the lines of the summary: of each scenario the numbers of the last run or, if asked for, of the best.

    >>> summary({"run1": {"scenario1": {"recall": 0.5, "precision": 0.5, "f1": 0.5}}}, "dev_")[:4]
    ['dev_scenario1_f1:0.5', 'dev_scenario1_precision:0.5', 'dev_scenario1_recall:0.5', 'dev_scenario1_best:run1']
    """
    shown: dict[str, float | str] = {
        f"scenario{number}_{name}": 0 for number in (1, 2, 3) for name in ("f1", "precision", "recall", "best")
    }
    for run, scenarios in runs.items():
        for scenario, metrics in scenarios.items():
            leader = shown[f"{scenario}_f1"]
            if best and shown[f"{scenario}_best"] and metrics["f1"] <= float(leader):
                continue
            shown |= {f"{scenario}_{name}": value for name, value in metrics.items()}
            shown[f"{scenario}_best"] = run
    return [f"{prefix}{name}:{value}" for name, value in shown.items()]
