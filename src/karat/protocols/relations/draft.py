"""From two documents to a page: the claims of both sides, and notes on them from which remarks are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from karat.errors import many
from karat.evaluation.pairing import check_texts
from karat.evaluation.protocol import Lack, Sheet
from karat.model import Document
from karat.protocols.relations.claims import Grounds, MentionPlaces, claims_of, entities_of
from karat.protocols.relations.counted import ProgramPage
from karat.protocols.relations.judge import Page
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.programs import PROGRAMS, Counted, CountedMention, sides_of


class Claimed(NamedTuple):
    """The note that a side has a claim."""

    side: str
    name: str
    roles: tuple[str, ...]


DROPPED = "a relation that a program leaves out"
"""The note on one."""


class Repeated(NamedTuple):
    """The note that a side has a relation that says the same as another one."""

    side: str


def draft(gold: Document, system: Document, known: Any, options: RelationOptions) -> Iterator[Sheet]:
    """Yield the page of a document with the claims of both sides."""
    del known
    check_texts(gold, system)
    grounds = Grounds(gold), Grounds(system)
    if options.profile != "corrected":
        yield _as_counted(*grounds, options)
        return
    claims = [claims_of(side, options, known) for side, known in zip(grounds, entities_of(*grounds), strict=True)]
    places = [MentionPlaces(span for ground in side.mentions.values() for span in ground.spans) for side in grounds]
    page = Page(claims[0], claims[1], options.duplicates == "once", places[0], places[1], (gold.source, system.source))
    notes: list[Hashable] = []
    for side, several in zip(("gold", "system"), claims, strict=True):
        notes += [Claimed(side, claim.name, claim.roles) for claim in several]
        notes += [Repeated(side)] * sum(len(claim.ids) - 1 for claim in several)
    yield Sheet(gold.id, (page,), notes)


def _as_counted(gold: Grounds, system: Grounds, options: RelationOptions) -> Sheet:
    program = PROGRAMS[options.profile]
    sides = sides_of(gold, system, options)
    items: list[list[Counted | CountedMention]] = [[*side.relations, *side.entities] for side in sides]
    sources = gold.document.source, system.document.source
    page = ProgramPage(items[0], items[1], bool(program.types), sources)
    notes: list[Hashable] = [DROPPED] * sides[1].dropped
    for name, side in zip(("gold", "system"), sides, strict=True):
        notes += [Claimed(name, relation.name, relation.claim.roles) for relation in side.relations]
    return Sheet(gold.document.id, (page,), notes)


def remarks(notes: Counter[Hashable], known: Any, options: RelationOptions) -> Iterator[str]:
    """Yield what a user should know before believing the numbers: sides that do not speak the same language."""
    del known
    claims: dict[str, Counter[Claimed]] = {"gold": Counter(), "system": Counter()}
    for note, times in notes.items():
        if isinstance(note, Claimed):
            claims[note.side][note] = times
    for side, several in claims.items():
        if not several:
            yield Lack(side, "relations")
        if repeated := notes[Repeated(side)]:
            total = several.total() + repeated
            yield f"left out {repeated} of {total} {side} relations, which say the same as another one"
    if dropped := notes[DROPPED]:
        yield f"left out {many(dropped, 'system relation')}, as PL-Marker does before it counts"
    labels = {note.name for several in claims.values() for note in several}
    absent = [label for label in options.symmetric if label not in labels]
    if absent:
        yield f"no relation has a label that --symmetric names: {_some(absent)}"
    if all(claims.values()):
        yield from _labels(claims, options)
        yield from _roles(claims, options)


def _labels(claims: Mapping[str, Counter[Claimed]], options: RelationOptions) -> Iterator[str]:
    known = {note.name for note in claims["gold"]}
    unknown = {note: times for note, times in claims["system"].items() if note.name not in known}
    if unknown and options.labels == "compare":
        share = f"{sum(unknown.values())} of {claims['system'].total()}"
        names = sorted({note.name for note in unknown})
        yield f"the gold never uses the labels of {share} system relations: {_some(names)}"


def _roles(claims: Mapping[str, Counter[Claimed]], options: RelationOptions) -> Iterator[str]:
    expected, used = ({role for note in side for role in note.roles if role} for side in claims.values())
    if expected and used and not expected & used and options.roles == "names":
        names = f"{_some(sorted(used))} instead of {_some(sorted(expected))}"
        yield f"the system uses none of the gold's roles ({names}); to compare by position say --roles positions"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
