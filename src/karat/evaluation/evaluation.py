"""One evaluation: facts are gathered, documents paired, sheets drafted, one pair at a time, and each sheet judged."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import UsageError
from karat.evaluation.corpora import Corpus
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.notices import Noted, Unlike, lacks, remarks_on, unlike, with_lacks
from karat.evaluation.protocol import Bound, Facts, Pair, Pairs, Sheet, Side, no_facts
from karat.evaluation.tally import Tallies, Tally
from karat.formats.base import UNREAD
from karat.model import Document

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from karat.analysis.slices.items import ItemSlicer
    from karat.evaluation.part import PartNumber

_CHUNK = 64
"""Units that a worker is given at once."""
_AHEAD = 32
"""Chunks that wait for a worker; no more are drafted."""
_NOT_READ = "the answer cannot be read, so it counts as empty"
LONGEST_VALUE = 256
"""Characters of a metadata value that is kept of a unit; longer ones are texts, not what tells documents apart."""


class UnitOrigin(NamedTuple):
    """Where a unit comes from: the id, the metadata and the number of words of its gold document."""

    document: str
    metadata: Mapping[str, str]
    words: int = 0

    @classmethod
    def of(cls, document: Document) -> UnitOrigin:
        """Return where the units of a document come from."""
        short = {key: value for key, value in document.metadata.items() if len(value) <= LONGEST_VALUE}
        return cls(document.id, short, words_in(document))


def words_in(document: Document) -> int:
    """Return how long a document is: its tokens or, where it has none, what stands between spaces."""
    return len(document.text.split()) if document.table is None else len(document.table.forms)


class UnitOrigins:
    """Where units come from, column by column: the documents, their words, and their metadata by key."""

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.words: list[int] = []
        self.metadata: dict[str, list[str | None]] = {}
        self._values: dict[str, str] = {}
        """Values of metadata: equal ones are kept once."""

    def append(self, origin: UnitOrigin) -> None:
        """Add where a unit comes from."""
        for key in origin.metadata:
            if key not in self.metadata:
                self.metadata[key] = [None] * len(self.documents)
        for key, column in self.metadata.items():
            value = origin.metadata.get(key)
            column.append(None if value is None else self._values.setdefault(value, value))
        self.documents.append(origin.document)
        self.words.append(origin.words)


class Drafted(NamedTuple):
    """The sheet of a unit, where it comes from, and the documents, unless the protocol sees all of them at once."""

    sheet: Sheet
    origin: UnitOrigin
    pair: Pair | None


class UnitLedger(NamedTuple):
    """Every item of a unit with its verdict, and the gold and the system document, as far as they are known."""

    unit: str
    pair: Pair | None
    entries: list[Entry]
    tally: Tally | None = None
    title: str = ""


Witness = Callable[[UnitLedger], None]
"""Is told the ledger of every unit while the units are tallied, so that nothing is drafted twice."""


class Evaluation:
    """A system against the gold under a protocol. What was noticed on the way is known when the sheets are through.

    Facts that are known already are not gathered again; of a part, only its pairs of documents are drafted. Who knows
    better than the protocol how documents are brought together gives ``pairs``.
    """

    def __init__(
        self,
        bound: Bound,
        gold: Corpus,
        system: Corpus,
        *,
        facts: Facts | None = None,
        number: PartNumber | None = None,
        pairs: Pairs | None = None,
    ) -> None:
        self.bound, self.gold, self.system = bound, gold, system
        self._given, self._number, self._pairs = facts, number, pairs or bound.pairs
        self.facts: Facts = Counter()
        self.said: list[str] = []
        """What was said when documents were paired."""
        self.known: Any = None
        self.pairs, self.sizes = array("I"), array("I")
        """The numbers of the pairs of documents that were drafted, of so many in all, and the units of each."""
        self.total = 0
        self._noted: dict[Hashable, tuple[int, int]] = {}
        self._unread: deque[Entry] = deque()
        self.origins = UnitOrigins()
        """Where each unit comes from, once they are tallied."""
        self.slices: dict[str, Tallies] = {}
        """For each feature of items the tallies of the units part by part, once they are tallied."""

    def sheets(self) -> Iterator[Sheet]:
        """Yield the units, one pair of documents after the other, unless the protocol must see all of them at once."""
        return (drafted.sheet for drafted in self._sheets())

    def _sheets(self) -> Iterator[Drafted]:
        bound = self.bound
        self.said.clear()
        self._noted.clear()
        self._unread.clear()
        self.facts = self.gathered() if self._given is None else self._given
        self.known = known = bound.settle(self.facts)
        pairs = self._pairs(self.gold, self.system, known, self.said.append)
        for drafted in self._drafted(self._noticing(pairs)):
            sheet = drafted.sheet
            if not isinstance(sheet, Sheet):
                raise TypeError(f"protocol {bound.name} drafts {type(sheet).__name__}; draft yields Sheet objects")
            notes = sheet.notes.items() if isinstance(sheet.notes, Mapping) else zip(sheet.notes, repeat(1))
            for note, times in notes:
                self._note(note, times)
            yield drafted

    def _note(self, note: Hashable, times: int = 1) -> None:
        """Count something that was noticed at the pair of documents that is drafted."""
        times_before, pair = self._noted.get(note, (0, self.pairs[-1]))
        self._noted[note] = times_before + times, pair

    def _compare(self, gold: Document, system: Document) -> None:
        """Note that ids or texts of a pair differ, but for blanks between the same tokens, whatever comes of it."""
        if gold.id != system.id:
            self._note(Unlike("id"))
        if gold.text != system.text and not _same_tokens(gold, system):
            self._note(Unlike("text", "" if gold.text and system.text else "gold" if system.text else "system"))

    def _noticing(self, pairs: Iterator[Pair]) -> Iterator[Pair]:
        """Yield the pairs, and keep what is to be told of answers that could not be read."""
        for gold, system in pairs:
            raw = system.metadata.get(UNREAD)
            if raw is not None:
                item = Item("", raw, None, place=system.source)
                self._unread.append(Entry(gold.id, "", "", "unread", {}, _NOT_READ, system=item))
            yield gold, system

    def _drafted(self, pairs: Iterator[Pair]) -> Iterator[Drafted]:
        bound, known, part = self.bound, self.known, self._number
        self.pairs, self.sizes, self.total = array("I", [0]), array("I", [0]), 1
        if why := bound.whole(known):
            if bound.draft_all is None:
                raise TypeError(f"protocol {bound.name} must see all pairs ({why}), but has no draft_all")
            if part is not None:
                raise UsageError(f"{bound.name} cannot be scored in parts with these options: {why}")
            together = list(pairs)
            for gold, system in together:
                self._compare(gold, system)
            origins = {gold.id: (UnitOrigin.of(gold), (gold, system)) for gold, system in together}
            for sheet in bound.draft_all(together, known):
                self.sizes[-1] += 1
                yield Drafted(sheet, *origins.get(sheet.unit, (UnitOrigin(sheet.unit, {}), None)))
            return
        self.pairs, self.sizes, self.total = array("I"), array("I"), 0
        for pair_index, (gold, system) in enumerate(pairs):
            self.total = pair_index + 1
            if part is not None and not part.has(pair_index):
                continue
            self.pairs.append(pair_index)
            self.sizes.append(0)
            self._compare(gold, system)
            origin = UnitOrigin.of(gold)
            sheets = bound.draft(gold, system, known)
            if sheets is None:
                raise TypeError(f"protocol {bound.name} drafts nothing, not even an empty list; expected sheets")
            for sheet in sheets:
                self.sizes[-1] += 1
                yield Drafted(sheet, origin, (gold, system))

    def gathered(self) -> Facts:
        """Count what must be known of the documents of both sides; a protocol that asks for nothing reads nothing."""
        facts: Facts = Counter()
        if self.bound.facts is not no_facts:
            sides: tuple[tuple[Side, Corpus], ...] = (("gold", self.gold), ("system", self.system))
            for side, corpus in sides:
                for document in corpus.for_facts():
                    facts.update(self.bound.facts(document, side))
        return facts

    def tallies(
        self, executor: Executor | None = None, slicer: ItemSlicer | None = None, witness: Witness | None = None
    ) -> Tallies:
        """Judge every unit, by the workers of an executor if one is given; the result is the same.

        A slicer looks at the items of every unit here, whoever judges the units, and a witness is told its ledger.
        """
        units: list[str] = []
        self.origins = UnitOrigins()
        self.slices = {} if slicer is None else {feature.name: Tallies() for feature in slicer.features}

        def named() -> Iterator[Sheet]:
            for drafted in self._sheets():
                sheet = drafted.sheet
                units.append(sheet.unit)
                self.origins.append(drafted.origin)
                for name, tally in (slicer(sheet) if slicer is not None else {}).items():
                    self.slices[name].append(sheet.unit, tally)
                if witness is not None:
                    witness(self._ledger(drafted))
                yield sheet
            if witness is not None:
                deque(map(witness, self._left_over()), maxlen=0)

        if executor is None:
            rows: Iterable[Tally] = map(self.bound.book.tally, named())
        else:
            rows = _spread(SheetJudge(self.bound), named(), executor)
        tallies = Tallies()
        for index, tally in enumerate(rows):  # workers lag behind the names of the units
            tallies.append(units[index], tally)
        return tallies

    def entries(self) -> Iterator[Entry]:
        """Yield the ledger, unit by unit; an answer that could not be read stands before the items of its unit."""
        for ledger in self.ledgers():
            yield from ledger.entries

    def ledgers(self, *, tallied: bool = False) -> Iterator[UnitLedger]:
        """Yield the ledger of each unit with the documents that it is of; answers that are left over have none.

        ``tallied`` asks for the tally of each beside it.
        """
        for drafted in self._sheets():
            ledger = self._ledger(drafted)
            yield ledger._replace(tally=self.bound.book.tally(drafted.sheet)) if tallied else ledger
        yield from self._left_over()

    def _ledger(self, drafted: Drafted) -> UnitLedger:
        unread = list(self._unread)
        self._unread.clear()
        sheet = drafted.sheet
        return UnitLedger(sheet.unit, drafted.pair, unread + self.bound.book.ledger(sheet), title=sheet.title)

    def _left_over(self) -> Iterator[UnitLedger]:
        """Yield answers that could not be read and are of no unit."""
        return (UnitLedger(entry.unit, None, [entry]) for entry in self._unread)

    @property
    def noted(self) -> list[Noted]:
        """What was noticed while sheets were drafted, in the order in which it was noticed first."""
        return [Noted(note, times, pair) for note, (times, pair) in self._noted.items()]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noticed on the way: while reading, while documents were paired, and while sheets were drafted."""
        sides = self.gold, self.system
        noticed = [side.notices for side in sides]
        read = [note for side in sides for note in side.notices.worded(side.name, side.path)]
        told = with_lacks((*read, *self.remarks), lacks(self.bound, noticed))
        return (*told, *unlike(self.bound, noticed, self.noted))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the protocol noticed: while documents were paired, and while sheets were drafted."""
        return tuple(remarks_on(self.noted, self.said, self.system.name, self.bound, self.known))


def _same_tokens(gold: Document, system: Document) -> bool:
    """Say whether both sides have tokens, and the same."""
    return gold.table is not None and system.table is not None and gold.table.forms == system.table.forms


class SheetJudge:
    """Judges sheets, here or in another process."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound

    def __call__(self, sheets: Sequence[Sheet]) -> list[Tally]:
        """Return the tallies of some sheets."""
        return [self.bound.book.tally(sheet) for sheet in sheets]


def _spread(judge: SheetJudge, sheets: Iterable[Sheet], executor: Executor) -> Iterator[Tally]:
    """Return the tallies of sheets in their order, while a few chunks are judged ahead."""
    from karat.evaluation.engines import in_order

    coming = iter(sheets)
    chunks = iter(lambda: list(islice(coming, _CHUNK)), [])
    return chain.from_iterable(in_order(executor, judge, zip(chunks), _AHEAD))
