"""How many nodes belong to each class, directly or through subclasses; each node counts once.

Most nodes share the set of their classes with many others, so sets are told apart first and each is followed up once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.ontology.closure import Closure
from karat.ontology.ragged import chunks, distinct, first_of_each, gathered, offsets_of, take

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK = 1 << 19
"""Entries that are sorted together: as many as a processor's cache holds."""


def member_counts(
    nodes: int, sources: NDArray[np.int64], rows: NDArray[np.int64], closure: Closure
) -> NDArray[np.int64]:
    """Count the members of each of so many nodes; 0 for what is no class.

    ``sources`` and ``rows`` say which node is in which row of the closure, sorted by node.
    """
    offsets, members, times = _different_sets(sources, rows, len(closure.offsets) - 1)
    counts = np.zeros(nodes, np.int64)
    bits = nodes.bit_length()
    row_lengths = np.diff(closure.offsets)
    owners = np.repeat(np.arange(len(times)), np.diff(offsets))
    sizes = np.bincount(owners, row_lengths[members], len(times)).astype(np.int64)
    for part in chunks(sizes, _CHUNK):
        entries, of = take(offsets, np.arange(part.start, part.stop))
        some = members[entries]
        if len(entries) > part.stop - part.start:  # some set has several rows, which may share classes
            # A set and a class are one number, the set in the high bits: what two rows share is there twice, and goes.
            every = closure.offsets[some], row_lengths[some]
            keys = gathered(every, closure.members, of << bits, _CHUNK)
            of, classes = keys >> bits, keys & ((1 << bits) - 1)
        else:
            inside, of_row = take(closure.offsets, some)
            of, classes = of[of_row], closure.members[inside]
        np.add.at(counts, classes, times[part][of])
    return counts


def _different_sets(
    sources: NDArray[np.int64], rows: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the different sets of rows as ragged rows, and how many nodes have each."""
    keys = distinct(sources * size + rows)
    sources, rows = np.divmod(keys, max(size, 1))
    first = np.flatnonzero(first_of_each(sources))
    lengths = np.diff(np.append(first, len(sources)))
    names = _set_names(first, lengths, rows)
    _, chosen, times = np.unique(names, return_index=True, return_counts=True)
    smallest_first = np.argsort(lengths[chosen], kind="stable")
    chosen, times = chosen[smallest_first], times[smallest_first]
    entries, of = take(np.append(first, len(sources)), chosen)
    return offsets_of(of, len(chosen)), rows[entries], times


def _set_names(first: NDArray[np.int64], lengths: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give equal sets equal numbers: the number of a set follows from that of all but its last row, and that row."""
    names = rows[first] if len(first) else np.empty(0, np.int64)
    base = int(rows.max()) + 1 if len(rows) else 1
    taken = base
    names = names.copy()
    for depth in range(1, int(lengths.max()) if len(lengths) else 0):
        longer = np.flatnonzero(lengths > depth)
        pairs = names[longer] * base + rows[first[longer] + depth]
        different, numbered = np.unique(pairs, return_inverse=True)
        names[longer] = taken + numbered
        taken += len(different)
    return names
