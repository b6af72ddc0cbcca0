"""Gold and system documents with relations, events and chains."""

from __future__ import annotations

import re
from functools import cache

import msgspec
from hypothesis import strategies as st

from karat.model import Argument, Chain, Document, Mention, Relation, Span

TEXT = "Ada and Bob of Bern met Cleo at the old mill by the Aare"
LABELS = ("knows", "near", "part_of")
TYPES = ("PER", "LOC")
ROLES = ("Arg1", "Arg2")

WORDS = tuple((match.start(), match.end()) for match in re.finditer(r"\w+", TEXT))

_BERN = {"id": "T1", "spans": [[0, 4]], "labels": ["LOC"]}
_IS = {"id": "R1", "label": "is", "arguments": [{"role": "Arg1", "target": "T1"}, {"role": "Arg2", "target": "T1"}]}
_DOCUMENT = {"text": "Bern ist", "mentions": [_BERN]}
RELATIONS_HALF_FOUND = tuple(
    [{"id": str(number), **_DOCUMENT, "relations": [_IS] * (number % 2 or side == "gold")} for number in range(6)]
    for side in ("gold", "system")
)
"""Six gold documents with a relation each, and a system that finds half of them."""


_A_FEW, _SIZES, _DICE = st.integers(1, 3), st.integers(2, 5), st.integers(0, 9)
_LABELS, _TYPES, _EVENT_ROLES = st.sampled_from(LABELS), st.sampled_from(TYPES), st.sampled_from(["Theme", "Cause"])
_YES_OR_NO = st.booleans()
_SINGLE_WORDS = st.permutations([(word,) for word in WORDS])
_CUTS = st.lists(st.integers(0, 12), min_size=2, max_size=4, unique=True).map(sorted)
_FRAGMENTS = st.lists(_CUTS.map(lambda at: tuple(zip(at[0::2], at[1::2], strict=False))), min_size=5, max_size=5)
Places = st.SearchStrategy[list[tuple[Span, ...]]]


@st.composite
def relation_pairs(draw: st.DrawFn) -> tuple[list[Document], list[Document]]:
    """Draw gold documents, and for each what a system with a few errors makes of it; the gold has a relation.

    The mentions are single words, or fragments near the beginning that overlap a lot.
    """
    places: Places = _SINGLE_WORDS if draw(_YES_OR_NO) else _FRAGMENTS
    gold: list[Document] = []
    system: list[Document] = []
    for number in range(draw(_A_FEW)):
        document = _document(draw, f"d{number}", places, least=1 if number == 0 else 0)
        gold.append(document)
        other = _edited(draw, document, places) if draw(_YES_OR_NO) else _document(draw, document.id, places)
        system.append(other)
    return gold, system


def _document(draw: st.DrawFn, name: str, places: Places, least: int = 0) -> Document:
    ids = tuple(f"T{number}" for number in range(1, draw(_SIZES) + 1))
    mentions = [Mention(one, at, (draw(_TYPES),)) for one, at in zip(ids, draw(places), strict=False)]
    relations = draw(_relation_lists(ids, least))
    relations = [msgspec.structs.replace(relation, id=f"R{number}") for number, relation in enumerate(relations, 1)]
    chains = [Chain(f"*{at}", tuple(members)) for at, members in enumerate(draw(_chain_lists(ids)), 1)]
    return Document(name, TEXT, mentions, chains, relations)


@cache
def _relation_lists(ids: tuple[str, ...], least: int) -> st.SearchStrategy[list[Relation]]:
    """Draw relations: made once for the ids of a document, since making a strategy takes longer than drawing."""
    return st.lists(_relations(ids), min_size=least, max_size=5)


@cache
def _chain_lists(ids: tuple[str, ...]) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(st.sampled_from(ids), min_size=2, max_size=3, unique=True), max_size=2)


def _relations(ids: tuple[str, ...]) -> st.SearchStrategy[Relation]:
    """Draw pairs of mentions, and now and then an event, or a relation of any size with or to another."""
    inside, beyond = st.sampled_from(ids), st.sampled_from((*ids, "R1"))
    pairs = st.tuples(inside, inside).map(lambda ends: tuple(map(Argument, ROLES, ends)))
    of_any_size, to_others = (
        st.lists(st.builds(Argument, _EVENT_ROLES, targets), max_size=3).map(tuple) for targets in (inside, beyond)
    )
    kinds = [pairs] * 7 + [of_any_size, to_others]
    events = st.builds(Relation, st.just(""), _LABELS, of_any_size, inside)
    return st.one_of(*(st.builds(Relation, st.just(""), _LABELS, ends) for ends in kinds), events)


def _edited(draw: st.DrawFn, document: Document, places: Places) -> Document:
    """Draw the document with some mentions moved or retyped, and relations relabelled, reversed, dropped, repeated."""
    mentions = []
    taken = {mention.spans for mention in document.mentions}
    free = [spans for spans in draw(places) if spans not in taken]
    for mention in document.mentions:
        edit = draw(_DICE)
        if edit == 0 and free:
            mention = msgspec.structs.replace(mention, spans=free.pop())
        elif edit == 1:
            mention = msgspec.structs.replace(mention, labels=(draw(_TYPES),))
        mentions.append(mention)
    relations = []
    for relation in document.relations:
        edit = draw(_DICE)
        if edit == 0:
            relation = msgspec.structs.replace(relation, label=draw(_LABELS))
        elif edit == 1:
            ends = [
                Argument(end.role, other.target)
                for end, other in zip(relation.arguments, relation.arguments[::-1], strict=True)
            ]
            relation = msgspec.structs.replace(relation, arguments=tuple(ends))
        elif edit == 2:
            relations.append(msgspec.structs.replace(relation, id=f"{relation.id}x"))
        elif edit == 3 and relation.id != "R1":
            continue
        relations.append(relation)
    return msgspec.structs.replace(document, mentions=mentions, relations=relations)
