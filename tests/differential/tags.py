"""Libraries that score sequences of tags: seqeval and nervaluate."""

from __future__ import annotations

import json
from itertools import accumulate
from math import isclose
from pathlib import Path
from random import Random

import karat
from tests.differential.comparing import Program, Reference

_SCRIPTS = Path(__file__).parent / "scripts"
_MEASURES = ("precision", "recall", "f1")
_REGIMES = {"strict": "strict", "exact": "exact", "partial": "partial", "ent_type": "type"}


def _tags(random: Random, sizes: list[int], *, sound: bool) -> list[list[str]]:
    """Return sequences of tags, in which I may stand anywhere unless they are to be sound."""
    sequences = []
    for size in sizes:
        tags: list[str] = []
        for _ in range(size):
            label = random.choice(("LOC", "PER"))
            before = tags[-1] if tags else "O"
            inside = f"I-{before[2:]}" if sound and before != "O" else "O" if sound else f"I-{label}"
            tags.append(random.choice(("O", "O", f"B-{label}", inside)))
        sequences.append(tags)
    return sequences


def _seqeval(random: Random, room: Path, program: Program) -> str:
    sizes = [random.randint(1, 8) for _ in range(random.randint(1, 4))]
    gold, system = _tags(random, sizes, sound=True), _tags(random, sizes, sound=False)
    words = [json.dumps({"gold": gold, "system": system})]
    theirs = program.python(_SCRIPTS / "seqeval_scores.py", words, room)
    scores = karat.score("conll2003", gold, system, zero="zero")
    for measure, number in zip(_MEASURES, json.loads(theirs.out), strict=True):
        if not isclose(scores.value(measure) or 0, number, rel_tol=1e-12):
            return f"{gold} and {system}: {measure} is {number} and {scores.value(measure)}"
    return ""


def _meet_once(gold: list[list[str]], system: list[list[str]]) -> bool:
    """Say whether no entity overlaps two of the other side: the program takes the first, Karat the best."""
    for pair in zip(gold, system, strict=True):
        numbers = [list(accumulate(tag.startswith("B-") for tag in tags)) for tags in pair]
        met = {(first, second) for first, second, *tags in zip(*numbers, *pair, strict=True) if "O" not in tags}
        if any(len(met) > len({couple[side] for couple in met}) for side in (0, 1)):
            return False
    return True


def _nervaluate(random: Random, room: Path, program: Program) -> str | None:
    sizes = [random.randint(1, 8) for _ in range(random.randint(1, 4))]
    gold, system = (_tags(random, sizes, sound=True) for _ in range(2))
    if not _meet_once(gold, system):
        return None
    words = [json.dumps({"gold": gold, "system": system, "tags": ["LOC", "PER"]})]
    theirs = program.python(_SCRIPTS / "nervaluate_scores.py", words, room)
    if theirs.status:
        return theirs.err
    scores = karat.score("semeval2013", gold, system, zero="zero")
    for name, numbers in json.loads(theirs.out).items():
        for measure, number in zip(_MEASURES, numbers, strict=True):
            value = scores.value(measure, regime=_REGIMES[name]) or 0
            if not isclose(value, number, rel_tol=1e-12):
                return f"{gold} and {system}: {name} {measure} is {number} and {value}"
    return ""


SEQEVAL = Reference("seqeval", "", "", _seqeval, ("seqeval",))
NERVALUATE = Reference("nervaluate", "", "", _nervaluate, ("nervaluate",))
