"""UIMA CAS as XMI, as WebAnno and INCEpTION export it: a text, and annotations whose types are elements.

Offsets count UTF-16 units. The type system is a file of its own, which is not needed: names of elements suffice, and
what refers is told by the ids that there are. ``_dkpro`` says which types are mentions.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.files import peek
from karat.formats._assembly import HEAD, TAIL, Assembly
from karat.formats._dkpro import is_chain, layer_of_type, parts_of
from karat.formats._units import Offsets, Unit
from karat.formats._xml import Element, parse_xml
from karat.formats._xml_head import root_of
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Document
from karat.settings import option

_XMI = "http://www.omg.org/XMI"
_ID = f"{{{_XMI}}}id"
_CAS = "{http:///uima/cas.ecore}"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_OWN = frozenset((_ID, "sofa", "begin", "end"))
_ENDS = ("Governor", "Dependent")
_ZIP = "PK\x03\x04"
_INITIAL = "_InitialView"


@dataclass(frozen=True)
class XmiOptions:
    """Which text is read."""

    view: str = option(_INITIAL, "the view whose text and annotations are read", metavar="NAME")


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: XmiOptions | None = None
) -> Iterator[Document]:
    """Yield the document of a file, or of an archive with one."""
    del want
    packed = peek(path).startswith(_ZIP)
    try:
        root, name = _unpacked(path) if packed else (parse_xml(path), Path(path).stem)
        document = _Cas(root, path, problems, (options or XmiOptions()).view).document(name)
    except InputError as error:
        problems.error(error.path or path, error.line, error.message)
    else:
        yield document


def _unpacked(path: str) -> tuple[Element, str]:
    """Return the root of the one XMI file in an archive, and its name."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".xmi")]
            if len(names) != 1:
                raise InputError(f"the archive has {many(len(names), 'file')} .xmi; expected one", path=path)
            with archive.open(names[0]) as stream:
                return parse_xml(path, stream), PurePosixPath(names[0]).stem
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise InputError(f"the archive is damaged: {error}", path=path) from error


def _type_of(element: Element) -> str:
    """Return the type that an element is an instance of.

    >>> from lxml.etree import XML
    >>> _type_of(XML('<c:Cue xmlns:c="http:///webanno/custom.ecore"/>'))
    'webanno.custom.Cue'
    """
    namespace, _, name = str(element.tag).removeprefix("{").rpartition("}")
    package = namespace.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


def _is_relation(element: Element) -> bool:
    return all(element.get(end) for end in _ENDS)


