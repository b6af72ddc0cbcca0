"""Ragged arrays: rows of different lengths in a flat array, given by starts and lengths or by offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def offsets_of(rows: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Return the offsets of ``size`` rows in a flat array, given the sorted row number of each entry.

    >>> offsets_of(np.array([0, 0, 2]), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=size)))).astype(np.int64)


def places(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of all entries of the rows with these starts and lengths, row after row.

    >>> places(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    indices: NDArray[np.int64] = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - lengths), lengths)
    return indices


def take(offsets: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of all entries of some rows, and for each entry the index of its row among those requested.

    >>> at, of = take(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> at.tolist(), of.tolist()
    ([2, 3, 4, 0, 1], [0, 0, 0, 1, 1])
    """
    starts = np.asarray(offsets[rows], np.int64)
    lengths = np.asarray(offsets[rows + 1], np.int64) - starts
    return places(starts, lengths), np.repeat(np.arange(len(rows)), lengths)


def distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distinct keys, sorted; sorts the given array in place, which saves a copy.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    keys.sort()
    return keys[first_of_each(keys)]


def gathered(
    rows: tuple[NDArray[np.int64], NDArray[np.int64]],
    members: NDArray[Any],
    first_keys: NDArray[np.int64],
    most: int,
) -> NDArray[np.int64]:
    """Return the distinct keys of all entries of rows, sorted; a key is the row's first key plus the entry.

    Rows are given by starts and lengths. At most ``most`` entries are processed at once (or a single row), so that
    rows with much in common take little memory.

    >>> rows = np.array([0, 1, 1]), np.array([3, 2, 2])
    >>> gathered(rows, np.array([5, 6, 7]), np.array([0, 0, 10]), 4).tolist()
    [5, 6, 7, 16, 17]
    """
    starts, lengths = rows
    merged = np.empty(0, np.int64)
    for part in chunks(lengths, most):
        keys = members[places(starts[part], lengths[part])].astype(np.int64)
        keys += np.repeat(first_keys[part], lengths[part])
        merged = distinct(np.concatenate((merged, keys)) if len(merged) else keys)
    return merged


def first_of_each(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for sorted keys whether each is the first of its value."""
    first = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def find(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of each wanted key among sorted distinct ones, -1 if it is missing.

    >>> find(np.array([10, 20]), np.array([20, 15, 30])).tolist()
    [1, -1, -1]
    """
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    candidates = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[candidates] == wanted, candidates, -1)


def chunks(lengths: NDArray[np.int64], most: int) -> list[slice]:
    """Return slices of consecutive rows whose total length is at most ``most``, or single rows that are longer.

    >>> chunks(np.array([3, 3, 9, 1]), 6)
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    ends = np.cumsum(lengths)
    runs: list[slice] = []
    start = 0
    while start < len(lengths):
        filled = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, filled + most, side="right")), start + 1)
        runs.append(slice(start, stop))
        start = stop
    return runs
