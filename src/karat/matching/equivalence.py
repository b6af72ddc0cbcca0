"""Classes of things that are the same, found from pairs of them, also through others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def representatives(pairs: Iterable[tuple[T, T]]) -> dict[T, T]:
    """Return for each member of a pair the one that stands for all of its class: the first of the first pair.

    A forest: each member points to one above it, and a path is halved whenever it is walked, so that walks stay short.

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
