"""The metrics of the MultiCoNER baseline: a function that returns a dictionary with the same keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from karat.annotations.tag_chunks import OUTSIDE
from karat.api import score
from karat.evaluation.scores import Scores

Tags = Sequence[Sequence[str]]
_MEASURES = {"P": "precision", "R": "recall", "F1": "f1"}


def span_f1(gold: Tags, system: Tags) -> dict[str, Any]:
    """Return precision, recall and F1 of each type, over all (``micro``), and of mentions whatever their type (``MD``).

    Sentences are paired by position; the longer side is cut off, as in the baseline.

    >>> metrics = span_f1([["B-PER", "O", "B-LOC"]], [["B-PER", "O", "B-PER"]])
    >>> round(metrics["micro@F1"], 6), round(metrics["MD@F1"], 6), metrics["ALLTRUE"]
    (0.5, 1.0, 2)
    >>> span_f1([["B-PER"]], [])["micro@F1"]
    0.0
    """
    scores = score("multiconer", *_even(gold, system), by="label")
    types = sorted({row.label for row in scores if row.label is not None})
    result: dict[str, Any] = {
        f"{key}@{label}": scores.value(measure, label=label) for label in types for key, measure in _MEASURES.items()
    }
    result |= {f"micro@{key}": scores.value(measure) for key, measure in _MEASURES.items()}
    result |= {f"MD@{key}": scores.value(measure, regime="mention") for key, measure in _MEASURES.items()}
    return result | dict(zip(("ALLTRUE", "ALLPRED", "ALLRECALLED"), _counts(scores), strict=True))


def _even(gold: Tags, system: Tags) -> tuple[list[list[str]], list[list[str]]]:
    """Return both sides cut to the same number of sentences and with tags padded to equal lengths with O.

    No sentences score like one sentence without mentions.

    >>> _even([["B-X", "I-X"]], [["B-X"], ["O"]])
    ([['B-X', 'I-X']], [['B-X', 'O']])
    """
    sentences = zip(gold, system, strict=False)
    pairs = [tuple(zip(*zip_longest(*pair, fillvalue=OUTSIDE), strict=True)) for pair in sentences]
    if not all(pairs):
        raise ValueError("a sentence has no tags; expected at least one in every sentence")
    pairs = pairs or [((OUTSIDE,), (OUTSIDE,))]
    return [list(gold_tags) for gold_tags, _ in pairs], [list(system_tags) for _, system_tags in pairs]


def _counts(scores: Scores) -> Sequence[int]:
    """Return the numbers of gold entities, of system entities, and of correct spans."""
    row = next(row for row in scores if row.regime == "mention")
    return [int(row.counts[name]) for name in ("gold", "system", "correct")]
