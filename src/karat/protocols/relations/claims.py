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
from typing import Any, NamedTuple

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.matching.equivalence import representatives
from karat.matching.fragments import Spans, joined
from karat.matching.text_order import text_position
from karat.model import Document, Mention, Relation, Span
from karat.protocols.relations.options import RelationOptions

TRIGGER = "trigger"

Identity = Spans | str
"""What a mention or an entity is known by: its place or, if the text does not have it, the id of a mention.

An id says nothing on the other side.
"""


class EntityPlaces(NamedTuple):
    """What each mention, by its place or id, and each chain, by its id, is known by.

    A mention that is not there stands for itself.
    """

    places: Mapping[Identity, Identity]
    chains: Mapping[str, Identity]


BY_PLACE = EntityPlaces({}, {})
"""Every mention is known by its own place, whatever its chain."""


class ClaimEnd(NamedTuple):
    """One end of a claim: ``role`` is compared, ``name`` is shown, ``entity`` is what it is known by.

    ``unplaced`` are the ids of its mentions that the text does not have. An end of which ``spans`` are empty as well
    covers no text for another reason: it is a relation without mentions.
    """

    role: str
    spans: Spans
    types: tuple[str, ...]
    entity: Identity
    text: str
    name: str
    unplaced: tuple[str, ...] = ()

    @property
    def is_invented(self) -> bool:
        """Whether the text has none of its mentions."""
        return bool(self.unplaced) and not self.spans

    @property
    def place(self) -> tuple[Spans, tuple[str, ...]]:
        """What is the same about two ends of one side that are in one place."""
        return self.spans, self.unplaced


class Keys(NamedTuple):
    """What has to be the same about two claims under the regimes that compare for equality.

    A key is None if the text does not have what it asks for: such a claim equals no other.
    """

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
        if any(end.unplaced for end in ends):
            return Keys(None, None, None, self._entities)
        boundaries = label, tuple([end[:2] for end in ends])
        is_known_by_place = all(end[3] is end[1] for end in ends)
        return Keys(
            (label, tuple([end[:3] for end in ends])),
            boundaries,
            (label, tuple(sorted([(end[0], end[1][-1][1:] if end[1] else ()) for end in ends]))),
            boundaries if is_known_by_place else self._entities,
        )

    @property
    def _entities(self) -> Hashable:
        """Label, roles and entities, None if one is known by an id alone."""
        if any(isinstance(end.entity, str) for end in self.ends):
            return None
        return self.label, tuple(sorted([(end[0], end[3]) for end in self.ends]))

    @property
    def fact(self) -> Hashable:
        """What is the same about two claims of one side that say the same of the same entities."""
        ends = [(end.role, str(end.entity), end.entity) for end in self.ends]
        return self.label, tuple(sorted(ends))

    @property
    def hull(self) -> Span | None:
        """Where the first end begins and the last one is over, None if the text has none of them."""
        spans = [span for end in self.ends for span in end.spans]
        return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None

    @property
    def standing(self) -> tuple[Spans, ...]:
        """The places of the ends as they were written, if the text has all of them."""
        return tuple(end.spans for end in self.listed) if all(end.spans for end in self.listed) else ()

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have one of its ends."""
        return any(end.is_invented for end in self.ends)

    @property
    def is_binary(self) -> bool:
        """Whether it joins two mentions, without a trigger."""
        return len(self.ends) == 2 and all(end.name != TRIGGER for end in self.ends)

    @property
    def is_directed(self) -> bool:
        """Whether it joins two mentions of which one is the head and the other the tail."""
        return self.is_binary and self.ends[0].role != self.ends[1].role


def agree(gold: Hashable, system: Hashable) -> bool:
    """Return whether two keys are the same; None is the same as none."""
    return gold is not None and gold == system


def claims_of(grounds: Grounds, options: RelationOptions, entities: EntityPlaces = BY_PLACE) -> list[Claim]:
    """Return the claims of a document in the order of its text."""
    claims = [
        _claim(relation, grounds, options, entities)
        for relation in grounds.document.relations
        if relation.label not in options.exclude
    ]
    claims.sort(key=_claim_position)
    return _merged(claims) if options.duplicates == "once" else claims


def _claim(relation: Relation, grounds: Grounds, options: RelationOptions, entities: EntityPlaces) -> Claim:
    free = options.direction == "undirected" or relation.label in options.symmetric
    listed = []
    for position, (name, ground) in enumerate(grounds.of(relation)):
        role = name if options.roles == "names" or name == TRIGGER else str(position)
        compared = "" if free and name != TRIGGER else role
        known_by = ground.known_by
        entity = entities.chains.get(ground.chain) or entities.places.get(known_by, known_by)
        listed.append(ClaimEnd(compared, ground.spans, ground.types, entity, ground.text, name, ground.unplaced))
    label = relation.label if options.labels == "compare" else None
    ends = tuple(sorted(listed, key=lambda end: (end.role, _position(end), _details(end))))
    roles = tuple([end.role for end in ends])
    return Claim(label, roles, ends, relation.label, tuple(listed), (relation.id,))


def _claim_position(claim: Claim) -> tuple[Any, ...]:
    """Return where a claim stands in the order of the text: by its ends as they are listed."""
    return [_position(end) for end in claim.listed], claim.name, [_details(end) for end in claim.listed], claim.ids


def _position(end: ClaimEnd) -> tuple[Any, ...]:
    return text_position(end.spans, end.spans)


def _details(end: ClaimEnd) -> tuple[Any, ...]:
    """Return what tells ends in one place apart."""
    return end.role, end.types, end.text, end.name, end.unplaced


def _merged(claims: Iterable[Claim]) -> list[Claim]:
    """Return each claim once, the first one with the ids of those that say the same."""
    merged: dict[Hashable, Claim] = {}
    for claim in claims:
        key = claim.strict, tuple([(end.entity, end.unplaced) for end in claim.ends])
        first = merged.setdefault(key, claim)
        if first is not claim:
            merged[key] = first._replace(ids=first.ids + claim.ids)
    return list(merged.values())


class ArgumentGround(NamedTuple):
    """What an argument covers, and what it is; a chain has its id.

    ``unplaced`` are the ids of its mentions that the text does not have.
    """

    spans: Spans
    types: tuple[str, ...]
    text: str
    chain: str = ""
    unplaced: tuple[str, ...] = ()

    @property
    def known_by(self) -> Identity:
        """Its place or, of a mention that the text does not have, the id."""
        return self.spans or (self.unplaced[0] if self.unplaced else ())


class Grounds:
    """The ground of every annotation of a document.

    An argument that is a relation stands where its trigger does or, without one, where the mentions are that it joins
    itself; its type is its label. Relations below that are not looked into, so relations may refer to each other.
    ``chains`` has what the mentions of every chain that has any are known by, in the order of the text.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.mentions = {mention.id: _ground(mention, document.text) for mention in document.mentions}
        self.relations = {relation.id: relation for relation in document.relations}
        self._order = {mention.id: index for index, mention in enumerate(document.mentions) if not mention.spans}
        known = self.mentions
        self.chains = {
            chain.id: tuple(
                sorted({known[name].known_by for name in chain.mentions if name in known}, key=self.position)
            )
            for chain in document.chains
            if not known.keys().isdisjoint(chain.mentions)
        }

    def position(self, known_by: Identity) -> tuple[Any, ...]:
        """Return what mentions sort by: those with a place by that, behind them the others as the document has them."""
        return (True, self._order[known_by]) if isinstance(known_by, str) else (False, known_by)

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
                unplaced = tuple(sorted({name for ground in members for name in ground.unplaced}))
                grounds[chain.id] = ArgumentGround(spans, types, text, chain.id, unplaced)
        return grounds

    def _relation(self, relation: Relation) -> ArgumentGround:
        if relation.trigger is not None:
            below = [self._mention(relation.trigger, relation)]
        else:
            targets = [argument.target for argument in relation.arguments]
            below = [self.mentions[target] for target in targets if target in self.mentions]
        spans = joined(span for ground in below for span in ground.spans)
        text = " … ".join(ground.text for ground in below) or relation.label
        unplaced = tuple(sorted({name for ground in below for name in ground.unplaced}))
        return ArgumentGround(spans, (relation.label,), text, unplaced=unplaced)


