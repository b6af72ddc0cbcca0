"""Optimal one-to-one pairing: the pairs of the greatest total weight, independent of the order of the candidates.

Each connected component of the candidates is solved by itself: a single pair at once, everything else by shortest
augmenting paths, which is exact. Among equally good pairings the positions of the items decide: a caller that numbers
items by their offsets gets the same pairs in whatever order the annotations were listed.

Solving a component takes about as many steps as its smaller side times its candidates. If that is more than
``LIMIT``, SciPy's solver for sparse graphs takes over. It computes with floats: if weights are tuples so large that
their sum is not exact, the heaviest candidates are paired first instead, which gives at least half of the greatest
weight; with ``most_pairs`` the number of pairs is still the greatest possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

from karat.matching.augmenting_paths import augmented
from karat.matching.greedy import Candidates, best_first

LIMIT = 10_000_000
"""How much work a component may be without SciPy: the items of its smaller side times its candidates."""

_EXACT = 2**53
"""Whole numbers up to here are floats without loss."""

Weight = Callable[[int, int], Any]
"""How much a pair of a system and a gold item is worth: a number that is not negative, or a tuple of whole ones."""

_Edges = dict[int, dict[int, Any]]
"""For each item of one side the weight of each candidate of the other side."""


def without_choice(candidates: Candidates) -> tuple[dict[int, int], list[Sequence[int]]]:
    """Return the pairs of items that have no other candidate, and the remaining candidates of all other items.

    A caller that pairs the same items by several weights computes this once.

    >>> without_choice([[0], [1, 2], [2], []])
    ({0: 0}, [(), [1, 2], [2], []])
    """
    asked = Counter(gold for row in candidates for gold in row)
    alone = {system: row[0] for system, row in enumerate(candidates) if len(row) == 1 and asked[row[0]] == 1}
    return alone, [() if system in alone else row for system, row in enumerate(candidates)]


def optimal(candidates: Candidates, weight: Weight, *, most_pairs: bool = False) -> dict[int, int]:
    """Return the gold partner of each system item in the pairing with the greatest total weight.

    Weights may be tuples, which are added and compared lexicographically: the first element outweighs all others.
    With ``most_pairs`` the number of pairs comes before any weight.

    >>> weights = {(0, 0): 9, (0, 1): 8, (1, 0): 8}
    >>> optimal([[0, 1], [0]], lambda system, gold: weights[system, gold])
    {0: 1, 1: 0}
    """
    pairs: dict[int, int] = {}
    for part in _components(candidates):
        if len(part) == 1 == len(candidates[part[0]]):
            pairs[part[0]] = candidates[part[0]][0]
        else:
            edges = {
                system: {gold: weight(system, gold) for gold in sorted(set(candidates[system]))} for system in part
            }
            pairs |= _solved(edges, most_pairs)
    return dict(sorted(pairs.items()))


def _components(candidates: Candidates) -> Iterator[list[int]]:
    """Yield the system items of each connected component that has a candidate, in ascending order."""
    neighbours: dict[int, list[int]] = {}
    for system, golds in enumerate(candidates):
        for gold in golds:
            neighbours.setdefault(gold, []).append(system)
    seen: set[int] = set()
    for first, golds in enumerate(candidates):
        if first in seen or not golds:
            continue
        seen.add(first)
        part, looked = [first], 0  # grows while it is looked through; a gold item leads to its neighbours only once
        while looked < len(part):
            for gold in candidates[part[looked]]:
                fresh = [system for system in neighbours.pop(gold, ()) if system not in seen]
                seen.update(fresh)
                part += fresh
            looked += 1
        yield sorted(set(part))


def _solved(edges: _Edges, most_pairs: bool) -> dict[int, int]:
    turned = _transposed(edges)
    size = min(len(edges), len(turned))
    narrow = edges if len(edges) <= len(turned) else turned
    whole_weights = _as_numbers(narrow, size, most_pairs)
    if size * sum(map(len, edges.values())) <= LIMIT:
        pairs = _assigned(whole_weights)
    elif size * max(worth for row in whole_weights.values() for worth in row.values()) < _EXACT:
        pairs = _assigned_by_scipy(whole_weights)
    else:
        return _heaviest_first(edges, most_pairs)
    return pairs if narrow is edges else {system: gold for gold, system in pairs.items()}


def _transposed(edges: _Edges) -> _Edges:
    turned: _Edges = {gold: {} for gold in sorted({gold for row in edges.values() for gold in row})}
    for system, row in edges.items():
        for gold, worth in row.items():
            turned[gold][system] = worth
    return turned


def _as_numbers(edges: _Edges, size: int, most_pairs: bool) -> _Edges:
    """Convert tuples to numbers: one step of an element outweighs all that ``size`` pairs can add in later elements."""
    worths = [worth for row in edges.values() for worth in row.values()]
    if isinstance(worths[0], tuple):
        steps = [1]
        for component in reversed(list(zip(*worths, strict=True))[1:]):
            steps.insert(0, steps[0] * (size * max(component) + 1))
        edges = {
            left: {right: sum(map(int.__mul__, worth, steps)) for right, worth in row.items()}
            for left, row in edges.items()
        }
    if not most_pairs:
        return edges
    pair = size * max(worth for row in edges.values() for worth in row.values()) + 1
    return {left: {right: pair + worth for right, worth in row.items()} for left, row in edges.items()}


def _assigned(edges: _Edges) -> dict[int, int]:
    """Return the pairing of left and right items with the greatest weight, extended by one left item at a time."""
    pairing = _Pairing(edges)
    for left in edges:
        pairing.take_in(left)
    return pairing.rights


def _assigned_by_scipy(edges: _Edges) -> dict[int, int]:
    """Return the pairing of a large component with the greatest weight.

    The solver must pair every left item, so each has an additional column that means "unpaired". Weights are
    increased by one, because the solver takes a weight of zero for no candidate.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rights = sorted({right for row in edges.values() for right in row})
    column_of = {right: column for column, right in enumerate(rights)}
    starts, columns, worths = [0], [], []
    for nobody, row in enumerate(edges.values(), len(rights)):  # behind all others, each has a column for no partner
        columns += [*(column_of[right] for right in row), nobody]
        worths += [*(worth + 1.0 for worth in row.values()), 1.0]
        starts.append(len(columns))
    graph = csr_array((worths, columns, starts), shape=(len(edges), len(rights) + len(edges)))
    _, chosen = min_weight_full_bipartite_matching(graph, maximize=True)
    return {left: rights[column] for left, column in zip(edges, chosen.tolist(), strict=True) if column < len(rights)}


