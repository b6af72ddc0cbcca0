"""Lossless writing: documents are written, read back and compared, and any loss is refused.

No format is treated specially: what it declares not to keep is removed beforehand, and any other loss is found by the
comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from karat.annotations.faults import faults, shown
from karat.annotations.losses import losses
from karat.annotations.selection import kinds_in, trim
from karat.annotations.type_checks import of_the_model
from karat.errors import InputError, many
from karat.formats.base import EVERYTHING, File, Format, Problems
from karat.formats.spool import DocumentSpool
from karat.io.names import clash, name_fault
from karat.io.outputs import scratch_folder, writing
from karat.model import Document

_NOUNS = {
    "documents": "document",
    "texts": "text",
    "white space": "document's white space",
    "mentions": "mention",
    "labels": "label",
    "layers": "name of a layer",
    "links": "link",
    "scores": "score of a link",
    "attributes": "attribute",
    "chains": "chain",
    "relations": "relation",
    "notes": "note",
    "metadata": "metadata entry",
    "tokens": "token",
    "segments": "segment",
    "cells": "cell",
    "comments": "comment",
    "dates": "document's dates",
}
_PLURALS = {
    "white space": "the white space of {} documents",
    "layers": "the names of {} layers",
    "scores": "the scores of {} links",
    "dates": "the dates of {} documents",
}

_EXPECTED = "expected pieces of text, one by one, or File objects of karat.formats.base"


class Losses:
    """Counts what documents lose when they are written, by kind; also has the first document that loses something."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first = ""

    def add(self, document_id: str, lost: Mapping[str, int]) -> None:
        """Count what a document loses."""
        if lost:
            self.first = self.first or document_id
            self.counts.update(lost)

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        """Return the counts of the losses by kind.

        >>> lost = Losses()
        >>> lost.add("d", {"links": 2, "tokens": 1, "dates": 1})
        >>> str(lost)
        "2 links, 1 token and 1 document's dates (first in document 'd')"
        """
        ordered = [kind for kind in _NOUNS if self.counts[kind]]
        said = [_said(kind, self.counts[kind]) for kind in ordered]
        listed = " and ".join(filter(None, [", ".join(said[:-1]), said[-1]]))
        return f"{listed} (first in document {shown(self.first)})"


def _said(kind: str, times: int) -> str:
    if times > 1 and kind in _PLURALS:
        return _PLURALS[kind].format(times)
    return many(times, _NOUNS[kind])


@contextmanager
def written(
    documents: Iterable[Document], declared: Format, settings: Any, allowed: Losses | None = None
) -> Iterator[dict[str, Path]]:
    """Within this context, provide temporary files with the documents, by name, read back and compared.

    A format of one file uses the name ``""``. Documents are processed one at a time; those to be compared later are
    kept on disk.

    Args:
        documents: the documents to write.
        declared: the format.
        settings: an instance of the options of the format.
        allowed: counts what the format cannot hold and is left out; None refuses such documents.

    """
    lost = Losses() if allowed is None else allowed
    sources: list[str] = []

    def kept(spool: DocumentSpool) -> Iterator[Document]:
        for document in map(of_the_model, documents):
            if not sources:
                sources.append(document.source)
            trimmed = _trimmed(document, declared, lost)
            if allowed is None and lost:
                continue  # it will be refused: the rest is counted
            spool.add(trimmed)
            yield trimmed

    with DocumentSpool() as spool, scratch_folder() as folder:
        files = _save(declared, pieces_of(declared, kept(spool), settings), folder)
        source = sources[0] if sources else ""
        if allowed is None:
            _refuse(lost, declared, source)
        missing = _missing(declared, spool, settings, folder / files[""] if "" in files else folder, source)
        for document_id, counts in missing:
            lost.add(document_id, counts)
        if allowed is None:
            _refuse(lost, declared, source)
        yield {name: folder / file for name, file in files.items()}


