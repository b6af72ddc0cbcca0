"""Whose turn it is: which items wait for which judge, what they did with each, and who has taken which.

A byte or two for each item and judge are all that is kept, so that the next item is found without a search and memory
does not grow with the answers, which the journal has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple

from karat.judge.pool import PooledItem

DONE, UNSURE, SKIPPED = 1, 2, 4
KEPT = 1800.0
"""Seconds for which an item is kept for whoever has it before them and does nothing: they may have gone."""


class JudgeProgress(NamedTuple):
    """How many items a judge has answered of those that are theirs, and how many were skipped or left unsure."""

    done: int
    total: int
    skipped: int
    unsure: int


class Hand:
    """What became of items in the hands of a judge, each by its place, and which texts they searched."""

    def __init__(self, waiting: bytearray) -> None:
        self.waiting = waiting
        self.marks = bytearray(len(waiting))
        self.counts = Counter[int]()
        self.searched: set[str] = set()

    def mark(self, index: int, mark: int) -> None:
        """Note what holds of an item now."""
        for bit in (DONE, UNSURE, SKIPPED):
            self.counts[bit] += bool(mark & bit) - bool(self.marks[index] & bit)
        self.marks[index] = mark

    def aside(self) -> Iterator[int]:
        """Yield the places of what was skipped or left unsure."""
        for index, mark in enumerate(self.marks):
            if mark & (UNSURE | SKIPPED):
                yield index


class Turns:
    """The items of a pool as they are divided among judges.

    What is not shared belongs to whoever answers it first. Where something is asked of whole documents, that goes for
    all items of a document at once: whoever is asked has seen all of them.
    """

    def __init__(
        self, entries: Sequence[PooledItem], *, whole_documents: bool, clock: Callable[[], float] = monotonic
    ) -> None:
        self.entries, self.whole_documents, self.clock = entries, whole_documents, clock
        self.members: dict[str, list[int]] = {}
        for index, entry in enumerate(entries):
            self.members.setdefault(entry.item.document, []).append(index)
        self.hands: dict[str, Hand] = {}
        self.owners = [""] * len(entries)
        self.claims = Counter[str]()
        self.shown: dict[str, tuple[int, float]] = {}
        """The item that each judge has before them, and since when."""

    def hand(self, person: str) -> Hand:
        """Return what became of items in the hands of a judge."""
        if person not in self.hands:
            waiting = bytearray(owner in ("", person) for owner in self.owners)
            self.hands[person] = Hand(waiting)
        return self.hands[person]

    def is_theirs(self, person: str, index: int) -> bool:
        """Say whether an item may be answered by a judge: it is shared, nobody's or theirs, or they did so before."""
        return self.owners[index] in ("", person) or bool(self.hand(person).marks[index] & DONE)

    def sees_all(self, person: str, document: str) -> bool:
        """Say whether all items of a document are or may become a judge's."""
        return all(self.owners[index] in ("", person) for index in self.members.get(document, ()))

    def _together(self, index: int) -> Sequence[int]:
        return self.members[self.entries[index].item.document] if self.whole_documents else (index,)

    def claim(self, person: str, index: int) -> None:
        """Let an item be a judge's, with all that are taken with it, if it is to be divided and nobody's."""
        if self.entries[index].shared or self.owners[index]:
            return
        for taken in self._together(index):
            if not self.entries[taken].shared and not self.owners[taken]:
                self.owners[taken] = person
                self.claims[person] += 1
                for name, hand in self.hands.items():
                    if name != person and not hand.marks[taken]:
                        hand.waiting[taken] = False

    def release(self, person: str, index: int) -> list[int]:
        """Give back what a judge took with an item, if no answer is left of it, and return the places."""
        taken = [near for near in self._together(index) if self.owners[near] == person]
        if any(self.hand(person).marks[near] & DONE for near in taken):
            return []
        for near in taken:
            self.owners[near] = ""
            self.claims[person] -= 1
        return taken

    def next_place(self, person: str) -> int | None:
        """Lay the first item before a judge that waits for them, and that nobody else has before them."""
        now = self.clock()
        kept = [index for name, (index, since) in self.shown.items() if name != person and now - since < KEPT]
        elsewhere = {near for index in kept for near in self._together(index)}
        waiting = self.hand(person).waiting
        index = waiting.find(True)
        while index >= 0:
            if self.entries[index].shared or self.owners[index] == person or index not in elsewhere:
                self.shown[person] = (index, now)
                return index
            index = waiting.find(True, index + 1)
        self.shown.pop(person, None)
        return None

    def progress(self, person: str) -> JudgeProgress:
        """Count what a judge has done, and what is left for them."""
        counts, taken = self.hand(person).counts, self.claims.total() - self.claims[person]
        return JudgeProgress(counts[DONE], len(self.entries) - taken, counts[SKIPPED], counts[UNSURE])
