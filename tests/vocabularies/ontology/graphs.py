"""Small invented ontologies for the tests, and what follows from them, computed the slow and obvious way."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from pathlib import Path

from hypothesis import strategies as st

Edge = tuple[str, str, str]
ROOT = "Q35120"
NAMES = [ROOT, *(f"Q{number}" for number in range(1, 9)), "P31", "somevalue"]

edges = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["P279", "P279", "P31", "P106", "P39"]), st.sampled_from(NAMES)),
    min_size=1,
    max_size=25,
)

AIRCRAFT: list[Edge] = [
    ("Q1", "P279", ROOT),
    ("Q2", "P279", "Q1"),
    ("Q3", "P279", "Q2"),
    ("Q4", "P279", "Q2"),
    ("Q5", "P31", "Q3"),
    ("Q6", "P31", "Q4"),
    ("Q7", "P31", "Q4"),
    ("Q8", "P106", "Q1"),
]


def kgtk(path: Path, rows: Iterable[Edge]) -> str:
    """Write a KGTK edge file."""
    lines = [f"E{number}\t{a}\t{kind}\t{b}\n" for number, (a, kind, b) in enumerate(rows)]
    path.write_text("id\tnode1\tlabel\tnode2\n" + "".join(lines), "utf-8")
    return str(path)


class Slow:
    """An ontology as sets and dictionaries, after the definitions."""

    def __init__(self, rows: Iterable[Edge]) -> None:
        self.rows = set(rows)
        classes = {name for a, kind, b in self.rows if kind == "P279" for name in (a, b)}
        self.star = {name: self._above(name) for name in classes}
        self.features = {a: self._union(a, ("P31", "P279", "P106", "P39")) for a, _, _ in self.rows}
        self.counts: dict[str, int] = {}
        for found in self.features.values():
            for name in found:
                self.counts[name] = self.counts.get(name, 0) + 1
        self.total = self.counts.get(ROOT, 0)

    def parents(self, node: str, *kinds: str) -> set[str]:
        return {b for a, kind, b in self.rows if a == node and kind in kinds}

    def _above(self, name: str) -> set[str]:
        found, waiting = {name}, [name]
        while waiting:
            new = self.parents(waiting.pop(), "P279") - found
            found |= new
            waiting += new
        return found

    def _union(self, node: str, kinds: Iterable[str]) -> set[str]:
        return {name for parent in self.parents(node, *kinds) for name in self.star.get(parent, ())}

    def class_(self, a: str, b: str) -> float | None:
        sets = {node: self.features[node] | {node} for node in {a, b} if self.features.get(node)}
        if not sets or not self.total:
            return None if sets else 0.0
        weights = {
            name: sum(name in one for one in sets.values()) * log(self.total / self.counts.get(name, 1))
            for one in sets.values()
            for name in one
        }
        whole = sum(weights.values())
        if abs(whole) < 1e-12:
            return None
        if a not in sets or b not in sets:
            return 0.0
        return max(sum(weights[name] for name in sets[a] & sets[b]) / whole, 0.0)

    def supers(self, node: str) -> set[str]:
        own = {node} if self.parents(node, "P31", "P279") else set()
        return own | self._union(node, ("P31", "P279"))

    def subsumers(self, a: str, b: str) -> set[str]:
        common = self.supers(a) & self.supers(b)
        above = {parent for name in common for parent in self.parents(name, "P279")}
        above |= {parent for node in {a, b} & common for parent in self.parents(node, "P31", "P279")}
        return common - above

    def jc(self, a: str, b: str) -> float | None:
        if not self.total:
            return None
        both = sum(log(self.counts.get(node, 1) / self.total) for node in (a, b))
        found = self.subsumers(a, b)
        if not found or a == b:
            return 1.0 if found else 0.0
        if any(name not in self.counts for name in found) or both == 0:
            return None
        distances = [max(2 * log(self.counts[name] / self.total) - both, 0.0) for name in found]
        return max(max(1 + distance / both, 0.0) for distance in distances)
