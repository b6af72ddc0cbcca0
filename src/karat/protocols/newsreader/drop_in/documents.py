"""The NAF documents of a folder, and the layers of one as the published programs walk them.

They look for elements by plain names below a root ``NAF``: a document with a namespace or another root has nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.files import is_folder
from karat.formats._xml import Element, parse_xml

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
    for path in paths(folder, ending):
        check_regular(path)
        yield File(as_characters(os.fsencode(path).rpartition(b"/")[2]), path, parse_xml(path, blanks=texts))


def check_regular(path: str) -> None:
    """Refuse what is neither a file nor a folder: a named pipe would be waited for."""
    if not os.path.isfile(path) and os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112, PTH113
        raise InputError("is no regular file; take it out of the folder", path=path)


def as_characters(name: bytes) -> str:
    """Return bytes as Perl holds them until it is told their encoding: each one a character."""
    return name.decode("latin-1")


def below(root: Element, *path: str) -> Iterator[Element]:
    """Yield the elements at a path of names below an element, in document order."""
    if len(path) == 1:
        yield from root.iterchildren(path[0])
        return
    for element in root.iterchildren(path[0]):
        yield from below(element, *path[1:])


def layer(root: Element, *path: str) -> Iterator[Element]:
    """Yield the elements of a layer; a root that is not ``NAF`` has none."""
    return below(root, *path) if root.tag == "NAF" else iter(())


@cache
def _targets() -> Any:
    """Return what finds the targets of an entity; there are too many entities to walk down to them step by step."""
    from lxml.etree import XPath

    return XPath("references/span/target")


def target_ids(file: File, entity: Element) -> list[str | None]:
    """Return the targets of an entity, all spans together; none is what the published programs die of."""
    ids = [target.get("id") for target in _targets()(entity)]
    if not ids:
        name = entity.get("id")
        which = "an entity" if name is None else f"entity {name!r}"
        message = f"{which} has no references/span/target, and the published program fails there"
        advice = "add its span, or choose --profile corrected, which finds newer spans and leaves out such without"
        raise InputError(f"{message}; {advice}", path=file.path, line=entity.sourceline)
    return ids
