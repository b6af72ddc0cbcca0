"""score.py of 2021: the runs of a submission in each scenario, and the summary of the last or the best run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError
from karat.io import is_folder, plain_path
from karat.protocols.ehealthkd.drop_in.evaluation import SCENARIOS, Metrics, TextEvaluation, evaluate_annotations
from karat.protocols.ehealthkd.drop_in.files import read_sides
from karat.protocols.ehealthkd.drop_in.reports import report, warning_lines
from karat.protocols.ehealthkd.rules import Rules

Runs = dict[str, dict[str, Metrics]]
"""The numbers by run and scenario."""


class SubmissionInput(NamedTuple):
    """The folders of gold and submission, and the numbers of the runs and scenarios; files are read one by one."""

    gold: str
    folder: str
    scenarios: Sequence[int]
    runs: Sequence[int]
    rules: Rules


class ScoredText(NamedTuple):
    """The evaluation of a text, and its numbers over the subtasks that count in the scenario."""

    evaluation: TextEvaluation
    metrics: Metrics


class ScoredScenario:
    """A scenario of a run; its ``text`` is None if the program stopped there."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.text: ScoredText | None = None


class ScoredRun(NamedTuple):
    """The number of a run, and its scenarios; None if the submission lacks the run."""

    number: int
    scenarios: list[ScoredScenario] | None


class SubmissionResult:
    """The runs that were scored up to the error at which the program stopped, if it did, and a closing warning."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.runs: list[ScoredRun] = []
        self.warning = ""
        self.failure: KaratError | None = None

    def metrics(self) -> Runs:
        """Return the numbers by run and scenario."""
        return {
            f"run{run.number}": {
                SCENARIOS[scenario.number].name: scenario.text.metrics for scenario in run.scenarios if scenario.text
            }
            for run in self.runs
            if run.scenarios is not None
        }

    def warnings(self) -> list[str]:
        """Return the warnings about all texts, then the closing one."""
        scenarios = (scenario for run in self.runs for scenario in run.scenarios or ())
        texts = [scenario.text for scenario in scenarios if scenario.text is not None]
        own = [self.warning] if self.warning else []
        return [*(warning for text in texts for warning in text.evaluation.warnings), *own]

    def summary(self, prefix: str) -> list[str]:
        """Return the lines of the summary; none if the program stopped before it."""
        return [] if self.failure else summary(self.metrics(), prefix, best=self.rules.corrected)


def read(
    gold: str | os.PathLike[str],
    submission: str | os.PathLike[str],
    scenarios: Sequence[int],
    runs: Sequence[int],
    rules: Rules,
) -> SubmissionInput:
    """Find the folders of the gold and of a submission, which holds ``run1``, ``run2`` … with a folder per scenario."""
    gold, submission = plain_path(gold), plain_path(submission)
    for folder, what in ((gold, "gold"), *([(submission, "submission")] if rules.corrected else [])):
        if not is_folder(folder):
            raise InputError(f"is no folder; name the one of the {what}", path=folder)
    return SubmissionInput(gold, submission, scenarios, runs, rules)


def evaluate(asked: SubmissionInput) -> SubmissionResult:
    """Score the runs of a submission.

    Without any run the published program shows zeros; that is a warning then, and an error where it is corrected.
    """
    result = SubmissionResult(asked.rules)
    try:
        for run in asked.runs:
            _score_run(asked, run, result)
        if not result.metrics():
            message = f"holds none of the runs {', '.join(f'run{run}' for run in asked.runs)}"
            if asked.rules.corrected:
                raise InputError(f"{message}; name the folder that does", path=asked.folder)
            result.warning = f"{asked.folder}: {message}, and all zeros below stand for nothing"
    except KaratError as error:
        result.failure = error
    return result


def _score_run(asked: SubmissionInput, run: int, result: SubmissionResult) -> None:
    """Score a run, and add it to the result before any of its files is read."""
    folder = plain_path(asked.folder, f"run{run}")
    if not _is_there(folder):
        result.runs.append(ScoredRun(run, None))
        return
    scored: list[ScoredScenario] = []
    result.runs.append(ScoredRun(run, scored))
    for number in asked.scenarios:
        if number not in (1, 2, 3):
            raise InputError(f"scenario {number} does not exist in 2021; expected 1, 2 or 3")
        scored.append(ScoredScenario(number))
        scored[-1].text = _score_text(asked, number, folder)


def _score_text(asked: SubmissionInput, number: int, folder: str) -> ScoredText:
    scenario, rules = SCENARIOS[number], asked.rules
    gold, system = (plain_path(root, scenario.folder, "output.txt") for root in (asked.gold, folder))
    sides = read_sides(gold, system, rules, relations=not (rules.corrected and scenario.skip_b))
    evaluation = evaluate_annotations(*sides, rules)
    return ScoredText(evaluation, evaluation.metrics(skip_a=scenario.skip_a, skip_b=scenario.skip_b))


def _is_there(folder: str) -> bool:
    """Return whether a folder is there; one that may not be looked at is an error."""
    try:
        os.stat(folder)  # noqa: PTH116 - pathlib takes longer
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def printed(result: SubmissionResult, prefix: str, *, verbose: bool) -> ProgramOutput:
    """Return the reports on all runs, with their items if ``verbose``; warnings and summary go to standard error."""
    notes = [*warning_lines(result.warnings()), *result.summary(prefix)]
    return ProgramOutput("".join(reports(result, verbose=verbose)), notes=notes, failure=result.failure)


def reports(result: SubmissionResult, *, verbose: bool = False) -> Iterator[str]:
    """Yield the texts of the reports on the runs of a submission."""
    for run in result.runs:
        if run.scenarios is None:
            yield f"Run {run.number} not found!\n"
        for scenario in run.scenarios or ():
            yield f"Scoring scenario {scenario.number} on run {run.number}:\n\n"
            if scenario.text is not None:
                skips = SCENARIOS[scenario.number]
                lines = report(scenario.text.evaluation, skip_a=skips.skip_a, skip_b=skips.skip_b, verbose=verbose)
                numbers = (f"{name}: {value:0.4}" for name, value in scenario.text.metrics.items())
                yield "".join(f"{line}\n" for line in (*lines, *numbers, ""))
    if result.failure is None:
        yield "\n"


def summary(runs: Runs, prefix: str, *, best: bool = False) -> list[str]:
    """Return the lines of the summary: of each scenario the numbers of the last run or, if asked for, of the best.

    >>> summary({"run1": {"scenario1": {"recall": 0.5, "precision": 0.5, "f1": 0.5}}}, "dev_")[:4]
    ['dev_scenario1_f1:0.5', 'dev_scenario1_precision:0.5', 'dev_scenario1_recall:0.5', 'dev_scenario1_best:run1']
    """
    shown: dict[str, float | str] = {
        f"scenario{scenario_number}_{name}": 0
        for scenario_number in (1, 2, 3)
        for name in ("f1", "precision", "recall", "best")
    }
    for run, scenarios in runs.items():
        for scenario, metrics in scenarios.items():
            leader = shown[f"{scenario}_f1"]
            if best and shown[f"{scenario}_best"] and metrics["f1"] <= float(leader):
                continue
            shown |= {f"{scenario}_{name}": value for name, value in metrics.items()}
            shown[f"{scenario}_best"] = run
    return [f"{prefix}{name}:{value}" for name, value in shown.items()]
