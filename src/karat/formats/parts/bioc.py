"""BioC documents, from XML or JSON: how their offsets are interpreted and how they are written.

The text is that of the passages at their offsets, with gaps filled by line ends. The unit of offsets is the first one
under which all stated texts are found; some writers count from the passage instead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from karat.annotations.faults import shown, surface
from karat.errors import InputError, many
from karat.formats.parts.assembly import HEAD, TAIL, Assembly, concepts_of, distinct, links_of
from karat.formats.parts.capacity import AllBut, Capacity
from karat.formats.parts.json_items import read_as, text_of, texts_of
from karat.formats.parts.offset_units import NOUNS, PROVABLE, Offsets, Stated, Unit, fits, placed, plainer_form, width
from karat.model import Document, Mention

MAX_GAP = 65_536
"""Characters between two passages; a larger gap is a fault, and would fill the memory."""

PASSAGES = "passages"
"""The name of the metadata that keep where passages begin, and their infons."""

Report = Callable[[str], None]
"""Is told what was read differently from how it is written."""
Infons = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Makes infons of attributes, metadata, or infons that were kept."""


class BiocLocation(msgspec.Struct):
    """A fragment of an annotation."""

    offset: int
    length: int


class BiocAnnotation(msgspec.Struct):
    """A mention, with everything the file states about it."""

    id: str | int | None = None
    infons: dict[str, Any] = {}
    text: str | None = None
    locations: list[BiocLocation] = []


class Node(msgspec.Struct):
    """An end of a relation: an annotation or another relation."""

    refid: str | int
    role: str | None = None


class BiocRelation(msgspec.Struct):
    """A relation between annotations and relations; without nodes, between concepts."""

    id: str | int | None = None
    infons: dict[str, Any] = {}
    nodes: list[Node] = []


class BiocSentence(msgspec.Struct):
    """A part of a passage."""

    offset: int = 0
    text: str | None = None
    annotations: list[BiocAnnotation] = []
    relations: list[BiocRelation] = []


class Passage(BiocSentence):
    """A part of a document with its own text, or that of its sentences."""

    infons: dict[str, Any] | None = {}
    sentences: list[BiocSentence] = []


class BiocDocument(msgspec.Struct):
    """A document of passages."""

    id: str | int | None = None
    infons: dict[str, Any] | None = {}
    passages: list[Passage] = []
    annotations: list[BiocAnnotation] = []
    relations: list[BiocRelation] = []


class _Layout(NamedTuple):
    """The text of the passages, where each begins, and how far it was moved, in the unit of offsets."""

    text: str
    starts: list[int]
    moved: list[int]


class _Placed(NamedTuple):
    """An annotation and the number of its passage, if any."""

    annotation: BiocAnnotation
    passage: int | None


def assemble(given: BiocDocument, name: str, metadata: dict[str, str], links: str, report: Report) -> Document:
    """Return the document for a BioC document.

    Args:
        given: the BioC document.
        name: its id.
        metadata: its metadata.
        links: the infon with the identifier of an annotation.
        report: called with what was read differently from how it is written.

    """
    annotations = [_Placed(annotation, passage) for passage, part in _parts(given) for annotation in part.annotations]
    layout, unit, relative = _understood(given, annotations)
    _report_reading(given, name, layout, unit, relative, report)
    metadata = texts_of(given.infons or {}) | metadata
    if len(given.passages) > 1 or any(passage.infons for passage in given.passages):
        starts = Offsets(layout.text, unit).places(layout.starts)
        passages = zip(starts, given.passages, strict=True)
        metadata[PASSAGES] = text_of([{"offset": start, "infons": passage.infons or {}} for start, passage in passages])
    assembly = Assembly(name, layout.text, metadata=metadata)
    relations = [relation for _, part in _parts(given) for relation in part.relations]
    referred = {str(node.refid) for relation in relations for node in relation.nodes}
    names = _names([annotation.id for annotation, _ in annotations], referred, report)
    offsets = Offsets(layout.text, unit)
    for placement, given_name in zip(annotations, names, strict=True):
        stated = _stated(placement, layout, relative, given_name)
        if unit == "point" and (words := plainer_form(layout.text, stated)):  # any other unit is proved
            report(f"annotation {stated.name}: {words}")
        _add(assembly, placement.annotation, placed(stated, offsets), given_name, links)
    _relate(assembly, relations, referred, report)
    return assembly.document


def _parts(given: BiocDocument) -> Iterator[tuple[int | None, BiocSentence | BiocDocument]]:
    """Yield everything that can be annotated: passages and sentences with the passage number, and the document."""
    for index, passage in enumerate(given.passages):
        yield index, passage
        yield from ((index, sentence) for sentence in passage.sentences)
    yield None, given


