"""The rankings of 2020 and 2019 (evaltest): every run of every team, printed as JSON, as plain text or as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaltest import Best, Evaltest, Results, listing
from karat.protocols.ehealthkd.drop_in.reports import warning_lines
from karat.protocols.ehealthkd.drop_in.tables import shown
from karat.protocols.ehealthkd.rules import Rules

_SCENARIOS = {
    "2019": ("scenario1", "scenario2", "scenario3"),
    "2020": ("scenario1", "scenario2", "scenario3", "scenario4"),
}


class ChallengeInput(NamedTuple):
    """The program, the gold of each scenario, and the teams with their folders of runs, found one by one."""

    program: Evaltest
    golds: Sequence[Annotations]
    teams: Iterable[tuple[str, Path]]


class ChallengeResult(NamedTuple):
    """The rules, the scores of all runs, those of the best runs if they were asked for, and warnings."""

    rules: Rules
    results: Results
    best: Best
    warnings: Sequence[str]


def read(options: Mapping[str, Any], rules: Rules) -> ChallengeInput:
    """Read the gold, and find the runs of all teams; ``options`` are those of the edition by name."""
    program = Evaltest(rules)
    gold = Path(options["gold"])
    if rules.edition == "2020":
        golds = program.golds_2020(gold, options["mode"])
        folder = Path(options["submit"])
        teams = program.teams_2020(folder, options["mode"], options["single"], ignore=options["ignore"])
        return ChallengeInput(program, golds, teams)
    golds = program.golds_2019(gold)
    submissions = Path(options["submits"])
    folders = [submissions] if options["single"] else listing(submissions)
    return ChallengeInput(program, golds, [(team.name, team) for team in folders])


def evaluate(challenge: ChallengeInput, *, best: bool) -> ChallengeResult:
    """Score all runs; ``best`` asks for the best run of each team in each scenario, too."""
    program = challenge.program
    results = program.results(challenge.golds, challenge.teams)
    best_runs = program.best_runs(results, _SCENARIOS[program.rules.edition]) if best else {}
    return ChallengeResult(program.rules, results, best_runs, program.warnings)


def printed(result: ChallengeResult, options: Mapping[str, Any]) -> ProgramOutput:
    """Return what evaltest prints in the form that the options ask for, and its warnings."""
    edition, corrected = result.rules.edition, result.rules.corrected
    scenarios = _SCENARIOS[edition]
    text = shown(result.results, result.best, scenarios, options, edition=edition, corrected=corrected)
    return ProgramOutput(text, notes=warning_lines(result.warnings))
