"""From two corpora to sheets: for every document the chains of both sides, laid over the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from karat.errors import InputError, many
from karat.model import Document, Mention
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.coreference.corefud.marks import Mark, in_file_order
from karat.protocols.coreference.corefud.options import CorefudOptions
from karat.protocols.coreference.corefud.sentences import check_sentences
from karat.protocols.coreference.corefud.words import Lay, has_rows, lay_rows, lay_spans

Order = tuple[int, tuple[int, int, int], str]
"""Where a chain begins: its document, its first mention, and its name."""


class Side(NamedTuple):
    """The chains of one side, in the order of their first mentions, with their names."""

    chains: list[list[Mark]]
    names: list[str]
    document: Document


class Sheet(NamedTuple):
    """The chains of a document as they are compared, and by which rules."""

    gold: Side
    system: Side
    match: str
    zeros: str


def prepare(gold: Iterable[Document], system: Iterable[Document], options: CorefudOptions) -> Prepared:
    """Pair the documents by their ids, check that both sides have the same words, and lay the chains over them."""
    pairing = all_pairs(list(gold), list(system), options.missing)
    notes = list(pairing.notes)
    readers = _Reader(options), _Reader(options)
    cases: list[Case] = []
    for number, (left, right) in enumerate(pairing.pairs, 1):
        lays = _lays(left, right, last=number == len(pairing.pairs), warn=notes.append)
        golds, systems = (
            reader.side(document, lay) for reader, document, lay in zip(readers, (left, right), lays, strict=True)
        )
        cases.append(Case(left.id, Sheet(golds, systems, options.match, options.zeros)))
    for name, reader in zip(("gold", "system"), readers, strict=True):
        notes += [f"left out {many(count, what.format(name))}" for what, count in reader.dropped.items()]
    return Prepared(cases, notes)


def _lays(gold: Document, system: Document, *, last: bool, warn: Callable[[str], None]) -> tuple[Lay, Lay]:
    """Return how the mentions of either side are laid over words."""
    if has_rows(gold) and not system.mentions and system.table is None:
        system = gold  # a document that the system lacks
    if not (has_rows(gold) and has_rows(system)):
        return lay_spans(gold, system)
    check_sentences(gold, system, last=last, warn=warn)
    return lay_rows(gold, system)


class _Reader:
    """Reads the chains of one side, document by document, and counts what it leaves out.

    A chain stands where its first mention does. A name that occurs in several documents of a file is one chain
    to the published program until it cuts it up, so it is its first mention in the file that counts.
    """

    def __init__(self, options: CorefudOptions) -> None:
        self.options = options
        self.dropped: Counter[str] = Counter()
        self.begun: dict[tuple[str, str], Order] = {}
        self.documents = 0

    def side(self, document: Document, lay: Lay) -> Side:
        """Return the chains of a document, without repeated mentions and, if that is asked for, singletons."""
        self.documents += 1
        file = document.source if has_rows(document) else None
        chains: list[tuple[Order, list[Mark]]] = []
        for name, mentions in _chains(document):
            marks = [mark for mark in map(lay, mentions) if mark.runs]
            self._drop("{} mention that covers no word", len(mentions) - len(marks))
            if marks:
                marks.sort(key=in_file_order)
                chains.append((self._order(file, name, marks[0]), self._distinct(marks)))
        chains.sort(key=lambda one: one[0])
        kept = [one for one in chains if self.options.singletons == "keep" or len(one[1]) > 1]
        self._drop("{} singleton", len(chains) - len(kept))
        return Side([marks for _, marks in kept], [order[2] for order, _ in kept], document)

    def _order(self, file: str | None, name: str, first: Mark) -> Order:
        """Return where a chain begins; outside of CorefUD files its name says nothing about other documents."""
        order = (self.documents, in_file_order(first), name)
        return order if file is None else self.begun.setdefault((file, name), order)

    def _distinct(self, marks: Sequence[Mark]) -> list[Mark]:
        """Return the first of each mentions that are the same."""
        found: dict[object, Mark] = {}
        for mark in marks:
            found.setdefault(mark.key(self.options.match), mark)
        self._drop("repeated {} mention", len(marks) - len(found))
        return list(found.values())

    def _drop(self, what: str, count: int) -> None:
        if count:
            self.dropped[what] += count


def _chains(document: Document) -> Iterable[tuple[str, list[Mention]]]:
    """Yield the chains of a document with their mentions."""
    known = {mention.id: mention for mention in document.mentions}
    for chain in document.chains:
        for one in chain.mentions:
            if one not in known:
                message = f"document {document.id!r}: chain {chain.id!r} names the mention {one!r}"
                advice = "which the document does not have; correct the id or add the mention"
                raise InputError(f"{message}, {advice}", path=document.source or None)
        yield chain.id, [known[one] for one in chain.mentions]
