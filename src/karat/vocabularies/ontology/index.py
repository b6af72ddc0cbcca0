"""An index that was built: its nodes with labels, classes and superclasses, read from memory-mapped arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.vocabularies.ontology.facts import ALL_KINDS, INSTANCE, NO_COUNT, SUBCLASS
from karat.vocabularies.ontology.names import StoredNames, keys_of, usual_name
from karat.vocabularies.ontology.ragged import chunks, distinct, find, gathered
from karat.vocabularies.ontology.ragged import places as entries_of
from karat.vocabularies.ontology.store import damaged, load

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OF_NODES = ("keys", "counts", "label_starts", "label_sizes", "closure_row")
"""Arrays with an entry for each node."""
_ROWS = {
    "edge_offsets": ("edge_targets", "edge_kinds"),
    "closure_offsets": ("closure_members",),
    "compact_offsets": ("compact_classes", "compact_counts"),
    "name_offsets": ("name_text",),
}
"""Arrays that say where rows begin, and those in which the rows are."""

ROOT = "Q35120"
"""The class "entity", whose members are all there is."""

_MISFIT = "its arrays do not fit each other"

MOST_ENTRIES = 1_000_000
"""Entries of sets that are looked at together: they take some hundred megabytes."""


class Sets(NamedTuple):
    """The set of classes of each of some nodes, as sorted keys.

    The key is index of the node × size of the ontology + class. So the same class of another node is found by adding a
    multiple of the size to its key, and ``offsets`` tells where the keys of each node begin.

    ``counts`` are those of the classes, :data:`~karat.vocabularies.ontology.facts.NO_COUNT` for none.
    """

    keys: NDArray[np.int64]
    offsets: NDArray[np.int64]
    counts: NDArray[np.int64]


class Ontology:
    """An open index. Nodes are numbers; -1 stands for a node that the ontology does not have."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.arrays, self.info = load(path)
        for name in (*_OF_NODES, "label_text", *_ROWS, *(inside for arrays in _ROWS.values() for inside in arrays)):
            if name not in self.arrays:
                raise damaged(path, f"has no array {name!r}")
        self.keys = self.arrays["keys"]
        self.counts = self.arrays["counts"]
        self.names = StoredNames(self.arrays["name_offsets"], self.arrays["name_text"])
        self.size = len(self.keys)
        if not self._fits():
            raise damaged(path, _MISFIT)
        root = int(self.places([ROOT])[0])
        self.total = 0 if root < 0 else max(int(self.counts[root]), 0)
        """The members of the root, 0 if there is none."""

    def _fits(self) -> bool:
        """Tell whether types, lengths and ends of the arrays are consistent."""
        by_node = [len(self.arrays[name]) for name in _OF_NODES]
        by_node += [max(len(self.arrays[name]) - 1, 0) for name in ("edge_offsets", "compact_offsets")]
        if set(by_node[:-1]) != {self.size} or by_node[-1] not in (0, self.size):
            return False
        for offsets, inside in _ROWS.items():
            starts = self.arrays[offsets]
            ends = [int(starts[0]), int(starts[-1])] if len(starts) else [0, 0]
            if starts.dtype != np.int64 or any(ends != [0, len(self.arrays[name])] for name in inside):
                return False
        return True

    def _rows(self, offsets: str, rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the starts and lengths of rows; rows beyond their array are an error."""
        starts = np.asarray(self.arrays[offsets][rows], np.int64)
        ends = np.asarray(self.arrays[offsets][rows + 1], np.int64)
        last = len(self.arrays[_ROWS[offsets][0]])
        if len(rows) and not (starts.min() >= 0 and ends.max() <= last and (starts <= ends).all()):
            raise damaged(self.path, _MISFIT)
        return starts, ends - starts

    def _entries(self, offsets: str, rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indices of the entries of rows, and for each entry the index of its row."""
        starts, lengths = self._rows(offsets, rows)
        return entries_of(starts, lengths), np.repeat(np.arange(len(rows)), lengths)

    def places(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Return the node numbers for names."""
        return find(self.keys, keys_of(names, self.names))

    def name(self, node: int) -> str:
        """Return the name of a node."""
        key = int(self.keys[node])
        return usual_name(key) if key >= 0 else self.names[-key - 1]

    def label(self, node: int) -> str | None:
        """Return the English label of a node, or None."""
        size = int(self.arrays["label_sizes"][node]) if node >= 0 else -1
        if size < 0:
            return None
        start = int(self.arrays["label_starts"][node])
        return self.arrays["label_text"][start : start + size].tobytes().decode("utf-8", "replace")

    def labelled(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which nodes have a label."""
        return (nodes >= 0) & (self.arrays["label_sizes"][np.maximum(nodes, 0)] >= 0)

    def are_classes(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which nodes are classes, with a subclass or a superclass."""
        return (nodes >= 0) & (self.arrays["closure_row"][nodes] >= 0)

    def parents(self, nodes: NDArray[np.int64], kinds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the targets of the edges of some kinds from these nodes, and for each the index of its node."""
        present = np.flatnonzero(nodes >= 0)
        entries, of = self._entries("edge_offsets", nodes[present])
        chosen = (self.arrays["edge_kinds"][entries] & kinds) != 0
        return self.arrays["edge_targets"][entries[chosen]].astype(np.int64), present[of[chosen]]

    def degrees(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of outgoing edges of each node."""
        return self._rows("edge_offsets", nodes)[1]

    def sizes(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an upper bound of the number of entries in the sets of each node: the cost of computing them."""
        present = np.flatnonzero(nodes >= 0)
        costs = np.ones(len(nodes), np.int64)
        costs[present] += self.degrees(nodes[present])
        if len(self.arrays["compact_offsets"]):
            costs[present] += self._rows("compact_offsets", nodes[present])[1]
        for part in chunks(costs, MOST_ENTRIES):
            targets, of = self.parents(nodes[part], ALL_KINDS)
            rows = self.arrays["closure_row"][targets]
            known = rows >= 0
            lengths = self._rows("closure_offsets", rows[known])[1]
            together = np.bincount(of[known], lengths, part.stop - part.start).astype(np.int64)
            if together.max(initial=0) > MOST_ENTRIES:  # rows have much in common, and no set has more than all classes
                np.minimum(together, np.count_nonzero(self.arrays["closure_row"] >= 0), out=together)
            costs[part] += together
        return costs

    def features(self, nodes: NDArray[np.int64]) -> Sets:
        """Return the classes of nodes with all superclasses, which the class similarity compares.

        They follow from edges of all kinds, or are the compact counts that came with the source.
        """
        if len(self.arrays["compact_offsets"]):
            present = np.flatnonzero(nodes >= 0)
            entries, of = self._entries("compact_offsets", nodes[present])
            keys = present[of] * self.size + self.arrays["compact_classes"][entries]
            return self._sets(keys, self.arrays["compact_counts"][entries], len(nodes))
        keys = self._closed(*self.parents(nodes, ALL_KINDS))
        counts = self.counts[keys % self.size]
        return self._sets(keys[counts != NO_COUNT], counts[counts != NO_COUNT], len(nodes))

    def supers(self, nodes: NDArray[np.int64], *, all_kinds: bool = False) -> Sets:
        """Return the superclasses of nodes over instance and subclass edges; nodes with such an edge are included.

        With ``all_kinds``, occupations and positions are followed as well, and every class is its own superclass.
        """
        targets, of = self.parents(nodes, ALL_KINDS if all_kinds else INSTANCE | SUBCLASS)
        own = np.unique(of)
        if all_kinds:
            own = np.union1d(own, np.flatnonzero(self.are_classes(nodes)))
        keys = distinct(np.concatenate((self._closed(targets, of), own * self.size + nodes[own])))
        return self._sets(keys, self.counts[keys % self.size], len(nodes))

    def _closed(self, classes: NDArray[np.int64], of: NDArray[np.int64]) -> NDArray[np.int64]:
        rows = self.arrays["closure_row"][classes]
        known = rows >= 0
        every = self._rows("closure_offsets", rows[known])
        return gathered(every, self.arrays["closure_members"], of[known] * self.size, MOST_ENTRIES)

    def _sets(self, keys: NDArray[np.int64], counts: NDArray[Any], sets: int) -> Sets:
        offsets = np.searchsorted(keys, np.arange(sets + 1) * self.size)
        return Sets(keys, offsets, counts)
