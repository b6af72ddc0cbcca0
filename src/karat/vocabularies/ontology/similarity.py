"""Semantic similarity of many pairs of nodes at once, as the published program computes it or corrected.

The published program is usc-isi-i2/kgtk-similarity (commit 859e9dc); where it raises an exception, a score is
undefined. The differences of the corrected variant have names in ``quirks.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.errors import unknown
from karat.vocabularies.ontology import index
from karat.vocabularies.ontology.facts import INSTANCE, NO_COUNT, SUBCLASS
from karat.vocabularies.ontology.index import Ontology, Sets
from karat.vocabularies.ontology.provider import Likeness
from karat.vocabularies.ontology.ragged import chunks, find, take
from karat.vocabularies.ontology.store import damaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

PUBLISHED = "published"
PROFILES = (PUBLISHED, "corrected")
_MOST_PAIRS = 2048
"""Pairs that are looked at together if their sets are small: enough to be quick."""


class Measured(NamedTuple):
    """The scores of a pair by both measures, and whether the ontology has its first and its second node.

    None is undefined: the published program raises an exception.
    """

    class_: float | None
    jc: float | None
    known: tuple[bool, bool]


class OntologyProvider:
    """Scores from an index, by a profile; None if the ontology lacks one of the nodes."""

    def __init__(self, ontology: Ontology, profile: str = PUBLISHED) -> None:
        self.ontology = ontology
        self.profile = profile

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return the scores of pairs of names."""
        results = measure(self.ontology, pairs, self.profile)
        return [Likeness(result.class_, result.jc) if all(result.known) else None for result in results]


def measure(ontology: Ontology, pairs: Sequence[tuple[str, str]], profile: str = PUBLISHED) -> list[Measured]:
    """Return the scores of pairs of names; an unknown node scores 0 if published, None if corrected."""
    if profile not in PROFILES:
        raise unknown("profile", profile, PROFILES)
    results: list[Measured] = []
    try:
        for start in range(0, len(pairs), _MOST_PAIRS):
            for batch in _Batch(ontology, pairs[start : start + _MOST_PAIRS]).split():
                results += batch.measured(published=profile == PUBLISHED)
    except (IndexError, ValueError) as error:
        raise damaged(ontology.path, "its arrays do not fit each other") from error
    return results


def subsumers(ontology: Ontology, first: str, second: str) -> list[tuple[str, int | None]]:
    """Return the most specific common superclasses of two nodes with their counts, as in the published profile."""
    batch = _Batch(ontology, [(first, second)])
    _, classes = batch.most_specific(ontology.supers(batch.nodes))
    counts = ontology.counts[classes].tolist()
    named = zip(map(ontology.name, classes.tolist()), counts, strict=True)
    return [(name, None if count == NO_COUNT else count) for name, count in named]


