"""The annotation formats, by name: finding the one of a file, reading and writing.

Own formats are found through the table below, the output of tools through :mod:`karat.formats.tools`, formats of
others through the entry-point group ``karat.formats`` (a :class:`~karat.formats.base.Format`).
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.errors import InputError, UsageError, unknown
from karat.files import is_folder
from karat.formats._json_head import beginning
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.formats.tools import tool, tools
from karat.model import Document
from karat.plugins import plugins
from karat.settings import build

if TYPE_CHECKING:
    from karat.formats.fidelity import Losses

_KINDS = {
    "Karat's own": ("jsonl",),
    "chains": ("jsonlines", "scorch"),
    "tokens in columns": ("hipe", "conll2012", "universal-anaphora", "corefud", "conllumisc", "conllup", "conll"),
    "annotation tools and pipelines": ("brat", "labelstudio", "doccano", "prodigy", "spacyjson", "gate", "webanno"),
    "layered XML": ("cat", "naf", "tei", "xmi"),
    "entities, links and relations of corpora": ("scierc", "docred", "tacred", "spert", "elevant"),
    "biomedical corpora": ("biocjson", "biocxml", "pubtator", "i2b2"),
    "tables and knowledge bases": ("omin", "triples", "coldstart"),
}
"""The names of our own formats, by what they are for; a file is shown to them in this order."""

_OWN = tuple(name for names in _KINDS.values() for name in names)
_NO_JSON = {
    *_KINDS["tokens in columns"],
    *_KINDS["tables and knowledge bases"],
    *_KINDS["layered XML"],
    "brat",
    "webanno",
    "biocxml",
    "pubtator",
}
"""Those whose files do not begin with a brace or a bracket: the last to be shown such a file, and the first else."""


@cache
def formats() -> dict[str, Format]:
    """Return every format by name."""
    declarations = [_own(name) for name in _OWN] + [tool(name) for name in tools()]
    declarations += plugins("karat.formats")
    return {declared.name: declared for declared in declarations}


def _own(name: str) -> Format:
    declared = importlib.import_module(f"karat.formats.{name.replace('-', '_')}").FORMAT
    assert isinstance(declared, Format)  # noqa: S101 - a fault of ours, not of the user
    return declared


def kinds() -> dict[str, list[Format]]:
    """Return every format by its kind: our own by what they are for, then the output of tools, then those of others."""
    known = formats()
    found = {kind: [known[name] for name in names] for kind, names in _KINDS.items()}
    found["output of tools"] = [known[name] for name in tools()]
    others = [declared for name, declared in known.items() if name not in _OWN and name not in tools()]
    return found | ({"of other packages": others} if others else {})


def format_named(name: str) -> Format:
    """Return the format of that name; an unknown one is an error with suggestions."""
    if name in _OWN:
        return _own(name)
    if name in tools():
        return tool(name)
    known = formats()
    if name not in known:
        raise unknown("format", name, known)
    return known[name]


def _each(head: str = "") -> Iterator[Format]:
    """Yield the formats, own ones first, likely ones before others, importing each only when it is asked for."""
    is_json = head.lstrip("\ufeff \t\r\n").startswith(("{", "["))
    yield from map(_own, sorted(_OWN, key=lambda name: (name in _NO_JSON) == is_json))
    yield from (declared for name, declared in formats().items() if name not in _OWN)


def sniff(path: str | os.PathLike[str], empty: str = "") -> Format:
    """Find the format of a file or folder by its content.

    A folder is asked for files of the formats that live in folders; a file is shown to each format in turn, and if
    none knows it, its ending decides. A file without content is an error, unless it is said what ``empty`` ones are.
    """
    if is_folder(path):
        for declared in _each():
            if declared.folder and any(next(Path(path).rglob(f"*{suffix}"), None) for suffix in declared.suffixes):
                return declared
        raise InputError("no format is known for this folder; name one with --from", path=path)
    head = beginning(path)
    if empty and not head.strip():
        return format_named(empty)
    ending = Path(re.sub(r"\.(gz|bz2|xz)$", "", str(path))).suffix.lower()
    if not head:
        for declared in _each():
            if declared.may_be_empty and ending in declared.suffixes:
                return declared
        raise InputError("the file is empty; name its format with --from if that is right", path=path)
    for declared in _each(head):
        if declared.sniff(head):
            return declared
    for declared in _each():
        if ending and ending in declared.suffixes:
            return declared
    raise InputError(f"the format is not recognised; name it with --from ({', '.join(formats())})", path=path)


def read(
    path: str | os.PathLike[str],
    format: str | Format | None = None,  # noqa: A002 - the word users know
    *,
    problems: Problems | None = None,
    want: Want = EVERYTHING,
    options: Mapping[str, Any] | None = None,
) -> Iterator[Document]:
    """Read the documents of a file or folder lazily, in the given or named format, or the one it is recognised as."""
    chosen = format if isinstance(format, Format) else format_named(format) if format else sniff(path)
    settings = build(chosen.options, options or {}, f"format {chosen.name}")
    return chosen.read(os.fspath(path), problems=problems or Problems(), want=want, options=settings)


def write(
    documents: Iterable[Document],
    path: str | os.PathLike[str],
    format: str,  # noqa: A002 - the word users know
    options: Mapping[str, Any] | None = None,
    *,
    losses: Losses | None = None,
) -> None:
    """Write documents to a file, or to a folder if the format lives in one; all of it or nothing.

    A path with the ending of a format of folders, such as ``d1.naf``, is a file if there is no more than one to write.
    """
    from karat.files.outputs import write_folder, write_whole

    contents = render(documents, format, options, losses=losses)
    alone = len(contents) == 1 and Path(path).suffix.lower() in format_named(format).suffixes
    if alone or "" in contents:
        write_whole({path: next(iter(contents.values()))})
    else:
        write_folder(path, contents)


def render(
    documents: Iterable[Document],
    format: str,  # noqa: A002 - the word users know
    options: Mapping[str, Any] | None = None,
    *,
    losses: Losses | None = None,
) -> dict[str, str]:
    """Return the files that hold the documents, by name; a format of one file uses the name ``""``.

    What would be lost is refused, unless there are ``losses`` to count it in.
    """
    from karat.formats.fidelity import written

    chosen = format_named(format)
    if chosen.write is None:
        writable = ", ".join(name for name, declared in formats().items() if declared.write is not None)
        raise UsageError(f"format {format} can only be read; writable are {writable}")
    return written(documents, chosen, build(chosen.options, options or {}, f"format {chosen.name}"), losses)
