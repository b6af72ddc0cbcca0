"""eval.py, the evaluation on the competition server of 2019: one submission, nine numbers."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.ehealthkd.drop_in.evaltest import Evaltest, Numbers
from karat.protocols.ehealthkd.drop_in.files import read
from karat.protocols.ehealthkd.drop_in.score import SCENARIOS, warning_lines
from karat.protocols.ehealthkd.rules import Rules

_KEYS = {
    1: {"f1": "main_score", "precision": "m_prec", "recall": "m_rec"},
    2: {"f1": "a_f1", "precision": "a_prec", "recall": "a_rec"},
    3: {"f1": "b_f1", "precision": "b_prec", "recall": "b_rec"},
}
"""By scenario, the names of its numbers in ``scores.txt``."""


class ServerScores(NamedTuple):
    """The numbers of a submission under their names in ``scores.txt``, and warnings."""

    numbers: dict[str, float | str]
    warnings: list[str]


def evaluate(folder: str, rules: Rules) -> ServerScores:
    """Score ``res`` against ``ref`` in a folder; a scenario that was not submitted scores 0.

    Where texts differ, this program says nothing.
    """
    scores = ServerScores({}, [])
    program = Evaltest(rules)
    for number, keys in _KEYS.items():
        scenario = SCENARIOS[number]
        gold = read(Path(folder, "ref", scenario.folder, f"input_scenario{number}.txt"), rules, program.texts)
        files = [Path(folder, "res", scenario.folder, f"{kind}_scenario{number}.txt") for kind in ("output", "input")]
        file = next((file for file in files if file.exists()), None)
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
