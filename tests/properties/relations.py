"""Gold and system documents with relations, events and chains."""

from __future__ import annotations

import re

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


@st.composite
def relation_pairs(draw: st.DrawFn) -> tuple[list[Document], list[Document]]:
    """Draw gold documents, and for each what a system with a few errors makes of it; the gold has a relation.

    The mentions are single words, or fragments near the beginning that overlap a lot.
    """
    places = draw(st.sampled_from([_words, _fragments]))
    gold: list[Document] = []
    system: list[Document] = []
    for number in range(draw(st.integers(1, 3))):
        document = draw(_documents(f"d{number}", places(), required=number == 0))
        gold.append(document)
        system.append(draw(_edited(document, places()) | _documents(document.id, places())))
    return gold, system


def _words() -> st.SearchStrategy[list[tuple[Span, ...]]]:
    return st.permutations([(word,) for word in WORDS])


def _fragments() -> st.SearchStrategy[list[tuple[Span, ...]]]:
    cuts = st.lists(st.integers(0, 12), min_size=2, max_size=4, unique=True).map(sorted)
    return st.lists(cuts.map(lambda at: tuple(zip(at[0::2], at[1::2], strict=False))), min_size=5, max_size=5)


@st.composite
def _documents(
    draw: st.DrawFn, name: str, places: st.SearchStrategy[list[tuple[Span, ...]]], *, required: bool = False
) -> Document:
    ids = [f"T{number}" for number in range(1, draw(st.integers(2, 5)) + 1)]
    spans = draw(places)
    mentions = [Mention(one, at, (draw(st.sampled_from(TYPES)),)) for one, at in zip(ids, spans, strict=False)]
    relations = draw(st.lists(_relations(ids), min_size=int(required), max_size=5))
    relations = [msgspec.structs.replace(one, id=f"R{number}") for number, one in enumerate(relations, 1)]
    chains = draw(st.lists(st.lists(st.sampled_from(ids), min_size=2, max_size=3, unique=True), max_size=2))
    return Document(
        name, TEXT, mentions, [Chain(f"*{at}", tuple(members)) for at, members in enumerate(chains, 1)], relations
    )


@st.composite
def _relations(draw: st.DrawFn, ids: list[str]) -> Relation:
    label, kind = draw(st.sampled_from(LABELS)), draw(st.integers(0, 9))
    targets = st.sampled_from([*ids, "R1"] if kind == 9 else ids)
    if kind < 7:
        return Relation("", label, tuple(Argument(role, draw(targets)) for role in ROLES))
    ends = draw(st.lists(st.builds(Argument, st.sampled_from(["Theme", "Cause"]), targets), max_size=3))
    return Relation("", label, tuple(ends), draw(st.sampled_from(ids)) if kind == 8 else None)


@st.composite
def _edited(draw: st.DrawFn, document: Document, places: st.SearchStrategy[list[tuple[Span, ...]]]) -> Document:
    """Draw the document with some mentions moved or retyped, and relations relabelled, reversed, dropped, repeated."""
    mentions = []
    taken = {mention.spans for mention in document.mentions}
    free = [spans for spans in draw(places) if spans not in taken]
    for mention in document.mentions:
        edit = draw(st.integers(0, 7))
        if edit == 0 and free:
            mention = msgspec.structs.replace(mention, spans=free.pop())
        elif edit == 1:
            mention = msgspec.structs.replace(mention, labels=(draw(st.sampled_from(TYPES)),))
        mentions.append(mention)
    relations = []
    for relation in document.relations:
        edit = draw(st.integers(0, 9))
        if edit == 0:
            relation = msgspec.structs.replace(relation, label=draw(st.sampled_from(LABELS)))
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
