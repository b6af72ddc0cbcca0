"""One evaluation: facts are gathered, documents paired, sheets drafted, one pair at a time, and each sheet judged."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from karat.ledger import Entry
from karat.protocols import find
from karat.protocols.base import SYSTEM_FILE, Facts, Protocol, Sheet, Side, no_facts
from karat.scoring.corpora import Corpus
from karat.tally import Tallies, Tally

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_CHUNK = 64
"""Units that a worker is given at once."""
_AHEAD = 32
"""Chunks that wait for a worker; no more are drafted."""


class Evaluation:
    """A system against the gold under a protocol. What was noticed on the way is known when the sheets are through."""

    def __init__(self, protocol: Protocol, settings: Any, gold: Corpus, system: Corpus) -> None:
        self.protocol, self.settings, self.gold, self.system = protocol, settings, gold, system
        self._said: list[str] = []
        self._noted: Counter[Hashable] = Counter()
        self._known: Any = None

    def sheets(self) -> Iterator[Sheet]:
        """Yield the units, one pair of documents after the other, unless the protocol must see all of them at once."""
        protocol, settings = self.protocol, self.settings
        self._said.clear()
        self._noted.clear()
        self._known = known = protocol.settle(self._facts(), settings)
        pairs = protocol.pairs(self.gold, self.system, known, settings, self._said.append)
        for sheet in self._drafted(pairs):
            if not isinstance(sheet, Sheet):
                raise TypeError(f"protocol {protocol.name} drafts {type(sheet).__name__}; draft yields Sheet objects")
            self._noted.update(sheet.notes)
            yield sheet

    def _drafted(self, pairs: Iterator[Any]) -> Iterator[Sheet]:
        protocol, known, settings = self.protocol, self._known, self.settings
        if why := protocol.whole(known, settings):
            if protocol.draft_all is None:
                raise TypeError(f"protocol {protocol.name} must see all pairs ({why}), but has no draft_all")
            yield from protocol.draft_all(list(pairs), known, settings)
            return
        for gold, system in pairs:
            yield from protocol.draft(gold, system, known, settings)

    def _facts(self) -> Facts:
        """Count what must be known of the documents of both sides; a protocol that asks for nothing reads nothing."""
        facts: Facts = Counter()
        if self.protocol.facts is not no_facts:
            sides: tuple[tuple[Side, Corpus], ...] = (("gold", self.gold), ("system", self.system))
            for side, corpus in sides:
                for document in corpus:
                    facts.update(self.protocol.facts(document, side, self.settings))
        return facts

    def tallies(self, executor: Executor | None = None) -> Tallies:
        """SheetJudge every unit, by the workers of an executor if one is given; the result is the same."""
        units: list[str] = []

        def named() -> Iterator[Sheet]:
            for sheet in self.sheets():
                units.append(sheet.unit)
                yield sheet

        if executor is None:
            rows = [self.protocol.book.tally(sheet) for sheet in named()]
        else:
            rows = list(_spread(SheetJudge(self.protocol), named(), executor))
        return Tallies(units, rows)

    def entries(self) -> Iterator[Entry]:
        """Yield the ledger, unit by unit."""
        for sheet in self.sheets():
            yield from self.protocol.book.ledger(sheet)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noticed on the way: while reading, while documents were paired, and while sheets were drafted."""
        return (*self.gold.notes, *self.system.notes, *self.remarks)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the protocol noticed: while documents were paired, and while sheets were drafted."""
        worded = self.protocol.remarks(self._noted, self._known, self.settings)
        return tuple(note.replace(SYSTEM_FILE, self.system.name) for note in (*self._said, *worded))


class SheetJudge:
    """Judges sheets somewhere else: a protocol that has a name travels by its name."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol

    def __call__(self, sheets: Sequence[Sheet]) -> list[Tally]:
        """Return the tallies of some sheets."""
        return [self.protocol.book.tally(sheet) for sheet in sheets]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        name = self.protocol.name
        return (_judge_named, (name,)) if find(name) is self.protocol else (SheetJudge, (self.protocol,))


def _judge_named(name: str) -> SheetJudge:
    protocol = find(name)
    assert protocol is not None  # noqa: S101 - it was found by its name where it came from
    return SheetJudge(protocol)


def _spread(judge: SheetJudge, sheets: Iterable[Sheet], executor: Executor) -> Iterator[Tally]:
    """Yield the tallies of sheets in their order, while a few chunks are judged ahead."""
    waiting: deque[Future[list[Tally]]] = deque()
    coming = iter(sheets)
    while chunk := list(islice(coming, _CHUNK)):
        waiting.append(executor.submit(judge, chunk))
        if len(waiting) > _AHEAD:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()
