"""seqeval's metrics in its strict mode, in which only well-formed entities of a scheme count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from karat.annotations.strict_tags import strict_chunks
from karat.compat.seqeval.metrics._scores import (
    PRFS,
    Average,
    TypeCounts,
    Typed,
    averaged,
    check_consistent_length,
    check_options,
    counted,
    report,
)
from karat.compat.seqeval.scheme import Entities, Token, auto_detect

Tags = Sequence[Sequence[str]]


def _entities(sequences: Tags, scheme: type[Token], suffix: bool) -> Iterator[Typed]:
    known = {}
    try:
        for tag in dict.fromkeys(chain.from_iterable(sequences)):
            token = scheme(tag, suffix=suffix)
            token.is_valid()
            known[tag] = str(token.prefix.name), token.tag
    except (KeyError, ValueError):
        Entities(sequences, scheme, suffix)  # by sentence, so that the error is about the same tag as in seqeval
        raise
    rules = scheme.rules()
    for sentence, tags in enumerate(sequences):
        for start, end, label in strict_chunks([known[tag] for tag in tags], rules):
            yield label, (sentence, start, end)


def _counts(y_true: Tags, y_pred: Tags, scheme: type[Token], suffix: bool) -> TypeCounts:
    return counted(_entities(y_true, scheme, suffix), _entities(y_pred, scheme, suffix))


def unique_labels(y_true: Tags, y_pred: Tags, scheme: type[Token], suffix: bool = False) -> list[str]:
    """Return the types of either side."""
    return sorted(Entities(y_true, scheme, suffix).unique_tags | Entities(y_pred, scheme, suffix).unique_tags)


def precision_recall_fscore_support(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: Average = None,
    warn_for: Sequence[str] = ("precision", "recall", "f-score"),
    beta: float = 1.0,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    scheme: type[Token] | None = None,
    suffix: bool = False,
    **kwargs: Any,
) -> PRFS:
    """Return precision, recall, F and the number of true entities: of each type, or averaged over types."""
    del sample_weight, kwargs
    check_options(average, beta)
    check_consistent_length(y_true, y_pred)
    if scheme is None:
        raise TypeError("the strict mode needs a scheme, as IOB2")
    counts = _counts(y_true, y_pred, scheme, suffix)
    return averaged(counts, average, beta=beta, warn_for=warn_for, zero_division=zero_division)


def classification_report(
    y_true: Tags,
    y_pred: Tags,
    *,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
    suffix: bool = False,
    scheme: type[Token] | None = None,
) -> str | dict[str, dict[str, Any]]:
    """Return the report on each type and averaged; without a scheme it is guessed by the letters of the gold."""
    del sample_weight
    check_consistent_length(y_true, y_pred)
    if scheme is None or not issubclass(scheme, Token):
        scheme = auto_detect(y_true, suffix)
    counts = _counts(y_true, y_pred, scheme, suffix)
    return report(counts, digits=digits, output_dict=output_dict, zero_division=zero_division)
