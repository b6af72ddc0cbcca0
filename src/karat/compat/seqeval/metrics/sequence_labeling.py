"""seqeval's metrics in its default mode, which call those of the strict mode if requested."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from karat.annotations.tag_chunks import OUTSIDE
from karat.compat.seqeval.metrics import v1
from karat.compat.seqeval.metrics._scores import (
    PRFS,
    Average,
    TypeCounts,
    averaged,
    check_consistent_length,
    check_options,
    counted,
    refuse_nothing,
    report,
)
from karat.compat.seqeval.scheme import Token
from karat.errors import InputError
from karat.protocols.spans.readings import seqeval, seqeval_between

Tags = Sequence[Sequence[str]]
Mode = str | None

_EVERYTHING = ("precision", "recall", "f-score")
_BARE = frozenset("OBIES")
_PREFIXES = ("B-", "I-", "E-", "S-")
_SUFFIXES = ("-B", "-I", "-E", "-S")


def get_entities(seq: Any, suffix: bool = False) -> list[tuple[str, int, int]]:
    """Return type, first and last token of each entity; sequences are joined, with an O behind each.

    >>> get_entities(["B-PER", "I-PER", "O", "B-LOC"])
    [('PER', 0, 1), ('LOC', 3, 3)]
    """
    return [(label, start, end - 1) for start, end, label in _chunks(seq, suffix)]


def end_of_chunk(prev_tag: str, tag: str, prev_type: str, type_: str) -> bool:
    """Say whether a chunk ends between two tags, which are given as letters and types.

    >>> end_of_chunk("B", "O", "PER", "_")
    True
    """
    return seqeval_between((prev_tag, prev_type), (tag, type_))[0]


def start_of_chunk(prev_tag: str, tag: str, prev_type: str, type_: str) -> bool:
    """Say whether a chunk starts between two tags, which are given as letters and types.

    >>> start_of_chunk("B", "I", "PER", "LOC")
    True
    """
    return seqeval_between((prev_tag, prev_type), (tag, type_))[1]


def _chunks(seq: Any, suffix: bool) -> list[tuple[int, int, str]]:
    tags = [tag for tags in seq for tag in (*tags, OUTSIDE)] if any(isinstance(part, list) for part in seq) else seq
    _warn_of_tags(tags, suffix)
    try:
        return seqeval(suffix=suffix)(tags)
    except InputError as error:
        raise IndexError(str(error)) from None


def _warn_of_tags(tags: Iterable[str], suffix: bool) -> None:
    """Warn of each unusual tag once."""
    for tag in dict.fromkeys(tags):
        if tag not in _BARE and not (tag.endswith(_SUFFIXES) if suffix else tag.startswith(_PREFIXES)):
            warnings.warn(f"{tag} seems not to be NE tag.", stacklevel=5)


def _counts(y_true: Tags, y_pred: Tags, suffix: bool) -> TypeCounts:
    true, predicted = (((chunk[2], chunk) for chunk in _chunks(side, suffix)) for side in (y_true, y_pred))
    return counted(true, predicted)


def precision_recall_fscore_support(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: Average = None,
    warn_for: Sequence[str] = _EVERYTHING,
    beta: float = 1.0,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    suffix: bool = False,
) -> PRFS:
    """Return precision, recall, F and the number of true entities: of each type, or averaged over types.

    ``sample_weight`` has no effect, as in seqeval.
    """
    del sample_weight
    check_options(average, beta)
    check_consistent_length(y_true, y_pred)
    counts = _counts(y_true, y_pred, suffix)
    return averaged(counts, average, beta=beta, warn_for=warn_for, zero_division=zero_division)


def _by_mode(y_true: Tags, y_pred: Tags, metric: str, mode: Mode, scheme: type[Token] | None, **settings: Any) -> PRFS:
    if mode == "strict" and scheme:
        return v1.precision_recall_fscore_support(y_true, y_pred, warn_for=(metric,), scheme=scheme, **settings)
    return precision_recall_fscore_support(y_true, y_pred, warn_for=(metric,), **settings)


def precision_score(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: Average = "micro",
    suffix: bool = False,
    mode: Mode = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    scheme: type[Token] | None = None,
) -> Any:
    """Return the share of predicted entities that are right.

    >>> precision_score([["B-PER", "O"]], [["B-PER", "B-LOC"]])
    0.5
    """
    settings = {"average": average, "suffix": suffix, "sample_weight": sample_weight, "zero_division": zero_division}
    return _by_mode(y_true, y_pred, "precision", mode, scheme, **settings)[0]


def recall_score(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: Average = "micro",
    suffix: bool = False,
    mode: Mode = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    scheme: type[Token] | None = None,
) -> Any:
    """Return the share of true entities that were found."""
    settings = {"average": average, "suffix": suffix, "sample_weight": sample_weight, "zero_division": zero_division}
    return _by_mode(y_true, y_pred, "recall", mode, scheme, **settings)[1]


def f1_score(
    y_true: Tags,
    y_pred: Tags,
    *,
    average: Average = "micro",
    suffix: bool = False,
    mode: Mode = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    scheme: type[Token] | None = None,
) -> Any:
    """Return the harmonic mean of precision and recall."""
    settings = {"average": average, "suffix": suffix, "sample_weight": sample_weight, "zero_division": zero_division}
    return _by_mode(y_true, y_pred, "f-score", mode, scheme, **settings)[2]


def _joined(y_true: Any, y_pred: Any) -> tuple[list[str], list[str]]:
    if any(isinstance(tags, list) for tags in y_true):
        return list(chain.from_iterable(y_true)), list(chain.from_iterable(y_pred))
    return list(y_true), list(y_pred)


def accuracy_score(y_true: Any, y_pred: Any) -> float:
    """Return the share of equal tags; the longer side is cut, as in seqeval."""
    true, predicted = _joined(y_true, y_pred)
    return sum(tag == guess for tag, guess in zip(true, predicted, strict=False)) / len(true)


def performance_measure(y_true: Any, y_pred: Any) -> dict[str, int]:
    """Return counts of tags, in which a wrong tag is a false positive but not a false negative.

    >>> performance_measure([["B-PER", "O", "B-LOC"]], [["B-PER", "O", "B-ORG"]])
    {'TP': 1, 'FP': 1, 'FN': 0, 'TN': 1}
    """
    pairs = list(zip(*_joined(y_true, y_pred), strict=False))
    return {
        "TP": sum(true == predicted != OUTSIDE for true, predicted in pairs),
        "FP": sum(true != predicted != OUTSIDE for true, predicted in pairs),
        "FN": sum(true != predicted == OUTSIDE for true, predicted in pairs),
        "TN": sum(true == predicted == OUTSIDE for true, predicted in pairs),
    }


def classification_report(
    y_true: Tags,
    y_pred: Tags,
    digits: int = 2,
    suffix: bool = False,
    output_dict: bool = False,
    mode: Mode = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
    scheme: type[Token] | None = None,
) -> str | dict[str, dict[str, Any]]:
    """Return precision, recall, F1 and support of each type and averaged, as a text or as a dictionary.

    >>> print(classification_report([["B-PER", "O"]], [["B-PER", "O"]]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             PER       1.00      1.00      1.00         1
    <BLANKLINE>
       micro avg       1.00      1.00      1.00         1
       macro avg       1.00      1.00      1.00         1
    weighted avg       1.00      1.00      1.00         1
    <BLANKLINE>
    """
    del sample_weight
    shown: dict[str, Any] = {"digits": digits, "output_dict": output_dict, "zero_division": zero_division}
    if mode == "strict":
        return v1.classification_report(y_true, y_pred, suffix=suffix, scheme=scheme, **shown)
    counts = _counts(y_true, y_pred, suffix)
    refuse_nothing(counts, output_dict=output_dict)
    check_consistent_length(y_true, y_pred)
    return report(counts, **shown)
