"""From a pair of documents to two clusterings: chains of mention keys that can be compared with each other.

The key of a mention is its place. Where both sides have the same text these are its spans of characters; where they
have different texts, or only one has any, its tokens, as long as both sides are tokenised.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal, NamedTuple, TypeVar

import msgspec

from karat.annotations.tokens import AS_WRITTEN, line_of
from karat.errors import InputError, location_prefix
from karat.evaluation.ledger import Item
from karat.model import Document, Mention, Span


class ShownSide(NamedTuple):
    """One side of a document as it is shown: the names of its chains, and their mentions as items labelled with them.

    ``added`` are the keys of mentions that the program has put there itself.
    """

    names: Sequence[str]
    items: Sequence[Sequence[Item]]
    added: frozenset[Hashable] = frozenset()


def shown(mention: Mention, document: Document, label: str = "") -> Item:
    """Return a mention as an item of the ledger.

    >>> item = shown(Mention("m1", ((4, 6),)), Document("d", "Ada is", source="gold.txt"), "c1")
    >>> item.label, item.text, item.span, item.place
    ('c1', 'is', (4, 6), 'gold.txt')
    """
    text = mention.text or " … ".join(document.text[start:end] for start, end in mention.spans)
    where = location_prefix(document.source or None, _line(mention, document)).removesuffix(": ")
    span = (mention.start, mention.end) if mention.spans else None
    ends = (mention.spans,) if document.text and mention.spans else ()
    return Item(label, text, span, place=where, ends=ends)


def _line(mention: Mention, document: Document) -> int | None:
    """Return the line of the first token, if the document has tokens and its reader kept their lines."""
    table = document.table
    if table is None:
        return None
    named = re.match(r"\d+", mention.attributes.get("rows", ""))
    if named:
        return line_of(table, int(named[0]))
    if not mention.spans:
        return None
    if not document.text:
        return line_of(table, mention.start)
    token = bisect_right(table.starts, mention.start) - 1
    return line_of(table, token) if token >= 0 else None


Key = Hashable
T = TypeVar("T")
_Place = Callable[[Mention], Key]

_PAIR = re.compile(r"\[(-?\d+), (-?\d+)\]", re.ASCII)

ODD_PLACE = "place"
"""The attribute of a mention whose place is no span of the text, as some readers of column files see it."""


class Clustering(NamedTuple):
    """The chains of one side as keys, the names of the chains, and the document they come from."""

    chains: Sequence[Sequence[Key]]
    names: list[str]
    document: Document
    keys: dict[str, Key]
    """The key of each mention by its id."""

    @property
    def size(self) -> int:
        """How many mentions the chains hold."""
        return sum(map(len, self.chains))

    def only(self, keep: Callable[[Sequence[Key]], bool]) -> Clustering:
        """Return the clustering of those chains."""
        kept = [(chain, name) for chain, name in zip(self.chains, self.names, strict=True) if keep(chain)]
        return self._replace(chains=[chain for chain, _ in kept], names=[name for _, name in kept])


class ChainPage(NamedTuple):
    """The clusterings of a document after a program has arranged them, and how many things it left out, by name."""

    gold: Clustering
    system: Clustering
    dropped: Mapping[str, int]
    links: bool = True
    """Whether pairs of mentions can be counted, as BLANC does; not if mentions are repeated in too many ways."""

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return both sides as they are shown; mentions that were added to the gold are those of the system."""
        gold, system = _items(self.gold), _items(self.system)
        added = frozenset(system.keys() - gold.keys())
        return _labelled(self.gold, {**system, **gold}, added), _labelled(self.system, system)


def _items(clustering: Clustering) -> dict[Hashable, Item]:
    document, keys = clustering.document, clustering.keys
    return {keys[mention.id]: shown(mention, document) for mention in document.mentions}


def _labelled(
    clustering: Clustering, items: Mapping[Hashable, Item], added: frozenset[Hashable] = frozenset()
) -> ShownSide:
    labelled = [
        [msgspec.structs.replace(items[key], label=name) for key in chain]
        for chain, name in zip(clustering.chains, clustering.names, strict=True)
    ]
    return ShownSide(clustering.names, labelled, added)


Identity = Literal["place", "token", "sentence", "literal"]
"""What makes mentions of both sides the same: their place; the numbers of their tokens, whatever these are, as the
official scorer has it; their sentence and their place in it, as CoVal has it; or the way they are written, so that
``[10]`` is not ``[10, 10]``, nor ``10`` the name ``"10"``."""


