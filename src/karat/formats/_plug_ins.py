"""Formats of other packages: what they read is checked, and none keeps others from being recognised."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from karat.annotations.faults import faults, shown
from karat.errors import PluginError, PluginWarning
from karat.formats.base import Format, Problems, Reader, Want
from karat.model import Document
from karat.plugins import PlugIn

Head = TypeVar("Head", str, bytes)


def guarded(declared: Format, plug_in: PlugIn) -> Format:
    """Return a format whose documents are checked, and that cannot keep others from being recognised."""
    return msgspec.structs.replace(
        declared,
        read=CheckedReader(declared.read, plug_in),
        sniff=_look(declared.sniff, plug_in),
        sniff_bytes=_look(declared.sniff_bytes, plug_in),
    )


class CheckedReader(NamedTuple):
    """The reader of a plug-in: what it yields are sound documents, or somebody is told what they are.

    Readers of our own check what they read on the way.
    """

    read: Reader
    plug_in: PlugIn

    def __call__(self, path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
        """Yield the documents; who collects problems looks for faults anyway, and is told of ids that come twice."""
        seen: set[str] = set()
        for document in self._documents(path, problems=problems, want=want, options=options):
            wrong = _twice(document, seen) if problems.collect else faults(document)
            for fault in wrong:
                problems.error(document.source or path, None, f"document {shown(document.id)}: {fault}")
            yield document

    def _documents(self, path: str, **arguments: Any) -> Iterator[Document]:
        documents: object = self.read(path, **arguments)
        if not isinstance(documents, Iterable):
            kind = "nothing" if documents is None else f"a {type(documents).__name__}"
            raise PluginError(f"{self.plug_in} returns {kind} for {path}; expected Document objects, one by one")
        for document in documents:
            if not isinstance(document, Document):
                kind = type(document).__name__
                raise PluginError(f"{self.plug_in} reads a {kind} in {path}; expected Document objects")
            yield document


def _twice(document: Document, seen: set[str]) -> Iterator[str]:
    if document.id in seen:
        yield "is there twice; remove one"
    seen.add(document.id)


def _look(sniff: Callable[[Head], bool], plug_in: PlugIn) -> Callable[[Head], bool]:
    """Return what looks at the beginning of a file; where that fails, the file is not of the format."""

    def looks(head: Head) -> bool:
        try:
            return bool(sniff(head))
        except Exception as error:  # noqa: BLE001 - whatever is wrong there, files of other formats are recognised
            sentence = f"{plug_in} cannot look at files, and is passed over ({type(error).__name__}: {error})"
            warnings.warn(sentence, PluginWarning, stacklevel=2)
            return False

    return looks
