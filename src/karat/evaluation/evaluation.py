"""One evaluation: facts are gathered, documents paired, sheets drafted, one pair at a time, and each sheet judged."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import InputError
from karat.evaluation.corpus import Corpus
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.notices import Noted, Unlike, lacks, remarks_on, unlike, with_lacks
from karat.evaluation.protocol import Bound, Facts, Pair, Sheet, Side, no_facts
from karat.evaluation.tally import Tallies, Tally
from karat.formats.base import UNREAD
from karat.model import Document

if TYPE_CHECKING:
    from karat.analysis.slices.items import ItemSlicer

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

    The facts of a larger corpus may be given, of which these documents are a shard.
    """

    def __init__(
        self,
        bound: Bound,
        gold: Corpus,
        system: Corpus,
        *,
        facts: Facts | None = None,
    ) -> None:
        self.bound, self.gold, self.system = bound, gold, system
        self._given = facts
        self.facts: Facts = Counter()
        """Those of these documents."""
        self.said: list[Hashable] = []
        """What was said when documents were paired."""
        self.known: Any = None
        self._noted: Counter[Hashable] = Counter()
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
        self.facts = self._gathered() if self._given is None else Counter()
        self.known = known = bound.settle(self.facts if self._given is None else self._given)
        sides = self._gathering("gold", self.gold), self._gathering("system", self.system)
        pairs = bound.pairs(*sides, known, self.said.append)
        for drafted in self._drafted(self._noticing(pairs)):
            sheet = drafted.sheet
            if not isinstance(sheet, Sheet):
                raise TypeError(f"protocol {bound.name} drafts {type(sheet).__name__}; draft yields Sheet objects")
            notes = sheet.notes.items() if isinstance(sheet.notes, Mapping) else zip(sheet.notes, repeat(1))
            for note, times in notes:
                self._note(note, times)
            yield drafted

    def _gathering(self, side: Side, corpus: Corpus) -> Iterable[Document]:
        """Yield the documents of a side; where the facts of a larger corpus are given, gather their own on the way."""
        given = self._given
        if given is None or self.bound.facts is no_facts:
            return corpus

        def documents() -> Iterator[Document]:
            for document in corpus:
                own: Facts = Counter()
                own.update(self.bound.facts(document, side))
                self.facts.update(own)
                if any(self.facts[fact] > given[fact] for fact in own):
                    message = "the facts that were given are not of a corpus with this shard"
                    raise InputError(f"{message}; gather them again with karat facts", path=corpus.path)
                yield document

        return documents()

    def _note(self, note: Hashable, times: int = 1) -> None:
        """Count something that was noticed at the pair of documents that is drafted."""
        self._noted[note] += times

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
        bound, known = self.bound, self.known
        if why := bound.whole(known):
            if bound.draft_all is None:
                raise TypeError(f"protocol {bound.name} must see all pairs ({why}), but has no draft_all")
            together = list(pairs)
            for gold, system in together:
                self._compare(gold, system)
            origins = {gold.id: (UnitOrigin.of(gold), (gold, system)) for gold, system in together}
            for sheet in bound.draft_all(together, known):
                yield Drafted(sheet, *origins.get(sheet.unit, (UnitOrigin(sheet.unit, {}), None)))
            return
        for gold, system in pairs:
            self._compare(gold, system)
            origin = UnitOrigin.of(gold)
            sheets = bound.draft(gold, system, known)
            if sheets is None:
                raise TypeError(f"protocol {bound.name} drafts nothing, not even an empty list; expected sheets")
            yield from (Drafted(sheet, origin, (gold, system)) for sheet in sheets)

    def _gathered(self) -> Facts:
        """Count what must be known of the documents of both sides; a protocol that asks for nothing reads nothing."""
        facts: Facts = Counter()
        if self.bound.facts is not no_facts:
            sides: tuple[tuple[Side, Corpus], ...] = (("gold", self.gold), ("system", self.system))
            for side, corpus in sides:
                for document in corpus.for_facts():
                    facts.update(self.bound.facts(document, side))
        return facts

    def tallies(self, slicer: ItemSlicer | None = None, witness: Witness | None = None) -> Tallies:
        """Judge every unit; a slicer looks at the items of each, and a witness is told its ledger."""
        tallies = Tallies()
        self.origins = UnitOrigins()
        self.slices = {} if slicer is None else {feature.name: Tallies() for feature in slicer.features}
        for drafted in self._sheets():
            sheet = drafted.sheet
            self.origins.append(drafted.origin)
            for name, tally in (slicer(sheet) if slicer is not None else {}).items():
                self.slices[name].append(sheet.unit, tally)
            if witness is not None:
                witness(self._ledger(drafted))
            tallies.append(sheet.unit, self.bound.book.tally(sheet))
        if witness is not None:
            deque(map(witness, self._left_over()), maxlen=0)
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
        return [Noted(note, times) for note, times in self._noted.items()]

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
        return tuple(remarks_on(self.noted, list(map(str, self.said)), self.system.name, self.bound, self.known))


def _same_tokens(gold: Document, system: Document) -> bool:
    """Say whether both sides have tokens, and the same."""
    return gold.table is not None and system.table is not None and gold.table.forms == system.table.forms
