"""What chance decides: how often a resample takes each unit, and in which units two systems change places.

The draws depend on nothing but the number of units and the seed, so all systems and rows share them. They use the raw
stream of PCG64, which NumPy keeps the same in every release.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

WEIGHTS_AT_ONCE = 2**22
"""How many weights, or swaps, are held at a time."""
MOST_HELD = 2**25
"""How many weights are held for whoever draws the same units again."""
MOST_TIMES = 2**16
"""Below so many units a weight has two bytes."""
MOST_ENUMERATED = 12
"""The number of units up to which all swaps are tried."""


def resample_weights(units: int, resamples: int, seed: int, strata: Sequence[int] | None = None) -> Iterator[Array]:
    """Yield how often each resample takes each unit, as blocks of resamples × units in order.

    With ``strata``, the number of the stratum of each unit, as many units are drawn of each as it has.

    >>> [block.sum(axis=1).tolist() for block in resample_weights(units=5, resamples=2, seed=42)]
    [[5.0, 5.0]]
    """
    wanted = units, resamples, seed, None if strata is None else tuple(strata)
    is_held = units * resamples <= MOST_HELD and units < MOST_TIMES
    for block in _held_draws(*wanted) if is_held else _draws(*wanted):
        yield block.astype(np.float64)


@lru_cache(maxsize=1)
def _held_draws(
    units: int, resamples: int, seed: int, strata: tuple[int, ...] | None
) -> tuple[NDArray[np.unsignedinteger[Any]], ...]:
    """Hold the last draws, which the next system or comparison of the same units will ask for."""
    return tuple(block.astype(np.uint16) for block in _draws(units, resamples, seed, strata))


def _draws(units: int, resamples: int, seed: int, strata: tuple[int, ...] | None) -> Iterator[NDArray[np.integer[Any]]]:
    members, first, size = _places(units, strata)
    bits = np.random.PCG64(seed)
    step = max(1, WEIGHTS_AT_ONCE // max(1, units))
    for begin in range(0, resamples, step):
        block_size = min(step, resamples - begin)
        drawn = ((bits.random_raw(block_size * units) >> 32).reshape(block_size, units) * size >> 32) + first
        rows = members[drawn.astype(np.int64)] + np.arange(block_size)[:, None] * units
        yield np.bincount(rows.ravel(), minlength=block_size * units).reshape(block_size, units)


def _places(units: int, strata: Sequence[int] | None) -> tuple[NDArray[np.int64], ...]:
    """Return the units stratum by stratum and, for each draw, where its stratum begins and how many units it has."""
    if strata is None:
        return np.arange(units), np.zeros(units, np.uint64), np.full(units, units, np.uint64)
    stratum = np.asarray(strata)
    members = np.argsort(stratum, kind="stable")
    _, begins, sizes = np.unique(stratum[members], return_index=True, return_counts=True)
    return members, np.repeat(begins, sizes).astype(np.uint64), np.repeat(sizes, sizes).astype(np.uint64)


def swaps(units: int, number: int, seed: int) -> Iterator[Array]:
    """Yield in which units two systems change places (1) or not (0), as blocks of arrangements × units.

    For few units these are all arrangements there are, the first without any swap; else so many, drawn at random.

    >>> [block.tolist() for block in swaps(units=2, number=9999, seed=42)]
    [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    if units <= MOST_ENUMERATED:
        yield (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    bits = np.random.PCG64(seed)
    words = -(-units // 64)
    step = max(1, WEIGHTS_AT_ONCE // units)
    for begin in range(0, number, step):
        count = min(step, number - begin)
        drawn = bits.random_raw(count * words).astype("<u8").reshape(count, words)
        yield np.unpackbits(drawn.view(np.uint8), axis=1, count=units, bitorder="little").astype(np.float64)
