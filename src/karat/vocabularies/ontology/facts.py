"""Facts from the sources as flat arrays: edges between nodes, English labels, and precomputed tables."""

from __future__ import annotations

from array import array
from typing import IO, TYPE_CHECKING

import numpy as np

from karat.vocabularies.ontology.names import NameKeys, settled

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTANCE, SUBCLASS, OTHER = 1, 2, 4
ALL_KINDS = INSTANCE | SUBCLASS | OTHER
KINDS = {"P31": INSTANCE, "P279": SUBCLASS, "P106": OTHER, "P39": OTHER}
"""Properties that say what something is: instance of, subclass of, occupation and position held."""

NO_COUNT = -1
"""Stands in the counts for a node that is no class."""


class OntologyFacts:
    """Collects the facts that are read from the sources.

    A source may provide closure, counts and compact counts as tables; these are used as they are, even if they
    contradict the edges.
    """

    def __init__(self, labels: IO[bytes]) -> None:
        self.names = NameKeys()
        self.sources, self.targets, self.kinds = array("q"), array("q"), array("b")
        self.closure = DerivedRows()
        self.counts = DerivedRows()
        self.compact = DerivedRows()
        self.labels = labels
        self.labelled, self.label_starts, self.label_sizes = array("q"), array("q"), array("i")
        self.label_end = 0
        self.left_out = 0

    def edge(self, source: str, kind: int, target: str) -> None:
        """Add an edge."""
        if not source or not target:
            self.left_out += 1
            return
        key = self.names.key
        self.sources.append(key(source))
        self.targets.append(key(target))
        self.kinds.append(kind)

    def edges(self, sources: NDArray[np.int64], kinds: NDArray[np.int8], targets: NDArray[np.int64]) -> None:
        """Add many edges between nodes, given by the keys of their names."""
        self.sources.frombytes(sources.tobytes())
        self.targets.frombytes(targets.tobytes())
        self.kinds.frombytes(kinds.tobytes())

    def label(self, node: str, text: str) -> None:
        """Add an English label; only the first one of a node is used."""
        raw = text.encode("utf-8", "replace")
        self.labels.write(raw)
        self.labelled.append(self.names.key(node))
        self.label_starts.append(self.label_end)
        self.label_sizes.append(len(raw))
        self.label_end += len(raw)

    def settle(self) -> list[str]:
        """Give the keys of irregular names their final order, and return those names."""
        ranked, final = self.names.in_order()
        tables = (self.closure, self.counts, self.compact)
        for keys in (self.sources, self.targets, self.labelled, *(keys for table in tables for keys in table.keys)):
            settled(integers(keys), final)
        return ranked


class DerivedRows:
    """Rows of a precomputed table: a node, and a class or a number, or both for compact counts."""

    def __init__(self) -> None:
        self.nodes, self.others, self.numbers = array("q"), array("q"), array("q")
        self.keys = (self.nodes, self.others)

    def __len__(self) -> int:
        return len(self.nodes)


def integers(numbers: array[int]) -> NDArray[np.int64]:
    """Return the numbers as an array that shares their memory."""
    return np.frombuffer(numbers, np.int64) if len(numbers) else np.empty(0, np.int64)
