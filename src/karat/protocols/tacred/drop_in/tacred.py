"""What scorer.py of TACRED reads, counts and prints: a row for each relation of the gold, and the micro average."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from operator import ne, not_
from typing import NamedTuple

from karat.io import text_blocks
from karat.measures.published import whole_zero_f1, whole_zero_ratio
from karat.protocols.tacred import NO_RELATION

_SCORES = ("Precision", "Recall", "F1")


class RelationCounts(NamedTuple):
    """How often each relation is right, was given by the system, and stands in the gold."""

    correct: Counter[str]
    system: Counter[str]
    gold: Counter[str]


def read(path: str, profile: str) -> list[str]:
    """Return the label of each line; corrected, one without a label, or with blanks around it, is an error."""
    if profile == "corrected":
        from karat.formats.base import Problems
        from karat.formats.labels import labels_in

        return list(labels_in(path, Problems(), "strict"))
    labels: list[str] = []
    for block in text_blocks(path):
        labels += block.removesuffix("\n").split("\n")
    return labels


def evaluate(golds: Sequence[str], systems: Sequence[str]) -> RelationCounts:
    """Return the counts of two lists of labels, in which an item without a relation counts nothing."""
    differs = list(map(ne, golds, systems))
    right = Counter(compress(golds, map(not_, differs)))
    counts = RelationCounts(right, *(right + Counter(compress(labels, differs)) for labels in (systems, golds)))
    for labels in counts:
        del labels[NO_RELATION]
    return counts


def printed(counts: RelationCounts) -> str:
    """Return the text for the counts of a whole evaluation."""
    width = max(map(len, counts.gold), default=0)
    lines = ["Per-relation statistics:"]
    for label in sorted(counts.gold):
        shares = zip(("P", "R", "F1"), _prf(*(labels[label] for labels in counts)), strict=True)
        cells = "".join(f"  {name}: {_percent(share)}" for name, share in shares)
        lines.append(f"{label:<{width}}{cells}  #: {counts.gold[label]}")
    lines += ["", "Final Score:"]
    final = _prf(*(labels.total() for labels in counts))
    lines += [f"{name:>9} (micro): {100 * share:.3f}%" for name, share in zip(_SCORES, final, strict=True)]
    return "\n".join(lines) + "\n"


def _prf(correct: float, system: float, gold: float) -> tuple[float, float, float]:
    """Divide as the program does: precision is 1 where nothing was guessed."""
    precision, recall = (correct / system if system else 1.0), whole_zero_ratio(correct, gold)
    return precision, recall, whole_zero_f1(precision, recall)


def _percent(share: float) -> str:
    """Return a percentage with a blank for each digit that its exact value lacks."""
    return f"{' ' * ((share < 0.1) + (share < 1.0))}{100 * share:.2f}%"