class _Cas:
    """The annotations of one view."""

    def __init__(self, root: Element, path: str, problems: Problems, view: str) -> None:
        if root.tag != f"{{{_XMI}}}XMI":
            name = shown(str(root.tag).rpartition("}")[2])
            raise InputError(f"the root element is {name}; expected 'XMI' with a document", path=path)
        self.path, self.problems = path, problems
        sofas = {sofa.get("sofaID", ""): sofa for sofa in root.iterchildren(f"{_CAS}Sofa")}
        if view not in sofas:
            raise InputError(f"there is no view {shown(view)}; the file has {', '.join(map(shown, sofas))}", path=path)
        for other in sofas:
            if other not in (view, _INITIAL):
                message = f"the view {shown(other)} is left out: name it with --read view={other}"
                problems.repair(path, None, message)
        self.text: str = sofas[view].get("sofaString", "")
        sofa = sofas[view].get(_ID, "")
        self.elements = {element.get(_ID, ""): element for element in root}
        self.members = [element for element in root if element.get("sofa") == sofa and element.get("begin")]
        self.chains = [element for element in root if element.get("sofa") == sofa and element.get("first")]
        self.offsets = Offsets(self.text, _UNIT)
        self.mentions: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.empty = 0
        self.metadata = [element for element in root if _type_of(element) == _METADATA]

    def document(self, name: str) -> Document:
        """Return the document, which is called as its metadata say, or else by this name."""
        ids = [element.get(key) for key in ("documentId", "documentTitle") for element in self.metadata]
        self.assembly = Assembly(next(filter(None, ids), name), self.text)
        members = [element for element in self.members if layer_of_type(_type_of(element)) is not None]
        for element in members:
            if not _is_relation(element):
                self._add(element)
        for element in members:
            if element.get(_ID) in self.mentions:
                self._slots(element)
            elif _is_relation(element):
                self._relate(element)
        places = {mention.spans: mention.id for mention in reversed(self.assembly.document.mentions)}
        for element in self.chains:
            if is_chain(_type_of(element)):
                self._chain(element, places)
        if self.empty:
            self.problems.repair(self.path, None, f"{many(self.empty, 'annotation')} of zero width left out")
        self.assembly.document.source = self.path
        return self.assembly.document

    def _span(self, element: Element) -> tuple[int, int] | None:
        """Return the place of an annotation, nothing if it has no width."""
        begin, end = (element.get(key, "") for key in ("begin", "end"))
        if not all(word.isascii() and word.isdigit() and len(word) < 19 for word in (begin, end)):
            raise self._fault(element, f"begins at {shown(begin)} and ends at {shown(end)}; expected whole numbers")
        if begin == end:
            return None
        try:
            return self.offsets.span(int(begin), int(end))
        except InputError as error:
            raise self._fault(element, error.message) from None

    def _fault(self, element: Element, message: str) -> InputError:
        name = f"{_type_of(element).rpartition('.')[2]} {shown(element.get(_ID, ''))}"
        return InputError(f"{name}: {message}", path=self.path, line=element.sourceline)

    def _features(self, element: Element) -> dict[str, str]:
        return {key: value for key, value in element.attrib.items() if key not in _OWN and key not in _ENDS}

    def _add(self, element: Element) -> None:
        span = self._span(element)
        if span is None:
            self.empty += 1
            return
        features = {key: value for key, value in self._features(element).items() if not self._links(value)}
        kind = _type_of(element)
        label, links, attributes = parts_of(features)
        layer = layer_of_type(kind) or ""
        name = self.assembly.mention([span], (label,), layer=layer, links=links, attributes=attributes)
        self.mentions[element.get(_ID, "")] = name
        self.labels[name] = label

    def _links(self, value: str) -> list[Element]:
        """Return the role and target links that a feature refers to, if it does."""
        found = [self.elements.get(word) for word in value.split()]
        whole = [
            element for element in found if element is not None and element.get("target") and not element.get("begin")
        ]
        return whole if len(whole) == len(found) else []

    def _slots(self, element: Element) -> None:
        """Add the event that an annotation with slots is the trigger of."""
        for value in self._features(element).values():
            links = self._links(value)
            if links:
                trigger = self.mentions[element.get(_ID, "")]
                ends = [(link.get("role", ""), self._target(link, link.get("target", ""))) for link in links]
                self.assembly.tuple(self.labels[trigger], ends, trigger=trigger)

    def _target(self, element: Element, name: str) -> str:
        """Return the mention that is referred to; what is none becomes one without a label."""
        target = self.elements.get(name)
        if target is None or not target.get("begin"):
            raise self._fault(element, f"refers to {shown(name)}, which is no annotation")
        if name not in self.mentions:
            span = self._span(target)
            if span is None:
                raise self._fault(element, f"refers to {shown(name)}, which has no width")
            self.mentions[name] = self.assembly.mention([span])
        return self.mentions[name]

    def _relate(self, element: Element) -> None:
        ends = (self._target(element, element.get(end, "")) for end in _ENDS)
        label, _, attributes = parts_of(self._features(element))
        self.assembly.tuple(label, zip((HEAD, TAIL), ends, strict=True), attributes=attributes)

    def _chain(self, element: Element, places: dict[tuple[tuple[int, int], ...], str]) -> None:
        """Add a chain of links; a link over a mention is that mention."""
        members: dict[str, None] = {}
        seen: set[str] = set()
        name = element.get("first", "")
        while name:
            link = self.elements.get(name)
            if link is None or name in seen:
                raise self._fault(element, f"refers to {shown(name)}, which is no link, or one that comes again")
            seen.add(name)
            span = self._span(link)
            if span is None:
                self.empty += 1
            else:
                if (span,) not in places:
                    label = link.get("referenceType", "")
                    places[(span,)] = self.assembly.mention([span], (label,))
                members.setdefault(places[(span,)])
            name = link.get("next", "")
        if members:
            self.assembly.chain(members)


_UNIT: Unit = "utf16"


def sniff(head: str) -> bool:
    """Say whether the root element is XMI's, or an archive begins with such a file.

    >>> sniff('<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">'), sniff("<typeSystemDescription>")
    (True, False)
    """
    return root_of(head) == (_XMI, "XMI") or (head.startswith(_ZIP) and ".xmi" in head)


FORMAT = Format(
    name="xmi",
    title="UIMA CAS as XMI, as INCEpTION exports it, also in a zip archive",
    read=read,
    sniff=sniff,
    suffixes=(".xmi",),
    options=XmiOptions,
    layers="mentions in layers, links, relations, events, chains, attributes",
)
