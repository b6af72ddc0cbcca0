"""UIMA CAS as XMI, as WebAnno and INCEpTION export it: annotations are elements named after their types.

The type system, a separate file, is not needed: the names of elements are enough, and references are recognised by the
ids that exist.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.cas import Cas, CasOptions, Structure
from karat.formats.parts.heads import root_of
from karat.formats.parts.json_items import text_of
from karat.formats.parts.xml import Element, parse_xml
from karat.io import peek
from karat.io.archives import bare_name, bounded
from karat.io.zips import UNREADABLE, opened_part
from karat.model import Document

_XMI = "http://www.omg.org/XMI"
_ID = f"{{{_XMI}}}id"
_VIEW = "{http:///uima/cas.ecore}View"
_ZIP = "PK\x03\x04"
_PACKED = (".xmi", "TypeSystem.xml")


def read(path: str, *, problems: Problems, want: Want, options: CasOptions) -> Iterator[Document]:
    """Yield the document of a file, or of an archive with one."""
    del want
    packed = peek(path).startswith(_ZIP)
    with problems.catching(path):
        root, name = _unpacked(path) if packed else (parse_xml(path), bare_name(path)[0])
        yield Cas(_structures(root, path), path, problems, options.view).document(name)


def _unpacked(path: str) -> tuple[Element, str]:
    """Return the root of the only XMI file in an archive, and its name."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".xmi")]
            if len(names) != 1:
                raise InputError(f"the archive has {many(len(names), 'file')} .xmi; expected one", path=path)
            with opened_part(archive, names[0]) as stream, Path(path).open("rb") as file:
                return parse_xml(path, bounded(stream, file, path)), PurePosixPath(names[0]).stem
    except UNREADABLE as error:
        raise InputError(f"the archive is damaged: {error}", path=path) from error


def _structures(root: Element, path: str) -> Iterator[Structure]:
    if root.tag != f"{{{_XMI}}}XMI":
        name = shown(str(root.tag).rpartition("}")[2])
        raise InputError(f"the root element is {name}; expected 'XMI' with a document", path=path)
    for element in root.iterchildren("*"):
        if element.tag == _VIEW:
            continue
        features = dict(element.attrib) | _arrays(element)
        yield Structure(features.pop(_ID, ""), _type_of(element), features, line=element.sourceline)


def _arrays(element: Element) -> dict[str, str]:
    """Return the features that are arrays of texts, which have an element for each text."""
    arrays: dict[str, list[str]] = {}
    for child in element.iterchildren("*"):
        arrays.setdefault(str(child.tag), []).append(child.text or "")
    return {name: text_of(texts) for name, texts in arrays.items()}


def _type_of(element: Element) -> str:
    """Return the type of the structure that an element represents.

    >>> from lxml.etree import XML
    >>> _type_of(XML('<c:Cue xmlns:c="http:///webanno/custom.ecore"/>'))
    'webanno.custom.Cue'
    """
    namespace, _, name = str(element.tag).removeprefix("{").rpartition("}")
    package = namespace.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


def sniff(head: str) -> bool:
    """Tell whether the root element is XMI's, or an archive begins with such a file or its type system.

    >>> sniff('<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">'), sniff("<typeSystemDescription>")
    (True, False)
    """
    return root_of(head) == (_XMI, "XMI") or (head.startswith(_ZIP) and any(name in head for name in _PACKED))


FORMAT = Format(
    name="xmi",
    title="UIMA CAS as XMI, as INCEpTION exports it, also in a zip archive",
    known_by="the root element `XMI` in the namespace of OMG, or an archive that begins with a file .xmi",
    read=read,
    sniff=sniff,
    suffixes=(".xmi",),
    options=CasOptions,
    layers="mentions in layers, links, relations, events, chains, attributes",
)
