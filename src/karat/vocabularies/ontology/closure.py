"""The superclasses of every class, and the number of members of each class, direct or indirect, each counted once.

The superclasses are the reflexive transitive closure of subclass edges. Classes in a cycle have the same ones, so the
closure is computed on strongly connected components, from the roots down, level by level. It is written to a file as it
grows. Most nodes share their set of classes with many others, so members are counted per distinct set of classes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.errors import InputError
from karat.vocabularies.ontology.ragged import chunks, distinct, first_of_each, gathered, offsets_of, take
from karat.vocabularies.ontology.store import append

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_PAIRS = 1_000_000_000
"""Pairs of a class and a superclass, beyond which a build is given up before it fills the disk."""
FEW_PAIRS = 4_000_000
"""Pairs that any index may have."""
PAIRS_OF_A_CLASS = 500
"""Superclasses that classes may have on average, if there are more pairs: a long chain of classes has more."""

_CHUNK = 8_000_000
_SORTED_TOGETHER = 1 << 19
"""Entries that are sorted together to count members: as many as a processor's cache holds."""


class Closure(NamedTuple):
    """Rows of superclasses: the row of each node (-1 for none), where rows begin, and the classes in them."""

    row: NDArray[np.int32]
    offsets: NDArray[np.int64]
    members: NDArray[Any]


class _Components(NamedTuple):
    """Strongly connected components: the members, parents and children of each, as ragged rows."""

    number: int
    member_offsets: NDArray[np.int64]
    members: NDArray[np.int64]
    parent_offsets: NDArray[np.int64]
    parents: NDArray[np.int64]
    child_offsets: NDArray[np.int64]
    children: NDArray[np.int64]


def compute(nodes: int, children: NDArray[Any], parents: NDArray[Any], file: Path, most: int | None = None) -> Closure:
    """Return the closure of subclass edges; the members of its rows are written to a file.

    Every node with a subclass edge has a row.

    Args:
        nodes: the number of nodes.
        children: the subclasses of the edges.
        parents: the superclasses of the edges.
        file: where the members of the rows are written.
        most: the largest allowed number of pairs of a class and a superclass, if not the default.

    """
    classes = distinct(np.concatenate((children, parents)).astype(np.int64))
    components, of_class = _components(classes, children, parents)
    if most is None:
        most = min(max(FEW_PAIRS, PAIRS_OF_A_CLASS * len(classes)), MAX_PAIRS)
    row = np.full(nodes, -1, np.int32)
    row[classes] = of_class
    starts = np.zeros(components.number, np.int64)
    lengths = np.zeros(components.number, np.int64)
    end = 0
    with file.open("wb") as stream:
        for level in _levels(components):
            entries, of = take(components.parent_offsets, level)
            above = components.parents[entries]
            sizes = np.bincount(of, lengths[above], len(level)).astype(np.int64)
            sizes += np.diff(components.member_offsets)[level]
            stream.flush()
            written = _members(file)
            for part in chunks(sizes, _CHUNK):
                batch = level[part]
                keys = _rows(batch, components, written, starts, lengths, len(classes))
                local, members = np.divmod(keys, len(classes))
                lengths[batch] = np.bincount(local, minlength=len(batch))
                starts[batch] = end + np.cumsum(lengths[batch]) - lengths[batch]
                end += len(keys)
                if end > most:
                    raise InputError(
                        f"the subclass edges between {len(classes):,} classes make more than {most:,} pairs of a class"
                        " and a superclass, of 4 bytes each; if that is right, allow more by --max-superclasses"
                    )
                append(stream, members.astype("<i4"))
    return _in_order(row, classes, starts, lengths, file)


def _components(
    classes: NDArray[np.int64], children: NDArray[Any], parents: NDArray[Any]
) -> tuple[_Components, NDArray[np.int64]]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    below, above = np.searchsorted(classes, children), np.searchsorted(classes, parents)
    shape = (len(classes), len(classes))
    graph = coo_array((np.ones(len(below), np.int8), (below, above)), shape)
    component_count, of_class = connected_components(graph, directed=True, connection="strong")
    of_class = of_class.astype(np.int64)
    order = np.argsort(of_class, kind="stable")
    below, above = of_class[below], of_class[above]
    apart = below != above
    edges = distinct(below[apart] * max(component_count, 1) + above[apart])
    below, above = np.divmod(edges, max(component_count, 1))
    down = np.argsort(above, kind="stable")
    components = _Components(
        component_count,
        offsets_of(of_class[order], component_count),
        order,
        offsets_of(below, component_count),
        above,
        offsets_of(above[down], component_count),
        below[down],
    )
    return components, of_class


