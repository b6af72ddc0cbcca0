"""What a system's document says of an item beyond the ledger: how sure the system is of it, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from karat.vocabularies.coldstart.query_ids import base, follow_up_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.ledger import Item, Spans
    from karat.model import Document, Mention

    _Key = str | tuple[str, tuple[Spans, ...]]
    """An item by its place in a file, or by its label and where it stands."""


class AnnotationOrigin(NamedTuple):
    """The score that a system gives, the place that justifies an answer, and the answer as it was read, as JSON.

    ``leads`` is the query that follows from an answer at the next hop.
    """

    score: float | None = None
    source: str = ""
    answer: str = ""
    leads: str = ""


class AnnotationOrigins:
    """Finds the annotation behind an item by its place in the file or, if that is not told, in the text.

    >>> from karat.ledger import Item
    >>> from karat.model import Document, Mention
    >>> bern = Mention("T1", ((0, 4),), ("LOC",), attributes={"score": "0.8"})
    >>> origins = AnnotationOrigins(Document("d", "Bern", [bern]))
    >>> origins.of(Item("LOC", "Bern", (0, 1), ends=(((0, 4),),)))
    AnnotationOrigin(score=0.8, source='', answer='', leads='')
    """

    def __init__(self, document: Document) -> None:
        self._known: dict[_Key, AnnotationOrigin] = {}
        for key, origin in _origins(document):
            self._known.setdefault(key, origin)

    def of(self, item: Item) -> AnnotationOrigin:
        """Return what is known of an item, which is nothing for most."""
        if not self._known:
            return AnnotationOrigin()
        known = self._known.get(item.place) or self._known.get((item.label, item.ends))
        return known or AnnotationOrigin()


def _origins(document: Document) -> Iterator[tuple[_Key, AnnotationOrigin]]:
    """Yield the annotations of a document that have a score or a source, under each of their names."""
    spans = {}
    for mention in document.mentions:
        spans[mention.id] = mention.spans
        if not (mention.attributes or mention.links):
            continue
        source = mention.attributes.get("relation", "")
        answer = msgspec.json.encode(mention).decode() if source else ""
        origin = AnnotationOrigin(_score(mention), source, answer, _leads(mention) if source else "")
        if origin != AnnotationOrigin():
            names = (*mention.labels, *(link.target for link in mention.links), "")
            yield f"{document.source}:{mention.id}", origin
            yield from (((name, (mention.spans,)), origin) for name in names)
            if "class" in mention.attributes:  # what nobody answered is named by its class
                yield (mention.attributes["class"], ()), origin
    for relation in document.relations:
        score = number(relation.attributes.get("score"))
        if score is not None:
            ends = tuple(spans.get(argument.target, ()) for argument in relation.arguments)
            yield f"{document.source}:{relation.id}", AnnotationOrigin(score)
            yield (relation.label, ends), AnnotationOrigin(score)


def _leads(mention: Mention) -> str:
    """Return the query that asks on from an answer to a query, at the next hop."""
    query, place = (mention.attributes.get(name, "") for name in ("query", "place"))
    return f"{base(query)}_{follow_up_digits(query, mention.text, place)}" if query else ""


def _score(mention: Mention) -> float | None:
    given = number(mention.attributes.get("score"))
    return given if given is not None or not mention.links else mention.links[0].score


def number(text: str | None) -> float | None:
    """Return a score that is written, if it is a number.

    >>> number("0.25"), number("high"), number(None)
    (0.25, None, None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
