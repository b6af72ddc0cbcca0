"""The ranking of 2021 (score_2021.py): every submission of every team, and the tables of the three scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError
from karat.measures.published import rounded_as_array
from karat.protocols.ehealthkd.drop_in import score_2021
from karat.protocols.ehealthkd.drop_in.evaltest import listing
from karat.protocols.ehealthkd.drop_in.reports import warning_lines
from karat.protocols.ehealthkd.drop_in.score_2021 import Runs, SubmissionResult, reports
from karat.protocols.ehealthkd.drop_in.tables import Cell, write_csv
from karat.protocols.ehealthkd.rules import Rules

_SCENARIOS = (1, 2, 3)
_RUNS = (1, 2, 3)
_SCORES = ("recall", "precision", "f1")
_PLACES = 5


class _Submission(NamedTuple):
    team: str
    name: str
    folder: Path


class _RunRow(NamedTuple):
    """One run of a submission with its nine numbers, rounded."""

    team: str
    submission: str
    run: int
    numbers: dict[str, float]


class ChallengeInput(NamedTuple):
    """The rules, the folder of all submissions, the folder of the gold, and the submissions, found one by one."""

    rules: Rules
    root: Path
    gold: Path
    submissions: Iterator[_Submission]


def read(folder: str, rules: Rules) -> ChallengeInput:
    """Find the submissions below ``2021/submissions`` and the gold in ``2021/eval/testing``."""
    root = Path(folder, "2021")
    submissions = root / "submissions"
    return ChallengeInput(rules, submissions, root / "eval" / "testing", _submissions(submissions, rules))


class SubmissionScores(NamedTuple):
    """The name of a submission with its team, and its result."""

    name: str
    result: SubmissionResult


class ChallengeResult(NamedTuple):
    """The submissions that were scored, the files of the ranking, and the error at which the program stopped."""

    submissions: list[SubmissionScores]
    files: dict[str, str]
    failure: KaratError | None


def evaluate(challenge: ChallengeInput) -> ChallengeResult:
    """Score all submissions, and rank the teams.

    As published, the row of a team holds the maximum of each column by itself, so that precision and recall may be
    of different runs; corrected, the numbers of the run with the best F1.
    """
    scored: list[SubmissionScores] = []
    try:
        return ChallengeResult(scored, _ranking_files(challenge, scored), None)
    except KaratError as error:
        return ChallengeResult(scored, {}, error)


def _ranking_files(challenge: ChallengeInput, scored: list[SubmissionScores]) -> dict[str, str]:
    """Return the files of the ranking, and add the submissions to ``scored`` one by one."""
    rules = challenge.rules
    participants: dict[str, Runs] = {}
    rows_by_name: dict[str, list[_RunRow]] = {}
    misnamed: list[_Submission] = []
    for submission in challenge.submissions:
        name = f"{submission.team}_{submission.name}"
        result = _scored(challenge, submission)
        scored.append(SubmissionScores(name, result))
        if result.failure is not None:
            raise result.failure
        participants[name] = runs = result.metrics()
        rows_by_name[name] = [_row(submission, run, runs[f"run{run}"]) for run in _RUNS if f"run{run}" in runs]
        if name.count("_") > 1:
            misnamed.append(submission)
    if misnamed and not rules.corrected:
        message = f"the team {misnamed[0].team!r} or its submission {misnamed[0].name!r} has a '_' in its name"
        raise InputError(f"{message}, where the published program stops; rename it, or choose --profile corrected")
    rows = list(chain.from_iterable(rows_by_name.values()))
    if not rows:
        layout = "expected TEAM/SUBMISSION/testing/run1"
        raise InputError(f"holds no run; {layout}", path=challenge.root)
    files = {"scores_2021.json": json.dumps(participants, indent=4), "scores_2021.csv": _all_rows(rows)}
    for scenario_number in _SCENARIOS:
        files[f"scores_2021_scn{scenario_number}.csv"] = _ranking(rows, scenario_number, rules)
    return files


def _scored(challenge: ChallengeInput, submission: _Submission) -> SubmissionResult:
    """Score a submission; folders that are missing are a failure of its result, whose name is printed all the same."""
    rules = challenge.rules
    try:
        asked = score_2021.read(challenge.gold, submission.folder, _SCENARIOS, _RUNS, rules)
    except KaratError as error:
        result = SubmissionResult(rules)
        result.failure = error
        return result
    return score_2021.evaluate(asked)


def printed(result: ChallengeResult) -> ProgramOutput:
    """Return the reports on all submissions and the files of the ranking; warnings and summaries are notes."""
    text = [part for name, scores in result.submissions for part in (f"{name}\n", *reports(scores))]
    warnings = [warning for _, scores in result.submissions for warning in scores.warnings()]
    summaries = [line for name, scores in result.submissions for line in scores.summary(f"{name}_")]
    return ProgramOutput("".join(text), result.files, [*warning_lines(warnings), *summaries], failure=result.failure)


def _submissions(root: Path, rules: Rules) -> Iterator[_Submission]:
    """Yield the submissions that have a folder ``testing``, by name; text behind the last dot of a name is cut off.

    Corrected, a team may have that folder itself, as it has in the public repository.
    """
    for team in listing(root):
        if not team.is_dir():
            continue
        if rules.corrected and (team / "testing").exists():
            yield _Submission(team.name, team.name, team / "testing")
            continue
        for submission in listing(team):
            if submission.is_dir() and (submission / "testing").exists():
                yield _Submission(team.stem, submission.stem, submission / "testing")


def _row(submission: _Submission, run: int, scenarios: dict[str, dict[str, float]]) -> _RunRow:
    scores = {
        f"scenario{scenario_number}_{name}": rounded_as_array(scenarios[f"scenario{scenario_number}"][name], _PLACES)
        for scenario_number in _SCENARIOS
        for name in _SCORES
    }
    return _RunRow(submission.team, submission.name, run, scores)


def _all_rows(rows: list[_RunRow]) -> str:
    """Return the table of all runs, submissions in descending order of their names."""
    ordered = sorted(rows, key=lambda row: row.submission, reverse=True)
    header = ["team", "submission", "run", *rows[0].numbers]
    return write_csv(header, [(row.team, [row.submission, row.run, *row.numbers.values()]) for row in ordered])


def _ranking(rows: list[_RunRow], scenario_number: int, rules: Rules) -> str:
    """Return the table of a scenario: a row for each team, the best F1 first."""
    names = [f"scenario{scenario_number}_{name}" for name in ("f1", "precision", "recall")]
    teams: dict[str, list[Cell]] = {}
    for team in sorted({row.team for row in rows}):
        own = [[row.numbers[name] for name in names] for row in rows if row.team == team]
        teams[team] = list(max(own, key=itemgetter(0)) if rules.corrected else map(max, zip(*own, strict=True)))
    ordered = sorted(teams.items(), key=lambda row: float(row[1][0] or 0), reverse=True)
    return write_csv(["team", *names], ordered)
