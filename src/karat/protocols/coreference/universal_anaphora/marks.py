"""Mentions as Universal Anaphora compares them: the words they cover, part by part, or the place of a zero.

If split antecedents count, the published program iterates over the members of a chain in the order of a set. This order
depends on their hashes only: those of the numbers of their words. So a set of the same hashes gives the order here. The
hashes of zeros differ between runs of the program; here they are fixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import accumulate, chain
from typing import Generic, NamedTuple, TypeVar

from karat.errors import InputError
from karat.model import Document, Mention, Span
from karat.protocols.coreference.corefud.marks import Mark, Ranges, Runs, has_rows, lay_spans, runs_of
from karat.protocols.coreference.corefud.sentences import check_forms, table_of, words_in

MIN = "Min"
_CORE = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9})(?:,.*)?)?")

T_co = TypeVar("T_co", covariant=True)


class Hashed(Generic[T_co]):
    """Something with an identity and the hash that it has in the program."""

    __slots__ = ("key", "number", "value")

    def __init__(self, value: T_co, key: Hashable, number: int) -> None:
        self.value, self.key, self.number = value, key, number

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hashed) and self.key == other.key


def _numbers(place: object) -> Iterator[int]:
    """Yield the numbers in the position of a zero, which have the same hash in every process."""
    if isinstance(place, tuple):
        for part in place:
            yield from _numbers(part)
    elif isinstance(place, int):
        yield place


def in_set_order(things: Iterable[Hashed[T_co]]) -> list[T_co]:
    """Return the distinct items in the iteration order of a set."""
    return [hashed.value for hashed in set(things)]


class AnaphoraMark(NamedTuple):
    """A mention by the positions of its words; ``parts`` are its ranges of words in the order of the file."""

    key: Hashable
    """What makes two mentions the same: their words or, if they have none, the place of their empty nodes."""
    mention: Mention
    runs: Runs = ()
    parts: tuple[Span, ...] = ()

    @property
    def is_zero(self) -> bool:
        """Whether it covers no word."""
        return not self.runs

    @property
    def size(self) -> int:
        """How many words there are."""
        return sum([end - start for start, end in self.runs])

    @property
    def reach(self) -> tuple[int, int, int]:
        """The sort key of a mention: its first word, its last word and its size."""
        return self.runs[0][0], self.runs[-1][1], self.size

    @property
    def hashed(self) -> Hashed[AnaphoraMark]:
        """The mention with its hash in the program; that of a zero depends on its place."""
        words = chain.from_iterable(range(*run) for run in self.runs) if self.runs else _numbers(self.key)
        return Hashed(self, self.key, hash(frozenset(words)))

    def core(self, document: Document) -> Span | None:
        """Return the words that a mention must cover to be taken for this one, as its ``Min`` says."""
        text = self.mention.attributes.get(MIN)
        if text is None:
            return None
        match = _CORE.fullmatch(text)
        if not match:
            message = f"document {document.id!r}: the {MIN} of mention {self.mention.id!r} is {text[:20]!r}"
            raise InputError(f"{message}; expected words such as 4 or 4,5", path=document.source or None)
        core = int(match[1]) - 1, int(match[2] or match[1])
        return core if core[0] < core[1] else None


Lay = Callable[[Mention], AnaphoraMark]
"""Lays a mention over the words of its document."""


def laid(gold: Document, system: Document) -> tuple[Lay, Lay]:
    """Return functions that make the marks of both sides over the same words; only empty nodes may differ."""
    if has_rows(gold) and has_rows(system):
        wanted, given = (words_in(table, (0, len(table.forms))) for table in map(table_of, (gold, system)))
        check_forms(gold, system, wanted, given)
        if len(wanted) != len(given):
            message = f"document {gold.id!r} has {len(given)} words instead of {len(wanted)}"
            raise InputError(f"{message}; gold and system must have the same words", path=system.source or None)
        return _Rows(gold), _Rows(system)
    golds, systems = lay_spans(gold, system)

    return _covering(golds), _covering(systems)


def _covering(lay: Callable[[Mention], Mark]) -> Lay:
    def mark(mention: Mention) -> AnaphoraMark:
        runs = lay(mention).runs
        return AnaphoraMark(runs or ("zero", mention.spans), mention, runs, runs)

    return mark


class _Rows:
    """Makes the marks of a document with rows; empty nodes are numbered from the word before them."""

    def __init__(self, document: Document) -> None:
        self.ranges = Ranges(document)
        is_word = ["." not in name for name in table_of(document).columns["ID"]]
        self.before = [0, *accumulate(is_word)]
        self.last_word = [0, *accumulate((row + 1 if word else 0 for row, word in enumerate(is_word)), max)]

    def __call__(self, mention: Mention) -> AnaphoraMark:
        rows = self.ranges(mention)
        parts = tuple([(self.before[first], self.before[end]) for first, end in rows])
        runs = runs_of(parts)
        if runs:
            return AnaphoraMark(runs, mention, runs, parts)
        places = [(self.before[first], first - self.last_word[first], end - first) for first, end in rows]
        return AnaphoraMark(("zero", tuple(places)), mention)