class _Batch:
    """Some pairs: their nodes, and for each pair the indices of its two nodes."""

    def __init__(self, ontology: Ontology, pairs: Sequence[tuple[str, str]]) -> None:
        self.ontology = ontology
        self.pairs = pairs
        self.size = ontology.size
        index_of = {name: index for index, name in enumerate(dict.fromkeys(name for pair in pairs for name in pair))}
        self.nodes = ontology.places(list(index_of))
        self.a = np.array([index_of[first] for first, _ in pairs], np.int64)
        self.b = np.array([index_of[second] for _, second in pairs], np.int64)
        self.same = self.a == self.b

    def split(self) -> Iterator[_Batch]:
        """Yield batches of the same pairs whose sets together fit into the memory limit."""
        sizes = self.ontology.sizes(self.nodes)
        costs = sizes[self.a] + sizes[self.b]
        if int(costs.sum()) <= index.MOST_ENTRIES:
            yield self
        else:
            for part in chunks(costs, index.MOST_ENTRIES):
                yield _Batch(self.ontology, self.pairs[part])

    def measured(self, *, published: bool) -> list[Measured]:
        """Return the scores of every pair."""
        features = self.ontology.features(self.nodes)
        described = np.diff(features.offsets) > 0
        if published:
            known = self.ontology.labelled(self.nodes) | described
            by_class = self._published_class(features, described, known)
            by_jc = self._published_jc()
        else:
            known = self.nodes >= 0
            by_class = self._corrected_class(features, described | self.ontology.are_classes(self.nodes))
            by_jc = self._corrected_jc()
            for values in (by_class, by_jc):
                values[self.same] = 1.0
                values[~(known[self.a] & known[self.b])] = np.nan
        answers = ([None if value != value else value for value in column.tolist()] for column in (by_class, by_jc))
        both = zip(known[self.a].tolist(), known[self.b].tolist(), strict=True)
        return [Measured(*row) for row in zip(*answers, both, strict=True)]

    def _published_class(self, features: Sets, described: NDArray[np.bool_], known: NDArray[np.bool_]) -> Floats:
        sets, own = self._with_self(features, described)
        weight = weights(sets.counts, self.ontology.total)
        mass = np.bincount(sets.keys // self.size, weight, len(self.nodes))
        left, right, pair = self._shared(sets)
        # Where the two disagree about a count, the second one's compact counts win, then the first one's.
        agreed = np.where(own[right], weight[left], weight[right])
        shared = np.bincount(pair, agreed, len(self.a))
        whole = mass[self.a] + mass[self.b]
        whole += np.bincount(pair, 2 * agreed - weight[left] - weight[right], len(self.a))
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.where(self.same, 1.0, np.maximum(2 * shared / whole, 0.0))
        scores[~(described[self.a] & described[self.b])] = 0.0
        scores[(described[self.a] | described[self.b]) & ((whole == 0) | np.isnan(whole))] = np.nan
        scores[~(known[self.a] & known[self.b])] = 0.0
        return scores

    def _corrected_class(self, features: Sets, described: NDArray[np.bool_]) -> Floats:
        sets, _ = self._with_self(features, described)
        weight = np.maximum(weights(sets.counts, self.ontology.total), 0.0)
        mass = np.bincount(sets.keys // self.size, weight, len(self.nodes))
        left, _, pair = self._shared(sets)
        shared = np.bincount(pair, weight[left], len(self.a))
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = shared / (mass[self.a] + mass[self.b] - shared)
        scores[~(described[self.a] & described[self.b])] = np.nan
        return scores

    def _published_jc(self) -> Floats:
        both = self._together()
        pair, classes = self.most_specific(self.ontology.supers(self.nodes))
        alike = jiang_conrath(-weights(self.ontology.counts[classes], self.ontology.total), both[pair])
        scores = np.zeros(len(self.a))
        with np.errstate(invalid="ignore"):
            np.maximum.at(scores, pair, alike)  # where one is not a number, the best is not either
        scores[pair] = np.where(self.same[pair], 1.0, scores[pair])
        scores[np.isnan(both)] = np.nan
        return scores

    def _corrected_jc(self) -> Floats:
        both = self._together(lightest=0.0)
        sets = self.ontology.supers(self.nodes, all_kinds=True)
        left, _, pair = self._shared(sets)
        weight = np.maximum(weights(sets.counts[left], self.ontology.total), 0.0)
        alike = jiang_conrath(-weight, both[pair])
        scores = np.zeros(len(self.a))
        with np.errstate(invalid="ignore"):
            np.fmax.at(scores, pair, alike)  # what is not a number is passed over
        placed = np.diff(sets.offsets) > 0
        scores[~(placed[self.a] & placed[self.b]) | np.isnan(both) | (both == 0)] = np.nan
        return scores

    def _together(self, lightest: float = -np.inf) -> Floats:
        """Return for each pair the sum of ``ln(count / total)``; a node that is not a class counts as one."""
        counts = self.ontology.counts[self.nodes]
        counts = np.where((self.nodes < 0) | (counts == NO_COUNT), 1, counts)
        alone = -np.maximum(weights(counts, self.ontology.total), lightest)
        together: Floats = alone[self.a] + alone[self.b]
        return together

    def _with_self(self, features: Sets, described: NDArray[np.bool_]) -> tuple[Sets, NDArray[np.bool_]]:
        """Add each node that has classes to its own set, if missing; return which entries were added."""
        places = np.flatnonzero(described)
        keys = places * self.size + self.nodes[places]
        keys = keys[find(features.keys, keys) < 0]
        counts = self.ontology.counts[keys % self.size]
        keys = np.concatenate((features.keys, keys))
        order = np.argsort(keys, kind="stable")
        counts = np.concatenate((features.counts, np.where(counts == NO_COUNT, 1, counts)))[order]
        offsets = np.searchsorted(keys[order], np.arange(len(self.nodes) + 1) * self.size)
        return Sets(keys[order], offsets, counts), order >= len(features.keys)

    def _shared(self, sets: Sets) -> tuple[Ints, Ints, Ints]:
        """Return the positions, in the sets of both nodes, of the classes that they share, and the pair."""
        left, pair = take(sets.offsets, self.a)
        right = find(sets.keys, sets.keys[left] + (self.b - self.a)[pair] * self.size)
        both = right >= 0
        return left[both], right[both], pair[both]

    def most_specific(self, sets: Sets) -> tuple[Ints, Ints]:
        """Return the most specific common superclasses by pair: those that are not a parent of another one."""
        left, _, pair = self._shared(sets)
        common = sets.keys[left] % self.size + pair * self.size
        is_above = np.zeros(len(common) + 1, np.bool_)  # the last entry is for parents that are not common
        for part in chunks(self.ontology.degrees(common % self.size), index.MOST_ENTRIES):
            parents, of = self.ontology.parents(common[part] % self.size, SUBCLASS)
            is_above[find(common, parents + pair[part][of] * self.size)] = True
        for side in (self.a, self.b):
            nodes = self.nodes[side]
            itself = np.flatnonzero((nodes >= 0) & (find(common, nodes + np.arange(len(nodes)) * self.size) >= 0))
            parents, of = self.ontology.parents(nodes[itself], INSTANCE)
            is_above[find(common, parents + itself[of] * self.size)] = True
        chosen = common[~is_above[:-1]]
        return chosen // self.size, chosen % self.size


def weights(counts: NDArray[np.int64], total: int) -> Floats:
    """Return the weight of classes, ``ln(total / count)``, higher for rarer classes; NaN without counts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log(total / counts)
    values[~np.isfinite(values)] = np.nan
    return values


def jiang_conrath(subsumer: Floats, both: Floats) -> Floats:
    """Return the similarity of two nodes through a common superclass.

    ``subsumer`` is ``ln(count / total)`` of the superclass, ``both`` the sum of that of the two nodes. The distance
    through the superclass is divided by that through the root, the largest one; undefined if that is zero.

    >>> both = np.log(1000 / 41575722) + np.log(2000 / 41575722)
    >>> round(float(jiang_conrath(np.log(50000 / 41575722), both)), 4)
    0.6535
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.maximum(2 * subsumer - both, 0.0)
        return np.where(both == 0, np.nan, np.maximum(1.0 - distance / -both, 0.0))
