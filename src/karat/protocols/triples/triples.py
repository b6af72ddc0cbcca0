"""The triples of a document, each once, in whichever spellings it occurs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from karat.annotations.faults import surface
from karat.annotations.shared_values import on_first_mentions
from karat.matching.fragments import Spans, joined
from karat.model import Document, Mention
from karat.protocols.relations.claims import dangling
from karat.protocols.triples.places import Meant
from karat.vocabularies.normal_forms import normal_name, normal_phrase
from karat.vocabularies.predicates import Meaning, Predicates

Wording = tuple[str, str, str]
"""Head, relation and tail as they were written."""
Words = tuple[str, ...]

_PIECE = re.compile(r"\w+|[^\w\s]")


class TripleEnd(NamedTuple):
    """The head or tail of a triple: a phrase and, if its places can be compared, where it stands and what it means.

    ``phrase`` is what is the same under the normalised regime, ``words`` are what is compared in part. ``entities`` are
    the places by which the things are known that it is a mention of, ``near`` those of the gold with which it agrees in
    part.
    """

    phrase: str
    words: Words
    text: str
    spans: Spans = ()
    entities: frozenset[Spans] = frozenset()
    near: frozenset[Spans] = frozenset()


class Triple(NamedTuple):
    """A triple as it is judged: ``name`` is its normal name, ``label`` what it is booked on.

    ``canonical`` is what the table calls the predicate, empty if it lacks it, and ``is_inverse`` says that head and
    tail are exchanged there. ``wordings`` are the spellings in which it was said, sorted, and ``ids`` the relations
    that say so.
    """

    head: TripleEnd
    name: str
    tail: TripleEnd
    label: str
    canonical: str
    is_inverse: bool
    words: Words
    wordings: tuple[Wording, ...]
    ids: tuple[str, ...]

    @property
    def key(self) -> Wording:
        """What is the same under the normalised regime."""
        return self.head.phrase, self.name, self.tail.phrase

    @property
    def ends(self) -> tuple[str, str]:
        """Head and tail in normal spelling."""
        return self.head.phrase, self.tail.phrase

    def has_same_relation(self, other: Triple) -> bool:
        """Return whether the relation is the same by its name or by the table."""
        return self.name == other.name or (bool(self.canonical) and self.canonical == other.canonical)

    @property
    def turned(self) -> tuple[TripleEnd, TripleEnd]:
        """Head and tail of the canonical predicate."""
        return (self.tail, self.head) if self.is_inverse else (self.head, self.tail)


class Extracted(NamedTuple):
    """The triples of a document in order, and the number of relations that are no triples."""

    triples: list[Triple]
    others: int


def triples_of(document: Document, table: Predicates, meant: Mapping[str, Meant]) -> Extracted:
    """Return the triples of a document, in an order that does not depend on how they are listed.

    ``meant`` says of the mentions whose places can be compared, by their ids, what they mean.
    """
    document = on_first_mentions(document)
    mentions = {mention.id: mention for mention in document.mentions}
    relations = {relation.id for relation in document.relations}
    ends: dict[str, TripleEnd] = {}
    sayings: dict[Wording, list[tuple[Wording, TripleEnd, TripleEnd, str]]] = {}
    left_out = 0
    for relation in document.relations:
        targets = [argument.target for argument in relation.arguments]
        for target in targets:
            if target in ends:
                continue
            if target in mentions:
                ends[target] = _end(mentions[target], document.text, meant.get(target))
            elif target not in relations:
                raise dangling(document, f"relation {relation.id!r}", target)
        if len(targets) != 2 or relation.trigger is not None or not all(target in ends for target in targets):
            left_out += 1
            continue
        head, tail = ends[targets[0]], ends[targets[1]]
        name = normal_name(relation.label)
        wording = head.text, relation.label, tail.text
        sayings.setdefault((head.phrase, name, tail.phrase), []).append((wording, head, tail, relation.id))
    merged = [_merged(key[1], several, table) for key, several in sayings.items()]
    merged.sort(key=lambda triple: (triple.head.spans, triple.tail.spans, triple.key))
    return Extracted(merged, left_out)


def _end(mention: Mention, text: str, meant: Meant | None) -> TripleEnd:
    shown = mention.attributes.get("given") or mention.text or surface(text, mention.spans)
    phrase = normal_phrase(shown)
    words = tuple(normal_phrase(phrase).split())
    if meant is None:
        return TripleEnd(phrase, words, shown)
    return TripleEnd(phrase, words, shown, meant.place, frozenset({meant.entity}), frozenset({meant.near}))


def _merged(name: str, several: list[tuple[Wording, TripleEnd, TripleEnd, str]], table: Predicates) -> Triple:
    """Make one triple of those that say the same; its ends stand wherever one of theirs does."""
    meaning = table.meaning(name) or Meaning("")
    words = tuple(normal_phrase(name).split())
    named = meaning.canonical or name, meaning.canonical, meaning.is_inverse
    if len(several) == 1:
        wording, head, tail, relation = several[0]
        return Triple(head, name, tail, *named, words, (wording,), (relation,))
    wordings = tuple(sorted({wording for wording, _, _, _ in several}))
    heads, tails = [head for _, head, _, _ in several], [tail for _, _, tail, _ in several]
    ids = tuple(sorted(relation for _, _, _, relation in several))
    return Triple(_union(heads), name, _union(tails), *named, words, wordings, ids)


def _union(ends: list[TripleEnd]) -> TripleEnd:
    spans = [span for end in ends for span in end.spans]
    entities, near = (frozenset[Spans]().union(*sets) for sets in zip(*(end[4:] for end in ends), strict=True))
    return min(ends)._replace(spans=joined(spans) if spans else (), entities=entities, near=near)


def pieces(text: str) -> str:
    """Return the words of a text between blanks, so that a word is not found inside of another.

    >>> text = pieces("THE PILOT'S WING, DAMAGED")
    >>> pieces("pilot's wing") in text, pieces("wing damaged") in text, pieces("age") in text
    (True, False, False)
    """
    words = _PIECE.findall(unicodedata.normalize("NFKC", text).upper())
    return f" {' '.join(words)} " if words else ""


Flags = tuple[bool, ...]
"""What is true of each of some triples."""


def invented(gold: Sequence[Triple], system: Sequence[Triple], text: str) -> tuple[Flags, Flags] | None:
    """Say of the heads and of the tails of the system whether they are hallucinated; nothing if the text is unknown.

    An end is hallucinated if it is neither in the text nor, by the same phrase, an end of the gold.
    """
    if not text:
        return None
    words = pieces(text)
    known = {end.phrase for triple in gold for end in (triple.head, triple.tail)}

    def is_invented(end: TripleEnd) -> bool:
        return not (end.spans or end.phrase in known or pieces(end.phrase) in words)

    return (
        tuple(is_invented(triple.head) for triple in system),
        tuple(is_invented(triple.tail) for triple in system),
    )
