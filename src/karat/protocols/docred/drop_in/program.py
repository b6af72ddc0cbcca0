"""What evaluation.py of DocRED computes from the files of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from karat.errors import InputError
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.docred.drop_in.plain import FactCounts, plain_counts
from karat.protocols.docred.regimes import EVIDENCE, FACTS, TRAINING
from karat.protocols.docred.training import TrainingFacts, training_facts

_DATA = {"train": "train_annotated", "distant": "train_distant"}
_NAMES = {
    FACTS: "RE_F1",
    EVIDENCE: "Evi_F1",
    "ign-annotated": "RE_ignore_annotated_F1",
    "ign-distant": "RE_ignore_distant_F1",
}


def figures_of(folder: str, profile: str) -> dict[str, float]:
    """Return the numbers that the program prints, by their names; where it would stop there is an error instead."""
    gold, result = (str(Path(folder, name)) for name in ("ref/dev_test.json", "res/result.json"))
    training = {
        regime: training_facts(_training_file(Path(gold).parent, _DATA[option], profile))
        for regime, option in TRAINING.items()
    }
    counts = plain_counts(gold, result, training) if profile == "published" else None
    if counts is None:
        counts = judged_counts(gold, result, training, profile)
    if not counts[FACTS].system:
        raise InputError("there is no fact to be scored; expected at least one", path=result)
    return {name: _f1(counts[regime], regime, result) for regime, name in _NAMES.items()}


def judged_counts(gold: str, result: str, training: Mapping[str, TrainingFacts], profile: str) -> dict[str, FactCounts]:
    """Return the counts of each regime, as the protocol judges the documents of any files."""
    from karat.scoring import Evaluation, Reading, configure, load
    from karat.tally import Group

    options = {TRAINING[regime]: facts for regime, facts in training.items()}
    protocol, settings = configure("docred", {"profile": profile, **options})
    reading = Reading("docred", {"rules": "program", "records": gold})
    sides = load(protocol, settings, [gold, result], [reading] * 2)
    total = Evaluation(protocol, settings, *sides).tallies().total()
    row = dict(zip(protocol.counts, total.get(Group(), (0,) * len(protocol.counts)), strict=True))
    parts = ("gold", "system", "correct", "correct-system")
    return {regime: FactCounts(*(int(row[f"{regime}-{part}"]) for part in parts)) for regime in _NAMES}


def _training_file(folder: Path, name: str, profile: str) -> Path:
    """Return the file with the facts of training: the list beside the gold, unless corrected, or else the data."""
    kept, data = folder / f"{name}.fact", Path("..", "data", f"{name}.json")
    return kept if profile == "published" and kept.exists() else data


def _f1(counts: FactCounts, regime: str, path: str) -> float:
    """Return an F1 as the program computes it: one division after the other."""
    if not counts.gold or (not counts.system and regime in (FACTS, *TRAINING)):
        what = "the gold has none" if not counts.gold else "all that are given are right and of the training data"
        raise InputError(f"{_NAMES[regime]} is undefined: {what}", path=path)
    precision = whole_zero_ratio(counts.correct_system, counts.system)
    return whole_zero_f1(precision, whole_zero_ratio(counts.correct, counts.gold))
