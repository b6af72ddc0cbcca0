"""The sides of an evaluation: documents that are read when they are asked for, with what names and identifies them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, Literal

import msgspec

from karat.annotations.cells import kept
from karat.annotations.chaining import share_links
from karat.errors import UsageError, many, unknown
from karat.files import STDIN, digest
from karat.formats import format_named, read, sniff
from karat.formats.base import EVERYTHING, Problems, Want
from karat.model import Document
from karat.protocols.base import Protocol, no_facts
from karat.signature import digest_documents

Source = str | os.PathLike[str] | Sequence[Any]
"""A file or folder, or documents as objects: Documents, dictionaries, or sequences of tags."""

MOST_HELD = 30_000_000
"""How large the documents of a file may be, as :func:`_size` counts, to be held for a second look as they are; what is
beyond is packed."""
MOST_PACKED = 300_000_000
"""How many bytes may be packed; a file that is larger is read again."""


@dataclass(frozen=True)
class Reading:
    """How the files of one side are read: the format, if it is not to be recognised, and its options.

    With ``share_links`` mentions without a link take those of their chain.
    """

    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    share_links: bool = False


Holding = Literal["nothing", "some", "everything"]
"""What is held of the documents that were read: nothing, where one look is enough; as many as have room; or all, since
they come only once."""


class Corpus:
    """The documents of one side; going through them reads them, as often as it is done, unless they are held.

    ``read_as`` is what was said about how to read it, for the signature; ``problems`` is what was repaired when the
    documents were read.
    """

    def __init__(
        self,
        name: str,
        documents: Callable[[Problems], Iterable[Document]],
        *,
        path: str | None = None,
        read_as: str = "",
        shares_links: bool = False,
        holding: Holding = "some",
    ) -> None:
        self.name, self.path, self.read_as = name, path, read_as
        self._read, self._shares_links, self._holding = documents, shares_links, holding
        self._held: _Held | None = None
        self._shared = 0
        self.problems = Problems()

    def __iter__(self) -> Iterator[Document]:
        documents = self._through() if self._held is None else iter(self._held)
        return self._with_shared_links(documents) if self._shares_links else documents

    def _through(self) -> Iterator[Document]:
        """Read all documents, and hold them if that is wanted and they are not too large for it."""
        held = _Held({"nothing": 0, "some": MOST_PACKED, "everything": inf}[self._holding])
        problems = Problems()
        for document in self._read(problems):
            held.add(document)
            yield document
        self._held, self.problems = None if held.is_over else held, problems

    def _with_shared_links(self, documents: Iterable[Document]) -> Iterator[Document]:
        shared = 0
        for document in documents:
            linked, number = share_links(document)
            shared += number
            yield linked
        self._shared = shared

    @property
    def digest(self) -> str:
        """What identifies the data: of files their bytes, of objects and standard input the documents."""
        if self.path is not None:
            return digest(self.path)
        return digest_documents(self._through() if self._held is None else self._held)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noticed when the documents were read."""
        notes = []
        if repairs := self.problems.repairs:
            notes.append(f"{many(repairs, 'repair')} while reading {self.path or self.name}; see karat validate")
        if self._shared:
            notes.append(f"{many(self._shared, 'mention')} of {self.name} took the links of the chain")
        return tuple(notes)


class _Held:
    """Documents that are held for a second look: as they are while they are small, then packed, then not at all."""

    def __init__(self, most_packed: float) -> None:
        self.most_packed = most_packed
        self.is_over = not most_packed
        self._held: list[Document | bytes] = []
        self._size = self._size_packed = 0

    def add(self, document: Document) -> None:
        """Hold a document, unless it is one too many: then all are let go."""
        if self.is_over:
            return
        if self._size <= MOST_HELD:
            self._held.append(document)
            self._size += _size(document)
            return
        try:
            packed = msgspec.msgpack.encode(document, enc_hook=list)
        except (UnicodeEncodeError, OverflowError):  # half of a pair of surrogates, or an offset of twenty digits
            self._held.append(document)
            return
        self._held.append(packed)
        self._size_packed += len(packed)
        if self._size_packed > self.most_packed:
            self.is_over = True
            self._held.clear()

    def __iter__(self) -> Iterator[Document]:
        unpack = msgspec.msgpack.Decoder(Document).decode
        return (unpack(held) if isinstance(held, bytes) else held for held in self._held)


