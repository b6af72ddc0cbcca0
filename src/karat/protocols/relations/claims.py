"""What is judged: the relations of a document as claims, each a label with ends that cover text.

An end is what fills an argument: a mention, a chain, or, where an argument is itself a relation, the text that stands
for that. A chain covers the text of all its mentions. A trigger is one more end. Ends that may be exchanged have no
role.

Chains say which mentions stand for the same thing, and so which gold entity a system mention means.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.evaluation.invented import BEYOND
from karat.matching.equivalence import representatives
from karat.matching.fragments import Spans, joined
from karat.model import Document, Mention, Relation, Span
from karat.protocols.relations.options import RelationOptions

TRIGGER = "trigger"
NOWHERE: Spans = ((-1, 0),)
"""Where an argument stands that covers no text: a relation without mentions."""


NOWHERE_ELSE: Spans = ((-2, -1),)
"""What is added to the first place of a chain, as often as needed, where another chain is known by it."""


class EntityPlaces(NamedTuple):
    """The place that each place of a mention, and each chain by its id, is known by.

    A place that is not there stands for itself.
    """

    places: Mapping[Spans, Spans]
    chains: Mapping[str, Spans]


BY_PLACE = EntityPlaces({}, {})
"""Every mention is known by its own place, whatever its chain."""


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
    def hull(self) -> Span | None:
        """Where the first end begins and the last one is over, None if the text has none of them."""
        spans = [span for end in self.ends if end.spans != NOWHERE for span in end.spans]
        return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None

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


def claims_of(grounds: Grounds, options: RelationOptions, entities: EntityPlaces = BY_PLACE) -> list[Claim]:
    """Return the claims of a document in the order of its text."""
    claims = [
        _claim(relation, grounds, options, entities)
        for relation in grounds.document.relations
        if relation.label not in options.exclude
    ]
    claims.sort(key=lambda claim: ([end.spans for end in claim.listed], claim.name, claim.listed, claim.ids))
    return _merged(claims) if options.duplicates == "once" else claims


def _claim(relation: Relation, grounds: Grounds, options: RelationOptions, entities: EntityPlaces) -> Claim:
    free = options.direction == "undirected" or relation.label in options.symmetric
    listed = []
    for position, (name, ground) in enumerate(grounds.of(relation)):
        role = name if options.roles == "names" or name == TRIGGER else str(position)
        compared = "" if free and name != TRIGGER else role
        entity = entities.chains.get(ground.chain) or entities.places.get(ground.spans, ground.spans)
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
    shown = mention.text or surface(text, mention.spans)
    return ArgumentGround(_place(mention.spans), tuple(sorted(set(mention.labels))), shown)


def _place(spans: Spans) -> Spans:
    return (tuple(spans) if len(spans) == 1 else joined(spans)) or NOWHERE


def sentence_starts(document: Document) -> list[int]:
    """Return where the sentences of a document begin, nothing if that is not known."""
    table = document.table
    return [] if table is None else [table.starts[first] for first in table.segments if first < len(table.starts)]


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
        """Return whether a mention overlaps the end of a claim."""
        starts, reached = self._swept
        begun = bisect_left(starts, end.spans[-1][1])
        return begun > 0 and reached[begun - 1] > end.spans[0][0]

    def have_all(self, claim: Claim) -> bool:
        """Return whether there is a mention at each end of a claim."""
        return all(map(self.have, claim.listed))


def entities_of(gold: Grounds, system: Grounds) -> tuple[EntityPlaces, EntityPlaces]:
    """Return for gold and system what each place and each chain is known by.

    A gold mention is known by the first mention of its chain. A system mention means the gold entity that has a mention
    in the same place. Where there is none, it means the one that most mentions of its own chain mean, the first of
    them if there are several, and where these mean none either, an entity that the gold lacks. One that the text does
    not have stands for itself, whatever its chain.

    A gold chain is known like its mentions, unless another one shares a place with it: as an end of relations each is
    an entity of its own. A system chain means the gold chain with the same places, the first one with the first, and
    else what most of its mentions mean.
    """
    known: dict[Spans, Spans] = {}
    for members in _classes(gold):
        known |= dict.fromkeys(members, members[0])
    places = {ground.spans for ground in gold.mentions.values()}
    meant: dict[Spans, Spans] = {place: known.get(place, place) for place in places}
    own = dict(meant)
    for members in _classes(system):
        entity = _majority(members, own) or members[0]
        meant = dict.fromkeys((place for place in members if place[0][0] < BEYOND), entity) | meant
    golds = _gold_chains(gold, known)
    return EntityPlaces(known, golds), EntityPlaces(meant, _system_chains(gold, system, golds, own))


def _majority(members: Sequence[Spans], meant: Mapping[Spans, Spans]) -> Spans | None:
    """Return what most of some places mean, the first if there are several, nothing if none means anything."""
    votes = Counter(meant[place] for place in members if place in meant)
    return min(votes, key=lambda place: (-votes[place], place)) if votes else None


def _gold_chains(gold: Grounds, known: Mapping[Spans, Spans]) -> dict[str, Spans]:
    taken: set[Spans] = set()
    chains: dict[str, Spans] = {}
    for name, places in gold.chains.items():
        entity = known[places[0]]
        while entity in taken:
            entity += NOWHERE_ELSE
        taken.add(entity)
        chains[name] = entity
    return chains


def _system_chains(
    gold: Grounds, system: Grounds, golds: Mapping[str, Spans], meant: Mapping[Spans, Spans]
) -> dict[str, Spans]:
    equal: dict[Sequence[Spans], deque[Spans]] = {}
    for name, places in gold.chains.items():
        equal.setdefault(places, deque()).append(golds[name])
    chains: dict[str, Spans] = {}
    for name, places in system.chains.items():
        same = equal.get(places)
        chains[name] = same.popleft() if same else _majority(places, meant) or places[0]
    return chains


def _classes(grounds: Grounds) -> Sequence[Sequence[Spans]]:
    """Return the places of each entity, in order; chains that share a place are one entity."""
    for chain in grounds.document.chains:
        for target in chain.mentions:
            if target not in grounds.mentions:
                raise dangling(grounds.document, f"chain {chain.id!r}", target)
    same = representatives((places[0], place) for places in grounds.chains.values() for place in places)
    classes: dict[Spans, list[Spans]] = {}
    for place in sorted(same):
        classes.setdefault(same[place], []).append(place)
    return list(classes.values())
