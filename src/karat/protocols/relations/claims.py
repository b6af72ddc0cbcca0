"""What is judged: the relations of a document as claims, each a label with ends that cover text.

An end is what fills an argument: a mention or, where an argument is itself a relation, the text that stands for that.
A trigger is one more end. Ends that may be exchanged have no role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from karat.errors import InputError
from karat.model import Document, Mention, Relation, Span
from karat.protocols.relations.options import RelationOptions

TRIGGER = "trigger"
NOWHERE: tuple[Span, ...] = ((-1, 0),)
"""Where an argument stands that covers no text: a relation without mentions."""

Spans = tuple[Span, ...]
"""The characters that an end covers, as the fewest spans in order."""


class End(NamedTuple):
    """One end of a claim: ``role`` is compared, ``name`` is shown, ``entity`` is the place it is known by."""

    role: str
    spans: Spans
    types: tuple[str, ...]
    entity: Spans
    text: str
    name: str


class Claim(NamedTuple):
    """A relation as it is judged: ``ends`` sorted by role and place, ``listed`` as they were written.

    ``label`` is shown and booked on, ``compared`` is what has to agree. ``ids`` are the relations that say so.
    """

    compared: str
    ends: tuple[End, ...]
    label: str
    listed: tuple[End, ...]
    ids: tuple[str, ...]

    @property
    def strict(self) -> tuple[object, ...]:
        """What is the same under the strict regime: label, roles, boundaries and types."""
        return self.compared, tuple([end[:3] for end in self.ends])

    @property
    def boundaries(self) -> tuple[object, ...]:
        """What is the same whatever the types of the ends: label, roles and boundaries."""
        return self.compared, tuple([end[:2] for end in self.ends])

    @property
    def last_token(self) -> tuple[object, ...]:
        """What is the same if only the last character of each end counts, and so its last token."""
        return self.compared, tuple(sorted([(end.role, end.spans[-1][1]) for end in self.ends]))

    @property
    def entities(self) -> tuple[object, ...]:
        """What is the same whichever mentions of the entities are the ends."""
        return self.compared, tuple(sorted([(end.role, end.entity) for end in self.ends]))

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles, sorted."""
        return tuple([end.role for end in self.ends])

    @property
    def is_binary(self) -> bool:
        """Whether it joins two mentions, without a trigger."""
        return len(self.ends) == 2 and all(end.name != TRIGGER for end in self.ends)

    @property
    def is_directed(self) -> bool:
        """Whether it joins two mentions of which one is the head and the other the tail."""
        return self.is_binary and self.ends[0].role != self.ends[1].role


def claims_of(grounds: Grounds, options: RelationOptions, entities: Mapping[Spans, Spans]) -> list[Claim]:
    """Return the claims of a document in the order of its text.

    ``entities`` gives for the place of a mention the place that its entity is known by, if that is another one.
    """
    claims = [
        _claim(relation, grounds, options, entities)
        for relation in grounds.document.relations
        if relation.label not in options.exclude
    ]
    claims.sort(key=lambda claim: ([end.spans for end in claim.listed], claim.label, claim.listed, claim.ids))
    return _merged(claims) if options.duplicates == "once" else claims


def _claim(relation: Relation, grounds: Grounds, options: RelationOptions, entities: Mapping[Spans, Spans]) -> Claim:
    free = options.direction == "undirected" or relation.label in options.symmetric
    listed = []
    for position, (name, ground) in enumerate(grounds.of(relation)):
        role = name if options.roles == "names" or name == TRIGGER else str(position)
        compared = "" if free and name != TRIGGER else role
        entity = entities.get(ground.spans, ground.spans)
        listed.append(End(compared, ground.spans, ground.types, entity, ground.text, name))
    label = relation.label
    compared = label if options.labels == "compare" else ""
    return Claim(compared, tuple(sorted(listed)), label, tuple(listed), (relation.id,))


def _merged(claims: Iterable[Claim]) -> list[Claim]:
    """Return each claim once, the first one with the ids of those that say the same."""
    merged: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        first = merged.setdefault(claim.strict, claim)
        if first is not claim:
            merged[claim.strict] = first._replace(ids=first.ids + claim.ids)
    return list(merged.values())


class Ground(NamedTuple):
    """What an argument covers, and what it is."""

    spans: Spans
    types: tuple[str, ...]
    text: str


class Grounds:
    """The ground of every annotation of a document.

    An argument that is a relation stands where its trigger does or, without one, where the mentions are that it joins
    itself; its type is its label. Relations below that are not looked into, so relations may refer to each other.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.mentions = {mention.id: _ground(mention, document.text) for mention in document.mentions}
        self.relations = {relation.id: relation for relation in document.relations}

    def of(self, relation: Relation) -> Iterator[tuple[str, Ground]]:
        """Yield role and ground of each end, the arguments first."""
        for argument in relation.arguments:
            nested = self.relations.get(argument.target)
            if argument.target in self.mentions or nested is None:
                yield argument.role, self._mention(argument.target, relation)
            else:
                yield argument.role, self._relation(nested)
        if relation.trigger is not None:
            yield TRIGGER, self._mention(relation.trigger, relation)

    def _mention(self, target: str, relation: Relation) -> Ground:
        try:
            return self.mentions[target]
        except KeyError:
            raise dangling(self.document, f"relation {relation.id!r}", target) from None

    def _relation(self, relation: Relation) -> Ground:
        if relation.trigger is not None:
            below = [self._mention(relation.trigger, relation)]
        else:
            targets = [argument.target for argument in relation.arguments]
            below = [self.mentions[target] for target in targets if target in self.mentions]
        spans = joined(span for ground in below for span in ground.spans)
        return Ground(spans, (relation.label,), " … ".join(ground.text for ground in below) or relation.label)


def _ground(mention: Mention, text: str) -> Ground:
    shown = mention.text or " ".join([text[start:end] for start, end in mention.spans])
    return Ground(joined(mention.spans), tuple(sorted(set(mention.labels))), shown)


def joined(spans: Iterable[Span]) -> Spans:
    """Return the spans in order, those that touch or overlap made one, so that the same text has the same spans.

    >>> joined([(4, 9), (0, 2), (2, 4)])
    ((0, 9),)
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found) or NOWHERE


def dangling(document: Document, what: str, target: str) -> InputError:
    """Return the error for a reference to nothing."""
    message = f"document {document.id!r}: {what} refers to {target!r}, but the document has no annotation with this id"
    return InputError(f"{message}; correct the id or add the annotation", path=document.source or None)
