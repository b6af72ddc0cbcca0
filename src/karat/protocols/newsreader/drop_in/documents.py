"""The NAF documents of a folder, and the layers of one as the published programs walk them.

They look for elements by plain names below a root ``NAF``: a document with a namespace or another root has nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from karat.errors import InputError
from karat.files import is_folder
from karat.files.watching import expect, watched
from karat.formats._xml import Element, parse_xml
from karat.formats.naf.trimming import trimmed

LAST_SENTENCE = 6
"""The number of the last sentence that is read."""
NAF = re.compile(r"\.naf$")
NAF_OR_XML = re.compile(r"\.(?:naf|xml)$")


class File(NamedTuple):
    """A document of a folder: its name with every byte as one character, its path, and the root element."""

    name: str
    path: str
    root: Element

    @property
    def stem(self) -> str:
        """What stands before the last ``.naf`` of the name."""
        stem = re.search(r"(.*)\.naf", self.name)
        return stem[1] if stem else ""


def paths(folder: str, ending: re.Pattern[str] = NAF) -> list[str]:
    """Return the paths of the documents in a folder in the order of their names, byte by byte."""
    if not is_folder(folder):
        raise InputError("is not a folder that can be read; name the folder of the NAF documents", path=folder)
    try:
        names = sorted(os.listdir(os.fsencode(folder)))  # noqa: PTH208 - the names as bytes
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=folder) from error
    wanted = [name for name in names if ending.search(as_characters(name))]
    return [os.path.join(folder, os.fsdecode(name)) for name in wanted]  # noqa: PTH118 - pathlib would tidy the path up


def files(folder: str, ending: re.Pattern[str] = NAF, *, texts: bool = True) -> Iterator[File]:
    """Yield the documents of a folder in the order of their names, byte by byte; ``texts`` if those are looked at."""
    found = paths(folder, ending)
    expect(len(found))
    for path in watched(found):
        check_regular(path)
        root = parse_xml(path, blanks=texts, trim=_layers_that_are_read)
        yield File(as_characters(os.fsencode(path).rpartition(b"/")[2]), path, root)


def _layers_that_are_read(document: bytes) -> bytes:
    return trimmed(document, (b"text", b"entities"), LAST_SENTENCE)


def check_regular(path: str) -> None:
    """Refuse what is neither a file nor a folder: a named pipe would be waited for."""
    if not os.path.isfile(path) and os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112, PTH113
        raise InputError("is no regular file; take it out of the folder", path=path)


def as_characters(name: bytes) -> str:
    """Return bytes as Perl holds them until it is told their encoding: each one a character."""
    return name.decode("latin-1")


@cache
def below(path: str) -> Callable[[Element], list[Element]]:
    """Return what finds the elements at a path of names below an element, in document order, without steps of ours."""
    from lxml.etree import XPath

    found: Callable[[Element], list[Element]] = XPath(path)
    return found


def layer(root: Element, path: str) -> list[Element]:
    """Return the elements of a layer; a root that is not ``NAF`` has none."""
    return below(path)(root) if root.tag == "NAF" else []


def target_ids(file: File, entity: Element) -> list[str | None]:
    """Return the targets of an entity, all spans together; none is what the published programs die of."""
    ids = [target.get("id") for target in below("references/span/target")(entity)]
    if not ids:
        name = entity.get("id")
        which = "an entity" if name is None else f"entity {name!r}"
        message = f"{which} has no references/span/target, and the published program fails there"
        advice = "add its span, or choose --profile corrected, which finds newer spans and leaves out such without"
        raise InputError(f"{message}; {advice}", path=file.path, line=entity.sourceline)
    return ids
