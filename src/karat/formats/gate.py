"""GATE: annotation sets over a text, as its XML or as the JSON of bdocjs.

The type of an annotation is its label, its set the layer, its features are attributes. In XML, offsets are those of
nodes in the text; bdocjs states the unit of its offsets, and may name the document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, distinct
from karat.formats.parts.heads import first_object, root_of
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.offset_units import Offsets, Unit, width
from karat.formats.parts.unread_names import Unread
from karat.formats.parts.xml import Element, parse_xml, text_of
from karat.io import peek
from karat.io.archives import bare_name
from karat.model import Document

_UNITS: dict[str, Unit] = {"p": "point", "j": "utf16"}
_ELEMENTS = frozenset(("GateDocumentFeatures", "TextWithNodes", "AnnotationSet"))
"""What of the XML is read; relations between annotations are not."""


class _Annotation(msgspec.Struct):
    type: str
    start: int
    end: int
    id: int | str
    features: dict[str, Any] | None = {}


class _Set(msgspec.Struct):
    annotations: list[_Annotation]


class _Text(msgspec.Struct):
    text: str
    annotation_sets: dict[str, _Set]
    offset_type: str
    features: dict[str, Any] | None = {}
    name: str | None = ""


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the document of a file."""
    del want, options
    if peek(path).lstrip("\ufeff \t\r\n").startswith("<"):
        yield from _read_xml(path, problems)
    else:
        yield from _read_json(path, problems)


def _read_json(path: str, problems: Problems) -> Iterator[Document]:
    unread = Unread(fields_of(_Annotation, _Set), free=("features",))

    def build(item: JsonItem) -> Iterator[Document]:
        given = item.read(_Text)
        unread.look(item.value, fields_of(_Text))
        if given.offset_type not in _UNITS:
            raise InputError(f"offset_type is {shown(given.offset_type)}; expected 'p' or 'j'")
        metadata = texts_of(item.value, fields_of(_Text)) | texts_of(given.features or {})
        assembly = Assembly(given.name or item.stem, given.text, metadata=metadata)
        sets = {name: annotation_set.annotations for name, annotation_set in given.annotation_sets.items()}
        _fill(assembly, sets, Offsets(given.text, _UNITS[given.offset_type]), item)
        yield assembly.document

    return documents_of(path, problems, build, unread)


def _fill(assembly: Assembly, sets: dict[str, list[_Annotation]], offsets: Offsets, item: JsonItem) -> None:
    """Add the annotations of all sets; ids are unique only within their set."""
    standing = [
        (name, annotation)
        for name, members in sets.items()
        for annotation in members
        if annotation.start != annotation.end
    ]
    given = [str(annotation.id) for _, annotation in standing]
    names = distinct(given, ())
    if empty := sum(map(len, sets.values())) - len(standing):
        item.drop("annotations of zero width", f"{many(empty, 'annotation')} of zero width left out", empty)
    if again := sum(id_given != other for id_given, other in zip(given, names, strict=True)):
        item.repair(f"{many(again, 'annotation')} with an id that another set has, too, called ID#2")
    for (layer, annotation), name in zip(standing, names, strict=True):
        try:
            span = offsets.span(annotation.start, annotation.end)
        except InputError as error:
            raise InputError(f"annotation {shown(name)}: {error.message}") from None
        assembly.mention(
            [span], (annotation.type,), name=name, layer=layer, attributes=texts_of(annotation.features or {})
        )


def _read_xml(path: str, problems: Problems) -> Iterator[Document]:
    root = parse_xml(path)
    if root.tag != "GateDocument":
        raise InputError(f"the root element is {shown(str(root.tag))}; expected 'GateDocument'", path=path)
    item = JsonItem(path, root.sourceline, 1, None, problems)
    with problems.catching(path):
        text, nodes = _nodes(root.find("TextWithNodes"), item)
        metadata = _features(root.find("GateDocumentFeatures"))
        assembly = Assembly(bare_name(path)[0], text, metadata=metadata, source=path)
        sets: dict[str, list[_Annotation]] = {}
        for group in root.iter("AnnotationSet"):
            annotations = [_annotation(element, nodes) for element in group]
            sets.setdefault(group.get("Name", ""), []).extend(annotations)
        _fill(assembly, sets, Offsets(text), item)
        for name, times in Counter(str(element.tag) for element in root if element.tag not in _ELEMENTS).items():
            item.drop(f"elements {shown(name)}", f"{many(times, 'element')} {shown(name)} left out", times)
        yield assembly.document


def _nodes(content: Element | None, item: JsonItem) -> tuple[str, dict[str, int]]:
    """Return the text and the offset of every node in it; ids of nodes are offsets in UTF-16 units."""
    if content is None:
        raise InputError("the document has no element 'TextWithNodes'")
    parts = [content.text or ""]
    size, offset = len(parts[0]), width(parts[0], "utf16")
    nodes: dict[str, int] = {}
    moved = 0
    for node in content:
        if node.tag != "Node":
            raise InputError(f"the text holds an element {shown(str(node.tag))}; expected nodes", line=node.sourceline)
        name, tail = node.get("id", ""), node.tail or ""
        nodes[name] = size
        moved += name != str(offset)
        parts.append(tail)
        size += len(tail)
        offset += width(tail, "utf16")
    if moved:
        item.repair(f"{many(moved, 'node')} not where the id says; the place counts")
    return "".join(parts), nodes


def _annotation(element: Element, nodes: dict[str, int]) -> _Annotation:
    if element.tag != "Annotation" or not element.get("Type"):
        fault = "has no Type" if element.tag == "Annotation" else f"is an element {shown(str(element.tag))}"
        raise InputError(f'a member of a set {fault}; expected <Annotation Type="…">', line=element.sourceline)
    ends = [element.get(key, "") for key in ("StartNode", "EndNode")]
    for end in ends:
        if end not in nodes:
            name = shown(element.get("Id", ""))
            raise InputError(
                f"annotation {name} names the node {shown(end)}, which is nowhere", line=element.sourceline
            )
    start, behind = (nodes[end] for end in ends)
    return _Annotation(element.get("Type", ""), start, behind, element.get("Id", ""), dict(_features(element)))


def _features(element: Element | None) -> dict[str, str]:
    if element is None:
        return {}
    pairs = ((feature.find("Name"), feature.find("Value")) for feature in element.iterchildren("Feature"))
    return {text_of(name): text_of(value) for name, value in pairs if name is not None and value is not None}


def sniff(head: str) -> bool:
    """Tell whether the root element, or the keys of the first object, are those of GATE.

    >>> sniff('<GateDocument version="3">'), sniff('{"annotation_sets": {}, "offset_type": "p"}')
    (True, True)
    """
    return root_of(head).name == "GateDocument" or first_object(head).keys() >= {"annotation_sets", "offset_type"}


FORMAT = Format(
    name="gate",
    title="GATE: annotation sets over a text, as XML or bdocjs",
    known_by="the root element `GateDocument`, or `annotation_sets` and `offset_type`",
    read=read,
    sniff=sniff,
    layers="mentions with one span and one label in layers, attributes, metadata",
)