def pieces_of(declared: Format, documents: Iterable[Document], settings: Any) -> Iterator[tuple[str, str]]:
    """Yield the output of a format as pairs of file name and text; only here do document ids become file names.

    A format of one file uses the name ``""``, and may yield many pieces.
    """
    if declared.write is None:
        raise TypeError(f"format {declared.name} cannot be written")
    pieces: Any = declared.write(documents, settings)
    if isinstance(pieces, str | Mapping) or not isinstance(pieces, Iterable):
        kind = "nothing" if pieces is None else shown(str(pieces))
        raise TypeError(f"format {declared.name} writes {kind}; {_EXPECTED}")
    owners: dict[str, Document] = {}
    if not declared.folder:
        yield "", ""
    for piece in pieces:
        if isinstance(piece, str) and not owners:
            yield "", piece
            continue
        if not isinstance(piece, File):
            raise TypeError(f"format {declared.name} writes {type(piece).__name__} objects; {_EXPECTED}")
        name = f"{piece.document.id}{piece.suffix}"
        fault = "is the id of two documents" if name in owners else name_fault(name)
        if fault is not None:
            raise _refusal(declared, piece.document, f"its id {fault}")
        owners[name] = piece.document
        yield name, piece.content
    same = clash(owners)
    if same is not None:
        fault = f"its id meets the file {same[0]!a}: some systems do not tell them apart"
        raise _refusal(declared, owners[same[1]], fault)


def _save(declared: Format, pieces: Iterable[tuple[str, str]], folder: Path) -> dict[str, str]:
    """Write pieces of text to files of a folder, and return their names."""
    whole = f"written{declared.suffixes[0] if declared.suffixes else ''}"
    names: dict[str, str] = {}
    with ExitStack() as stack:
        stream = None
        for name, text in pieces:
            if name or stream is None:
                names[name] = name or whole
                stream = stack.enter_context(writing(folder / names[name]))
            stream.write(text)
            if name:
                stack.close()
    return names


def _missing(
    declared: Format, spool: DocumentSpool, settings: Any, path: Path, source: str
) -> list[tuple[str, Mapping[str, int]]]:
    """Return what each document lacks when it is read back, with its id; only documents that lack something."""
    missing: dict[int, Counter[str]] = {}
    if spool:
        try:
            for back in declared.read(str(path), problems=Problems(), want=EVERYTHING, options=settings):
                position = spool.take(back.id)
                if position is None:
                    continue
                document = spool[position]
                lost = losses(document, back)
                if declared.cells_are_hints and document.table is not None and document.table.dialect == declared.name:
                    del lost["cells"]
                if lost:
                    missing[position] = lost
        except InputError as error:
            message = f"what the format {declared.name} would write could not be read back: {error.message}"
            raise InputError(f"{message}; the format jsonl holds everything", path=source or None) from error
    missing |= {position: Counter(documents=1) for position in spool.left()}
    return [(spool[position].id, missing[position]) for position in sorted(missing)]


def _refusal(declared: Format, document: Document, fault: str) -> InputError:
    message = f"document {shown(document.id)} cannot be written as {declared.name}: {fault}"
    return InputError(message, path=document.source or None)


def _trimmed(document: Document, declared: Format, lost: Losses) -> Document:
    """Return a document without what the format does not keep; an unsound document is refused."""
    for fault in faults(document):
        raise _refusal(declared, document, fault)
    kept = trim(document, kinds_in(document) - declared.keeps, hints=declared.name if declared.cells_are_hints else "")
    if kept is not document:
        lost.add(document.id, losses(document, kept))
    return kept


def _refuse(lost: Losses, declared: Format, source: str) -> None:
    if lost:
        message = f"the format {declared.name} would lose {lost}"
        advice = "write without them with --lossy, or choose jsonl, which holds everything"
        raise InputError(f"{message}; {advice}", path=source or None)
