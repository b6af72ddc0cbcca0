"""What is judged: facts, each a relation between two entities, and the sentences that are given as evidence of them.

The entities of a fact are those of the gold, whichever mentions of them a system names. So their names, and the
sentences that they stand in, are those of the gold, too, unless the gold lacks an entity.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from karat.annotations.faults import surface
from karat.io.tables import table_of
from karat.model import Document, Mention
from karat.protocols.docred import EVIDENCE, FACTS, FREQUENT, INTER, INTRA, LONG_TAIL, TRAINING
from karat.protocols.docred.options import DocredOptions
from karat.protocols.relations.claims import (
    Claim,
    ClaimEnd,
    EntityPlaces,
    Grounds,
    Identity,
    claims_of,
    sentence_starts,
)


class RelationFact(NamedTuple):
    """A relation between two entities, once: ``key`` is what has to be the same about two of them.

    It is None if the text does not have one of the entities.

    ``regimes`` are those in which it is judged, ``seen`` those of them that leave it out if it is right, because its
    names are a fact of the training data. ``evidence`` are the sentences given for it; ``repeated`` those that are
    given again, which the program counts and never finds.
    """

    label: str
    claim: Claim
    key: Hashable
    regimes: tuple[str, ...]
    seen: tuple[str, ...]
    evidence: tuple[str, ...]
    repeated: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[Identity, ...]:
        """The entities that it joins, head and tail."""
        return tuple([end.entity for end in self.claim.listed])

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have one of its ends."""
        return self.claim.is_invented


class EvidenceSentence(NamedTuple):
    """A sentence that is evidence of a fact; one that ``is_repeated`` cannot be found."""

    label: str
    fact: RelationFact
    number: str
    is_repeated: bool = False

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have it: nobody looks."""
        return False


class KnownEntity(NamedTuple):
    """What is known of an entity: its names, and the sentences that it stands in."""

    names: set[str]
    sentences: set[int]


class Directory:
    """The entities of a document, each by what it is known by."""

    def __init__(self, document: Document, entities: EntityPlaces, grounds: Grounds) -> None:
        self.document = document
        self._starts = sentence_starts(document)
        mentions = {mention.id: mention for mention in document.mentions}
        self._known = {
            entities.chains[chain.id]: self._of([mentions[name] for name in chain.mentions if name in mentions])
            for chain in document.chains
            if chain.id in entities.chains
        }
        others: dict[Identity, list[Mention]] = {}
        for mention in document.mentions:
            known_by = grounds.mentions[mention.id].known_by
            entity = entities.places.get(known_by, known_by)
            if entity not in self._known:
                others.setdefault(entity, []).append(mention)
        self._known |= {entity: self._of(several) for entity, several in others.items()}

    @property
    def has_sentences(self) -> bool:
        """Whether it is known where sentences begin."""
        return bool(self._starts)

    def _of(self, mentions: Iterable[Mention]) -> KnownEntity:
        known = KnownEntity(set(), set())
        for mention in mentions:
            shown = mention.attributes.get("name") or mention.text
            known.names.add(shown or surface(self.document.text, mention.spans))
            # What the text does not have is said in its last sentence.
            known.sentences.add(bisect_right(self._starts, mention.start) if mention.spans else len(self._starts))
        return known

    def get(self, end: ClaimEnd) -> KnownEntity | None:
        """Return what is known of the entity at an end of a relation."""
        return self._known.get(end.entity)


def facts_of(
    grounds: Grounds, entities: EntityPlaces, directories: Sequence[Directory], options: DocredOptions, *, is_gold: bool
) -> list[RelationFact]:
    """Return the facts of a side, each once, in the order of the text.

    What is known of entities is asked of the gold first. As published, of facts that are given again the first of a
    system stays, and of the gold the last one, while the evidence of all is counted; corrected, their evidence is one.
    """
    said: dict[Hashable, list[Claim]] = {}
    order = {relation.id: index for index, relation in enumerate(grounds.document.relations)}
    for claim in claims_of(grounds, options.relations, entities):
        said.setdefault(claim.fact, []).append(claim)
    facts = []
    of_training = _training(options)
    joins_evidence = options.mends("repeated-gold-evidence")
    leaves_seen_out = options.mends("seen-facts-stay-in-recall")
    for claims in said.values():
        claims.sort(key=lambda claim: order[claim.ids[0]])
        lists = [_evidence(grounds, claim) for claim in claims]
        repeated: list[str] = []
        if joins_evidence:
            evidence = dict.fromkeys(sentence for several in lists for sentence in several)
        elif is_gold:
            evidence = dict.fromkeys(lists[-1])
            repeated = [sentence for several in lists for sentence in several]
            for sentence in evidence:
                repeated.remove(sentence)
        else:
            evidence = dict.fromkeys(lists[0])
        first = claims[0]._replace(ids=tuple(name for claim in claims for name in claim.ids))
        ends = [_known(end, directories, is_gold=is_gold) for end in first.listed] if first.is_binary else []
        seen = _seen(first, ends, options)
        regimes = (FACTS, *of_training, *_parts(first, ends, directories))
        if leaves_seen_out:
            regimes, seen = tuple(regime for regime in regimes if regime not in seen), ()
        facts.append(
            RelationFact(first.name, first, first.keys.entity, regimes, seen, tuple(evidence), tuple(repeated))
        )
    return facts


def _evidence(grounds: Grounds, claim: Claim) -> list[str]:
    given = grounds.relations[claim.ids[0]].attributes.get(EVIDENCE, "")
    return [sentence for part in given.split(",") if (sentence := part.strip())]


def _known(end: ClaimEnd, directories: Sequence[Directory], *, is_gold: bool) -> KnownEntity | None:
    if isinstance(end.entity, str):  # an id, which says nothing on the other side
        return directories[0 if is_gold else 1].get(end)
    return next((known for directory in directories if (known := directory.get(end)) is not None), None)


def _training(options: DocredOptions) -> list[str]:
    """Return the regimes that leave out facts of training data that are given."""
    return [regime for regime, option in TRAINING.items() if getattr(options, option)]


def _seen(claim: Claim, ends: Sequence[KnownEntity | None], options: DocredOptions) -> tuple[str, ...]:
    """Return the regimes whose training data have a fact with the names of this one."""
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return ()
    head, tail = ends[0].names, ends[1].names
    return tuple(regime for regime, option in TRAINING.items() if getattr(options, option).have(claim.name, head, tail))


def _parts(claim: Claim, ends: Sequence[KnownEntity | None], directories: Sequence[Directory]) -> list[str]:
    parts = []
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None and directories[0].has_sentences:
        parts.append(INTRA if ends[0].sentences & ends[1].sentences else INTER)
    kind = kind_of(claim.name)
    return [*parts, kind] if kind in (FREQUENT, LONG_TAIL) else parts


def kind_of(label: str) -> str:
    """Return whether a relation is one of the ten frequent ones, or another one of DocRED; nothing if it is neither.

    >>> kind_of("P17"), kind_of("P569"), kind_of("P9999")
    ('frequent', 'long-tail', '')
    """
    return _kinds().get(label, "")


@cache
def _kinds() -> dict[str, str]:
    return {
        label: kind for kind, labels in table_of("karat.protocols.docred", "relations.toml").items() for label in labels
    }
