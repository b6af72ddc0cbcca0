"""What is judged: the relations of a document as claims, each a label with ends that cover text.

An end is what fills an argument: a mention, a chain, or, where an argument is itself a relation, the text that stands
for that. A chain covers the text of all its mentions. A trigger is one more end. Ends that may be exchanged have no
role.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from karat.errors import InputError
from karat.matching.places import Spans, joined
from karat.model import Document, Mention, Relation, Span
from karat.protocols.invented import BEYOND
from karat.protocols.relations.options import RelationOptions

TRIGGER = "trigger"
NOWHERE: Spans = ((-1, 0),)
"""Where an argument stands that covers no text: a relation without mentions."""


class ClaimEnd(NamedTuple):
    """One end of a claim: ``role`` is compared, ``name`` is shown, ``entity`` is the place it is known by."""

    role: str
    spans: Spans
    types: tuple[str, ...]
    entity: Spans
    text: str
    name: str


class Keys(NamedTuple):
    """What has to be the same about two claims under the regimes that compare for equality."""

    strict: Hashable
    boundaries: Hashable
    last_token: Hashable
    entity: Hashable


class Claim(NamedTuple):
    """A relation as it is judged: ``ends`` sorted by role and place, ``listed`` as they were written.

    ``label`` has to agree and is booked on, and is nothing if labels are not compared; ``name`` is shown. ``roles`` are
    those of the ends, ``ids`` the relations that say so.
    """

    label: str | None
    roles: tuple[str, ...]
    ends: tuple[ClaimEnd, ...]
    name: str
    listed: tuple[ClaimEnd, ...]
    ids: tuple[str, ...]

    @property
    def strict(self) -> Hashable:
        """What is the same under the strict regime: label, roles, boundaries and types."""
        return self.label, tuple([end[:3] for end in self.ends])

    @property
    def keys(self) -> Keys:
        """What is the same under the regimes that compare for equality.

        Beside the label and the roles these are boundaries and types; boundaries; where each end is over, and so its
        last token; the entities, whichever mentions of them are the ends.
        """
        label, ends = self.label, self.ends
        boundaries = label, tuple([end[:2] for end in ends])
        is_known_by_place = all(end[3] is end[1] for end in ends)
        return Keys(
            (label, tuple([end[:3] for end in ends])),
            boundaries,
            (label, tuple(sorted([(end[0], end[1][-1][1]) for end in ends]))),
            boundaries if is_known_by_place else (label, tuple(sorted([(end[0], end[3]) for end in ends]))),
        )

    @property
    def hull(self) -> Span:
        """Where the first end begins and the last one is over."""
        spans = [span for end in self.ends if end.spans != NOWHERE for span in end.spans]
        return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else (0, 0)

    @property
    def standing(self) -> tuple[Spans, ...]:
        """The places of the ends as they were written, if the text has all of them."""
        places = tuple(end.spans for end in self.listed)
        return () if NOWHERE in places or self.is_invented else places

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have one of its ends."""
        return any(end.spans[0][0] >= BEYOND for end in self.ends)

    @property
    def is_binary(self) -> bool:
        """Whether it joins two mentions, without a trigger."""
        return len(self.ends) == 2 and all(end.name != TRIGGER for end in self.ends)

    @property
    def is_directed(self) -> bool:
        """Whether it joins two mentions of which one is the head and the other the tail."""
        return self.is_binary and self.ends[0].role != self.ends[1].role


def claims_of(
    grounds: Grounds,
    options: RelationOptions,
    places: Mapping[Spans, Spans],
    chains: Mapping[str, Spans],
) -> list[Claim]:
    """Return the claims of a document in the order of its text.

    ``places`` and ``chains`` give the place that the entity of a mention, or of a chain, is known by.
    """
    claims = [
        _claim(relation, grounds, options, places, chains)
        for relation in grounds.document.relations
        if relation.label not in options.exclude
    ]
    claims.sort(key=lambda claim: ([end.spans for end in claim.listed], claim.name, claim.listed, claim.ids))
    return _merged(claims) if options.duplicates == "once" else claims


def _claim(
    relation: Relation,
    grounds: Grounds,
    options: RelationOptions,
    places: Mapping[Spans, Spans],
    chains: Mapping[str, Spans],
) -> Claim:
    free = options.direction == "undirected" or relation.label in options.symmetric
    listed = []
    for position, (name, ground) in enumerate(grounds.of(relation)):
        role = name if options.roles == "names" or name == TRIGGER else str(position)
        compared = "" if free and name != TRIGGER else role
        entity = chains[ground.chain] if ground.chain in chains else places.get(ground.spans, ground.spans)
        listed.append(ClaimEnd(compared, ground.spans, ground.types, entity, ground.text, name))
    label = relation.label if options.labels == "compare" else None
    ends = tuple(sorted(listed))
    roles = tuple([end.role for end in ends])
    return Claim(label, roles, ends, relation.label, tuple(listed), (relation.id,))


