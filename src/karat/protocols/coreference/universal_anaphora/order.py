"""The order in which the published program holds the members of a chain, if split antecedents count.

It puts them into a set, and takes them as they come out of it. That depends on nothing but their hashes: those of the
numbers of their words. So a set of the same hashes is asked here. Zeros have other hashes every time that the program
is run; here they have one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar

from karat.protocols.coreference.corefud.marks import Runs

MOST_WORDS = 1_000_000
"""Up to how many words the mentions of a document may cover to be put into that order; beyond, theirs is that of the
file."""

T = TypeVar("T")


class Hashed(Generic[T]):
    """Something with an identity and the hash that it has in the program."""

    __slots__ = ("key", "number", "value")

    def __init__(self, value: T, key: Hashable, number: int) -> None:
        self.value, self.key, self.number = value, key, number

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hashed) and self.key == other.key


def hash_of_words(runs: Runs, key: Hashable) -> int:
    """Return the hash of a mention in the program; that of a zero depends on its place."""
    words: Iterable[object] = chain.from_iterable(range(*run) for run in runs) if runs else _numbers(key)
    return hash(frozenset(words))


def _numbers(place: object) -> Iterator[object]:
    """Yield the numbers in the place of a zero, which have the same hash in every process."""
    if isinstance(place, tuple):
        for part in place:
            yield from _numbers(part)
    elif isinstance(place, int):
        yield place


def in_set_order(groups: Sequence[Sequence[Hashed[T]]]) -> list[T]:
    """Return what is in a set that is filled group by group, each thing once."""
    held = set(groups[0])
    for group in groups[1:]:
        held.update(group)
    return [hashed.value for hashed in held]
