"""The arithmetic of old programs, by name: what they print depends on the order of operations, and ``0`` is no ``0.0``.

Scores keep exact ratios; these functions divide as a program did, for its own tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from karat.measures.ratios import Ratio, mean

PRF = tuple[float, float, float]
"""Precision, recall and F1."""


def whole_zero_ratio(part: float, whole: float) -> float:
    """Divide, a whole 0 where there is nothing to divide by.

    >>> whole_zero_ratio(0, 2), whole_zero_ratio(0, 0)
    (0.0, 0)
    """
    return part / whole if whole > 0 else 0


def whole_zero_f1(precision: float, recall: float) -> float:
    """Return twice the product over the sum, a whole 0 if both are 0.

    >>> whole_zero_f1(0.75, 1.0), whole_zero_f1(0.0, 0.0)
    (0.8571428571428571, 0)
    """
    return 2 * (precision * recall) / (precision + recall) if precision + recall > 0 else 0


def whole_zero_prf(credit: float, actual: float, possible: float) -> PRF:
    """Return precision, recall and F1 of what is right, of what a system gave, and of what there is to be found.

    >>> whole_zero_prf(3, 4, 3), whole_zero_prf(0, 0, 2)
    ((0.75, 1.0, 0.8571428571428571), (0, 0.0, 0))
    """
    precision, recall = whole_zero_ratio(credit, actual), whole_zero_ratio(credit, possible)
    return precision, recall, whole_zero_f1(precision, recall)


def f_beta(precision: float, recall: float, beta: float) -> float:
    """Return the F measure of two numbers as seqeval computes it, 0 if both are; recall, if beta is infinite.

    >>> f_beta(0.5, 1.0, 2), f_beta(0.0, 0.0, 1), f_beta(0.5, 1.0, float("inf"))
    (0.8333333333333334, 0.0, 1.0)
    """
    if beta == float("inf"):
        return recall
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / (below or 1.0)


def added_in_order(vectors: Iterable[Sequence[float]], width: int) -> list[float]:
    """Add up counts one after the other, as programs do that print more digits than an exact sum shares with theirs.

    >>> added_in_order([(0.1, 1), (0.2, 2), (0.3, 3)], 2)
    [0.6000000000000001, 6]
    """
    total: list[float] = [0] * width
    for vector in vectors:
        total = [so_far + count for so_far, count in zip(total, vector, strict=True)]
    return total


def truncated_share(share: Any) -> Any:
    """Cut a share, or an array of shares, off after the second digit of its percentage.

    >>> truncated_share(57 / 100)
    0.5699
    """
    return share * 10_000 // 1 / 10_000


def truncated_percent(share: float) -> float:
    """Return a share in percent, cut off after two digits; the product is that of doubles, so 57 of 100 are 56.99.

    >>> truncated_percent(57 / 100)
    56.99
    """
    return int(share * 10_000) / 100


def rounded_percent(share: float) -> float:
    """Return a share in percent, rounded to two digits.

    >>> rounded_percent(57 / 100)
    57.0
    """
    return round(share * 100, 2)


def as_perl_shows(value: float) -> str:
    """Return a number with at most 15 significant digits, as Perl shows it.

    >>> as_perl_shows(10 / 3), as_perl_shows(4.0), as_perl_shows(12)
    ('3.33333333333333', '4', '12')
    """
    return str(value) if isinstance(value, int) else f"{value:.15g}"


def rounded_as_array(value: float, places: int) -> float:
    """Round as numpy does, and pandas with it: scaled, rounded to a whole number, and scaled back.

    >>> rounded_as_array(0.003125, 5), round(0.003125, 5)
    (0.00312, 0.00313)
    """
    scale = 10.0**places
    return round(value * scale) / scale


def pairwise_sum(values: Sequence[float]) -> float:
    """Add numbers in the order NumPy does, so that the last digit is the same.

    >>> pairwise_sum([0.1] * 10)
    1.0
    """
    count = len(values)
    if count < 8:
        total = 0.0
        for value in values:
            total += value
        return total
    if count <= 128:
        whole = count - count % 8
        sums = list(values[:8])
        for start in range(8, whole, 8):
            for lane in range(8):
                sums[lane] += values[start + lane]
        total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
        for value in values[whole:]:
            total += value
        return float(total)
    half = count // 2
    half -= half % 8
    return pairwise_sum(values[:half]) + pairwise_sum(values[half:])


def forgetful_partial(credit: Any, halves: Any, documents: Any, items: Any) -> Ratio:
    """Return a share without the credit of partial matches, which nervaluate 1.1.0 forgets from two documents on.

    >>> forgetful_partial(3.5, 1, 1, 6), forgetful_partial(3.5, 1, 2, 6)
    ((3.5, 6), (3.0, 6))
    """
    return credit - halves / 2 * (documents > 1), items


def weighted_documents(weight: Any, documents: Any, *sums: Any) -> Ratio:
    """Return the mean of weighted documents as SCORCH has it; where no document has any weight, the plain mean.

    ``sums`` are for each measure, of which the mean is taken, the weighted and the plain sum over documents.

    >>> weighted_documents(4, 2, 3.0, 1.5), weighted_documents(0, 2, 0.0, 1.5)
    ((3.0, 4), (1.5, 2))
    """
    plain = weight == 0
    above = [weighted + unweighted * plain for weighted, unweighted in zip(sums[::2], sums[1::2], strict=True)]
    return mean(above), weight + documents * plain


FORMULAS: Mapping[str, Callable[..., Ratio]] = {
    "forgetful-partial": forgetful_partial,
    "weighted-documents": weighted_documents,
}
"""The formulas that are no quotients of sums, by name: each takes counts, and returns numerator and denominator."""
