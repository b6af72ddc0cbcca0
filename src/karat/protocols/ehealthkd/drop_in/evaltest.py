"""evaltest of 2020 and 2019: all submissions of a challenge in all scenarios, and the best of each team."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from karat.errors import InputError
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaluation import SCENARIOS, Scenario, evaluate_annotations
from karat.protocols.ehealthkd.drop_in.files import Texts, read
from karat.protocols.ehealthkd.rules import Rules

Value = float | str
Numbers = dict[str, Value]
"""The counts, the three scores and the name of the run, in the order of the programs."""

RunNumbers = dict[str, Numbers | str]
"""The name of a run under ``submit``, and its numbers by scenario."""

Results = dict[str, list[RunNumbers]]
"""The runs by team."""

Best = dict[str, dict[str, Numbers]]
"""The numbers of the best run by team and scenario."""

MAX_RUNS = 3
_DEVELOPMENT = ("main", "main", "main", "transfer")
_NO_MODE = "Did you mean to use --single? Check --mode option."


class Evaltest:
    """One call of the program: the rules, the warnings so far, and the texts that have been read."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.warnings: list[str] = []
        self.texts: Texts = {}

    def results(self, golds: Sequence[Annotations], teams: Iterable[tuple[str, Path]]) -> Results:
        """Score all runs of the teams; a team without any run is left out."""
        score = self._run_2020 if self.rules.edition == "2020" else self._run_2019
        results = {team: [score(run, golds) for run in listing(runs)] for team, runs in teams}
        return {team: runs for team, runs in results.items() if runs}

    def golds_2019(self, root: Path) -> list[Annotations]:
        """Read the gold of each scenario."""
        return [
            self._gold(root / SCENARIOS[scenario_number].folder / f"input_scenario{scenario_number}.txt")
            for scenario_number in (1, 2, 3)
        ]

    def golds_2020(self, root: Path, mode: str) -> list[Annotations]:
        """Read the gold of each scenario in a mode: ``test``, ``dev``, or ``train``, which has three only."""
        if mode == "test":
            folders = [root / "testing" / scenario.folder for scenario in SCENARIOS.values()]
        elif mode == "dev":
            folders = [root / "development" / folder for folder in _DEVELOPMENT]
        else:
            folders = [root / "training"] * 3
        read = {folder: self._gold(folder / "scenario.txt") for folder in dict.fromkeys(folders)}
        return [read[folder] for folder in folders]

    def teams_2020(self, submissions: Path, mode: str, single: str, *, ignore: bool) -> Iterator[tuple[str, Path]]:
        """Yield each team with the folder of its runs; more than three runs are an error, fewer a warning.

        Args:
            submissions: The folder of all teams.
            mode: The subfolder with the runs: ``test``, ``dev`` or ``train``.
            single: The only team to score; empty for all of them.
            ignore: Whether a team without that subfolder is a warning instead of an error.

        """
        teams = [submissions / single] if single else [folder for folder in listing(submissions) if folder.is_dir()]
        for team in teams:
            runs = team / mode
            if not runs.exists():
                advice = "Check --mode and --single options." if single else _NO_MODE
                if single or not ignore:
                    raise InputError(f"directory not found. {advice}", path=runs)
                self.warnings.append(f"Directory {runs} not found. {advice}")
                continue
            count = sum(folder.is_dir() for folder in listing(runs))
            if count > MAX_RUNS:
                raise InputError(f"holds {count} runs, but a team may have {MAX_RUNS}; remove the others", path=runs)
            if count < MAX_RUNS:
                self.warnings.append(f"Too few runs at {runs}. Expected ({MAX_RUNS}) and ({count}) were given.")
            yield team.name, runs

    def _run_2020(self, folder: Path, golds: Sequence[Annotations]) -> RunNumbers:
        """Score a run in each scenario; one without its file has no numbers."""
        result: RunNumbers = {"submit": folder.name}
        for scenario, gold in zip(SCENARIOS.values(), golds, strict=False):
            scenario_folder = folder / scenario.folder
            file = scenario_folder / "scenario.txt"
            numbers: Numbers = {}
            if _exists(file):
                numbers = self.numbers(file, gold, scenario)
            else:
                self.warnings.append(f"Input file not found in '{scenario_folder}'")
            result[scenario.name] = {**numbers, "submit": folder.name}
        return result

    def _run_2019(self, folder: Path, golds: Sequence[Annotations]) -> RunNumbers:
        """Score a submission in each scenario: ``output_scenarioN.txt``, or else ``input_scenarioN.txt``."""
        result: RunNumbers = {"submit": folder.name}
        for scenario_number, gold in enumerate(golds, start=1):
            scenario = SCENARIOS[scenario_number]
            names = [f"{kind}_scenario{scenario_number}.txt" for kind in ("output", "input")]
            files = [folder / scenario.folder / name for name in names if _exists(folder / scenario.folder / name)]
            if not files:
                raise InputError(f"holds neither {names[0]} nor {names[1]}; add one", path=folder / scenario.folder)
            result[scenario.name] = {**self.numbers(files[0], gold, scenario), "submit": folder.name}
        return result

    def best_runs(self, results: Results, scenarios: Sequence[str]) -> Best:
        """Return for each team and scenario the numbers of the run with the highest F1, on a tie of the first one.

        As published, a scenario that is missing in any run of a team has no best run. Under ``corrected``, the runs
        that have it are compared.
        """
        best: Best = {}
        for team, runs in results.items():
            best[team] = {}
            for name in scenarios:
                entries = [entry for run in runs if isinstance(entry := run.get(name), dict)]
                complete = [entry for entry in entries if "f1" in entry]
                if len(complete) < len(runs) and not (self.rules.corrected and complete):
                    self.warnings.append(f"Scenario {name} not found!")
                    best[team][name] = {}
                else:
                    best[team][name] = max(complete, key=lambda entry: float(entry["f1"]))
        return best

    def _gold(self, file: Path) -> Annotations:
        """Read a gold file; its warnings are given once, not for every submission."""
        annotations = read(file, self.rules, self.texts)
        self.warnings += annotations.warnings
        return annotations._replace(warnings=())

    def numbers(self, file: Path, gold: Annotations, scenario: Scenario) -> Numbers:
        """Return all counts, and the scores of the subtasks that count in the scenario."""
        evaluation = evaluate_annotations(gold, read(file, self.rules, self.texts), self.rules)
        self.warnings += evaluation.warnings
        return {**evaluation.counts, **evaluation.metrics(skip_a=scenario.skip_a, skip_b=scenario.skip_b)}


def listing(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted by name."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be listed: {reason}", path=folder) from error


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:
        return False