def _laid_out(given: BiocDocument, unit: Unit) -> _Layout:
    """Return the text of the passages at their offsets in that unit."""
    parts: list[str] = []
    layout = _Layout("", [], [])
    size = 0
    for passage_number, passage in enumerate(given.passages, 1):
        gap = passage.offset - size
        if passage.offset < 0 or gap > MAX_GAP:
            raise InputError(
                f"passage {passage_number} begins at {passage.offset}, but the text before it ends at {size}; "
                f"a gap may have {MAX_GAP:,} characters"
            )
        if gap < 0:
            gap = 1
        text = _text_of(passage, unit)
        layout.starts.append(size + gap)
        layout.moved.append(size + gap - passage.offset)
        parts += ["\n" * gap, text]
        size += gap + width(text, unit)
    return layout._replace(text="".join(parts))


def _text_of(passage: Passage, unit: Unit) -> str:
    """Return the text of a passage, or that of its sentences separated by blanks according to their offsets."""
    if passage.text or not passage.sentences:
        return passage.text or ""
    parts: list[str] = []
    size = 0
    for sentence in passage.sentences:
        gap = max(sentence.offset - passage.offset - size, 0)
        if gap > MAX_GAP:
            raise InputError(f"a sentence begins at {sentence.offset}; a gap may have {MAX_GAP:,} characters")
        text = sentence.text or ""
        parts += [" " * gap, text]
        size += gap + width(text, unit)
    return "".join(parts)


def _stated(placement: _Placed, layout: _Layout, relative: set[int], name: str) -> Stated:
    """Return the stated spans and text of an annotation, with offsets in the whole text."""
    passage = placement.passage
    shift = 0 if passage is None else layout.starts[passage] if passage in relative else layout.moved[passage]
    locations = sorted(placement.annotation.locations, key=lambda location: location.offset)
    spans = tuple((place.offset + shift, place.offset + place.length + shift) for place in locations)
    return Stated(name, spans, placement.annotation.text)


def _understood(given: BiocDocument, annotations: list[_Placed]) -> tuple[_Layout, Unit, set[int]]:
    """Return the text, the unit of offsets, and the passages whose annotations count from the passage.

    If no unit fits, offsets count characters, and each annotation is checked separately.
    """
    groups: dict[int | None, list[_Placed]] = {}
    for placement in annotations:
        groups.setdefault(placement.passage, []).append(placement)

    def misfits(layout: _Layout, offsets: Offsets, relative: set[int]) -> set[int | None]:
        """Return the passages in which a stated text is not found."""
        return {
            passage
            for passage, placements in groups.items()
            if not fits(layout.text, [_stated(placement, layout, relative, "") for placement in placements], offsets)
        }

    for from_passages in (False, True):
        for unit in PROVABLE:
            layout = _laid_out(given, unit)
            offsets = Offsets(layout.text, unit)
            wrong = misfits(layout, offsets, set())
            relative = {passage for passage in wrong if passage is not None} if from_passages else set()
            if not wrong or (from_passages and not misfits(layout, offsets, relative)):
                return layout, unit, relative
    return _laid_out(given, "point"), "point", set()


def _report_reading(
    given: BiocDocument, name: str, layout: _Layout, unit: Unit, relative: set[int], report: Report
) -> None:
    if unit != "point":
        report(f"document {shown(name)}: offsets count {NOUNS[unit]}: the stated texts are found only so")
    for index, passage in enumerate(given.passages):
        if layout.moved[index]:
            begin = f"passage {index + 1} begins at {passage.offset}"
            report(f"{begin}, inside of the one before; it is placed behind it")
        if index in relative:
            report(f"passage {index + 1}: offsets count from the passage: the stated texts are found only so")


def _names(ids: list[str | int | None], referred: set[str], report: Report) -> list[str]:
    """Return unique ids for annotations, and report replaced ones."""
    given = ["" if name is None else str(name) for name in ids]
    if bare := given.count(""):
        report(f"{many(bare, 'annotation')} without an id")
    names = distinct(given, referred)
    fresh: dict[str, list[str]] = {}
    for before, after in zip(given, names, strict=True):
        if before != after:
            fresh.setdefault(before, []).append(after)
    times = Counter(given)
    for name, new_names in fresh.items():
        report(f"annotation id {name} is used {times[name]} times; the others are called {', '.join(new_names)}")
    return names


def _add(assembly: Assembly, annotation: BiocAnnotation, spans: tuple[Any, ...], name: str, links: str) -> None:
    infons = annotation.infons
    if not spans:
        raise InputError(f"annotation {shown(name)} has no location")
    key = next((key for key in infons if key.lower() == links.lower()), links)
    assembly.mention(
        spans,
        () if infons.get("type") is None else (text_of(infons["type"]),),
        name=name,
        links=() if infons.get(key) is None else links_of(text_of(infons[key])),
        attributes=texts_of(infons, ("type", key)),
    )