def clusterings(gold: Document, system: Document, identity: Identity = "place") -> tuple[Clustering, Clustering]:
    """Return the clusterings of both sides with comparable keys.

    Where places are compared, a mention without one has a key of its own. Programs, which compare tokens or words, do
    not tell mentions without any from each other.
    """
    sides = gold, system
    keys: list[Iterable[Key]]
    if identity == "sentence" and other_sentences(gold, system):
        keys = [map(_by_sentence(document), document.mentions) for document in sides]
    elif gold.text == system.text and not (identity == "token" and _other_tokens(gold, system)):
        keys = [_spans(document.mentions) for document in sides]
    else:
        keys = [map(_by_token(document), document.mentions) for document in sides]
    if identity == "literal":
        keys = [map(_literal, document.mentions, own) for document, own in zip(sides, keys, strict=True)]
    if identity != "sentence":
        numbers = count()
        known: defaultdict[Key, int] = defaultdict(numbers.__next__)
        keys = [[known[key] if key or identity != "place" else next(numbers) for key in own] for own in keys]
    golds, systems = map(_clustering, sides, keys)
    return golds, systems


def other_sentences(gold: Document, system: Document) -> bool:
    """Return whether both sides have sentences, and begin them at different tokens."""
    sentences = [_segments(document) for document in (gold, system)]
    return all(sentences) and sentences[0] != sentences[1]


def _segments(document: Document) -> list[int]:
    return document.table.segments if document.table else []


def _other_tokens(gold: Document, system: Document) -> bool:
    """Return whether both sides have tokens, and cut the text into them in different ways."""
    tables = gold.table, system.table
    return tables[0] is not None and tables[1] is not None and tables[0].starts != tables[1].starts


def _clustering(document: Document, places: Iterable[Key]) -> Clustering:
    keys = dict(zip([mention.id for mention in document.mentions], places, strict=True))
    chains = [members for _, members in members_of(document, keys)]
    return Clustering(chains, [chain.id for chain in document.chains], document, keys)


def members_of(document: Document, known: Mapping[str, T]) -> Iterator[tuple[str, list[T]]]:
    """Yield the chains of a document with what is known of their mentions, each of which must be there."""
    for chain in document.chains:
        try:
            members = [known[name] for name in chain.mentions]
        except KeyError as error:
            message = f"document {document.id!r}: chain {chain.id!r} names the mention {error.args[0]!r}"
            advice = "which the document does not have; correct the id or add the mention"
            raise InputError(f"{message}, {advice}", path=document.source or None) from None
        yield chain.id, members


def _literal(mention: Mention, place: Key) -> Key:
    written = mention.attributes.get(AS_WRITTEN)
    return place if written is None else (AS_WRITTEN, written)


def _spans(mentions: Sequence[Mention]) -> Iterable[Key]:
    return [_span(mention) if mention.attributes else mention.spans for mention in mentions]


def _span(mention: Mention) -> Key:
    return mention.attributes.get(ODD_PLACE, mention.spans)


def _words(mention: Mention) -> Key:
    """Return the words of a mention; a span beyond its own document is read from the other side's."""
    pair = _PAIR.fullmatch(mention.attributes.get(ODD_PLACE, ""))
    return ((int(pair[1]), int(pair[2]) + 1),) if pair else _span(mention)


def _by_sentence(document: Document) -> _Place:
    """Return a function that locates mentions by sentence number and token indexes."""
    by_token, segments = _by_token(document), _segments(document)

    def place(mention: Mention) -> Key:
        tokens = by_token(mention)
        if not isinstance(tokens, tuple) or not tokens or not segments:
            return tokens
        sentence = bisect_right(segments, tokens[-1][1] - 1) - 1
        first = segments[max(sentence, 0)]
        return sentence, tuple((start - first, end - first) for start, end in tokens)

    return place


def _by_token(document: Document) -> _Place:
    """Return a function that locates mentions by token indexes; spans without a text are token indexes already."""
    if not document.text:
        return _words
    table = document.table
    if table is None or len(table.starts) != len(table.forms):
        message = f"document {document.id!r} has no tokens, and the other side has not the same text"
        raise InputError(f"{message}; both sides must annotate the same text", path=document.source or None)
    ends = map(int.__add__, table.starts, map(len, table.forms))
    first = {start: index for index, start in enumerate(table.starts)}
    past = {end: index + 1 for index, end in enumerate(ends)}

    def tokens(span: Span) -> Span:
        start, end = first.get(span[0]), past.get(span[1])
        return span if start is None or end is None else (start, end)

    def place(mention: Mention) -> Key:
        return _words(mention) if ODD_PLACE in mention.attributes else tuple(map(tokens, mention.spans))

    return place