def _levels(components: _Components) -> list[NDArray[np.int64]]:
    """Return the components in topological levels: first those without parents, then those whose parents are done."""
    waiting = np.diff(components.parent_offsets)
    level = np.flatnonzero(waiting == 0)
    levels: list[NDArray[np.int64]] = []
    while len(level):
        levels.append(level)
        entries, _ = take(components.child_offsets, level)
        below, times = np.unique(components.children[entries], return_counts=True)
        waiting[below] -= times
        level = below[waiting[below] == 0]
    return levels


def _rows(
    batch: NDArray[np.int64],
    components: _Components,
    written: NDArray[Any],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    classes: int,
) -> NDArray[np.int64]:
    """Return the superclasses of some components, each as a key of the component's index and the class."""
    entries, of = take(components.parent_offsets, batch)
    above = components.parents[entries]
    inherited = gathered((starts[above], lengths[above]), written, of * classes, _CHUNK)
    entries, of = take(components.member_offsets, batch)
    own = components.members[entries] + of * classes
    return distinct(np.concatenate((inherited, own)))


def _members(file: Path) -> NDArray[Any]:
    return np.memmap(file, "<i4", "r") if file.stat().st_size else np.empty(0, "<i4")


def _in_order(
    row: NDArray[np.int32],
    classes: NDArray[np.int64],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    file: Path,
) -> Closure:
    """Return the closure with rows numbered in the order of writing, and classes as node numbers."""
    order = np.argsort(starts, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    row[classes] = rank[row[classes]]
    offsets = np.concatenate(([0], np.cumsum(lengths[order]))).astype(np.int64)
    members = _members(file)
    with file.open("r+b") as stream:  # not by the mapping: a disk without room would end the process
        for begin in range(0, len(members), _CHUNK):
            append(stream, classes[members[begin : begin + _CHUNK]].astype("<i4"))
    return Closure(row, offsets, _members(file))


def given(nodes: int, below: NDArray[np.int64], above: NDArray[np.int64], file: Path) -> Closure:
    """Return the closure that a source states, unchanged."""
    keys = distinct(below * nodes + above)
    below, above = np.divmod(keys, max(nodes, 1))
    with file.open("wb") as stream:
        append(stream, above.astype("<i4"))
    owners, lengths = np.unique(below, return_counts=True)
    row = np.full(nodes, -1, np.int32)
    row[owners] = np.arange(len(owners), dtype=np.int32)
    return Closure(row, np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), _members(file))


def member_counts(
    nodes: int, sources: NDArray[np.int64], rows: NDArray[np.int64], closure: Closure
) -> NDArray[np.int64]:
    """Return the number of members of each node; 0 for nodes that are not classes.

    ``sources`` and ``rows`` pair a node with a row of the closure, sorted by node.
    """
    offsets, members, times = _different_sets(sources, rows, len(closure.offsets) - 1)
    counts = np.zeros(nodes, np.int64)
    bits = nodes.bit_length()
    row_lengths = np.diff(closure.offsets)
    owners = np.repeat(np.arange(len(times)), np.diff(offsets))
    sizes = np.bincount(owners, row_lengths[members], len(times)).astype(np.int64)
    for part in chunks(sizes, _SORTED_TOGETHER):
        entries, of = take(offsets, np.arange(part.start, part.stop))
        member_rows = members[entries]
        if len(entries) > part.stop - part.start:  # some set has several rows, which may share classes
            # A set and a class are one number, the set in the high bits: what two rows share is there twice, and goes.
            every = closure.offsets[member_rows], row_lengths[member_rows]
            keys = gathered(every, closure.members, of << bits, _SORTED_TOGETHER)
            of, classes = keys >> bits, keys & ((1 << bits) - 1)
        else:
            inside, of_row = take(closure.offsets, member_rows)
            of, classes = of[of_row], closure.members[inside]
        np.add.at(counts, classes, times[part][of])
    return counts


def _different_sets(
    sources: NDArray[np.int64], rows: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct sets of rows as ragged rows, and how many nodes have each."""
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
    """Return a number for each set, equal for equal sets: derived from the number of the set without its last row."""
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
