"""How sure a share of right items is that was judged on a sample of them.

The design of the sample decides: items drawn at random from a finite number, items drawn within strata, or documents
drawn whole or in part. Each design gives an estimate with its variance; the variance says how many independent items
the sample is worth, and an interval for that many items follows.
Where the right items are those that some pooled system gave, it also says what can be said of recall.
"""

from __future__ import annotations

from math import comb, inf, isinf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.statistics.quantiles import beta_quantile, normal_quantile, t_quantile
from karat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence, Set

    Limits = tuple[float, float]
    Method = Callable[[float, float, float], Limits]


class JudgedSample(NamedTuple):
    """A number of items, how many of them were drawn and judged, and how many of those are right."""

    items: float
    judged: int
    right: float

    @property
    def share(self) -> float:
        """The share of right items among the judged ones; none is right where none was judged."""
        return self.right / self.judged if self.judged else 0.0

    @property
    def unseen(self) -> float:
        """The share of items that were not judged."""
        return 1 - self.judged / self.items if self.items else 0.0


class Estimate(NamedTuple):
    """A share of right items, judged on a sample.

    ``error`` is its standard error, ``freedom`` the degrees of freedom of that error, and ``worth`` the number of items
    drawn at random from infinitely many that would say as much; it is infinite if everything was judged.
    """

    share: float
    error: float
    freedom: float
    worth: float

    def interval(self, level: float = 0.95, method: Method | None = None) -> Limits:
        """Return the limits between which the share of all items lies, by Wilson's method if no other is given."""
        return (method or wilson)(self.share, self.effective(level), level)

    def effective(self, level: float = 0.95) -> float:
        """Return the worth of the sample, less what few degrees of freedom take away."""
        if isinf(self.worth) or isinf(self.freedom):
            return self.worth
        upper = (1 + level) / 2
        return self.worth * (normal_quantile(upper) / t_quantile(upper, self.freedom)) ** 2


def wilson(share: float, judged: float, level: float = 0.95) -> Limits:
    """Return the limits of Wilson's interval for a share among so many items.

    >>> [round(limit, 4) for limit in wilson(0.9, 50)]
    [0.7864, 0.9565]
    """
    if isinf(judged):
        return share, share
    width = normal_quantile((1 + level) / 2)
    stretch = 1 + width**2 / judged
    centre = (share + width**2 / (2 * judged)) / stretch
    half = width / stretch * sqrt(share * (1 - share) / judged + width**2 / (4 * judged**2))
    return max(0.0, centre - half) if share else 0.0, min(1.0, centre + half) if share != 1 else 1.0


def clopper_pearson(share: float, judged: float, level: float = 0.95) -> Limits:
    """Return the limits of the interval by Clopper and Pearson, which never covers less than it says.

    >>> [round(limit, 4) for limit in clopper_pearson(0.9, 50)]
    [0.7819, 0.9667]
    """
    if isinf(judged):
        return share, share
    right, tail = share * judged, (1 - level) / 2
    return beta_quantile(tail, right, judged - right + 1), beta_quantile(1 - tail, right + 1, judged - right)


def possible_totals(items: int, judged: int, right: int, level: float = 0.95) -> tuple[int, int]:
    """Return the least and the largest number of right items among all that the sample does not rule out.

    By the hypergeometric distribution: at either limit a sample with so many right items is no rarer than the level
    allows. It covers at least what it says.

    >>> possible_totals(items=200, judged=50, right=45)
    (160, 191)
    """
    tail = (1 - level) / 2
    counts = range(right, items - judged + right + 1)
    kept = [total for total in counts if min(_tails(items, total, judged, right)) > tail]
    return kept[0], kept[-1]


def _tails(items: int, total: int, judged: int, right: int) -> tuple[float, float]:
    """Return the chances that a sample has at most, and at least, so many right items."""
    ways = [comb(total, count) * comb(items - total, judged - count) for count in range(judged + 1)]
    every = comb(items, judged)
    return sum(ways[: right + 1]) / every, sum(ways[right:]) / every


def simple_sample(sample: JudgedSample) -> Estimate:
    """Estimate the share from items that were drawn at random; there may be infinitely many to draw from.

    >>> simple_sample(JudgedSample(items=200, judged=50, right=45)).worth
    66.33333333333333
    """
    _check([sample], least=1)
    share, judged = sample.share, sample.judged
    error = sqrt(sample.unseen * share * (1 - share) / max(1, judged - 1))
    if not sample.unseen:
        return Estimate(share, 0.0, inf, inf)
    worth = judged if isinf(sample.items) else judged * (sample.items - 1) / (sample.items - judged)
    return Estimate(share, error, inf, worth)


