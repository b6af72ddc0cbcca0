"""Drafts the sheet of a document pair: the chains of both sides, prepared as a program prepares them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from karat.errors import many
from karat.evaluation.pairing import Surplus, TakeNote, pair
from karat.evaluation.protocol import Book, Demands, Facts, Lack, Pair, Protocol, Rules, Sheet, Side
from karat.evaluation.quirks import quirks_of
from karat.evaluation.tally import Group
from karat.model import Document
from karat.protocols.coreference.clusterings import ChainPage, Clustering, Identity, clusterings, other_sentences

_UNCOUNTED = "uncounted"
_OTHER_SENTENCES = ("sentences",)
_SIDES: tuple[Side, Side] = ("gold", "system")

Arrange = Callable[[Clustering, Clustering, Any], ChainPage]


class Drafting(NamedTuple):
    """How a program pairs documents and prepares their chains.

    ``identity`` says which mentions are the same, ``arrange`` what is done to chains before they are compared, and
    ``surplus`` what system documents mean that the gold lacks, if that does not go by the option ``missing``.
    """

    arrange: Arrange
    identity: Identity = "place"
    surplus: Surplus | None = None

    def pairs(
        self, gold: Iterable[Document], system: Iterable[Document], known: Any, note: TakeNote, *, options: Any
    ) -> Iterator[Pair]:
        """Pair documents by their ids."""
        del known
        return pair(gold, system, options.missing, surplus=self.surplus, note=note)

    def draft(self, gold: Document, system: Document, known: Any, options: Any) -> Iterator[Sheet]:
        """Yield the sheet of a document, with what was left out of it."""
        del known
        page = self.arrange(*clusterings(gold, system, self.identity), options)
        notes: dict[Hashable, int] = {("dropped", what): times for what, times in page.dropped.items()}
        if not page.links:
            notes[_UNCOUNTED, gold.id] = 1
        if self.identity == "sentence" and other_sentences(gold, system):
            notes[_OTHER_SENTENCES] = 1
        yield Sheet(gold.id, page, notes)

    def steps(self, options: Any) -> dict[str, Any]:
        """Return these steps by their names in the rules of a protocol."""
        return {
            "pairs": partial(self.pairs, options=options),
            "draft": partial(self.draft, options=options),
            "remarks": remarks,
        }


def remarks(notes: Counter[Any], known: Any) -> Iterator[str]:
    """Yield what was left out, in which documents BLANC is not counted, and how many are cut into other sentences."""
    del known
    for key, times in notes.items():
        if key[0] == "dropped" and times:
            yield f"left out {many(times, key[1])}"
    uncounted = [key[1] for key in notes if key[0] == _UNCOUNTED]
    if uncounted:
        yield f"BLANC is not counted: mentions are repeated in too many ways in {', '.join(uncounted[:5])}"
    if notes[_OTHER_SENTENCES]:
        yield f"{many(notes[_OTHER_SENTENCES], 'document')} with other sentences in the system than in the gold"


class LastOfEach(Drafting):
    """Drafting for a program that scores only the last of several documents with the same name."""

    def steps(self, options: Any) -> dict[str, Any]:
        """Return these steps by their names in the rules of a protocol."""
        return {**super().steps(options), "facts": self.facts, "remarks": self.remarks}

    def facts(self, document: Document, side: Side) -> Iterator[Hashable]:
        """Yield the name of a document, so that it is known whether another one of that name follows."""
        yield side, document.id

    def pairs(
        self, gold: Iterable[Document], system: Iterable[Document], known: Facts, note: TakeNote, *, options: Any
    ) -> Iterator[Pair]:
        """Pair the last documents of each name."""
        golds, systems = _last_of_each("gold", gold, known), _last_of_each("system", system, known)
        return pair(golds, systems, options.missing, surplus=self.surplus, note=note)

    def remarks(self, notes: Counter[Any], known: Counter[Any]) -> Iterator[str]:
        """Yield how many documents were left out, or that there are none, and what is to be said about the others."""
        for side in _SIDES:
            occurrences = [times for name, times in known.items() if name[0] == side]
            repeated = sum(occurrences) - len(occurrences)
            if repeated:
                yield f"left out {many(repeated, f'repeated {side} document')}"
            if not occurrences:
                yield Lack(side, "document")
        yield from remarks(notes, known)


def _last_of_each(side: Side, documents: Iterable[Document], known: Facts) -> Iterator[Document]:
    read: Counter[str] = Counter()
    for document in documents:
        read[document.id] += 1
        if read[document.id] == known[side, document.id]:
            yield document


def chain_protocol(
    name: str,
    drafting: Drafting,
    *,
    book: Book,
    rules: Mapping[str, str] | None = None,
    empty: str = "",
    beside: frozenset[str] | None = frozenset(),
    **declared: Any,
) -> Protocol:
    """Return a protocol on chains of mentions.

    ``rules`` are those by which it reads the files of a format; ``empty`` is the format of an empty file, if any, and
    ``beside`` are the columns of tokens that it looks at (``None``: maybe all).
    """
    declared.setdefault("quirks", quirks_of("karat.protocols.coreference", name))
    declared.setdefault("docs", "coreference")
    reading = {name: {"rules": whose} for name, whose in (rules or {}).items()}
    demands = Demands(lines=False, options=reading, empty=empty, beside=beside)
    return Protocol(
        name=name,
        task="coreference",
        unit="document",
        bind=partial(_rules, drafting, book, demands),
        groups=(Group(),),
        **declared,
    )


def _rules(drafting: Drafting, book: Book, demands: Demands, options: Any) -> Rules:
    return Rules(book, demands=demands, **drafting.steps(options))
