"""The chains of one side, arranged as the published program arranges them.

An entity whose members name another entity with ``ElementOf`` is a part of that one's split antecedent. A split
antecedent is the set of the chains of all its parts, down to those that have no parts themselves, and a further member
of its own chain. Two split antecedents are the same if they are of the same chains; their chains are one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.errors import InputError
from karat.ledger import Item
from karat.model import Document, Mention
from karat.protocols.coreference.clusterings import members_of
from karat.protocols.coreference.items import ShownSide, shown
from karat.protocols.coreference.universal_anaphora.options import AnaphoraOptions
from karat.protocols.coreference.universal_anaphora.order import MOST_WORDS, Hashed, hash_of_words, in_set_order
from karat.protocols.coreference.universal_anaphora.places import AnaphoraMark, Lay
from karat.settings import MORE, limit

MOST_PARTS = limit(1_000_000)
"""How many mentions the split antecedents of a document may have in all."""

ELEMENT_OF, ENTITY, NON_REFERRING, BRIDGING = "ElementOf", "EntityID", "non-referring", "bridging"


class Split(NamedTuple):
    """A split antecedent: the chains of its parts."""

    parts: tuple[tuple[AnaphoraMark, ...], ...]
    key: Hashable

    @classmethod
    def of(cls, parts: Sequence[Sequence[AnaphoraMark]]) -> Split:
        """Return the split antecedent of these chains, each of which counts once, in the order of the program."""
        keys = {tuple([mark.key for mark in chain]): tuple(chain) for chain in parts}
        chains = list(keys.values())
        if len(chains) > 1 and _words([chains]) <= MOST_WORDS:
            chains = in_set_order([[_hashed_chain(chain) for chain in chains]])
        return cls(tuple(chains), ("split", frozenset(keys)))

    @property
    def size(self) -> int:
        """How many mentions its parts have."""
        return sum(map(len, self.parts))

    @property
    def chains(self) -> list[list[Hashable]]:
        """The keys of the mentions of each part."""
        return [[mark.key for mark in chain] for chain in self.parts]


Member = AnaphoraMark | Split


class AnaphoraSide(NamedTuple):
    """The chains of one side with their names, what refers to nothing, and the anchors of bridging anaphors."""

    chains: list[list[Member]]
    names: list[str]
    document: Document
    pseudo: list[Hashable]
    anchors: dict[Hashable, Hashable]

    def shown(self) -> ShownSide:
        """Return the chains as they are shown."""
        items = [
            [self._item(member, name) for member in members]
            for name, members in zip(self.names, self.chains, strict=True)
        ]
        return ShownSide(self.names, items)

    def _item(self, member: Member, name: str) -> Item:
        if isinstance(member, AnaphoraMark):
            return shown(member.mention, self.document, name)
        firsts = [shown(chain[0].mention, self.document, name) for chain in member.parts]
        firsts.sort(key=lambda item: item.span)
        text = " + ".join(item.text for item in firsts)
        ends = tuple(end for item in firsts for end in item.ends)
        return Item(name, text, firsts[0].span, place=firsts[0].place, ends=ends)


class Arranging:
    """Arranges the chains of one side of a document, and counts what it leaves out in ``notes``."""

    def __init__(self, side: str, options: AnaphoraOptions, notes: Counter[Hashable]) -> None:
        self.name, self.options, self.notes = side, options, notes

    def side(self, document: Document, lay: Lay) -> AnaphoraSide:
        """Return the chains of a document as they are compared."""
        marks = {mention.id: lay(mention) for mention in document.mentions}
        entities = dict(members_of(document, marks))
        pseudo = _pseudo(document, marks)
        chains: dict[str, list[Member]] = {name: list(members) for name, members in entities.items()}
        everything = {**entities, **pseudo}
        parts = _parts(document, everything)
        if self.options.keeps_splits:
            for name, split in _splits(document, everything, parts):
                if name in chains:
                    chains[name].append(split)
        else:
            self._drop("{} split antecedent", len(parts))
        kept = self._kept(chains)
        names = list(kept)
        members = list(kept.values())
        if self.options.keeps_splits:
            names, members = self._merged(names, members)
        firsts = [chain[0].key for chain in pseudo.values()]
        return AnaphoraSide(members, names, document, firsts, _anchors(document, marks))

    def _kept(self, chains: Mapping[str, list[Member]]) -> dict[str, list[Member]]:
        """Return the chains without singletons, then without zeros, as far as these are to be removed."""
        kept = {
            name: members
            for name, members in chains.items()
            if members and (self.options.keeps_singletons or len(members) > 1)
        }
        self._drop("{} singleton", len(chains) - len(kept))
        if self.options.zeros == "keep":
            return kept
        left: dict[str, list[Member]] = {}
        for name, members in kept.items():
            words = [member for member in members if isinstance(member, Split) or not member.is_zero]
            self._drop("{} zero", len(members) - len(words))
            if words:
                left[name] = words
        self._drop("{} chain of zeros", len(kept) - len(left))
        return left

    def _merged(self, names: Sequence[str], chains: Sequence[list[Member]]) -> tuple[list[str], list[list[Member]]]:
        """Return chains as sets, those with the same split antecedent as one."""
        groups: dict[Hashable, list[list[Member]]] = {}
        first_names: dict[Hashable, str] = {}
        for name, members in zip(names, chains, strict=True):
            split = next((member for member in members if isinstance(member, Split)), None)
            label: Hashable = name if split is None else split.key
            groups.setdefault(label, []).append(members)
            first_names.setdefault(label, name)
        self._drop("{} chain with the split antecedent of another, joined to it", len(chains) - len(groups))
        order = _set_order if _words(chains) <= MOST_WORDS else _file_order
        return list(first_names.values()), [order(group) for group in groups.values()]

    def _drop(self, what: str, count: int) -> None:
        if count:
            self.notes[self.name, what] += count


def _pseudo(document: Document, marks: Mapping[str, AnaphoraMark]) -> dict[str, list[AnaphoraMark]]:
    """Return the mentions that refer to nothing, by the entity that stands for it."""
    pseudo: dict[str, list[AnaphoraMark]] = {}
    for mention in document.mentions:
        if NON_REFERRING in mention.labels:
            pseudo.setdefault(mention.attributes.get(ENTITY, mention.id), []).append(marks[mention.id])
    return pseudo


def _parts(document: Document, entities: Mapping[str, list[AnaphoraMark]]) -> dict[str, dict[str, None]]:
    """Return the entities that are elements of an entity, in the order of the mentions that say so."""
    owners = {mark.mention.id: name for name, members in entities.items() for mark in members}
    parts: dict[str, dict[str, None]] = {}
    for mention in document.mentions:
        for whole in _wholes(mention):
            if whole in entities and mention.id in owners:
                parts.setdefault(whole, {})[owners[mention.id]] = None
    return parts


def _splits(
    document: Document, entities: Mapping[str, list[AnaphoraMark]], parts: Mapping[str, Mapping[str, None]]
) -> Iterator[tuple[str, Split]]:
    """Yield the entities that have a split antecedent, with it.

    Parts may have parts themselves: these are walked breadth first, down to entities that have none, whose mentions the
    antecedent consists of.
    """
    steps = 0
    for whole in parts:
        waiting, seen = deque([whole]), {whole}
        leaves: list[list[AnaphoraMark]] = []
        while waiting:
            name = waiting.popleft()
            steps += 1
            for part in parts.get(name, ()):
                if part == whole:
                    message = f"document {document.id!r}: entity {whole!r} is an element of itself by {ELEMENT_OF}"
                    raise InputError(f"{message}; break the circle", path=document.source or None)
                if part not in seen:
                    seen.add(part)
                    waiting.append(part)
            if name not in parts:
                leaves.append(entities[name])
                steps += len(entities[name])
        if steps > MOST_PARTS:
            message = f"document {document.id!r}: split antecedents have more than {MOST_PARTS:,} mentions in all"
            raise InputError(f"{message}; leave out some of them, {MORE}", path=document.source or None)
        yield whole, Split.of(leaves)


def _wholes(mention: Mention) -> list[str]:
    named = mention.attributes.get(ELEMENT_OF)
    return named.split(",") if named else []


def _anchors(document: Document, marks: Mapping[str, AnaphoraMark]) -> dict[Hashable, Hashable]:
    """Return the place of the anchor of each bridging anaphor, by its place; the last one counts."""
    anchors: dict[str, str] = {}
    for relation in document.relations:
        ends = {argument.role: argument.target for argument in relation.arguments}
        anaphor, anchor = ends.get("anaphor"), ends.get("anchor")
        if relation.label == BRIDGING and anaphor in marks and anchor in marks:
            anchors[anaphor] = anchor  # type: ignore[index, assignment]  # both are ids of mentions
    return {marks[anaphor].key: marks[anchor].key for anaphor, anchor in anchors.items()}


def _file_order(groups: Sequence[Sequence[Member]]) -> list[Member]:
    return list({member.key: member for group in groups for member in group}.values())


def _set_order(groups: Sequence[Sequence[Member]]) -> list[Member]:
    return in_set_order([[_hashed(member) for member in group] for group in groups])


def _hashed(member: Member) -> Hashed[Member]:
    if isinstance(member, AnaphoraMark):
        return Hashed(member, member.key, hash_of_words(member.runs, member.key))
    return Hashed(member, member.key, hash(frozenset(map(_hashed_chain, member.parts))))


def _hashed_chain(chain: tuple[AnaphoraMark, ...]) -> Hashed[tuple[AnaphoraMark, ...]]:
    hashed = tuple(map(_hashed, chain))
    return Hashed(chain, tuple([mark.key for mark in chain]), hash(hashed))


def _words(chains: Iterable[Iterable[Member | tuple[AnaphoraMark, ...]]]) -> int:
    """Return how many words are looked at if all mentions are hashed, those of split antecedents included."""
    members = (member for members in chains for member in members)
    return sum(member.size if isinstance(member, AnaphoraMark) else _words(_within(member)) for member in members)


def _within(group: Split | tuple[AnaphoraMark, ...]) -> Iterable[Iterable[AnaphoraMark]]:
    return group.parts if isinstance(group, Split) else [group]