def _size(document: Document) -> int:
    """Return about how many bytes a document takes: 500 if it is empty, the rest by characters, cells and mentions."""
    table = document.table
    cells = 0 if table is None else len(table.forms) + sum(map(kept, table.columns.values()))
    return 500 + len(document.text) + 8 * cells + 400 * len(document.mentions)


def load(
    protocol: Protocol,
    settings: Any,
    sources: Sequence[Source],
    readings: Sequence[Reading] | None = None,
    *,
    lines: bool = False,
    again: bool = False,
) -> list[Corpus]:
    """Return the sides of an evaluation, the gold first, which will be read no further than the protocol looks at them.

    They are held if they will be looked at again: ``again``, for facts, or as the gold of several systems. Where every
    side is a table of tokens that the protocol reads itself, mentions are not even built, and the tables are read as it
    says; otherwise all sides are read in full, so that their texts agree.
    """
    readings = readings or [Reading()] * len(sources)
    asked = protocol.demands(settings)
    formats = [_format(source, reading, asked.empty) for source, reading in zip(sources, readings, strict=True)]
    cells_only = asked.columns is not None and all(name in asked.options for name in formats)
    by_protocol = cells_only or asked.columns is None
    want = Want(mentions=False, lines=lines or asked.lines, columns=asked.columns) if cells_only else EVERYTHING
    _check_options(formats, readings)
    corpora = []
    again = again or protocol.facts is not no_facts or len(sources) > 2
    for number, (source, reading, name) in enumerate(zip(sources, readings, formats, strict=True)):
        given = _own(name, reading.options)
        demanded = asked.of("system" if number else "gold", name or "") if by_protocol else {}
        for option, value in given.items():
            if demanded.get(option, value) != value:
                raise UsageError(f"{option}={value} contradicts the protocol, which reads {option}={demanded[option]}")
        said = [reading.format or "", *(f"{option}={value}" for option, value in sorted(given.items()))]
        said += ["share-links"] if reading.share_links else []
        declared = {"read_as": ",".join(filter(None, said)), "shares_links": reading.share_links}
        corpora.append(_corpus(source, name, want, {**demanded, **given}, again=again, **declared))
    return corpora


def _corpus(
    source: Source,
    format: str | None,  # noqa: A002 - the word users know
    want: Want,
    options: Mapping[str, Any],
    *,
    again: bool,
    **declared: Any,
) -> Corpus:
    if not isinstance(source, str | os.PathLike):
        from karat.formats.objects import documents_from

        documents = documents_from(source)
        return Corpus("objects", lambda problems: documents, **declared)

    def documents_in(problems: Problems) -> Iterable[Document]:
        return read(source, format, problems=problems, want=want, options=options)

    if str(source) == STDIN:
        return Corpus("-", documents_in, holding="everything", **declared)
    holding: Holding = "some" if again else "nothing"
    return Corpus(Path(source).name, documents_in, path=os.fspath(source), holding=holding, **declared)


def _check_options(names: Sequence[str | None], readings: Sequence[Reading]) -> None:
    """Refuse an option that none of the formats has; sides of different formats may have different ones."""
    known = {option for name in names if name for option in _option_names(name)}
    for option in (option for reading in readings for option in reading.options):
        if option not in known:
            raise unknown("option of the input format", option, known)


def _own(name: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    return {option: value for option, value in options.items() if name and option in _option_names(name)}


def _option_names(name: str) -> set[str]:
    return {declared.name for declared in fields(format_named(name).options)}


def _format(source: Source, reading: Reading, empty: str) -> str | None:
    """Return the name of a file's format, given that of an empty one; objects have none."""
    if not isinstance(source, str | os.PathLike):
        return None
    return reading.format or sniff(source, empty).name