class _Pairing:
    """A pairing that has the greatest weight among the left items added so far.

    The cost of a pair is its weight subtracted from the greatest weight; staying unpaired costs as much as a pair of
    weight zero. Prices of both sides keep the reduced costs non-negative, so that Dijkstra's search finds the cheapest
    way to add another item.
    """

    def __init__(self, edges: _Edges) -> None:
        self.edges = edges
        self.dearest = max(worth for row in edges.values() for worth in row.values())
        self.left_prices: dict[int, Any] = dict.fromkeys(edges, 0)
        self.right_prices: dict[int, Any] = dict.fromkeys((right for row in edges.values() for right in row), 0)
        self.rights: dict[int, int] = {}
        self.lefts: dict[int, int] = {}

    def take_in(self, root: int) -> None:
        """Add a left item, paired or unpaired, and exchange the pairs on the path."""
        parents: dict[int, int] = {}
        settled: dict[int, Any] = {}
        heap: list[tuple[Any, bool, int, int]] = []
        far, left, end = 0, root, None
        lonely = (far + self.dearest - self.left_prices[left], -left)
        while True:
            for right, worth in self.edges[left].items():
                if right not in settled:
                    cost = self.dearest - worth - self.left_prices[left] - self.right_prices[right]
                    heappush(heap, (far + cost, right in self.lefts, right, left))
            while heap and heap[0][2] in settled:
                heappop(heap)
            if not heap or lonely[0] < heap[0][0]:
                far, left = lonely[0], -lonely[1]
                break
            far, paired, right, left = heappop(heap)
            parents[right] = left
            if not paired:
                end = right
                break
            settled[right] = far
            left = self.lefts[right]
            lonely = min(lonely, (far + self.dearest - self.left_prices[left], -left))
        self._reprice(root, settled, far)
        self._exchange(parents, self.rights.pop(left, None) if end is None else end)

    def _reprice(self, root: int, settled: dict[int, Any], far: Any) -> None:
        self.left_prices[root] += far
        for right, distance in settled.items():
            self.left_prices[self.lefts[right]] += far - distance
            self.right_prices[right] += distance - far

    def _exchange(self, parents: dict[int, int], end: int | None) -> None:
        while end is not None:
            left = parents[end]
            previous_right = self.rights.get(left)
            self.rights[left], self.lefts[end] = end, left
            end = previous_right


def _heaviest_first(edges: _Edges, most_pairs: bool) -> dict[int, int]:
    """Return a greedy pairing, by descending weight, of a component that is too large to solve exactly."""
    systems = list(edges)
    rows = [list(edges[system]) for system in systems]
    worths = {worth for row in edges.values() for worth in row.values()}
    rank = {worth: -order for order, worth in enumerate(sorted(worths))}
    pairs = best_first(rows, lambda row, gold: rank[edges[systems[row]][gold]])
    if most_pairs:
        pairs = augmented(rows, pairs)
    return {systems[row]: gold for row, gold in pairs.items()}