def _relate(assembly: Assembly, relations: list[BiocRelation], referred: set[str], report: Report) -> None:
    """Add the relations, which may refer to each other and, without nodes, to concepts."""
    mentions = {mention.id: mention.id for mention in assembly.document.mentions}
    concepts: dict[str, str] = {}
    for mention in assembly.document.mentions:
        for link in mention.links:
            for concept in concepts_of(link.target):
                concepts.setdefault(concept, mention.id)
    given = distinct(["" if relation.id is None else str(relation.id) for relation in relations], referred)
    of_concepts = [
        None if relation.nodes else _of_concepts(relation.infons, concepts, report) for relation in relations
    ]
    kept = [part for part in zip(relations, given, of_concepts, strict=True) if part[-1] != []]
    targets = {name: f"r{name}" if name in mentions else name for _, name, _ in kept if name} | mentions
    for relation, name, ends in kept:
        label = "" if relation.infons.get("type") is None else text_of(relation.infons["type"])
        attributes = texts_of(relation.infons, ("type",))
        assembly.tuple(label, ends or _ends(relation.nodes, targets, report), name=name, attributes=attributes)


def _ends(nodes: list[Node], targets: dict[str, str], report: Report) -> Iterator[tuple[str, str]]:
    """Yield roles and ids of the nodes of a relation; two nodes without roles are head and tail."""
    unnamed = len(nodes) == 2 and not any(node.role for node in nodes)
    if without := sum(node.role is None for node in nodes):
        report(f"a relation has {many(without, 'node')} without a role{', read as head and tail' if unnamed else ''}")
    for node, role in zip(nodes, (HEAD, TAIL) if unnamed else [node.role or "" for node in nodes], strict=True):
        if str(node.refid) not in targets:
            raise InputError(
                f"a relation names {shown(str(node.refid))}, which is neither an annotation nor a relation"
            )
        yield role, targets[str(node.refid)]


def _of_concepts(infons: dict[str, Any], concepts: dict[str, str], report: Report) -> list[tuple[str, str]]:
    """Return the first mentions of the two concepts of a relation without nodes."""
    given = [text_of(infons.get(key, "")) for key in ("entity1", "entity2")]
    missing = [concept for concept in given if concept not in concepts]
    if missing:
        report(f"a relation names {', '.join(map(shown, missing))}, which no annotation has; it is left out")
        return []
    return [(HEAD, concepts[given[0]]), (TAIL, concepts[given[1]])]


def passages_of(document: Document) -> Iterable[tuple[int, dict[str, Any]]]:
    """Return the starts and infons of a document's passages; a document not from BioC has one passage.

    >>> list(passages_of(Document("d", "Bern", metadata={"passages": "oops"})))
    [(0, {})]
    """

    class _Kept(msgspec.Struct):
        offset: int
        infons: dict[str, Any]

    try:
        kept = msgspec.json.decode(document.metadata.get(PASSAGES, "[]"), type=list[_Kept])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        kept = []
    return [(passage.offset, passage.infons) for passage in kept] or [(0, {})]


def capacity_of(name: str) -> Capacity:
    """Return what BioC can hold of a document; ``name`` is the format's name for messages."""
    return Capacity(
        name,
        links=1,
        fragments=True,
        relations=True,
        metadata=AllBut(),
        attributes=AllBut(("type", "identifier")),
        relation_attributes=AllBut(("type",)),
    )


def written_document(document: Document, capacity: Capacity, infons: Infons) -> dict[str, Any]:
    """Return a document with its passages, each with the annotations within it."""
    passages: list[dict[str, Any]] = [
        {"bioctype": "BioCPassage", "offset": max(offset, 0), "infons": infons(kept), "text": ""}
        | {"sentences": [], "annotations": [], "relations": []}
        for offset, kept in passages_of(document)
    ]
    edges = [passage["offset"] for passage in passages]
    whole: list[dict[str, Any]] = []
    for passage, end in zip(passages, [*edges[1:], len(document.text)], strict=True):
        text = document.text[passage["offset"] : end]
        passage["text"] = text if passage is passages[-1] else text.rstrip("\n")
    for mention in document.mentions:
        index = bisect_right(edges, mention.start) - 1
        inside = index >= 0 and mention.end <= edges[index] + len(passages[index]["text"])
        (passages[index]["annotations"] if inside else whole).append(_annotation(document, mention, infons))
    relations = [
        {
            "id": relation.id,
            "infons": infons(relation.attributes) | {"type": relation.label},
            "nodes": [{"refid": argument.target, "role": argument.role} for argument in relation.arguments],
        }
        for relation in document.relations
    ]
    metadata = {name: value for name, value in document.metadata.items() if name != PASSAGES}
    written = {"bioctype": "BioCDocument", "id": document.id, "infons": infons(metadata), "passages": passages}
    written |= {"annotations": whole, "relations": relations}
    again = assemble(read_as(written, BiocDocument), document.id, {}, "identifier", lambda _: None)
    capacity.compare(document, again, "it has an event, a link that says nothing, or passages that are not its own")
    return written


def _annotation(document: Document, mention: Mention, infons: Infons) -> dict[str, Any]:
    given_infons = infons(mention.attributes) | ({"type": mention.labels[0]} if mention.labels else {})
    given_infons |= {"identifier": mention.links[0].target} if mention.links else {}
    locations = [{"offset": start, "length": end - start} for start, end in mention.spans]
    text = surface(document.text, mention.spans)
    return {"id": mention.id, "infons": given_infons, "text": text, "locations": locations}
