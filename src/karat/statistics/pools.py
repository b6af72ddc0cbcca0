"""What can be said of recall where the right items are those that some pooled system gave."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Set


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
        others = frozenset[object]().union(*(other for key, other in right.items() if key != name))
        result[name] = Pooled(
            len(items) / len(pool) if pool else None,
            len(items - others),
            len(items & others) / len(others) if others else None,
        )
    return result


def chapman(first: Set[Hashable], second: Set[Hashable]) -> tuple[float, float]:
    """Estimate how many right items there are from two systems, with the standard error.

    It assumes that the systems find items independently of each other. They do not: both find the easy ones, so this is
    a lower bound.
    """
    ours, theirs, both = len(first), len(second), len(first & second)
    estimate = (ours + 1) * (theirs + 1) / (both + 1) - 1
    variance = (ours + 1) * (theirs + 1) * (ours - both) * (theirs - both) / ((both + 1) ** 2 * (both + 2))
    return estimate, sqrt(variance)
