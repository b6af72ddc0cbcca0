"""The two formulas, over numbers: weights of classes, and the likeness of Jiang and Conrath."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def weights(counts: NDArray[np.int64], total: int) -> Floats:
    """Return the weight of classes, ``ln(total / count)``: the rarer, the heavier; not a number without counts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log(total / counts)
    values[~np.isfinite(values)] = np.nan
    return values


def jiang_conrath(subsumer: Floats, both: Floats) -> Floats:
    """Return the likeness of two nodes through a common superclass.

    ``subsumer`` is ``ln(count / total)`` of the superclass, ``both`` the sum of that of the two nodes. The distance is
    that of the nodes over the superclass, and the largest is that over the root; undefined if that is zero.

    >>> both = np.log(1000 / 41575722) + np.log(2000 / 41575722)
    >>> round(float(jiang_conrath(np.log(50000 / 41575722), both)), 4)
    0.6535
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.maximum(2 * subsumer - both, 0.0)
        return np.where(both == 0, np.nan, np.maximum(1.0 - distance / -both, 0.0))
