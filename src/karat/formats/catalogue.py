"""The annotation formats by name, by kind, and by what their files begin with.

Own formats are found through the table below, the output of tools through :mod:`karat.formats.tools`, formats of
others through the entry-point group ``karat.formats`` (a :class:`~karat.formats.base.Format`). What
those read is checked, and none keeps others from being recognised.
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
from karat.formats.tools import tool, tools
from karat.model import Document

if TYPE_CHECKING:
    from karat.plugins import PlugIn, Shelf

_KINDS = {
    "Karat's own": ("jsonl",),
    "chains": ("jsonlines", "scorch"),
    "tokens in columns": ("hipe", "conll2012", "universal-anaphora", "corefud", "conllumisc", "conllup", "conll"),
    "annotation tools": ("brat", "labelstudio", "doccano", "prodigy", "webanno", "gate"),
    "pipelines and data sets": ("plain", "spacyjson", "docbin", "hf", "casjson"),
    "layered XML": ("cat", "naf", "tei", "xmi"),
    "entities, links and relations of corpora": ("scierc", "docred", "tacred", "spert", "elevant", "nif"),
    "answers to classification tasks": ("semeval2010", "labels"),
    "biomedical corpora": ("biocjson", "biocxml", "pubtator", "i2b2"),
    "tables and knowledge bases": ("omin", "triples", "coldstart"),
    "language models": ("llm",),
}
"""The names of our own formats, by what they are for."""

_ROOMS = (
    *("brat", "conll", "conll2012", "corefud", "docred", "hipe", "jsonlines", "labelstudio", "llm", "naf"),
    *("omin", "semeval2010", "universal-anaphora", "webanno"),
)
"""Those that are packages of several modules, one of which declares the format."""

_OWN = tuple(name for names in _KINDS.values() for name in names)
_XML = (*_KINDS["layered XML"], "gate", "biocxml", "nif")
"""Those whose files begin with ``<``."""
_JSON = (
    *("jsonl", "jsonlines", "scorch", "labelstudio", "doccano", "prodigy", "gate", "plain", "spacyjson", "casjson"),
    *("scierc", "docred", "tacred", "spert", "elevant", "biocjson", "llm"),
)
"""Those whose files begin with a brace or a bracket."""
_NEITHER = (*(name for name in _OWN if name not in (*_XML, *_JSON)), "xmi", "nif")
_FOLDERS = {"scorch": ".json", "brat": ".ann", "cat": ".xml", "naf": ".naf", "i2b2": ".con"}
"""Those whose documents may be the files of a folder, with the ending of these."""
_RELATIONS = ("relation", "predicate", "property")
Head = TypeVar("Head", str, bytes)


@cache
def formats() -> dict[str, Format]:
    """Return every format by name."""
    own = {name: _own(name) for name in _OWN} | {name: tool(name) for name in tools()}
    return own | plug_ins().known


def _own(name: str) -> Format:
    room = ".declaration" if name in _ROOMS else ""
    declared = importlib.import_module(f"karat.formats.{name.replace('-', '_')}{room}").FORMAT
    assert isinstance(declared, Format)  # noqa: S101 - a fault of ours, not of the user
    return declared


def folder_circles(endings: Container[str]) -> Iterator[list[Format]]:
    """Yield the formats whose documents may be the files of a folder: our own whose files it has, all others."""
    yield [_own(name) for name, ending in _FOLDERS.items() if ending in endings]
    plug_ins().warn()
    yield [declared for declared in plug_ins().known.values() if declared.folder]


@cache
def plug_ins() -> Shelf[Format]:
    """Return the formats that other packages offer."""
    from karat.plugins import shelf_of

    return shelf_of("karat.formats", Format, {*_OWN, *tools()}, guarded)


def plug_in_of(name: str | None) -> str:
    """Return the package that brings a format, with its version, as a signature has it; nothing for our own."""
    return "" if name is None or name in _OWN or name in tools() else plug_ins().brings(name)


def kinds() -> dict[str, list[Format]]:
    """Return every format by its kind: our own by what they are for, then the output of tools, then those of others."""
    known = formats()
    plug_ins().warn()
    by_kind = {kind: [known[name] for name in names] for kind, names in _KINDS.items()}
    by_kind["output of tools"] = [known[name] for name in tools()]
    plugged_in = [known[name] for name in plug_ins().known]
    return by_kind | ({"of other packages": plugged_in} if plugged_in else {})


def holds_json(name: str) -> bool:
    """Say whether files of a format are JSON, or those of a tool, which are read from lines of it."""
    return name in _JSON or name in tools()


def format_named(name: str) -> Format:
    """Return the format of that name; an unknown one is an error with suggestions, and so is anything but a name."""
    if name in _OWN:
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


_CLUES: dict[str, Callable[[str], bool]] = {
    "hipe": lambda head: "TOKEN" in head,
    "conll2012": lambda head: "begin document" in head,
    "universal-anaphora": lambda head: "IDENTITY" in head,
    "corefud": lambda head: "global.Entity" in head or _has_ten_columns(head),
    "conllumisc": lambda head: _has_ten_columns(head),
    "conllup": lambda head: "global.columns" in head or any(line[:1].isdecimal() for line in head.split("\n")),
    "brat": lambda head: head.lstrip("\ufeff\r\n")[1:2] in tuple("0123456789\t"),
    "webanno": lambda head: "#FORMAT=" in head,
    "docbin": lambda head: head.startswith("x"),
    "hf": lambda head: head.startswith(("PAR1", "ARROW1", "\ufffd")),
    "semeval2010": lambda head: head[:1].isdecimal(),
    "labels": lambda head: False,
    "pubtator": lambda head: "|t|" in head,
    "i2b2": lambda head: 'c="' in head,
    "omin": lambda head: "," in head,
    "triples": lambda head: any(word in head.lower() for word in _RELATIONS),
    "coldstart": lambda head: "\t" in head and ":" in head,
    "xmi": lambda head: "xmi" in head.lower(),
    "nif": lambda head: "nif-core#" in head,
}
"""What the beginning of a file has if it is of a format: one that lacks it is no reason to load what reads it."""


def _has_ten_columns(head: str) -> bool:
    return any(line.count("\t") == 9 for line in head.split("\n"))


def may_be(name: str, head: str) -> bool:
    r"""Say whether a file with this beginning may be of one of our own formats, before that is asked.

    >>> may_be("hipe", "TOKEN\tNE-COARSE-LIT\n"), may_be("hipe", "Bern B-loc\n")
    (True, False)
    """
    return name not in _CLUES or _CLUES[name](head)


def circles(head: str, *, near: bool = False) -> Iterator[list[Format]]:
    """Yield the formats that a file with this beginning may be of: the likely ones, the rest of our own, all others.

    Each is imported only when its circle is asked for, and the beginning has what all of its files have, unless those
    are asked for that are merely ``near``.
    """
    first = head.lstrip("\ufeff \t\r\n")[:1]
    likely = _JSON if first and first in "{[" else _XML if first == "<" else _NEITHER
    yield [_own(name) for name in likely if near or may_be(name, head)]
    yield [_own(name) for name in _OWN if name not in likely and (near or may_be(name, head))]
    plug_ins().warn()
    yield [declared for name, declared in formats().items() if name not in _OWN]


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