def stratified_sample(strata: Sequence[JudgedSample], *, smoothed: bool = True) -> Estimate:
    """Estimate the share from samples that were drawn at random in each stratum.

    Smoothed, the worth of the sample is that of one with half a right and half a wrong item more in each stratum: where
    no error was seen, it is not claimed that there is none.
    """
    _check(strata, least=2)
    share, variances = _weighted(strata)
    error = sqrt(sum(variances))
    if smoothed:
        padded = [
            JudgedSample(part.items, part.judged, (part.right + 0.5) * part.judged / (part.judged + 1))
            for part in strata
        ]
        blurred, variances = _weighted(padded)
    else:
        blurred = share
    variance = sum(variances)
    doubts = sum(doubt**2 / (part.judged - 1) for doubt, part in zip(variances, strata, strict=True) if doubt)
    judged = sum(part.judged for part in strata)
    return Estimate(share, error, variance**2 / doubts if doubts else inf, _worth(blurred, variance, judged, strata))


def document_sample(documents: Sequence[JudgedSample], of: float, empty: int = 0) -> Estimate:
    """Estimate the share from documents that were drawn at random from so many, each judged as a whole or in part.

    Documents that are ``empty``, without a single item, were drawn like the others. In a document of which one item was
    judged, the others are taken to vary as much as those of all documents.
    """
    _check(documents, least=1)
    drawn = len(documents) + empty
    if not 2 <= drawn <= of or not any(document.items for document in documents):
        raise UsageError(f"{drawn} of {of} documents were judged; an interval needs two, and no more than all")
    total = sum(document.items for document in documents)
    share = sum(document.items * document.share for document in documents) / total
    between = sum((document.items * (document.share - share)) ** 2 for document in documents)
    within = sum(document.items**2 * document.unseen * _spread(document, share) for document in documents)
    variance = ((1 - drawn / of) * drawn / (drawn - 1) * between + drawn / of * within) / total**2
    judged = sum(document.judged for document in documents)
    unseen = [JudgedSample(of, drawn, 0), *documents]
    return Estimate(share, sqrt(variance), drawn - 1, _worth(share, variance, judged, unseen))


def _weighted(strata: Sequence[JudgedSample]) -> tuple[float, list[float]]:
    """Return the share of right items in all strata, and what each adds to its variance."""
    total = sum(part.items for part in strata)
    share = sum(part.items / total * part.share for part in strata)
    return share, [(part.items / total) ** 2 * part.unseen * _spread(part, part.share) for part in strata]


def _spread(sample: JudgedSample, otherwise: float) -> float:
    """Return how much items vary by what the sample shows of them, or by another share if it has one item."""
    share, judged = (sample.share, sample.judged - 1) if sample.judged > 1 else (otherwise, 1)
    return share * (1 - share) / judged


def _worth(share: float, variance: float, judged: int, samples: Sequence[JudgedSample]) -> float:
    """Return how many independent items a sample is worth; without any variance, as many as were judged."""
    if not any(sample.unseen for sample in samples):
        return inf
    return share * (1 - share) / variance if variance and 0 < share < 1 else judged


def _check(samples: Sequence[JudgedSample], least: int) -> None:
    for sample in samples:
        if not 0 <= sample.right <= sample.judged <= sample.items or sample.judged < min(least, sample.items):
            raise UsageError(
                f"{sample.right:g} right of {sample.judged} judged of {sample.items:g} items: an interval needs at "
                f"least {least} judged, no more than there are items, and no more right ones"
            )


class Pooled(NamedTuple):
    """A system's right items beside those of the pool.

    ``recall`` is relative to the pool: an upper bound of true recall, since what no system gave is unknown.
    ``unique`` is the number of right items that no other system gave, and ``recall_of_others`` the recall against the
    pool of the others, which is what a newcomer would be given. Both are nothing where there is nothing to find.
    """

    recall: float | None
    unique: int
    recall_of_others: float | None


def pooled_recall(right: Mapping[str, Set[Hashable]]) -> dict[str, Pooled]:
    """Return for each system how much of the right items of all systems it gave.

    >>> pooled_recall({"a": {1, 2}, "b": {2, 3, 4}})["a"]
    Pooled(recall=0.5, unique=1, recall_of_others=0.3333333333333333)
    """
    pool = frozenset[object]().union(*right.values())
    result = {}
    for name, items in right.items():
        found_elsewhere = frozenset[object]().union(*(other for key, other in right.items() if key != name))
        result[name] = Pooled(
            len(items) / len(pool) if pool else None,
            len(items - found_elsewhere),
            len(items & found_elsewhere) / len(found_elsewhere) if found_elsewhere else None,
        )
    return result


def chapman(first: Set[Hashable], second: Set[Hashable]) -> tuple[float, float]:
    """Estimate how many right items there are from two systems, with the standard error.

    It assumes that the systems find items independently of each other. They do not: both find the easy ones, so this is
    a lower bound.
    """
    left, right, common = len(first), len(second), len(first & second)
    estimate = (left + 1) * (right + 1) / (common + 1) - 1
    variance = (left + 1) * (right + 1) * (left - common) * (right - common) / ((common + 1) ** 2 * (common + 2))
    return estimate, sqrt(variance)
