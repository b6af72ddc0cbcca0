"""Where phrases stand among the words of a document: a tree of the runs of words that were asked for.

A run is looked up word by word, and the places of each run are found once, among those of the run without its last
word; so many questions about the same words cost little more than one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from karat.errors import InputError
from karat.settings import MORE, limit

MAX_PLACES = limit(10_000_000)
"""Places of runs that may be kept for a document; only words that repeat themselves without end need more."""


class WordRun:
    """Words that follow each other, by the places in which the first of them stands, ascending."""

    __slots__ = ("longer", "places", "size")

    def __init__(self, places: Sequence[int], size: int) -> None:
        self.places, self.size = places, size
        self.longer: dict[str, WordRun] | None = None

    def within(self, first: int, end: int, *, but: int | None = None) -> Sequence[int]:
        """Return up to two of the places from the first to the one before the end: the outer ones; ``but`` is none.

        >>> WordRun([1, 4, 7, 9], 1).within(2, 10, but=4)
        [7, 9]
        """
        low, high = bisect_left(self.places, first), bisect_left(self.places, end)
        low += low < high and self.places[low] == but
        high -= low < high and self.places[high - 1] == but
        return [self.places[place] for place in dict.fromkeys((low, high - 1))] if low < high else []


class WordRuns:
    """Finds runs of words among those of a document.

    >>> runs = WordRuns(["the", "wing", "and", "the", "tail"])
    >>> [run.places for run in runs.of(["the", "wing", "tail"])]
    [[0, 3], [0]]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.whole = WordRun(range(len(words)), 0)
        self._left = MAX_PLACES

    def of(self, words: Iterable[str], begun: WordRun | None = None) -> Iterable[WordRun]:
        """Yield the runs of the first of the words, the first two, and so on, as far as they stand anywhere."""
        run: WordRun | None = begun or self.whole
        for word in words:
            run = None if run is None else self._longer(run).get(word)
            if run is None:
                return
            yield run

    def _longer(self, run: WordRun) -> dict[str, WordRun]:
        """Return the runs with one word more, by that word."""
        if run.longer is None:
            self._left -= len(run.places)
            if self._left < 0:
                message = f"the same words stand in more than {MAX_PLACES:,} places that answers could mean"
                raise InputError(f"{message}; split the document, {MORE}")
            places: dict[str, list[int]] = {}
            for place in run.places[: bisect_left(run.places, len(self.words) - run.size)]:
                places.setdefault(self.words[place + run.size], []).append(place)
            run.longer = {word: WordRun(some, run.size + 1) for word, some in places.items()}
        return run.longer
