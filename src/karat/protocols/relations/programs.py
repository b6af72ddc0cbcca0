"""Relations as well-known programs count them: what each takes for an item, as data, and what it leaves out.

============  =======================  ======================  =================================  ===================
profile       repeats                  labels of one pair      ``rel+`` asks for                  entities
============  =======================  ======================  =================================  ===================
``pure``      each counts              all                     ends that are typed right, in the  each
                                                               sentence that lists it
``spert``     once                     all                     the types of the ends              once
``dygie``     once                     the last, of the gold,  nothing: it has no such number     none
                                       too
``plmarker``  once                     the best of a pair      the types of the ends              gold once, system
                                                                                                  each
============  =======================  ======================  =================================  ===================

All compare relations within the sentence that lists them. ``plmarker`` counts symmetric relations twice, in either
direction; the relations that a system gives first are its best ones, and it drops those that overlap a better one of
the same label.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.matching.fragments import Spans, common
from karat.model import Document, Span
from karat.protocols.relations.claims import Claim, ClaimEnd, Grounds, claims_of, sentence_starts
from karat.protocols.relations.options import RelationOptions

SYMMETRIC = ("CONJUNCTION", "COMPARE", "PER-SOC")
"""The symmetric labels of PL-Marker: two of SciERC, and one of ACE."""


class Program(NamedTuple):
    """What a program counts."""

    repeats: bool = False
    labels: str = "all"
    types: str = "ends"
    entities: str = "once"
    doubles: bool = False
    stops: bool = False
    """Whether it stops where the gold has no relation, so that recall is undefined."""


PROGRAMS = {
    "pure": Program(repeats=True, types="found", entities="each"),
    "spert": Program(),
    "dygie": Program(labels="last", types="", entities=""),
    "plmarker": Program(labels="best", entities="refined", doubles=True, stops=True),
}


EndPlace = tuple[Spans, tuple[str, ...]]
"""What is the same about two ends, or mentions, of one side that are in one place: the spans, or ids without any."""


class Counted(NamedTuple):
    """A relation as a program counts it: ``key`` has to be the same for ``rel``, and ``types`` for ``rel+`` as well.

    One that is about a mention without a place equals none of the other side, whatever its key.
    """

    claim: Claim
    key: Hashable
    types: Hashable
    sentence: str
    times: int = 1

    @property
    def label(self) -> str | None:
        """What it is booked on."""
        return self.claim.label

    @property
    def name(self) -> str:
        """The label as it is shown."""
        return self.claim.name

    @property
    def hull(self) -> Span | None:
        """Where it stands."""
        return self.claim.hull

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have one of its ends."""
        return self.claim.is_invented

    @property
    def is_unplaced(self) -> bool:
        """Whether the text does not have a mention that is part of one of its ends."""
        return any(end.unplaced for end in self.claim.ends)


class CountedMention(NamedTuple):
    """A mention as a program counts it, once; ``label`` may be another type than its own, and has to be the same.

    One that the text does not have has no spans, and equals none of the other side.
    """

    label: str
    spans: Spans
    text: str
    id: str
    types: Hashable = None
    times: int = 1

    @property
    def key(self) -> Hashable:
        """What has to be the same."""
        return self.place, self.label

    @property
    def place(self) -> EndPlace:
        """Its spans, or its id if it has none, as ends of relations have it."""
        return self.spans, () if self.spans else (self.id,)

    @property
    def name(self) -> str:
        """The label as it is shown."""
        return self.label

    @property
    def hull(self) -> Span | None:
        """Where it stands, if the text has it."""
        return (self.spans[0][0], self.spans[-1][1]) if self.spans else None

    @property
    def is_invented(self) -> bool:
        """Whether the text does not have it."""
        return not self.spans

    @property
    def is_unplaced(self) -> bool:
        """Whether the text does not have it."""
        return not self.spans


class ProgramSide(NamedTuple):
    """What a program takes of one side; ``dropped`` are the relations that it leaves out."""

    relations: list[Counted]
    entities: list[CountedMention]
    dropped: int


def sides_of(gold: Grounds, system: Grounds, options: RelationOptions) -> tuple[ProgramSide, ProgramSide]:
    """Return what a program counts of either side."""
    program = PROGRAMS[options.profile]
    golds, systems = (_entities(side.document) for side in (gold, system))
    known = {entity.key for entity in golds}
    right_places = {entity.place for entity in systems if entity.spans and entity.key in known}
    if program.doubles:
        _refuse_repeats(gold, options)
    left = _side(gold, golds, right_places, options, program)
    right = _side(system, systems, right_places, options, program, is_system=True)
    if program.types == "found":
        left = left._replace(relations=[relation._replace(types=True) for relation in left.relations])
    return left, right


