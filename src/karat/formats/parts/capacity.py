"""What a simple format can hold: writers refuse everything else, and name it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import TokenEdges, join_tokens
from karat.errors import InputError
from karat.formats.base import everything_but
from karat.formats.parts.assembly import HEAD, TAIL
from karat.formats.parts.json_items import decode, text_of
from karat.formats.parts.token_tables import refuse, segment_ranges
from karat.model import Document, Mention, Relation

T = TypeVar("T")
Writer = Callable[[Iterable[Document], Any], Iterator[str]]


class AllBut:
    """A set of all names except some, since the format uses these as keys.

    >>> held = AllBut(("start", "end"))
    >>> "score" in held, "end" in held
    (True, False)
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._keys = frozenset(keys)

    def __contains__(self, name: object) -> bool:
        return name not in self._keys


@dataclass(frozen=True)
class Capacity:
    """What a format can hold, besides mentions with one span each."""

    format: str
    labels: tuple[int, int] = (0, 1)
    """The fewest and the most labels of a mention."""
    links: int = 0
    """The most links of a mention."""
    fragments: bool = False
    layers: bool = False
    chains: bool = False
    relations: bool = False
    """Whether relations are held: two ends, a head and a tail."""
    metadata: Container[str] = ()
    """The names of metadata that are held."""
    attributes: Container[str] = ()
    """The names of attributes that mentions may have."""
    relation_attributes: Container[str] = ()

    @property
    def keeps(self) -> frozenset[str]:
        """The kinds of annotation that the format can hold, for its declaration."""
        rooms = {kind: getattr(self, kind) for kind in ("links", "fragments", "layers", "chains", "relations")}
        rooms |= {"metadata": self.metadata != ()}
        rooms |= {"attributes": (self.attributes, self.relation_attributes) != ((), ())}
        return everything_but("scores", "notes", "unplaced", *(kind for kind, room in rooms.items() if not room))

    def checked(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents; raises an error for one that the format cannot hold or whose id is repeated."""
        taken: set[str] = set()
        for document in documents:
            if not document.id or document.id in taken:
                self.refuse(document, "its id is empty, or that of another document")
            taken.add(document.id)
            self._check(document)
            yield document

    def _check(self, document: Document) -> None:
        for kind in ("relations", "chains", "notes"):
            if getattr(document, kind) and not getattr(self, kind, False):
                self.refuse(document, f"it has {kind}; leave them out with --drop {kind}")
        self._check_names(document, document.metadata, self.metadata, "metadata")
        for mention in document.mentions:
            self._check_mention(document, mention)
        for relation in document.relations:
            self._check_names(document, relation.attributes, self.relation_attributes, "attributes of relations")
        for chain in document.chains:
            if chain.label:
                self.refuse(document, f"chain {shown(chain.id)} has a label")

    def _check_mention(self, document: Document, mention: Mention) -> None:
        fewest, most = self.labels
        if not fewest <= len(mention.labels) <= most:
            wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            self.refuse(document, f"it has {len(mention.labels)} labels, and the format holds {wanted}", mention)
        if len(mention.links) > self.links:
            self.refuse(document, f"it has {len(mention.links)} links; leave them out with --drop links", mention)
        if any(link.score is not None for link in mention.links):
            self.refuse(document, "its links have scores; leave them out with --drop links", mention)
        if mention.layer and not self.layers:
            self.refuse(document, f"it is in the layer {shown(mention.layer)}; the format has none", mention)
        if len(mention.spans) != 1 and not self.fragments:
            self.refuse(document, f"it has {len(mention.spans)} fragments, and the format holds one", mention)
        if any(not 0 <= start < end <= len(document.text) for start, end in mention.spans):
            self.refuse(document, "a span of it is empty, or outside of the text", mention)
        self._check_names(document, mention.attributes, self.attributes, "attributes", mention)

    def _check_names(
        self,
        document: Document,
        values: Mapping[str, str],
        held: Container[str],
        noun: str,
        mention: Mention | None = None,
    ) -> None:
        surplus = [name for name in values if name not in held]
        if surplus:
            hint = "; leave them out with --drop attributes" if noun == "attributes" else ""
            self.refuse(document, f"it has {noun} ({', '.join(surplus)}) that the format lacks{hint}", mention)

    def ends(
        self, document: Document, relation: Relation, known: Container[str], noun: str = "mention"
    ) -> tuple[str, str]:
        """Return the ids of the head and the tail of a relation; any other relation is refused.

        Both must be in ``known``; ``noun`` names these, if they are not mentions.
        """
        roles = [argument.role for argument in relation.arguments]
        if roles != [HEAD, TAIL] or relation.trigger is not None:
            self.refuse(document, f"relation {shown(relation.id)} is more than a head and a tail")
        head, tail = (argument.target for argument in relation.arguments)
        if head not in known or tail not in known:
            self.refuse(document, f"relation {shown(relation.id)} has an argument that is not a {noun}")
        return head, tail

    def lines(self, written: Callable[[Document], Any]) -> Writer:
        """Return a writer of JSON lines, given a function from a document to its line."""
        return lambda documents, _: written_lines(map(written, self.checked(documents)))

    def array(self, written: Callable[[Document], Any]) -> Writer:
        """Return a writer of a JSON array, one element per line, given a function from a document to its element."""
        return lambda documents, _: written_array(map(written, self.checked(documents)))

    def compare(self, document: Document, again: Document, hint: str) -> None:
        """Refuse a document that would be read back differently."""
        if _content(again) != _content(document):
            self.refuse(document, f"it would be read back as something else: {hint}")

    def reread(self, document: Document, written: Any, shape: type[T]) -> T:
        """Return the written value in the type in which it will be read.

        An attribute with the name of a field of the format, but another type of value, is refused.
        """
        try:
            return msgspec.convert(written, shape)
        except msgspec.ValidationError as error:
            self.refuse(document, f"an attribute has the name of something else there: {error}")

    def refuse(self, document: Document, reason: str, mention: Mention | None = None) -> NoReturn:
        """Raise the error for what the format cannot hold."""
        refuse(self.format, document, reason, mention)


class WrittenWords:
    """The tokens of a document as they are written: those of its table, or its text split at every blank."""

    def __init__(self, document: Document, capacity: Capacity) -> None:
        self.document, self.capacity = document, capacity
        table = document.table
        forms = list(table.forms) if table is not None else document.text.split(" ") if document.text else []
        text, starts = join_tokens(forms)
        if text != document.text or "" in forms:
            capacity.refuse(document, "its text is not its tokens with one blank between")
        self._edges = TokenEdges(starts, forms)
        self.forms = forms
        firsts = list(table.segments) if table is not None else []
        self.firsts = firsts if firsts[:1] == [0] or not forms else [0, *firsts]
        self.bounds = [*self.firsts, len(forms)]

    @property
    def sentences(self) -> list[list[str]]:
        """The tokens of each sentence."""
        return [self.forms[start:end] for start, end in segment_ranges(self.firsts, len(self.forms))]

    def tokens(self, mention: Mention) -> tuple[int, int]:
        """Return the half-open token range of a mention; raises an error if it cuts a token."""
        tokens = self._edges.at(mention.spans[0])
        if tokens is None:
            self.capacity.refuse(self.document, "it does not begin and end with a token", mention)
        return tokens[0], tokens[1] + 1

    def in_sentence(self, mention: Mention) -> tuple[int, int, int]:
        """Return the sentence of a mention, and its tokens counted from the start of the sentence."""
        first, behind = self.tokens(mention)
        sentence = bisect_right(self.firsts, first) - 1
        if behind > self.bounds[sentence + 1]:
            self.capacity.refuse(self.document, "it goes beyond its sentence", mention)
        return sentence, first - self.firsts[sentence], behind - self.firsts[sentence]


def plain_id(name: str) -> str | int:
    """Return an id as most files write it: as a number if it is one and reads back unchanged.

    >>> plain_id("7"), plain_id("-7"), plain_id("007"), plain_id("d1")
    (7, -7, '007', 'd1')
    """
    whole = int(name) if re.fullmatch(r"-?[0-9]{1,18}", name) else 0
    return whole if str(whole) == name else name


def values_of(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return attributes or metadata as JSON values, where their text is that of one.

    >>> values_of({"score": "0.5", "sure": "true", "page": "007", "source": "wiki"})
    {'score': 0.5, 'sure': True, 'page': '007', 'source': 'wiki'}
    """
    return {name: _value(text) for name, text in texts.items()}


def _value(text: str) -> Any:
    try:
        value = decode(text.encode())
    except (InputError, UnicodeEncodeError):
        return text
    return value if value is not None and text_of(value) == text else text


def written_lines(items: Iterable[Any]) -> Iterator[str]:
    """Yield JSON lines."""
    return (f"{_encoded(item)}\n" for item in items)


def written_array(items: Iterable[Any]) -> Iterator[str]:
    """Yield a JSON array, one element per line."""
    yield "["
    for index, item in enumerate(items):
        yield f",\n{_encoded(item)}" if index else _encoded(item)
    yield "]\n"


def _encoded(item: Any) -> str:
    try:
        return msgspec.json.encode(item).decode()
    except UnicodeEncodeError as error:
        raise InputError("a document holds half a surrogate pair, which UTF-8 has no bytes for") from error


def _content(document: Document) -> tuple[Any, ...]:
    """Return a document without ids: documents with equal annotations have equal content."""
    names: dict[str, Any] = {
        mention.id: (mention.spans, mention.labels, mention.layer, mention.links, sorted(mention.attributes.items()))
        for mention in document.mentions
    }
    for relation in document.relations:
        names.setdefault(relation.id, ("relation", relation.label))
    for chain in document.chains:
        names.setdefault(chain.id, ("chain", *sorted(map(repr, map(names.get, chain.mentions)))))
    relations = [
        (
            relation.label,
            [(argument.role, names.get(argument.target)) for argument in relation.arguments],
            names.get(relation.trigger or ""),
            sorted(relation.attributes.items()),
        )
        for relation in document.relations
    ]
    chains = [sorted([names.get(mention) for mention in chain.mentions], key=repr) for chain in document.chains]
    mentions = [names[mention.id] for mention in document.mentions]
    parts = (sorted(part, key=repr) for part in (mentions, relations, chains))
    return (document.id, document.text, document.metadata, *parts)
