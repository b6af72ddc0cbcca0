"""TEI P5: names within running text, which is the content of ``text`` without the header.

Runs of blanks become one, block elements become lines. The text is that on the page: the original of a choice, and no
notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, links_of
from karat.formats.parts.heads import root_of
from karat.formats.parts.unread_names import NearNames
from karat.formats.parts.xml import Element, XmlParts
from karat.io.archives import bare_name
from karat.model import Document

_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_LABELS = ("persName", "placeName", "orgName", "geogName")
"""Elements that are labels themselves."""
_TYPED = ("name", "rs")
"""Elements whose type is the label."""
_BLOCKS = ("p", "head", "l", "item", "ab")
_ORIGINAL = ("orig", "sic", "abbr")
_NOTES = ("note", "fw", "figDesc")
_BLANKS = re.compile(r"[ \t\r\n]+")


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the document of a file, or those of a corpus."""
    del want, options
    parts = XmlParts(path, _tag("TEI"))
    elements = iter(parts)
    first = list(islice(elements, 2))
    if parts.root.tag not in (_tag("TEI"), _tag("teiCorpus")):
        name = shown(str(parts.root.tag).rpartition("}")[2])
        message = f"the root element is {name}; expected 'TEI' or 'teiCorpus' in the namespace {_NAMESPACE}"
        raise InputError(message, path=path)
    taken: set[str] = set()
    unread = _Unread()
    for position, element in enumerate(chain(first, elements), start=1):
        unread.look_at(element)
        name = element.get(_ID) or (bare_name(path)[0] if len(first) == 1 else str(position))
        if name in taken:
            problems.error(path, element.sourceline, f"document {shown(name)} is there twice; remove one")
            continue
        taken.add(name)
        with problems.catching(path, element.sourceline):
            yield _document(element, name, path, problems)
    unread.report(path, problems)


class _Unread:
    """Elements that are not read but may be meant to be: similar names, or targets of references."""

    def __init__(self) -> None:
        self.near = NearNames((*_LABELS, *_TYPED, *_BLOCKS, *_NOTES, "text", "choice", "relation", "spanGrp"))
        self.referring: Counter[str] = Counter()

    def look_at(self, document: Element) -> None:
        for element in document.iterfind(f".//{_tag('text')}//*"):
            self.near.look([_local(element)])
            refers = not _is_name(element) and ("ref" in element.attrib or "key" in element.attrib)
            self.referring[_local(element)] += refers

    def report(self, path: str, problems: Problems) -> None:
        self.near.report(path, problems, "element")
        for tag, times in sorted(self.referring.items()):
            if tag and times and not self.near.of(tag):
                message = f"{many(times, 'element')} {shown(tag)} with a ref or key not read as names"
                problems.drop(path, None, f"the element {shown(tag)}", message, times)


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _local(element: Element) -> str:
    """Return the local name of an element of TEI, ``""`` for one of another namespace."""
    namespace, _, name = str(element.tag).rpartition("}")
    return name if namespace == f"{{{_NAMESPACE}" else ""


def _is_name(element: Element) -> bool:
    return _local(element) in (*_LABELS, *_TYPED)


class _Name:
    """A name element, and its span."""

    def __init__(self, element: Element) -> None:
        self.element = element
        self.start: int | None = None
        self.end = 0