def _side(
    grounds: Grounds,
    entities: list[CountedMention],
    right_places: set[EndPlace],
    options: RelationOptions,
    program: Program,
    *,
    is_system: bool = False,
) -> ProgramSide:
    types = {entity.place: entity.label for entity in (entities if program.doubles else reversed(entities))}
    symmetric = set(options.symmetric or SYMMETRIC) if program.doubles else set()
    order = {relation.id: index for index, relation in enumerate(grounds.document.relations)}
    sentences = _Sentences(grounds.document)
    claims = claims_of(grounds, options.as_counted)
    claims.sort(key=lambda claim: order[claim.ids[0]])
    counted = []
    for claim in claims:
        if program.types == "ends":
            _refuse_untyped(grounds, sentences, claim, types, options, is_system=is_system)
        places = [end.place for end in claim.listed]
        turned = claim.name in symmetric and places > places[::-1]
        ends = claim.listed[::-1] if turned else claim.listed
        sentence = grounds.relations[claim.ids[0]].attributes.get("sentence", "")
        key = claim.label, sentence, tuple([(claim.name in symmetric or end.role, end.place) for end in ends])
        given: Hashable = all(end.place in right_places for end in ends) and sentences.hold(sentence, ends)
        if program.types == "ends":
            given = tuple([types.get(end.place) for end in ends])
        counted.append(Counted(claim, key, given, sentence, 2 if claim.name in symmetric else 1))
    total = len(counted)
    if program.labels == "last":
        counted = list({(relation.sentence, _ends(relation)): relation for relation in counted}.values())
    elif program.labels == "best" and is_system:
        counted = _best(counted, entities, sentences)
    if not program.repeats:
        counted = list({relation.key: relation for relation in reversed(counted)}.values())[::-1]
    dropped = total - len(counted) if program.labels == "best" and is_system else 0
    kept = _counted_entities(entities, counted, types, program, is_system=is_system)
    return ProgramSide(counted, kept, dropped)


def _ends(counted: Counted) -> tuple[EndPlace, ...]:
    return tuple([end.place for end in counted.claim.listed])


def _entities(document: Document) -> list[CountedMention]:
    """Return the mentions that have a type, one for each, in the order of the document."""
    text = document.text
    return [
        CountedMention(label, mention.spans, mention.text or surface(text, mention.spans), mention.id)
        for mention in document.mentions
        for label in mention.labels
    ]


def _counted_entities(
    entities: list[CountedMention],
    relations: Iterable[Counted],
    types: dict[EndPlace, str],
    program: Program,
    *,
    is_system: bool,
) -> list[CountedMention]:
    """Return the entities that are counted: none, each, or each once.

    Refined, a mention that is an end of a relation has the type that was seen with it.
    """
    if not program.entities:
        return []
    if program.entities == "each":
        return entities
    if program.entities == "refined" and is_system:
        ends = {end.place for relation in relations for end in relation.claim.listed}
        return [entity._replace(label=types[entity.place]) if entity.place in ends else entity for entity in entities]
    return list({entity.key: entity for entity in reversed(entities)}.values())[::-1]


def _best(counted: Sequence[Counted], entities: Sequence[CountedMention], sentences: _Sentences) -> list[Counted]:
    """Return the relations that are left: the best of each pair of entities, and none that overlaps a better one."""
    places: dict[EndPlace, int] = {}
    for entity in entities:
        places.setdefault(entity.place, len(places))
    pairs: dict[tuple[str, int, tuple[int, ...]], list[tuple[int, Counted]]] = {}
    for score, relation in zip(range(2 * len(counted), 0, -1), counted, strict=False):
        ends = _ends(relation)
        if len(ends) == 2 and ends[0] != ends[1] and all(end in places for end in ends):
            pair = tuple(sorted(places[end] for end in ends))
            pairs.setdefault((relation.sentence, sentences.number(ends[0][0]), pair), []).append((score, relation))
    chosen = []
    for (listed, sentence, pair), several in pairs.items():
        score, relation = _best_of_pair(several, places)
        chosen.append((listed, sentence, -score, pair, relation))
    kept: dict[Hashable, list[tuple[Counted, tuple[EndPlace, ...]]]] = {}
    for listed, sentence, _, _, relation in sorted(chosen, key=lambda choice: (choice[0], *choice[1:4])):
        better = kept.setdefault((listed, sentence), [])
        ends = tuple(sorted(_ends(relation), key=places.__getitem__)) if relation.times > 1 else _ends(relation)
        if not any(relation.label == other.label and _overlap(ends, taken) for other, taken in better):
            better.append((relation, ends))
    return [relation for several in kept.values() for relation, _ in several]


