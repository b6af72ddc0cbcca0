"""eval.py, the evaluation on the competition server of 2019: one submission, nine numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaltest import Evaltest, Numbers
from karat.protocols.ehealthkd.drop_in.evaluation import SCENARIOS
from karat.protocols.ehealthkd.drop_in.files import read as read_text
from karat.protocols.ehealthkd.drop_in.reports import warning_lines
from karat.protocols.ehealthkd.rules import Rules

_KEYS = {
    1: {"f1": "main_score", "precision": "m_prec", "recall": "m_rec"},
    2: {"f1": "a_f1", "precision": "a_prec", "recall": "a_rec"},
    3: {"f1": "b_f1", "precision": "b_prec", "recall": "b_rec"},
}
"""By scenario, the names of its numbers in ``scores.txt``."""


class ScenarioFiles(NamedTuple):
    """The number of a scenario, its gold, and the submitted file, None if there is none."""

    number: int
    gold: Annotations
    submitted: Path | None


class ServerInput(NamedTuple):
    """The program, and the files of each scenario, which are read when the scenario is scored."""

    program: Evaltest
    scenarios: Iterator[ScenarioFiles]


class ServerScores(NamedTuple):
    """The numbers of a submission by their names in ``scores.txt``, and warnings."""

    numbers: dict[str, float | str]
    warnings: list[str]


def read(folder: str, rules: Rules) -> ServerInput:
    """Find the gold in the subfolder ``ref`` of a folder and the submission in ``res``."""
    program = Evaltest(rules)
    return ServerInput(program, _scenarios(folder, program))


def _scenarios(folder: str, program: Evaltest) -> Iterator[ScenarioFiles]:
    for number in _KEYS:
        name = SCENARIOS[number].folder
        gold = read_text(Path(folder, "ref", name, f"input_scenario{number}.txt"), program.rules, program.texts)
        files = [Path(folder, "res", name, f"{kind}_scenario{number}.txt") for kind in ("output", "input")]
        yield ScenarioFiles(number, gold, next((file for file in files if file.exists()), None))


def evaluate(submission: ServerInput) -> ServerScores:
    """Score each scenario of a submission; one that was not submitted scores 0.

    Unlike the other programs, this one does not warn about texts that differ.
    """
    scores = ServerScores({}, [])
    program = submission.program
    for number, gold, file in submission.scenarios:
        scenario, keys = SCENARIOS[number], _KEYS[number]
        numbers: Numbers = dict.fromkeys(keys, 0)
        if file is not None:
            numbers = program.numbers(file, gold, scenario)
        else:
            program.warnings.append(
                f"It appears you did not submit for Scenario {number}. If this is incorrect, please check "
                f"the 3 output_* files in the `{scenario.folder}` folder."
            )
        scores.numbers.update({key: numbers[name] for name, key in keys.items()})
    scores.warnings.extend(program.warnings)
    return scores


def printed(scores: ServerScores, folder: str) -> ProgramOutput:
    """Return the warnings, and ``scores.txt`` of the folder, which is made if it is missing."""
    from karat.io.outputs import in_folder

    text = "".join(f"{name}:{value}\n" for name, value in scores.numbers.items())
    files = in_folder(folder, {"scores.txt": text})
    return ProgramOutput(files=files, notes=warning_lines(scores.warnings), makes_folders=True)
