"""What evaluation.py of DocRED computes from the files of a folder."""

from __future__ import annotations

from pathlib import Path

from karat.errors import InputError
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.docred.regimes import EVIDENCE, FACTS, TRAINING
from karat.scoring import Evaluation, Reading, configure, load
from karat.tally import Group

_DATA = {"train": "train_annotated", "distant": "train_distant"}
_NAMES = {
    FACTS: "RE_F1",
    EVIDENCE: "Evi_F1",
    "ign-annotated": "RE_ignore_annotated_F1",
    "ign-distant": "RE_ignore_distant_F1",
}


def figures_of(folder: str, profile: str) -> dict[str, float]:
    """Return the numbers that the program prints, by their names; where it would stop there is an error instead."""
    gold, result = Path(folder, "ref", "dev_test.json"), Path(folder, "res", "result.json")
    options = {option: _training_file(gold.parent, name, profile) for option, name in _DATA.items()}
    protocol, settings = configure("docred", {"profile": profile, **options})
    reading = Reading("docred", {"rules": "program", "records": str(gold)})
    sides = load(protocol, settings, [str(gold), str(result)], [reading] * 2)
    total = Evaluation(protocol, settings, *sides).tallies().total()
    counts = dict(zip(protocol.counts, total.get(Group(), (0,) * len(protocol.counts)), strict=True))
    if not counts[f"{FACTS}-system"]:
        raise InputError("there is no fact to be scored; expected at least one", path=result)
    return {name: _f1(counts, regime, result) for regime, name in _NAMES.items()}


def _training_file(folder: Path, name: str, profile: str) -> Path:
    """Return the file with the facts of training: the list beside the gold, unless corrected, or else the data."""
    kept, data = folder / f"{name}.fact", Path("..", "data", f"{name}.json")
    return kept if profile == "published" and kept.exists() else data


def _f1(counts: dict[str, float], regime: str, path: Path) -> float:
    """Return an F1 as the program computes it: one division after the other."""
    gold, system, correct, correct_system = (
        counts[f"{regime}-{part}"] for part in ("gold", "system", "correct", "correct-system")
    )
    if not gold or (not system and regime in (FACTS, *TRAINING)):
        what = "the gold has none" if not gold else "all that are given are right and of the training data"
        raise InputError(f"{_NAMES[regime]} is undefined: {what}", path=path)
    return whole_zero_f1(whole_zero_ratio(correct_system, system), whole_zero_ratio(correct, gold))
