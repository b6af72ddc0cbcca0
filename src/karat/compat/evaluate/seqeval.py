"""The metric ``seqeval`` of the library evaluate: one function, with its arguments and the keys of its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.compat.seqeval.metrics import accuracy_score, classification_report
from karat.compat.seqeval.scheme import schemes

_KEYS = {"precision": "precision", "recall": "recall", "f1-score": "f1", "support": "number"}


def compute(
    *,
    predictions: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    suffix: bool = False,
    scheme: str | None = None,
    mode: str | None = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> dict[str, Any]:
    """Return the scores of each type and, as ``overall_…``, the micro average and the accuracy of tags.

    >>> compute(predictions=[["B-PER", "O"]], references=[["B-PER", "O"]])["overall_f1"]
    1.0
    """
    if scheme is not None and scheme not in schemes():
        raise ValueError(f"Scheme should be one of [{', '.join(schemes())}], got {scheme}")
    report = classification_report(
        references,
        predictions,
        suffix=suffix,
        output_dict=True,
        mode=mode,
        sample_weight=sample_weight,
        zero_division=zero_division,
        scheme=None if scheme is None else schemes()[scheme],
    )
    assert isinstance(report, dict)  # noqa: S101 - which was asked for
    micro = report.pop("micro avg")
    types = {
        name: {_KEYS[key]: score for key, score in row.items()}
        for name, row in report.items()
        if name not in ("macro avg", "weighted avg")
    }
    overall = {f"overall_{_KEYS[key]}": micro[key] for key in ("precision", "recall", "f1-score")}
    return {**types, **overall, "overall_accuracy": accuracy_score(y_true=references, y_pred=predictions)}
