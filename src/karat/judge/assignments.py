"""The assignment of items to judges: which items wait for a judge, and which are done, skipped or unsure.

It keeps only one or two bytes for each item and judge, so that finding the next item is fast and memory does not grow
with the answers, which are in the journal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import NamedTuple

from karat.judge.pool import PooledItem

DONE, UNSURE, SKIPPED = 1, 2, 4
KEPT = 1800.0
"""Seconds for which an item stays reserved for a judge who has it on screen and does not answer."""


class JudgeProgress(NamedTuple):
    """A judge's numbers of answered, available, skipped and unsure items."""

    done: int
    total: int
    skipped: int
    unsure: int


class JudgeMarks:
    """A judge's state: which items wait, the mark of each item by its index, and the searched documents."""

    def __init__(self, waiting: bytearray) -> None:
        self.waiting = waiting
        self.marks = bytearray(len(waiting))
        self.counts = Counter[int]()
        self.searched: set[str] = set()

    def mark(self, index: int, mark: int) -> None:
        """Set the mark of an item and update the counts."""
        for bit in (DONE, UNSURE, SKIPPED):
            self.counts[bit] += bool(mark & bit) - bool(self.marks[index] & bit)
        self.marks[index] = mark

    def aside(self) -> Iterator[int]:
        """Yield the indices of items that were skipped or left unsure."""
        for index, mark in enumerate(self.marks):
            if mark & (UNSURE | SKIPPED):
                yield index


class Assignments:
    """The assignment of the items of a pool to judges.

    An item that is not shared belongs to the judge who answers it first. If the scheme asks about documents, all items
    of a document are assigned together, because whoever answers must have seen all of them.
    """

    def __init__(
        self, entries: Sequence[PooledItem], *, whole_documents: bool, clock: Callable[[], float] = monotonic
    ) -> None:
        self.entries, self.whole_documents, self.clock = entries, whole_documents, clock
        self.members: dict[str, list[int]] = {}
        for index, entry in enumerate(entries):
            self.members.setdefault(entry.item.document, []).append(index)
        self.by_judge: dict[str, JudgeMarks] = {}
        self.owners = [""] * len(entries)
        self.claims = Counter[str]()
        self.shown: dict[str, tuple[int, float]] = {}
        """The item on each judge's screen, and since when."""

    def marks_of(self, person: str) -> JudgeMarks:
        """Return a judge's state, creating it on first use."""
        if person not in self.by_judge:
            waiting = bytearray(owner in ("", person) for owner in self.owners)
            self.by_judge[person] = JudgeMarks(waiting)
        return self.by_judge[person]

    def is_theirs(self, person: str, index: int) -> bool:
        """Return whether a judge may answer an item: it is shared, free or theirs, or they answered it before."""
        return self.owners[index] in ("", person) or bool(self.marks_of(person).marks[index] & DONE)

    def sees_all(self, person: str, document: str) -> bool:
        """Return whether all items of a document are free or assigned to a judge."""
        return all(self.owners[index] in ("", person) for index in self.members.get(document, ()))

    def _together(self, index: int) -> Sequence[int]:
        return self.members[self.entries[index].item.document] if self.whole_documents else (index,)

    def claim(self, person: str, index: int) -> None:
        """Assign an item to a judge, with all that are assigned together, unless it is shared or already assigned."""
        if self.entries[index].shared or self.owners[index]:
            return
        for taken in self._together(index):
            if not self.entries[taken].shared and not self.owners[taken]:
                self.owners[taken] = person
                self.claims[person] += 1
                for name, marks in self.by_judge.items():
                    if name != person and not marks.marks[taken]:
                        marks.waiting[taken] = False

    def release(self, person: str, index: int) -> list[int]:
        """Free the items assigned together with an item if the judge has answered none; return their indices."""
        taken = [near for near in self._together(index) if self.owners[near] == person]
        if any(self.marks_of(person).marks[near] & DONE for near in taken):
            return []
        for near in taken:
            self.owners[near] = ""
            self.claims[person] -= 1
        return taken

    def next_index(self, person: str) -> int | None:
        """Reserve the first waiting item that no other judge has on screen, and return its index or None."""
        now = self.clock()
        kept = [index for name, (index, since) in self.shown.items() if name != person and now - since < KEPT]
        elsewhere = {near for index in kept for near in self._together(index)}
        waiting = self.marks_of(person).waiting
        index = waiting.find(True)
        while index >= 0:
            if self.entries[index].shared or self.owners[index] == person or index not in elsewhere:
                self.shown[person] = (index, now)
                return index
            index = waiting.find(True, index + 1)
        self.shown.pop(person, None)
        return None

    def progress(self, person: str) -> JudgeProgress:
        """Return a judge's progress."""
        counts, taken = self.marks_of(person).counts, self.claims.total() - self.claims[person]
        return JudgeProgress(counts[DONE], len(self.entries) - taken, counts[SKIPPED], counts[UNSURE])