def _best_of_pair(several: Sequence[tuple[int, Counted]], places: dict[EndPlace, int]) -> tuple[int, Counted]:
    """Return the best relation of two entities, with the score that it is sorted by.

    The first relation of a sentence has the best score; those of both directions of a symmetric one add up, which is
    more than any other has. One that runs from a later to an earlier entity, and is not symmetric, is sorted by the
    score of its label in the other direction, which is 0 unless that is there, too.
    """
    scores: dict[Hashable, int] = {}
    for score, relation in several:
        scores.setdefault((relation.label, _ends(relation)), score)

    def total(relation: Counted) -> int:
        other = scores.get((relation.label, _ends(relation)[::-1]), 0) if relation.times > 1 else 0
        return scores[relation.label, _ends(relation)] + other

    best = max((relation for _, relation in several), key=total)
    first, second = _ends(best)
    if best.times == 1 and places[first] > places[second]:
        return scores.get((best.label, (second, first)), 0), best
    return total(best), best


class _Sentences:
    """The sentences of a document, by number from 0; without any there is one."""

    def __init__(self, document: Document) -> None:
        self._starts = sentence_starts(document)

    def number(self, spans: Spans) -> int:
        """Return the number of the sentence in which spans begin; what the text does not have is said in the last."""
        begun = bisect_right(self._starts, spans[0][0]) if spans else len(self._starts)
        return max(0, begun - 1)

    def hold(self, listed: str, ends: Sequence[ClaimEnd]) -> bool:
        """Return whether all ends begin in the sentence that lists them; nothing stands for that of the first end."""
        sentence_numbers = {str(self.number(end.spans)) for end in ends}
        return len(sentence_numbers) <= 1 and listed in ("", *sentence_numbers)


def _overlap(ends: Sequence[EndPlace], others: Sequence[EndPlace]) -> bool:
    """Return whether all ends overlap; one that the text does not have overlaps itself."""
    return all(
        common(left[0], right[0]) > 0 or (not left[0] and left == right)
        for left, right in zip(ends, others, strict=True)
    )


def _refuse_repeats(gold: Grounds, options: RelationOptions) -> None:
    """Refuse a gold that PL-Marker stops at: a relation twice, or a symmetric one in both directions or with itself."""
    symmetric = options.symmetric or SYMMETRIC
    known: set[Hashable] = set()
    for claim in claims_of(gold, options.as_counted):
        ends = [end.place for end in claim.listed]
        is_symmetric = claim.name in symmetric
        key = claim.name, tuple(sorted(ends) if is_symmetric else ends)
        if key in known or (is_symmetric and len(ends) > len(set(ends))):
            fault = "of the same ends twice" if key in known else f"of {claim.listed[0].text!r} with itself"
            message = f"document {gold.document.id!r}: the gold has the relation {claim.name} {fault}"
            advice = "remove one" if key in known else "remove it"
            raise InputError(f"{message}, at which PL-Marker stops; {advice}", path=gold.document.source or None)
        known.add(key)


def _refuse_untyped(
    grounds: Grounds,
    sentences: _Sentences,
    claim: Claim,
    types: dict[EndPlace, str],
    options: RelationOptions,
    *,
    is_system: bool,
) -> None:
    """Refuse a relation whose end is no entity of its sentence.

    SpERT has none such, and PL-Marker stops at one of the gold.
    """
    if is_system and options.profile == "plmarker":
        return
    document = grounds.document
    first = claim.listed[0].spans if claim.listed else ()
    listed = grounds.relations[claim.ids[0]].attributes.get("sentence") or str(sentences.number(first))
    for end in claim.listed:
        if end.place not in types or str(sentences.number(end.spans)) != listed:
            what = f"document {document.id!r}: relation {claim.ids[0]!r} has the end {end.text!r}, which is no entity"
            advice = f"with a type in its sentence; {options.profile} knows no other ends, --profile corrected does"
            raise InputError(f"{what} {advice}", path=document.source or None)