class _Page:
    """The text of a document under construction: blanks are held back until text follows."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self.names: list[_Name] = []
        self.notes = self.names_in_notes = 0
        self._blank = ""
        self._waiting: list[_Name] = []

    def add(self, element: Element) -> None:
        """Add the content of an element; the parser bounds the nesting depth."""
        name = _Name(element) if _is_name(element) else None
        if name is not None:
            self.names.append(name)
            self._waiting.append(name)
        block = _local(element) in _BLOCKS
        if block:
            self._break("\n")
        self._write(element.text)
        for child in element:
            self._child(child)
            self._write(child.tail)
        if block:
            self._break("\n")
        if name is not None:
            name.end = self.size

    def _child(self, child: Element) -> None:
        kind = _local(child)
        if kind in _NOTES:
            inside = sum(map(_is_name, child.iter()))
            self.notes += bool(inside)
            self.names_in_notes += inside
        elif kind == "lb":
            if child.get("break") != "no":
                self._break(" ")
        elif kind == "choice":
            chosen = next((part for part in child if _local(part) in _ORIGINAL), next(iter(child), None))
            if chosen is not None:
                self.add(chosen)
        elif kind not in ("spanGrp", "listRelation", "standOff"):
            self.add(child)

    def _break(self, blank: str) -> None:
        """Note a blank or line end; a line end overrides a blank."""
        if self.size and self._blank != "\n":
            self._blank = blank

    def _write(self, text: str | None) -> None:
        for index, word in enumerate(_BLANKS.split(text or "")):
            if index:
                self._break(" ")
            if word:
                self.parts += [self._blank, word]
                self.size += len(self._blank)
                self._blank = ""
                for name in self._waiting:
                    name.start = self.size
                self._waiting.clear()
                self.size += len(word)


def _document(element: Element, name: str, path: str, problems: Problems) -> Document:
    content = element.find(_tag("text"))
    if content is None:
        raise InputError(f"document {shown(name)} has no element 'text'")
    page = _Page()
    page.add(content)
    if page.notes:
        notes, names = many(page.notes, "note"), many(page.names_in_notes, "name")
        problems.drop(path, element.sourceline, "names in notes", f"{notes} with {names} left out", page.names_in_notes)
    assembly = Assembly(name, "".join(page.parts), source=path)
    standing = [named for named in page.names if named.start is not None and named.start < named.end]
    if empty := len(page.names) - len(standing):
        problems.repair(path, element.sourceline, f"{many(empty, 'name')} without text left out")
    for named in sorted(standing, key=lambda named: not named.element.get(_ID)):
        _mention(assembly, named)
    assembly.document.mentions.sort(key=lambda mention: (mention.start, -mention.end))
    _relate(assembly, element, path, problems)
    spans = sum(1 for group in element.iter(_tag("spanGrp")) for _ in group.iter(_tag("span")))
    spans += sum(1 for _ in element.iter(_tag("annotation")))
    if spans:
        problems.drop(path, element.sourceline, "stand-off spans", f"{many(spans, 'stand-off span')} not read", spans)
    return assembly.document


def _mention(assembly: Assembly, name: _Name) -> None:
    element, kind = name.element, _local(name.element)
    attributes = {key.rpartition("}")[2]: value for key, value in element.attrib.items() if key != _ID}
    label = attributes.pop("type", "") if kind in _TYPED else kind
    targets = attributes.pop("ref").split() if "ref" in attributes else [attributes.pop("key", "")]
    assembly.mention(
        [(name.start or 0, name.end)],
        (label,),
        name=element.get(_ID, ""),
        links=links_of(*targets),
        attributes=attributes,
    )


def _relate(assembly: Assembly, element: Element, path: str, problems: Problems) -> None:
    """Add the relations from every active name to every passive one; other ends are reported and left out."""
    mentions = {mention.id for mention in assembly.document.mentions}
    other_ids = {part.get(_ID) for part in element.iter() if part.get(_ID)} - mentions
    for relation in element.iter(_tag("relation")):
        label = relation.get("name", "")
        heads, tails = (
            [target.removeprefix("#") for target in relation.get(key, "").split()] for key in ("active", "passive")
        )
        for target in (*heads, *tails):
            if target not in mentions | other_ids:
                message = f"a relation {shown(label)} names {shown(target)}, which is nowhere"
                raise InputError(message, line=relation.sourceline)
        pairs = [(head, tail) for head in heads for tail in tails if head in mentions and tail in mentions]
        if not pairs or not other_ids.isdisjoint((*heads, *tails)):
            message = f"a relation {shown(label)} is not between two names of the text; left out"
            problems.repair(path, relation.sourceline, message)
        for head, tail in pairs:
            assembly.relation(label, head, tail)


def sniff(head: str) -> bool:
    """Tell whether the root element is a text or corpus in the namespace of TEI.

    >>> sniff('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>'), sniff("<TEI.2>")
    (True, False)
    """
    return root_of(head) in ((_NAMESPACE, "TEI"), (_NAMESPACE, "teiCorpus"))


FORMAT = Format(
    name="tei",
    title="TEI P5: names in running text",
    known_by="the root element `TEI` or `teiCorpus` in the namespace of TEI P5",
    read=read,
    sniff=sniff,
    layers="mentions with one span, links, relations, attributes",
)
