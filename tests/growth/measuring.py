"""Whether counted work grows no faster than n log n, or a stated limit ends it."""

from __future__ import annotations

from collections.abc import Callable

from tests.growth.limits import small_limits
from tests.work import steps

Work = Callable[[int], Callable[[], object]]
"""Makes a call for a size of the input."""

MOST = 2.75
"""How much more work the last doubling may add than the one before: linear work adds 2 times as much, quadratic 4."""
SLACK = 1_700
"""Steps that may be added without being noticed: branches that are taken once."""


def too_fast(work: Work, size: int, *, crowded: bool = False) -> str:
    """Return in words how work grows if that is faster than n log n, also where the stated limits are small.

    Of a ``crowded`` input it is known that much of it meets, so that only the limits are of interest.
    """
    growth = "" if crowded else _growth(work, size)
    if growth or crowded:
        with small_limits():
            growth = _growth(work, size)
    return growth


def _growth(work: Work, size: int) -> str:
    """Compare two doublings, and if that is too much once more: what is done once came with the largest input."""
    return _compared(work, size) and _compared(work, size + 1)


def _compared(work: Work, size: int) -> str:
    """Compare what two doublings add, so that what has to be done whatever the input hides nothing.

    The largest input comes first: what is done only once, as to load modules, can but add to it.
    """
    third, first = (steps(work(scale * size)) for scale in (4, 1))
    if third - first <= SLACK:
        return ""
    second = steps(work(2 * size))
    if third - second <= MOST * max(second - first, 0) + SLACK:
        return ""
    return f"{second - first:,} steps more from {size} to {2 * size}, {third - second:,} from there to {4 * size}"
