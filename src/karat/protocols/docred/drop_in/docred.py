"""evaluation.py of DocRED: F1 of facts and of evidence, also without the facts of the training data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.docred import EVIDENCE, FACTS, TRAINING
from karat.protocols.docred.training import TrainingFacts, training_facts

_DATA = {"train": "train_annotated", "distant": "train_distant"}
_NAMES = {
    FACTS: "RE_F1",
    EVIDENCE: "Evi_F1",
    "ign-annotated": "RE_ignore_annotated_F1",
    "ign-distant": "RE_ignore_distant_F1",
}


class Inputs(NamedTuple):
    """The paths of gold and result, and the facts of the training data by regime."""

    gold: str
    result: str
    training: Mapping[str, TrainingFacts]


class FactCounts(NamedTuple):
    """The counts behind an F1: recall is ``correct`` / ``gold``, precision is ``correct_system`` / ``system``."""

    gold: int
    system: int
    correct: int
    correct_system: int


def read(folder: str, profile: str) -> Inputs:
    """Find the files of a folder, and read the facts of the training data."""
    gold, result = (str(Path(folder, name)) for name in ("ref/dev_test.json", "res/result.json"))
    training = {
        regime: training_facts(_training_file(Path(gold).parent, _DATA[option], profile))
        for regime, option in TRAINING.items()
    }
    return Inputs(gold, result, training)


def evaluate(inputs: Inputs, profile: str) -> dict[str, float]:
    """Return the figures by the names that the program prints; where it would crash, raise an error that says why."""
    counts = _counts(inputs, profile)
    if not counts[FACTS].system:
        raise InputError("there is no fact to be scored; expected at least one", path=inputs.result)
    return {name: _f1(counts[regime], regime, inputs.result) for regime, name in _NAMES.items()}


def printed(figures: Mapping[str, float], folder: str) -> ProgramOutput:
    """Return what the program prints, and ``scores.txt`` of the folder, with six digits behind the point."""
    text = "".join(f"{name}: {value}\n" for name, value in figures.items())
    scores = "".join(f"{name}: {value:f}\n" for name, value in figures.items())
    return ProgramOutput(text, {f"{folder}/scores.txt": scores}, makes_folders=True)


def _counts(inputs: Inputs, profile: str) -> dict[str, FactCounts]:
    """Return the counts of each regime, as the protocol judges the documents."""
    from karat.evaluation.corpora import Reading, load
    from karat.evaluation.evaluation import Evaluation
    from karat.evaluation.registry import configure
    from karat.evaluation.tally import Group

    options = {TRAINING[regime]: facts for regime, facts in inputs.training.items()}
    bound = configure("docred", {"profile": profile, **options})
    reading = Reading("docred", {"rules": "program", "records": inputs.gold})
    sides = load(bound, [inputs.gold, inputs.result], [reading] * 2)
    total = Evaluation(bound, *sides).tallies().total()
    row = dict(zip(bound.counts, total.get(Group(), (0,) * len(bound.counts)), strict=True))
    parts = ("gold", "system", "correct", "correct-system")
    return {regime: FactCounts(*(int(row[f"{regime}-{part}"]) for part in parts)) for regime in _NAMES}


def _training_file(folder: Path, name: str, profile: str) -> Path:
    """Return the file of training facts: as published, a list beside the gold goes before the training data."""
    kept, data = folder / f"{name}.fact", Path("..", "data", f"{name}.json")
    return kept if profile == "published" and kept.exists() else data


def _f1(counts: FactCounts, regime: str, path: str) -> float:
    """Return an F1 as the program computes it: one division after the other."""
    if not counts.gold or (not counts.system and regime in (FACTS, *TRAINING)):
        what = "the gold has none" if not counts.gold else "all that are given are right and of the training data"
        raise InputError(f"{_NAMES[regime]} is undefined: {what}", path=path)
    precision = whole_zero_ratio(counts.correct_system, counts.system)
    return whole_zero_f1(precision, whole_zero_ratio(counts.correct, counts.gold))
