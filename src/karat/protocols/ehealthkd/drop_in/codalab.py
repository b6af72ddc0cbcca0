"""The evaluation on the competition server of 2019 (eval.py): one submission, nine numbers."""

from __future__ import annotations

from pathlib import Path

from karat.protocols.ehealthkd.drop_in.evaluation import evaluate
from karat.protocols.ehealthkd.drop_in.reading import Texts, load
from karat.protocols.ehealthkd.drop_in.scenarios import SCENARIOS
from karat.protocols.ehealthkd.rules import Rules

_KEYS = {
    1: {"f1": "main_score", "precision": "m_prec", "recall": "m_rec"},
    2: {"f1": "a_f1", "precision": "a_prec", "recall": "a_rec"},
    3: {"f1": "b_f1", "precision": "b_prec", "recall": "b_rec"},
}


def evaluate_submission(folder: Path, rules: Rules) -> tuple[str, list[str]]:
    """Score ``res`` against ``ref`` in a folder; return the text of ``scores.txt`` and the warnings.

    A scenario that was not submitted scores 0. Where texts differ, this program says nothing.
    """
    lines: list[str] = []
    warnings: list[str] = []
    texts: Texts = {}
    for scenario_number, keys in _KEYS.items():
        scenario = SCENARIOS[scenario_number]
        gold = load(folder / "ref" / scenario.folder / f"input_scenario{scenario_number}.txt", rules, texts)
        names = [
            folder / "res" / scenario.folder / f"{kind}_scenario{scenario_number}.txt" for kind in ("output", "input")
        ]
        file = next((name for name in names if name.exists()), None)
        metrics: dict[str, float] = dict.fromkeys(keys, 0)
        if file is None:
            warnings.append(
                f"It appears you did not submit for Scenario {scenario_number}. If this is incorrect, please check the "
                f"3 output_* files in the `{scenario.folder}` folder."
            )
        else:
            evaluation = evaluate(gold, load(file, rules, texts), rules)
            warnings += evaluation.warnings
            metrics = evaluation.metrics(skip_a=scenario.skip_a, skip_b=scenario.skip_b, whole_zero=not rules.corrected)
        lines += [f"{key}:{metrics[name]}\n" for name, key in keys.items()]
    return "".join(lines), warnings
