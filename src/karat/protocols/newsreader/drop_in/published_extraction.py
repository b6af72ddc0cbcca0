"""Extraction as the published programs do it: the lines of the gold and of a system.

Each document is read up to the end of sentence *number* six, and never its last token. An entity counts if the number
in its first target is not beyond the number in the last token read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from karat.protocols.newsreader.drop_in.documents import (
    LAST_SENTENCE,
    NAF,
    NAF_OR_XML,
    NafEntity,
    NafFile,
    NafToken,
    Redirects,
    files,
)
from karat.protocols.newsreader.drop_in.perl import at_most, behind, digits, entity_name, number, written

_behind_t = partial(behind, "t")

DROPPED = "DetikCom"
"""A name that the gold with redirects leaves out."""

FindNumber = Callable[[str | None], str | None]
"""Finds the number in an id, or ``None``."""


def gold(folder: str, redirects: Redirects | None = None) -> bytes:
    """Return the gold lines of a folder (goldFiveSentences.pl).

    With redirects, names are replaced by their main ones (goldFiveSentencesWithRedirects.pl).
    """
    return b"".join(written(line) for line in _gold_lines(folder, redirects))


def _gold_lines(folder: str, redirects: Redirects | None) -> Iterator[str]:
    for file in files(folder, NAF if redirects is None else NAF_OR_XML, texts=False):
        tokens = _tokens_read(file.tokens)
        limit = number(tokens[-1][0] if tokens else None)
        for entity in file.entities:
            if not at_most(entity.first, limit):
                continue
            reference = next(entity.references(), None)
            name = None if reference is None else entity_name(reference.get("reference"))
            if name is None or (redirects is not None and name == DROPPED):
                continue
            span = "-".join(target or "" for target in entity.targets())
            yield f"{file.name}\t{span}\t{(redirects or {}).get(name, name)}\n"


def _tokens_read(tokens: Iterable[NafToken]) -> list[NafToken]:
    """Return the tokens up to the first one beyond the limit."""
    read: list[NafToken] = []
    for sentence, of_sentence in groupby(tokens, key=itemgetter(1)):
        if not at_most(sentence, LAST_SENTENCE):
            break
        read.extend(of_sentence)
    return read


class SystemExtraction:
    """Extraction of one system's lines (systemFiveSentences.pl), with the counts of the information file.

    The texts of tokens are kept from document to document, as the program keeps them.
    """

    def __init__(self, resource: str) -> None:
        self.resource = resource
        self.entities = self.linked = self.unlinked = 0
        self._texts: dict[str, str] = {}

    def extract(self, folder: str) -> bytes:
        """Return the lines of a folder."""
        return b"".join(written(line) for file in files(folder) for line in self._lines(file))

    @property
    def information(self) -> str:
        """The three lines of the information file."""
        return f"NERC\t{self.entities}\nNED\t{self.linked}\nNo NED\t{self.unlinked}\n"

    def _lines(self, file: NafFile) -> Iterator[str]:
        tokens = [(behind("w", token) or "", text) for token, _, text in _tokens_read(file.tokens)]
        self._texts.update(tokens)
        limit = number(tokens[-1][0] if tokens else "")
        for entity in file.entities:
            first = behind("t", entity.first) or ""
            if not at_most(first, limit):
                continue
            self.entities += 1
            name = _best_name(entity.references(), self.resource)
            if name is None:
                self.unlinked += 1
                continue
            self.linked += 1
            ids = _numbers(entity.targets(), _behind_t, first)
            mention = " ".join(self._texts.get(token, "") for token in ids)
            yield f"{file.name}\t{'-'.join(ids)}\t{name}\t{mention}\n"


def system_not_english(folder: str, resource: str, redirects: Redirects, tell: Callable[[bytes], None]) -> bytes:
    """Return a system's lines by the English names of its links (systemFiveSentencesNotEnglish.pl).

    Only the first reference of an entity is read; ``tell`` hears of those without nested references.
    """

    def name(docname: str, span: str, entity: NafEntity, first: Any) -> str | None:
        inner = entity.inner(first)
        if not inner:
            tell(written(f"Not English mapping {docname}\t{span}\n"))
        return _best_name(inner, resource)

    lines = _renamed_lines(folder, redirects, digits, name)
    return "".join(lines).encode("utf-8")


def system_with_redirects(folder: str, redirects: Redirects) -> bytes:
    """Return a system's lines by the first reference of each entity (systemFiveSentencesWithRedirects.pl)."""

    def name(docname: str, span: str, entity: NafEntity, first: Any) -> str | None:
        del docname, span, entity
        return entity_name(first.get("reference"))

    return b"".join(written(line) for line in _renamed_lines(folder, redirects, _behind_t, name))


def _renamed_lines(
    folder: str, redirects: Redirects, find: FindNumber, name_of: Callable[[str, str, NafEntity, Any], str | None]
) -> Iterator[str]:
    """Yield lines under the name ``STEM.txt.xml.naf``; the stem also stands in for numbers that are not found."""
    for file in files(folder, texts=False):
        docname = f"{file.stem}.txt.xml.naf"
        tokens = _tokens_read(file.tokens)
        last = behind("w", tokens[-1][0]) if tokens else "0"
        limit = number(file.stem if last is None else last)
        kept = file.stem
        for entity in file.entities:
            first_number = find(entity.first)
            kept = kept if first_number is None else first_number
            if not at_most(kept, limit):
                continue
            first = next(entity.references(), None)
            if first is None:
                continue
            span = "-".join(_numbers(entity.targets(), find, kept))
            name = name_of(docname, span, entity, first)
            if name is not None:
                yield f"{docname}\t{span}\t{redirects.get(name, name)}\n"


def _numbers(targets: Sequence[str | None], find: FindNumber, first: str) -> list[str]:
    """Return the numbers of the targets; where none is found, the last one stands again, at the end the first."""
    numbers: list[str] = []
    last_number = first
    for target in targets[:-1]:
        own = find(target)
        last_number = last_number if own is None else own
        numbers.append(last_number)
    last = find(targets[-1])
    return [*numbers, first if last is None else last]


def _best_name(references: Iterable[Any], resource: str) -> str | None:
    """Return the entity of the reference with the highest confidence, which must be above zero; the first of equals."""
    best: str | None = None
    highest = 0.0
    for reference in references:
        if (reference.get("resource") or "") == resource:
            confidence = number(reference.get("confidence"))
            if confidence > highest:
                highest, best = confidence, reference.get("reference")
    return entity_name(best)
