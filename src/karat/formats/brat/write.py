"""Writes documents as BRAT files, and refuses what BRAT cannot hold.

Ids that BRAT does not allow (other than T1, R1, E1, #1) are replaced, with all references to them; chains have no ids
in BRAT. Token tables and metadata are not annotations and are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from karat.annotations.faults import faults, shown, surface
from karat.errors import InputError
from karat.formats.base import File
from karat.formats.brat.conventions import (
    LAYER,
    NO_CHAIN_LABEL,
    NO_NOTE_LABEL,
    REFERENCE,
    read_roles,
    write_reference,
    write_roles,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from karat.formats.base import NoOptions
    from karat.model import Document, Mention, Relation

_WORD = re.compile(r"[^\s\x00-\x1f\x7f]+")
_ONE_LINE = re.compile(r"[^\t\r\n ]+(?: [^\t\r\n ]+)*")


def write(documents: Iterable[Document], options: NoOptions) -> Iterator[File]:
    r"""Yield the text and annotation file of each document.

    >>> from karat.formats.base import NoOptions
    >>> from karat.model import Document, Mention
    >>> document = Document("d1", "Zürich", [Mention("m7", ((0, 6),), ("LOC",))])
    >>> for file in write([document], NoOptions()): print(file[1:])
    ('.txt', 'Zürich')
    ('.ann', 'T1\tLOC 0 6\tZürich\n')
    """
    del options
    for document in documents:
        if document.text.startswith("\ufeff"):
            _refuse(document, "its text begins with a byte-order mark, which would be lost")
        annotations = "".join(f"{line}\n" for line in _Lines(document).lines())
        if re.search(r"[\ud800-\udfff]", document.text + annotations):
            _refuse(document, "it holds half a surrogate pair, which UTF-8 has no bytes for")
        yield File(document, ".txt", document.text)
        yield File(document, ".ann", annotations)


def _refuse(document: Document, reason: str) -> NoReturn:
    message = f"document {shown(document.id)} cannot be written as BRAT: {reason}"
    raise InputError(message, path=document.source or None)


class _Lines:
    """The annotation lines of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        for fault in faults(document):
            _refuse(document, fault)
        self.names = self._names()
        self.attributes = 0
        self.links = 0

    def lines(self) -> Iterator[str]:
        """Yield all lines, mentions first."""
        for mention in self.document.mentions:
            yield self._mention(mention)
        for relation in self.document.relations:
            yield self._relation(relation)
        yield from self._chains()
        for mention in self.document.mentions:
            layer = {LAYER: mention.layer} if mention.layer else {}
            if LAYER in mention.attributes:
                self._refuse(mention, f"an attribute {LAYER!r} would be read as its layer")
            yield from self._attributes(mention, layer | mention.attributes)
            yield from self._links(mention)
        for relation in self.document.relations:
            yield from self._attributes(relation, relation.attributes)
        yield from self._notes()

    def _refuse(self, owner: Mention | Relation, reason: str) -> NoReturn:
        _refuse(self.document, f"{type(owner).__name__.lower()} {shown(owner.id)}: {reason}")

    def _word(self, owner: Mention | Relation, what: str, word: str) -> str:
        if not _WORD.fullmatch(word):
            self._refuse(owner, f"its {what} {shown(word)} is empty or has a blank or control character")
        return word

    def _names(self) -> dict[str, str]:
        """Return the BRAT id of each annotation by its own id: the same if it is valid, else a free number."""
        kinds = {mention.id: "T" for mention in self.document.mentions}
        kinds |= {relation.id: "R" if relation.trigger is None else "E" for relation in self.document.relations}
        kinds |= {note.id: "#" for note in self.document.notes}
        for name in kinds:
            if not _WORD.fullmatch(name):
                _refuse(self.document, f"the id {shown(name)} has a blank or control character")
        names = {name: name for name, kind in kinds.items() if re.fullmatch(rf"{kind}[0-9][\w.-]*", name)}
        used = set(names.values())
        last_numbers = dict.fromkeys("TRE#", 0)
        for name, kind in kinds.items():
            while name not in names:
                last_numbers[kind] += 1
                if (new := f"{kind}{last_numbers[kind]}") not in used:
                    names[name] = new
        return names

    def _mention(self, mention: Mention) -> str:
        if len(mention.labels) != 1:
            self._refuse(mention, f"it has {len(mention.labels)} labels, BRAT has room for exactly one")
        text = surface(self.document.text, mention.spans)
        if "\n" in text or "\r" in text:
            self._refuse(mention, "it runs across a line end; make it a fragment for each line")
        offsets = ";".join(f"{start} {end}" for start, end in mention.spans)
        return f"{self.names[mention.id]}\t{self._word(mention, 'label', mention.labels[0])} {offsets}\t{text}"

    def _relation(self, relation: Relation) -> str:
        label = self._word(relation, "label", relation.label)
        roles = [self._word(relation, "role", argument.role) for argument in relation.arguments]
        if relation.trigger is None:
            if len(roles) != 2:
                self._refuse(relation, f"it has no trigger and {len(roles)} arguments, BRAT wants exactly two")
        else:
            label = f"{label}:{self.names[relation.trigger]}"
            numbered = write_roles(roles)
            if read_roles(numbered) != roles:
                self._refuse(relation, "a role ends in a number that BRAT would take for a repetition")
            roles = numbered
        targets = [self.names[argument.target] for argument in relation.arguments]
        ends = [f"{role}:{target}" for role, target in zip(roles, targets, strict=True)]
        return f"{self.names[relation.id]}\t{' '.join([label, *ends])}"

    def _chains(self) -> Iterator[str]:
        for chain in self.document.chains:
            label = chain.label or NO_CHAIN_LABEL
            if not chain.mentions or chain.label == NO_CHAIN_LABEL or not _WORD.fullmatch(label):
                reason = f"it has no mention, or the label {shown(chain.label)} that BRAT has no room for"
                _refuse(self.document, f"chain {shown(chain.id)}: {reason}")
            yield f"*\t{' '.join([label, *(self.names[mention] for mention in chain.mentions)])}"

    def _attributes(self, owner: Mention | Relation, attributes: dict[str, str]) -> Iterator[str]:
        for name, value in attributes.items():
            self._word(owner, "attribute", name)
            if value and not _ONE_LINE.fullmatch(value):
                self._refuse(owner, f"the value {shown(value)} of {name!r} has a tab, line end or needless blank")
            self.attributes += 1
            yield " ".join([f"A{self.attributes}\t{name}", self.names[owner.id], *([value] if value else [])])

    def _links(self, mention: Mention) -> Iterator[str]:
        for link in mention.links:
            if link.score is not None:
                self._refuse(mention, f"its link {shown(link.target)} has a score, BRAT has no room for it")
            self.links += 1
            reference = write_reference(self._word(mention, "link", link.target))
            yield f"N{self.links}\t{REFERENCE} {self.names[mention.id]} {reference}\t{link.target}"

    def _notes(self) -> Iterator[str]:
        targets = {mention.id for mention in self.document.mentions}
        targets |= {relation.id for relation in self.document.relations}
        for note in self.document.notes:
            label = note.label or NO_NOTE_LABEL
            if note.target not in targets or note.label == NO_NOTE_LABEL or not _WORD.fullmatch(label):
                reason = "it is not on a mention or relation, or its label does not fit"
                _refuse(self.document, f"note {shown(note.id)}: {reason}")
            if "\n" in note.text or "\r" in note.text:
                _refuse(self.document, f"note {shown(note.id)}: its text has more than one line")
            yield f"{self.names[note.id]}\t{label} {self.names[note.target]}\t{note.text}"
