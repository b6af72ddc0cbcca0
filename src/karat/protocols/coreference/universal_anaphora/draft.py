"""Drafts the sheet of a document pair: the chains of both sides, as the published program prepares them.

An entity whose members name another entity with ``ElementOf`` is a part of that one's split antecedent. A split
antecedent is the set of the chains of all its parts, down to those that have no parts themselves, and a further member
of its own chain. Two split antecedents are the same if they are of the same chains; their chains are one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.evaluation.ledger import Item
from karat.evaluation.pairing import Missing
from karat.evaluation.protocol import Demands, Sheet
from karat.model import Document
from karat.protocols.coreference.clusterings import ShownSide, members_of, shown
from karat.protocols.coreference.corefud.draft import lacks, left_out_by_side
from karat.protocols.coreference.universal_anaphora.marks import AnaphoraMark, Hashed, Lay, in_set_order, laid
from karat.settings import MORE, choice, limit, shared_option


@dataclass(frozen=True)
class AnaphoraOptions:
    """Options of Universal Anaphora: the switches of the published program, and how missing documents count."""

    singletons: str = choice(
        ("remove", "keep"),
        "chains of one mention: removed from both sides before anything is compared, or kept",
        always=True,
    )
    split_antecedents: str = choice(
        ("remove", "keep", "only"),
        "antecedents of several entities: removed, kept as a further member of their chain, or the only thing that is "
        "scored; where they count, singletons are kept",
        always=True,
    )
    zeros: str = choice(
        ("remove", "keep"), "mentions on empty nodes: removed from their chains, or kept and matched by their position"
    )
    match: str = choice(
        ("exact", "partial", "craft"),
        "which mentions are the same beside those with the same words: none (exact), mentions inside of another one "
        "that cover its Min (partial), or system mentions with a part inside of a gold mention's first part (craft)",
        always=True,
    )
    evaluate: str = choice(
        ("identity", "discourse-deixis"),
        "what is scored: the column of identity, or that of discourse deixis, with singletons and split antecedents",
    )
    missing: Missing = shared_option("missing")

    @property
    def keeps_splits(self) -> bool:
        """Whether split antecedents count."""
        return self.split_antecedents != "remove" or self.evaluate == "discourse-deixis"

    @property
    def keeps_singletons(self) -> bool:
        """Whether chains of one mention count; parts of split antecedents may be such."""
        return self.singletons == "keep" or self.keeps_splits

    @property
    def only_splits(self) -> bool:
        """Whether nothing but split antecedents is scored."""
        return self.split_antecedents == "only" and self.evaluate == "identity"


MOST_PARTS = limit(1_000_000)
"""How many mentions the split antecedents of a document may have in all."""
MOST_WORDS = 1_000_000
"""Up to how many words the mentions of a document may cover to be put into the order of a set, as in the program;
beyond, theirs is that of the file."""

_DEIXIS = "DISCOURSE_DEIXIS"
_UNSCORED = "unscored"
FORMAT = "universal-anaphora"
ELEMENT_OF, ENTITY, NON_REFERRING, BRIDGING = "ElementOf", "EntityID", "non-referring", "bridging"


class Split(NamedTuple):
    """A split antecedent: the chains of its parts."""

    parts: tuple[tuple[AnaphoraMark, ...], ...]
    key: Hashable

    @classmethod
    def of(cls, parts: Sequence[Sequence[AnaphoraMark]]) -> Split:
        """Return the split antecedent of these chains, each of which counts once, in the order of the program."""
        keys = {tuple([mark.key for mark in chain]): tuple(chain) for chain in parts}
        split = cls(tuple(keys.values()), ("split", frozenset(keys)))
        if len(keys) > 1 and split.words <= MOST_WORDS:
            return split._replace(parts=tuple(in_set_order(map(_hashed_chain, split.parts))))
        return split

    @property
    def size(self) -> int:
        """How many mentions its parts have."""
        return sum(map(len, self.parts))

    @property
    def words(self) -> int:
        """How many words these have."""
        return sum(mark.size for chain in self.parts for mark in chain)

    @property
    def chains(self) -> list[list[Hashable]]:
        """The keys of the mentions of each part."""
        return [[mark.key for mark in chain] for chain in self.parts]


ChainMember = AnaphoraMark | Split


class AnaphoraSide(NamedTuple):
    """The chains of one side with their names, what refers to nothing, and the anchors of bridging anaphors."""

    chains: list[list[ChainMember]]
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

    def _item(self, member: ChainMember, name: str) -> Item:
        if isinstance(member, AnaphoraMark):
            return shown(member.mention, self.document, name)
        firsts = [shown(chain[0].mention, self.document, name) for chain in member.parts]
        firsts.sort(key=lambda item: item.span or ())
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
        chains: dict[str, list[ChainMember]] = {name: list(members) for name, members in entities.items()}
        everything = {**entities, **pseudo}
        parts = _parts(document, everything)
        if self.options.keeps_splits:
            for name, split in _splits(document, everything, parts):
                if name in chains:
                    chains[name].append(split)
        else:
            self.notes[self.name, "{} split antecedent"] += len(parts)
        kept = self._kept(chains)
        if self.options.keeps_splits:
            kept = self._merged(kept)
        firsts = [chain[0].key for chain in pseudo.values()]
        return AnaphoraSide(list(kept.values()), list(kept), document, firsts, _anchors(document, marks))

    def _kept(self, chains: Mapping[str, list[ChainMember]]) -> dict[str, list[ChainMember]]:
        """Return the chains without singletons, then without zeros, as far as these are to be removed."""
        kept = {
            name: members
            for name, members in chains.items()
            if members and (self.options.keeps_singletons or len(members) > 1)
        }
        self.notes[self.name, "{} singleton"] += len(chains) - len(kept)
        if self.options.zeros == "keep":
            return kept
        left: dict[str, list[ChainMember]] = {}
        for name, members in kept.items():
            words = [member for member in members if isinstance(member, Split) or not member.is_zero]
            self.notes[self.name, "{} zero"] += len(members) - len(words)
            if words:
                left[name] = words
        self.notes[self.name, "{} chain of zeros"] += len(kept) - len(left)
        return left

    def _merged(self, chains: Mapping[str, list[ChainMember]]) -> dict[str, list[ChainMember]]:
        """Return chains as sets, those with the same split antecedent as one, by the name of the first."""
        groups: dict[Hashable, tuple[str, list[ChainMember]]] = {}
        for name, chain in chains.items():
            split = next((member for member in chain if isinstance(member, Split)), None)
            groups.setdefault(name if split is None else split.key, (name, []))[1].extend(chain)
        what = "{} chain with the split antecedent of another, joined to it"
        self.notes[self.name, what] += len(chains) - len(groups)
        members = (member for _, group in groups.values() for member in group)
        words = sum(member.words if isinstance(member, Split) else member.size for member in members)
        if words > MOST_WORDS:
            return {name: list({member.key: member for member in group}.values()) for name, group in groups.values()}
        return {name: in_set_order(map(_hashed, group)) for name, group in groups.values()}


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
        wholes = mention.attributes.get(ELEMENT_OF)
        for whole in wholes.split(",") if wholes else ():
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


def _anchors(document: Document, marks: Mapping[str, AnaphoraMark]) -> dict[Hashable, Hashable]:
    """Return the place of the anchor of each bridging anaphor, by its place; the last one counts."""
    anchors: dict[str, str] = {}
    for relation in document.relations:
        ends = {argument.role: argument.target for argument in relation.arguments}
        anaphor, anchor = ends.get("anaphor"), ends.get("anchor")
        if relation.label == BRIDGING and anaphor in marks and anchor in marks:
            anchors[anaphor] = anchor  # type: ignore[index, assignment]  # both are ids of mentions
    return {marks[anaphor].key: marks[anchor].key for anaphor, anchor in anchors.items()}


def _hashed(member: ChainMember) -> Hashed[ChainMember]:
    if isinstance(member, AnaphoraMark):
        return member.hashed
    return Hashed(member, member.key, hash(frozenset(map(_hashed_chain, member.parts))))


def _hashed_chain(chain: tuple[AnaphoraMark, ...]) -> Hashed[tuple[AnaphoraMark, ...]]:
    return Hashed(chain, tuple([mark.key for mark in chain]), hash(tuple([mark.hashed for mark in chain])))


class AnaphoraPage(NamedTuple):
    """The chains of a document as they are compared, by which rule mentions match, and whether only splits count."""

    gold: AnaphoraSide
    system: AnaphoraSide
    match: str
    only_splits: bool

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return both sides as they are shown."""
        return self.gold.shown(), self.system.shown()


