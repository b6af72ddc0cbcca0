"""The origins of annotations, which are not in the ledger: confidences, and the sources of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from karat.vocabularies.coldstart.query_ids import base, follow_up_digits

if TYPE_CHECKING:
    from karat.evaluation.ledger import Item, Spans
    from karat.model import Document, Mention

    _Name = str | tuple[str, tuple[Spans, ...]]
    """An item by its location in a file, or by its label and its offsets."""


class AnnotationOrigin(NamedTuple):
    """The confidence of an annotation and, for an answer to a query, where it comes from.

    ``source`` is the location that justifies the answer, ``answer`` the annotation as it was read (JSON), ``leads`` the
    query that follows from it at the next hop.
    """

    score: float | None = None
    source: str = ""
    answer: str = ""
    leads: str = ""


UNKNOWN = AnnotationOrigin()
"""The origin of an annotation with neither a confidence nor a source."""


def origins_in(document: Document) -> dict[_Name, AnnotationOrigin]:
    """Return the origins of annotations that have a confidence or a source, under each of their names.

    >>> from karat.evaluation.ledger import Item
    >>> from karat.model import Document, Mention
    >>> bern = Mention("T1", ((0, 4),), ("LOC",), attributes={"score": "0.8"})
    >>> origin_of_item(Item("LOC", "Bern", (0, 1), ends=(((0, 4),),)), origins_in(Document("d", "Bern", [bern])))
    AnnotationOrigin(score=0.8, source='', answer='', leads='')
    """
    known: dict[_Name, AnnotationOrigin] = {}
    spans = {}
    for mention in document.mentions:
        spans[mention.id] = mention.spans
        if not (mention.attributes or mention.links):
            continue
        source = mention.attributes.get("relation", "")
        answer = msgspec.json.encode(mention).decode() if source else ""
        origin = AnnotationOrigin(_score(mention), source, answer, _leads(mention) if source else "")
        if origin != UNKNOWN:
            known.setdefault(f"{document.source}:{mention.id}", origin)
            for name in (*mention.labels, *(link.target for link in mention.links), ""):
                known.setdefault((name, (mention.spans,)), origin)
            if "class" in mention.attributes:  # what nobody answered is named by its class
                known.setdefault((mention.attributes["class"], ()), origin)
    for relation in document.relations:
        score = number(relation.attributes.get("score"))
        if score is not None:
            ends = tuple(spans.get(argument.target, ()) for argument in relation.arguments)
            known.setdefault(f"{document.source}:{relation.id}", AnnotationOrigin(score))
            known.setdefault((relation.label, ends), AnnotationOrigin(score))
    return known


def origin_of_item(item: Item, known: dict[_Name, AnnotationOrigin]) -> AnnotationOrigin:
    """Return what is known of an item, looked up by its location in the file or else by its label and offsets."""
    if not known:
        return UNKNOWN
    return known.get(item.place) or known.get((item.label, item.ends)) or UNKNOWN


def _leads(mention: Mention) -> str:
    """Return the query that follows from an answer at the next hop."""
    query, place = (mention.attributes.get(name, "") for name in ("query", "place"))
    return f"{base(query)}_{follow_up_digits(query, mention.text, place)}" if query else ""


def _score(mention: Mention) -> float | None:
    given = number(mention.attributes.get("score"))
    return given if given is not None or not mention.links else mention.links[0].score


def number(text: str | None) -> float | None:
    """Return a score as a number, or None if it is not one.

    >>> number("0.25"), number("high"), number(None)
    (0.25, None, None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
