"""Writing documents so that they can be read again: what is written is read back and compared, and a loss is refused.

There is no special case for a format: what it declares not to keep is left out beforehand, what it loses on its own is
found afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from karat.annotations.faults import faults, shown
from karat.annotations.kinds import of_the_model
from karat.annotations.losses import losses
from karat.annotations.trimming import kinds_in, trim
from karat.errors import InputError, many
from karat.formats.base import EVERYTHING, File, Format, Problems
from karat.io.names import clash, name_fault
from karat.io.outputs import for_a_look
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

_EXPECTED = "expected a dictionary with one text under the name '', or File objects of karat.formats.base"


class Losses:
    """What documents lose when they are written, by kind, and the first that loses something."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first = ""

    def add(self, document: Document, lost: Mapping[str, int]) -> None:
        """Count what a document loses."""
        if lost:
            self.first = self.first or document.id
            self.counts.update(lost)

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        """Say how much of what is lost.

        >>> lost = Losses()
        >>> lost.add(Document("d"), {"links": 2, "tokens": 1, "dates": 1})
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


def written(
    documents: Iterable[Document], declared: Format, settings: Any, allowed: Losses | None = None
) -> dict[str, str]:
    """Return the files that hold the documents, by name.

    What the format cannot hold is refused, or, if losses are allowed, left out and counted there.
    """
    lost = Losses() if allowed is None else allowed
    given = list(map(of_the_model, documents))
    kept = [_trimmed(document, declared, lost) for document in given]
    if allowed is None:
        _refuse(lost, declared, given)
    files = written_files(declared, kept, settings)
    for document, back in zip(kept, _read_back(files, kept, declared, settings), strict=True):
        missing = Counter(documents=1) if back is None else losses(document, back)
        if declared.cells_are_hints and document.table is not None and document.table.dialect == declared.name:
            del missing["cells"]
        lost.add(document, missing)
    if allowed is None:
        _refuse(lost, declared, given)
    return files


def written_files(declared: Format, documents: Iterable[Document], settings: Any) -> dict[str, str]:
    """Return the files that hold the documents, by name: here alone the id of a document becomes a file name.

    A format of one file uses the name ``""``.
    """
    if declared.write is None:
        raise TypeError(f"format {declared.name} cannot be written")
    written = declared.write(documents, settings)
    if isinstance(written, Mapping):
        if list(written) != [""] or not isinstance(written[""], str):
            raise TypeError(f"format {declared.name} writes {shown(str(dict(written)))}; {_EXPECTED}")
        return {"": written[""]}
    if written is None:
        raise TypeError(f"format {declared.name} writes nothing; {_EXPECTED}")
    contents: dict[str, str] = {}
    owners: dict[str, Document] = {}
    for file in written:
        if not isinstance(file, File):
            raise TypeError(f"format {declared.name} writes {type(file).__name__} objects; {_EXPECTED}")
        name = f"{file.document.id}{file.suffix}"
        fault = "is the id of two documents" if name in contents else name_fault(name)
        if fault is not None:
            raise _refusal(declared, file.document, f"its id {fault}")
        contents[name], owners[name] = file.content, file.document
    same = clash(contents)
    if same is not None:
        fault = f"its id meets the file {same[0]!a}: some systems do not tell them apart"
        raise _refusal(declared, owners[same[1]], fault)
    return contents


def _refusal(declared: Format, document: Document, fault: str) -> InputError:
    message = f"document {shown(document.id)} cannot be written as {declared.name}: {fault}"
    return InputError(message, path=document.source or None)


def _trimmed(document: Document, declared: Format, lost: Losses) -> Document:
    """Return a document without what the format does not keep; an unsound one is refused."""
    for fault in faults(document):
        raise _refusal(declared, document, fault)
    kept = trim(document, kinds_in(document) - declared.keeps, hints=declared.name if declared.cells_are_hints else "")
    if kept is not document:
        lost.add(document, losses(document, kept))
    return kept


def _refuse(lost: Losses, declared: Format, documents: Sequence[Document]) -> None:
    if lost:
        message = f"the format {declared.name} would lose {lost}"
        advice = "write without them with --lossy, or choose jsonl, which holds everything"
        raise InputError(f"{message}; {advice}", path=documents[0].source or None)


def _read_back(
    files: Mapping[str, str], documents: Sequence[Document], declared: Format, settings: Any
) -> list[Document | None]:
    """Return what is read back for each document, nothing for one that is not there."""
    if not files or not documents:
        return [None] * len(documents)
    name = f"written{declared.suffixes[0] if declared.suffixes else ''}"
    with for_a_look({file or name: text for file, text in files.items()}) as folder:
        source = folder / name if "" in files else folder
        try:
            back = list(declared.read(str(source), problems=Problems(), want=EVERYTHING, options=settings))
        except InputError as error:
            message = f"what the format {declared.name} would write could not be read back: {error.message}"
            advice = "the format jsonl holds everything"
            raise InputError(f"{message}; {advice}", path=documents[0].source or None) from error
    by_id = {document.id: document for document in back}
    in_order = [document.id for document in back] == [document.id for document in documents]
    return [*back] if in_order else [by_id.get(document.id) for document in documents]