def demands(options: AnaphoraOptions) -> Demands:
    """Return which column of a file is read."""
    return Demands(options={FORMAT: {"column": options.evaluate}})


def draft(gold: Document, system: Document, known: object, options: AnaphoraOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with what was left out of it."""
    del known
    lays = laid(gold, gold if lacks(gold, system) else system)
    notes: Counter[Hashable] = Counter()
    golds, systems = (
        Arranging(name, options, notes).side(document, lay)
        for name, document, lay in zip(("gold", "system"), (gold, system), lays, strict=True)
    )
    columns = gold.table.columns if gold.table is not None else {}
    if options.evaluate == "identity" and any(cell != "_" for cell in columns.get(_DEIXIS, ())):
        notes[_UNSCORED, _DEIXIS] = 1
    yield Sheet(gold.id, AnaphoraPage(golds, systems, options.match, options.only_splits), +notes)


def remarks(notes: Counter[Any], known: object, options: AnaphoraOptions) -> Iterator[str]:
    """Yield what was left out of the gold, then of the system, and what else the gold has."""
    if options.keeps_splits and options.singletons == "remove":
        yield "singletons are kept, because split antecedents may have them as parts"
    yield from left_out_by_side(notes, known)
    if notes[_UNSCORED, _DEIXIS]:
        yield "the gold has discourse deixis, which is not scored; --evaluate discourse-deixis does it"