def _ground(mention: Mention, text: str) -> ArgumentGround:
    shown = mention.text or surface(text, mention.spans)
    spans = tuple(mention.spans) if len(mention.spans) == 1 else joined(mention.spans)
    unplaced = () if spans else (mention.id,)
    return ArgumentGround(spans, tuple(sorted(set(mention.labels))), shown, unplaced=unplaced)


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
        if not end.spans:
            return False
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
    known: dict[Identity, Identity] = {}
    for members in _classes(gold):
        known |= dict.fromkeys(members, members[0])
    places = {ground.spans for ground in gold.mentions.values() if ground.spans}
    meant: dict[Identity, Identity] = {place: known.get(place, place) for place in places}
    own = dict(meant)
    for members in _classes(system):
        entity = _majority(members, own) or members[0]
        for member in members:
            if not isinstance(member, str):
                meant.setdefault(member, entity)
    golds = _gold_chains(gold, known)
    return EntityPlaces(known, golds), EntityPlaces(meant, _system_chains(gold, system, golds, own))


def _majority(members: Sequence[Identity], meant: Mapping[Identity, Identity]) -> Identity | None:
    """Return what most of some mentions mean, the first if there are several, None if none means anything."""
    votes = Counter(meant[member] for member in members if member in meant)
    return min(votes, key=lambda entity: (-votes[entity], isinstance(entity, str), entity)) if votes else None


def _gold_chains(gold: Grounds, known: Mapping[Identity, Identity]) -> dict[str, Identity]:
    """Return what gold chains are known by; the second of several that share it is known by it twice, and so on."""
    times: Counter[Identity] = Counter()
    chains: dict[str, Identity] = {}
    for name, members in gold.chains.items():
        entity = known[members[0]]
        times[entity] += 1
        chains[name] = entity * times[entity]
    return chains


def _system_chains(
    gold: Grounds, system: Grounds, golds: Mapping[str, Identity], meant: Mapping[Identity, Identity]
) -> dict[str, Identity]:
    equal: dict[Sequence[Identity], deque[Identity]] = {}
    for name, members in gold.chains.items():
        if not any(isinstance(member, str) for member in members):
            equal.setdefault(members, deque()).append(golds[name])
    chains: dict[str, Identity] = {}
    for name, members in system.chains.items():
        same = equal.get(members)
        chains[name] = same.popleft() if same else _majority(members, meant) or members[0]
    return chains


def _classes(grounds: Grounds) -> Sequence[Sequence[Identity]]:
    """Return what the mentions of each entity are known by, in order; chains that share a mention are one entity."""
    for chain in grounds.document.chains:
        for target in chain.mentions:
            if target not in grounds.mentions:
                raise dangling(grounds.document, f"chain {chain.id!r}", target)
    same = representatives((members[0], member) for members in grounds.chains.values() for member in members)
    classes: dict[Identity, list[Identity]] = {}
    for member in sorted(same, key=grounds.position):
        classes.setdefault(same[member], []).append(member)
    return list(classes.values())
