"""Equivalence classes, computed from pairs of equivalent members (union-find)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def representatives(pairs: Iterable[tuple[T, T]]) -> dict[T, T]:
    """Return the representative of the class of each member: the first member of the first pair of the class.

    Union-find: each member points to one above it, and paths are halved whenever they are followed, so they stay short.

    >>> representatives([("a", "b"), ("c", "d"), ("b", "c"), ("e", "e")])
    {'a': 'a', 'b': 'a', 'c': 'a', 'd': 'a', 'e': 'e'}
    """
    above: dict[T, T] = {}

    def root(member: T) -> T:
        while (upper := above.setdefault(member, member)) != member:
            above[member] = member = above[upper]
        return member

    for first, second in pairs:
        above[root(second)] = root(first)
    return {member: root(member) for member in list(above)}
