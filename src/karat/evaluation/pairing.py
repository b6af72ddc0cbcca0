"""Which gold document is compared with which system document, by a stated rule, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from karat.errors import InputError, many
from karat.model import Document

Missing = Literal["error", "empty", "skip"]
"""What a gold document that the system lacks means: an error, an answer without annotations, or nothing at all."""

Surplus = Literal["error", "leave", "empty"]
"""What a system document that the gold lacks means: an error, something to leave out, or gold without annotations."""

_NAMED = 5
"""Ids of documents that a sentence lists."""
_SHOWN = 60
"""Characters of a document id that a sentence shows."""


class Unpaired(NamedTuple):
    """How many documents of a side the other one lacks, out of how many, and what they count as; such notes add up.

    >>> str(Unpaired("gold", "skipped", 1, 2, ("a",)) + Unpaired("gold", "skipped", 1, 1, ("b",)))
    'skipped 2 of 3 gold documents that the system lacks: a, b'
    """

    side: str
    means: str
    lacking: int
    total: int
    ids: tuple[str, ...]

    def __add__(self, other: Any) -> Unpaired:
        ids = (*self.ids, *other.ids)[: _NAMED + 1]
        return self._replace(lacking=self.lacking + other.lacking, total=self.total + other.total, ids=ids)

    def __str__(self) -> str:
        if self.side == "gold":
            lacks = f"{self.lacking} of {many(self.total, 'gold document')} that the system lacks"
        else:
            lacks = f"{many(self.lacking, 'system document')} that the gold lacks"
        return f"{self.means} {lacks}: {_some(self.ids)}"


TakeNote = Callable[[Hashable], None]
"""Takes what is to be said about what was left out or filled in: a sentence, or a note that adds up."""


def by_id(
    gold: Iterable[Document], system: Iterable[Document], known: Any, note: TakeNote, *, missing: Missing = "error"
) -> Iterator[tuple[Document, Document]]:
    """Pair documents by their ids, whatever is known of the corpus."""
    del known
    return pair(gold, system, missing, note=note)


def pair(
    gold: Iterable[Document],
    system: Iterable[Document],
    missing: Missing = "error",
    *,
    surplus: Surplus | None = None,
    note: TakeNote,
) -> Iterator[tuple[Document, Document]]:
    """Pair documents by their ids, in the order of the gold; what one side lacks is known, and said, at the end.

    A gold document without a system document is an error, counts as answered with nothing, or is skipped. The same
    holds for a system document that the gold lacks, unless ``surplus`` says otherwise, except that there is no gold to
    count it against, so ``empty`` leaves it out too. If both sides have the same order, no more than a pair is held.

    >>> notes = []
    >>> pairs = pair([Document("a"), Document("b")], [Document("b")], missing="skip", note=notes.append)
    >>> [gold.id for gold, system in pairs]
    ['b']
    >>> list(map(str, notes))
    ['skipped 1 of 2 gold documents that the system lacks: a']
    """
    waiting = _ById(system)
    lacking: dict[str, None] = {}
    paired = 0
    for document in gold:
        if document.id in waiting.taken or document.id in lacking:
            raise _repeated("gold", document)
        partner = waiting.take(document.id)
        if partner is None:
            lacking[document.id] = None
            if missing != "empty":
                continue
            partner = Document(document.id, text=document.text)
        paired += 1
        yield document, partner
    beyond = waiting.rest()
    counted = surplus or ("error" if missing == "error" else "leave")
    lacked = list(lacking)
    _refuse(lacked if missing == "error" else (), beyond if counted == "error" else (), named=surplus is None)
    if lacking:
        verb = "counted as empty" if missing == "empty" else "skipped"
        golds = len(waiting.taken) + len(lacking)
        note(Unpaired("gold", verb, len(lacking), golds, tuple(lacked[: _NAMED + 1])))
    if counted == "empty":
        yield from ((Document(document.id, text=document.text), document) for document in beyond)
        paired += len(beyond)
    if beyond:
        verb = "counted as wrong" if counted == "empty" else "left out"
        note(Unpaired("system", verb, len(beyond), len(beyond), tuple(_ids(beyond[: _NAMED + 1]))))
    if lacking and not paired:
        message = f"no gold document has a system document of its name; there are {_some(lacked)} in the gold"
        raise InputError(f"{message} and {_some(_ids(beyond)) or 'none'} in the system; name them alike")


class _ById:
    """The documents of one side, to be asked for by id; those that were read on the way wait until they are.

    ``taken`` are the ids of those that were asked for and are there: they are those that both sides have had.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.coming = iter(documents)
        self.taken: set[str] = set()
        self.read: dict[str, Document] = {}

    def take(self, name: str) -> Document | None:
        """Return the document of that id, if there is one."""
        taken = self.read.pop(name, None)
        if taken is None:
            for document in self._next():
                if document.id == name:
                    taken = self.read.pop(name)
                    break
        if taken is not None:
            self.taken.add(name)
        return taken

    def rest(self) -> list[Document]:
        """Return the documents that nobody asked for, in their order."""
        for _ in self._next():
            pass
        return list(self.read.values())

    def _next(self) -> Iterator[Document]:
        for document in self.coming:
            if document.id in self.taken or document.id in self.read:
                raise _repeated("system", document)
            self.read[document.id] = document
            yield document


def _repeated(side: str, document: Document) -> InputError:
    message = f"the {side} has several documents with the id {document.id!r}; give each an id of its own"
    return InputError(message, path=document.source or None)


def _refuse(lacking: Sequence[str], beyond: Sequence[Document], *, named: bool) -> None:
    """Refuse documents that one side lacks; ``named`` if an option would let them through."""
    if lacking:
        instead = f", and has {_some(_ids(beyond))} instead" if beyond else ""
        message = f"the system lacks {many(len(lacking), 'document')}: {_some(lacking)}{instead}"
        raise InputError(f"{message}; name them alike, or choose --missing empty or --missing skip")
    if beyond:
        fix = "; name them alike" + (", or choose --missing empty or --missing skip" if named else "")
        raise InputError(f"the gold lacks {many(len(beyond), 'document')}: {_some(_ids(beyond))}{fix}")


def check_texts(gold: Document, system: Document) -> None:
    """Refuse documents whose texts differ: their offsets could not be compared."""
    if gold.text == system.text:
        return
    shared = zip(gold.text, system.text, strict=False)
    shorter = min(len(gold.text), len(system.text))
    place = next(
        (
            index
            for index, (gold_character, system_character) in enumerate(shared)
            if gold_character != system_character
        ),
        shorter,
    )
    given, wanted = system.text[place : place + 20], gold.text[place : place + 20]
    message = f"document {gold.id!r}: the texts differ from character {place} on: {given!r} instead of {wanted!r}"
    raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)


def _ids(documents: Iterable[Document]) -> list[str]:
    return [document.id for document in documents]


def _some(ids: Sequence[str]) -> str:
    names = [name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…" for name in ids[:_NAMED]]
    return ", ".join(names) + (", …" if len(ids) > _NAMED else "")