def _merged(claims: Iterable[Claim]) -> list[Claim]:
    """Return each claim once, the first one with the ids of those that say the same."""
    merged: dict[Hashable, Claim] = {}
    for claim in claims:
        key = claim.strict, tuple([end.entity for end in claim.ends])
        first = merged.setdefault(key, claim)
        if first is not claim:
            merged[key] = first._replace(ids=first.ids + claim.ids)
    return list(merged.values())


class ArgumentGround(NamedTuple):
    """What an argument covers, and what it is; a chain has its id."""

    spans: Spans
    types: tuple[str, ...]
    text: str
    chain: str = ""


class Grounds:
    """The ground of every annotation of a document.

    An argument that is a relation stands where its trigger does or, without one, where the mentions are that it joins
    itself; its type is its label. Relations below that are not looked into, so relations may refer to each other.
    ``chains`` has the places of the mentions of every chain that has any, in the order of the text.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.mentions = {mention.id: _ground(mention, document.text) for mention in document.mentions}
        self.relations = {relation.id: relation for relation in document.relations}
        known = self.mentions
        self.chains = {
            chain.id: tuple(sorted({known[name].spans for name in chain.mentions if name in known}))
            for chain in document.chains
            if not known.keys().isdisjoint(chain.mentions)
        }

    def of(self, relation: Relation) -> Iterator[tuple[str, ArgumentGround]]:
        """Yield role and ground of each end, the arguments first."""
        for argument in relation.arguments:
            target = argument.target
            if target in self.mentions:
                yield argument.role, self.mentions[target]
            elif target in self.chains:
                yield argument.role, self._chain_grounds[target]
            elif target in self.relations:
                yield argument.role, self._relation(self.relations[target])
            else:
                raise dangling(self.document, f"relation {relation.id!r}", target)
        if relation.trigger is not None:
            yield TRIGGER, self._mention(relation.trigger, relation)

    def _mention(self, target: str, relation: Relation) -> ArgumentGround:
        try:
            return self.mentions[target]
        except KeyError:
            raise dangling(self.document, f"relation {relation.id!r}", target) from None

    @cached_property
    def _chain_grounds(self) -> dict[str, ArgumentGround]:
        """The ground of every chain: the text of all its mentions, of which the first that has a text is shown."""
        grounds = {}
        for chain in self.document.chains:
            if chain.id in self.chains:
                members = [self.mentions[name] for name in chain.mentions if name in self.mentions]
                spans = joined(span for ground in members for span in ground.spans)
                types = tuple(sorted({name for ground in members for name in ground.types}))
                text = next((ground.text for ground in members if ground.text), chain.id)
                grounds[chain.id] = ArgumentGround(spans, types, text, chain.id)
        return grounds

    def _relation(self, relation: Relation) -> ArgumentGround:
        if relation.trigger is not None:
            below = [self._mention(relation.trigger, relation)]
        else:
            targets = [argument.target for argument in relation.arguments]
            below = [self.mentions[target] for target in targets if target in self.mentions]
        spans = joined(span for ground in below for span in ground.spans) or NOWHERE
        return ArgumentGround(spans, (relation.label,), " … ".join(ground.text for ground in below) or relation.label)


def _ground(mention: Mention, text: str) -> ArgumentGround:
    shown = mention.text or " ".join([text[start:end] for start, end in mention.spans])
    return ArgumentGround(_place(mention.spans), tuple(sorted(set(mention.labels))), shown)


def _place(spans: Spans) -> Spans:
    return (tuple(spans) if len(spans) == 1 else joined(spans)) or NOWHERE


def dangling(document: Document, what: str, target: str) -> InputError:
    """Return the error for a reference to nothing."""
    message = f"document {document.id!r}: {what} refers to {target!r}, but the document has no annotation with this id"
    return InputError(f"{message}; correct the id or add the annotation", path=document.source or None)


class MentionPlaces:
    """Where the mentions of one side are."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = list(spans)

    @cached_property
    def _swept(self) -> tuple[list[int], list[int]]:
        """Where mentions begin, in order, and how far those up to each of them reach."""
        ordered = sorted(self.spans)
        return [start for start, _ in ordered], list(accumulate((end for _, end in ordered), max))

    def have(self, end: ClaimEnd) -> bool:
        """Say whether a mention overlaps the end of a claim."""
        starts, reached = self._swept
        before = bisect_left(starts, end.spans[-1][1])
        return before > 0 and reached[before - 1] > end.spans[0][0]

    def have_all(self, claim: Claim) -> bool:
        """Say whether there is a mention at each end of a claim."""
        return all(map(self.have, claim.listed))
