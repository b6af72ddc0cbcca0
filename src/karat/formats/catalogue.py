"""The catalogue of formats: by name, by kind, and by what files begin with.

Built-in formats are listed in :mod:`karat.formats.table`, those of tools in :mod:`karat.formats.tools`; other packages
provide a :class:`~karat.formats.base.Format` through the entry-point group ``karat.formats``. Documents that a plug-in
reads are checked, and its errors do not affect the recognition of other formats.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from karat.annotations.faults import faults, shown
from karat.errors import PluginError, PluginWarning, UsageError, unknown
from karat.formats.base import Format, Problems, Reader, Want
from karat.formats.table import OWN_FORMATS
from karat.formats.tools import tool, tools
from karat.model import Document

if TYPE_CHECKING:
    from karat.plugins import PlugIn, PlugInRegistry

Head = TypeVar("Head", str, bytes)


@cache
def formats() -> dict[str, Format]:
    """Return all formats by name."""
    own = {name: _own(name) for name in OWN_FORMATS} | {name: tool(name) for name in tools()}
    return own | plug_ins().known


def _own(name: str) -> Format:
    """Return the declaration of a built-in format."""
    module = importlib.import_module(f"karat.formats.{name.replace('-', '_')}")
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"{module.__name__}.declaration")
    declared = module.FORMAT
    assert isinstance(declared, Format)  # noqa: S101 - a fault of ours, not of the user
    return declared


def likely_in_folder(endings: Container[str]) -> Iterator[list[Format]]:
    """Yield the formats of folders with files of these extensions: built-in ones first, then all plug-ins."""
    yield [_own(row.name) for row in OWN_FORMATS.values() if row.folder and row.folder in endings]
    plug_ins().warn()
    yield [declared for declared in plug_ins().known.values() if declared.folder]


@cache
def plug_ins() -> PlugInRegistry[Format]:
    """Return the formats of other packages."""
    from karat.plugins import load_plug_ins

    return load_plug_ins("karat.formats", Format, {*OWN_FORMATS, *tools()}, guarded)


def plug_in_of(name: str | None) -> str:
    """Return the package of a format with its version, as in a signature; ``""`` for built-in formats."""
    return "" if name is None or name in OWN_FORMATS or name in tools() else plug_ins().requirement_of(name)


def kinds() -> dict[str, list[Format]]:
    """Return all formats by kind: built-in ones by purpose, then those of tools, then plug-ins."""
    known = formats()
    plug_ins().warn()
    by_kind: dict[str, list[Format]] = {}
    for row in OWN_FORMATS.values():
        by_kind.setdefault(row.kind, []).append(known[row.name])
    by_kind["output of tools"] = [known[name] for name in tools()]
    plugged_in = [known[name] for name in plug_ins().known]
    return by_kind | ({"of other packages": plugged_in} if plugged_in else {})


def holds_json(name: str) -> bool:
    """Tell whether the files of a format are JSON, or JSON lines for a tool."""
    return name in tools() or (name in OWN_FORMATS and "json" in OWN_FORMATS[name].begins)


def format_named(name: str) -> Format:
    """Return the format of that name; raises ``UsageError`` with suggestions for an unknown one."""
    if name in OWN_FORMATS:
        return _own(name)
    if name in tools():
        return tool(name)
    if not isinstance(name, str):
        advice = "read the files with karat.read(path, FORMAT), and give the documents"
        raise UsageError(
            f"the format is a {type(name).__name__}; expected the name of one that is installed, or {advice}"
        )
    declared = plug_ins().named(name)
    if declared is None:
        plug_ins().warn()
        raise unknown("format", name, formats())
    return declared


def likely_formats(head: str, *, near: bool = False) -> Iterator[list[Format]]:
    """Yield the formats that a file with this beginning may have, in three lists: likely ones, others, plug-ins.

    The first list has the formats whose files begin with the same kind of character. Each list is imported on demand,
    and of the built-in formats only those whose mark the beginning matches; ``near`` includes the others.
    """
    first = head.lstrip("\ufeff \t\r\n")[:1]
    begins = "json" if first and first in "{[" else "xml" if first == "<" else "text"
    possible = [row for row in OWN_FORMATS.values() if near or row.may_have(head)]
    yield [_own(row.name) for row in possible if begins in row.begins]
    yield [_own(row.name) for row in possible if begins not in row.begins]
    plug_ins().warn()
    yield [declared for name, declared in formats().items() if name not in OWN_FORMATS]


def guarded(declared: Format, plug_in: PlugIn) -> Format:
    """Return a plug-in's format with checks on its documents, and without effect on recognition if it fails."""
    return msgspec.structs.replace(
        declared,
        read=CheckedReader(declared.read, plug_in),
        sniff=_look(declared.sniff, plug_in),
        sniff_bytes=_look(declared.sniff_bytes, plug_in),
    )


class CheckedReader(NamedTuple):
    """The reader of a plug-in, with its documents checked.

    Built-in readers make these checks while reading.
    """

    read: Reader
    plug_in: PlugIn

    def __call__(self, path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
        """Yield sound documents; repeated ids are reported if problems are collected."""
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
    """Return the sniffing function of a plug-in; an exception in it means that the file is not of the format."""

    def looks(head: Head) -> bool:
        try:
            return bool(sniff(head))
        except Exception as error:  # noqa: BLE001 - whatever is wrong there, files of other formats are recognised
            sentence = f"{plug_in} cannot look at files, and is passed over ({type(error).__name__}: {error})"
            warnings.warn(sentence, PluginWarning, stacklevel=2)
            return False

    return looks
