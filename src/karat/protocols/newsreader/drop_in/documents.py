"""Reads the NAF documents of a folder in the order of the published programs, and tables of redirects.

The programs look for elements by plain names below a root ``NAF``: a document with a namespace or another root has
nothing. The tables, ``mappings_gold.csv`` and ``mappings_sys.csv``, are names of entities, and their main ones.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from karat.errors import InputError
from karat.formats.parts.xml import Element, parse_xml, text_of
from karat.io import is_folder, read_text, read_whole
from karat.io.progress import expect, watched
from karat.protocols.newsreader.drop_in.perl import is_true

LAST_SENTENCE = 6
"""The number of the last sentence that is read."""
NAF = re.compile(r"\.naf$")
NAF_OR_XML = re.compile(r"\.(?:naf|xml)$")


NafToken = tuple[str | None, str | None, str]
"""The id, the sentence and the text of a token."""
Redirects = dict[str, str]

MAX_SIZE = 256 * 1024 * 1024
_BLANK = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
"""White space as Perl sees it; cut at every single one."""
_BAD_BYTE = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as Python's ``surrogateescape`` keeps it."""


class NafFile(NamedTuple):
    """A document of a folder: its name with every byte as one character, its tokens but the last, and its entities.

    Tokens behind one that is beyond the last sentence may be left out.
    """

    name: str
    tokens: Iterable[NafToken]
    entities: Iterable[NafEntity]

    @property
    def stem(self) -> str:
        """What stands before the last ``.naf`` of the name."""
        stem = re.search(r"(.*)\.naf", self.name)
        return stem[1] if stem else ""


def paths(folder: str, ending: re.Pattern[str]) -> list[str]:
    """Return the paths of the documents in a folder in the order of their names, byte by byte."""
    if not is_folder(folder):
        raise InputError("is not a folder that can be read; name the folder of the NAF documents", path=folder)
    try:
        names = sorted(os.listdir(os.fsencode(folder)))  # noqa: PTH208 - the names as bytes
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=folder) from error
    wanted = [name for name in names if ending.search(as_characters(name))]
    return [os.path.join(folder, os.fsdecode(name)) for name in wanted]  # noqa: PTH118 - pathlib would tidy the path up


def files(folder: str, ending: re.Pattern[str] = NAF, *, texts: bool = True) -> Iterator[NafFile]:
    """Yield the documents of a folder in the order of their names, byte by byte; ``texts`` if those are looked at."""
    document_paths = paths(folder, ending)
    expect(len(document_paths))
    for path in watched(document_paths):
        check_regular(path)
        name = as_characters(os.fsencode(path).rpartition(b"/")[2])
        yield _of_tree(name, path, parse_xml(path, blanks=texts))


class NafEntity:
    """An entity of a document, with what the programs look at."""

    def __init__(self, path: str, element: Element) -> None:
        self._element, self._targets = element, _target_ids(path, element)

    @property
    def first(self) -> str | None:
        """The id of the first target."""
        return self._targets[0]

    def targets(self) -> list[str | None]:
        """Return the ids of all targets."""
        return self._targets

    def references(self) -> Iterator[Element]:
        """Yield the external references."""
        return iter(_below("externalReferences/externalRef")(self._element))

    def inner(self, reference: Element) -> list[Element]:
        """Return the references inside a reference."""
        return _below("externalRef")(reference)


def _of_tree(name: str, path: str, root: Element) -> NafFile:
    layers = ("text/wf", "entities/entity")
    tokens, entities = (_below(layer)(root) if root.tag == "NAF" else [] for layer in layers)
    return NafFile(
        name,
        ((token.get("id"), token.get("sent"), text_of(token)) for token in tokens[:-1]),
        (NafEntity(path, entity) for entity in entities),
    )


def check_regular(path: str) -> None:
    """Raise an error for a path that is neither a file nor a folder, such as a named pipe, which would block."""
    if not os.path.isfile(path) and os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112, PTH113
        raise InputError("is no regular file; take it out of the folder", path=path)


def as_characters(name: bytes) -> str:
    """Return bytes as Perl holds them without an encoding: each byte is one character."""
    return name.decode("latin-1")


@cache
def _below(path: str) -> Callable[[Element], list[Element]]:
    """Return what finds the elements at a path of names below an element, in document order, without steps of ours."""
    from lxml.etree import XPath

    elements: Callable[[Element], list[Element]] = XPath(path)
    return elements


def _target_ids(path: str, entity: Element) -> list[str | None]:
    """Return the targets of an entity; without one, at which the published programs stop, raise an error."""
    ids = [target.get("id") for target in _below("references/span/target")(entity)]
    if not ids:
        name = entity.get("id")
        entity_name = "an entity" if name is None else f"entity {name!r}"
        message = f"{entity_name} has no references/span/target, and the published program fails there"
        advice = "add its span, or choose --profile corrected, which finds newer spans and leaves out such without"
        raise InputError(f"{message}; {advice}", path=path, line=entity.sourceline)
    return ids


def read_redirects(path: str) -> Redirects:
    """Read a table in UTF-8: a name, one blank, the main name; of repeated names the last counts."""
    return _table(read_text(path))


def read_redirects_as_perl(path: str, encoding: Literal["latin-1", "utf-8"]) -> Redirects:
    r"""Read a table as the published programs do: those that give no encoding take bytes for characters (Latin-1).

    Where UTF-8 is asked for, bytes that are none stand as ``\xE9``, and a character that the file ends within is lost.
    """
    data = read_whole(path, MAX_SIZE)
    return _table(data.decode("latin-1") if encoding == "latin-1" else _decoded(data))


def _decoded(data: bytes) -> str:
    r"""Return UTF-8 as text, each byte that is none as ``\xE9``, without a character that is cut off at the end.

    >>> _decoded(b"Z\xfcrich \xe2\x82")
    'Z\\xFCrich '
    """
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(data)
    return _BAD_BYTE.sub(lambda byte: f"\\x{ord(byte[0]) - 0xDC00:02X}", text)


def _table(text: str) -> Redirects:
    table: dict[str, str] = {}
    for line in text.removesuffix("\n").split("\n") if text else []:
        fields = _BLANK.split(line, maxsplit=2)
        table[fields[0]] = fields[1] if len(fields) > 1 else ""
    return {name: main for name, main in table.items() if is_true(main)}
