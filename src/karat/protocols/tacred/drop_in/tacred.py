"""scorer.py of TACRED: one label a line on each side; a row for each gold relation, and the micro average."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from operator import ne, not_
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.io import text_blocks
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.tacred import NO_RELATION

_SCORES = ("Precision", "Recall", "F1")


class Labels(NamedTuple):
    """The labels of gold and system, one for each example."""

    gold: list[str]
    system: list[str]


class RelationCounts(NamedTuple):
    """How often each relation is correct, how often the system predicts it, and how often the gold has it."""

    correct: Counter[str]
    system: Counter[str]
    gold: Counter[str]


class UnequalSizes(NamedTuple):
    """How many labels gold and system have where the program refuses to score because these differ."""

    gold: int
    system: int


def read(gold: str, system: str, profile: str) -> Labels:
    """Read the labels of both files."""
    return Labels(*(_read_labels(path, profile) for path in (gold, system)))


def _read_labels(path: str, profile: str) -> list[str]:
    """Return the label of each line; corrected, an empty label or one with blanks around it is an error."""
    if profile == "corrected":
        from karat.formats.base import Problems
        from karat.formats.labels import labels_in

        return list(labels_in(path, Problems(), "strict"))
    labels: list[str] = []
    for block in text_blocks(path):
        labels += block.removesuffix("\n").split("\n")
    return labels


def evaluate(sides: Labels) -> RelationCounts | UnequalSizes:
    """Count the relations of both sides; ``no_relation`` does not count."""
    if len(sides.gold) != len(sides.system):
        return UnequalSizes(len(sides.gold), len(sides.system))
    differs = list(map(ne, sides.gold, sides.system))
    correct = Counter(compress(sides.gold, map(not_, differs)))
    counts = RelationCounts(
        correct, *(correct + Counter(compress(labels, differs)) for labels in (sides.system, sides.gold))
    )
    for relations in counts:
        del relations[NO_RELATION]
    return counts


def printed(result: RelationCounts | UnequalSizes) -> ProgramOutput:
    """Return what the program prints; two files of unequal length end it with status 1."""
    if isinstance(result, UnequalSizes):
        sizes = f"{result.gold} in gold vs {result.system} in prediction"
        return ProgramOutput(f"Gold and prediction file must have same number of elements: {sizes}\n", status=1)
    width = max(map(len, result.gold), default=0)
    lines = ["Per-relation statistics:"]
    for label in sorted(result.gold):
        shares = zip(("P", "R", "F1"), _prf(*(relations[label] for relations in result)), strict=True)
        cells = "".join(f"  {name}: {_percent(share)}" for name, share in shares)
        lines.append(f"{label:<{width}}{cells}  #: {result.gold[label]}")
    lines += ["", "Final Score:"]
    final = _prf(*(relations.total() for relations in result))
    lines += [f"{name:>9} (micro): {100 * share:.3f}%" for name, share in zip(_SCORES, final, strict=True)]
    return ProgramOutput("\n".join(lines) + "\n")


def _prf(correct: float, system: float, gold: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 as the program divides: precision is 1 if the system predicts no relation."""
    precision, recall = (correct / system if system else 1.0), whole_zero_ratio(correct, gold)
    return precision, recall, whole_zero_f1(precision, recall)


def _percent(share: float) -> str:
    """Return a percentage, padded by the unrounded value as the program does."""
    return f"{' ' * ((share < 0.1) + (share < 1.0))}{100 * share:.2f}%"
