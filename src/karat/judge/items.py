"""Items to be judged: a relation, event, mention, link or chain of a document, without its system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal

import msgspec

from karat.annotations.faults import surface
from karat.errors import InputError, many
from karat.model import Document, Relation, Span

Kind = Literal["relation", "event", "mention", "link", "chain"]

Sameness = Literal["exact", "normalised"]


class ItemPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of text that an item is about, with its role; ``spans`` is empty if its offsets are unknown.

    ``labels`` and ``layers`` are those that systems give it. Judges neither see nor judge them, but gold may need them.
    """

    role: str
    surface: str
    spans: tuple[Span, ...] = ()
    labels: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


class JudgeItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An item to be judged; ``label`` is the relation, the type of a mention or event, or the target of a link."""

    kind: Kind
    document: str
    label: str
    parts: tuple[ItemPart, ...]

    def key(self, sameness: Sameness) -> str:
        """Return the 16-digit key of an item; items with equal keys are judged once.

        The key of a mention, link or chain includes the spans, where they are known: two chains of a text may have the
        same words. Relations and events are compared by their words alone: the same triple at two offsets is one item.
        The order of the mentions of a chain and of the arguments of an event does not matter.
        """
        fold = _FOLDS[sameness]
        placed = self.kind in ("mention", "link", "chain")
        parts = [(part.role, repr(part.spans) if placed and part.spans else fold(part.surface)) for part in self.parts]
        ordered = sorted(parts) if self.kind in ("chain", "event") else parts
        words = [self.kind, self.document, fold(self.label), *chain.from_iterable(ordered)]
        return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def with_names_of(item: JudgeItem, other: JudgeItem) -> JudgeItem:
    """Return an item whose parts also have the labels and layers of an equal item."""
    pairs = zip(_in_order(item), _in_order(other), strict=True)
    return msgspec.structs.replace(item, parts=tuple(_with_both(mine, yours) for mine, yours in pairs))


def _with_both(mine: ItemPart, yours: ItemPart) -> ItemPart:
    labels, layers = {*mine.labels, *yours.labels}, {*mine.layers, *yours.layers}
    return msgspec.structs.replace(mine, labels=tuple(sorted(labels)), layers=tuple(sorted(layers)))


def _in_order(item: JudgeItem) -> Sequence[ItemPart]:
    """Return the parts in canonical order; the trigger of an event stays before its arguments."""
    if item.kind == "chain":
        return sorted(item.parts, key=lambda part: (part.spans, part.surface))
    if item.kind == "event":
        return [item.parts[0], *sorted(item.parts[1:], key=lambda part: (part.role, _folded(part.surface)))]
    return item.parts


def _folded(text: str) -> str:
    """Return a text with case, white space and Unicode forms normalised."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


_FOLDS: dict[Sameness, Callable[[str], str]] = {"exact": str, "normalised": _folded}


def place_of(text: str, surface: str) -> tuple[Span, ...]:
    """Return the span of the first occurrence of words in a text, ignoring case and white space; () if there is none.

    >>> place_of("the LEFT  gear", "left gear")
    ((4, 14),)
    """
    words = r"\s+".join(map(re.escape, surface.split()))
    match = re.search(words, text, re.IGNORECASE) if words else None
    return (match.span(),) if match else ()


def items_of(document: Document, kind: Kind) -> Iterator[JudgeItem]:
    """Yield the items of a kind in a document, in document order."""
    return _READERS[kind](_Reader(document))


class _Reader:
    """Looks up the annotations of a document by id."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.mentions = {mention.id: mention for mention in document.mentions}
        self.firsts = {entity.id: entity.mentions[0] for entity in document.chains if entity.mentions}
        self.labels = {relation.id: relation.label for relation in document.relations}

    def part(self, role: str, target: str) -> ItemPart:
        """Return the part for an annotation: its text, the text of a chain's first mention, or a relation's name."""
        mention = self.mentions.get(self.firsts.get(target, target))
        if mention is not None:
            words = mention.attributes.get("given") or mention.text or surface(self.document.text, mention.spans)
            return ItemPart(role, words, mention.spans, mention.labels, (mention.layer,) if mention.layer else ())
        if target in self.labels:
            return ItemPart(role, self.labels[target])
        raise InputError(
            f"{target!r} is not a mention of document {self.document.id!r}", path=self.document.source or None
        )

    def item(self, kind: Kind, label: str, parts: Iterable[ItemPart]) -> JudgeItem:
        return JudgeItem(kind, self.document.id, label, tuple(parts))

    def relations(self) -> Iterator[JudgeItem]:
        for relation in self.document.relations:
            if relation.trigger is None:
                yield self.item("relation", relation.label, self._arguments(relation))

    def events(self) -> Iterator[JudgeItem]:
        for relation in self.document.relations:
            if relation.trigger is not None:
                trigger = self.part("trigger", relation.trigger)
                yield self.item("event", relation.label, [trigger, *self._arguments(relation)])

    def _arguments(self, relation: Relation) -> list[ItemPart]:
        return [self.part(argument.role, argument.target) for argument in relation.arguments]

    def labelled(self) -> Iterator[JudgeItem]:
        for mention in self.document.mentions:
            for label in mention.labels or ("",):
                yield self.item("mention", label, [self.part("", mention.id)])

    def links(self) -> Iterator[JudgeItem]:
        for mention in self.document.mentions:
            if mention.links:
                yield self.item("link", mention.links[0].target, [self.part("", mention.id)])

    def chains(self) -> Iterator[JudgeItem]:
        for entity in self.document.chains:
            yield self.item("chain", entity.label, [self.part("", name) for name in entity.mentions])


_READERS: dict[Kind, Callable[[_Reader], Iterator[JudgeItem]]] = {
    "relation": _Reader.relations,
    "event": _Reader.events,
    "mention": _Reader.labelled,
    "link": _Reader.links,
    "chain": _Reader.chains,
}


class _Fact(msgspec.Struct, forbid_unknown_fields=True):
    """A fact that a judge marked in a text: its label, the words and spans of its parts, and roles of an event."""

    label: str
    parts: tuple[tuple[str, tuple[Span, ...]], ...]
    roles: tuple[str, ...] = ()


def fact_item(kind: Kind, document: str, text: str) -> JudgeItem:
    """Return the item for a fact as the journal stores it (JSON)."""
    try:
        fact = msgspec.json.decode(text, type=_Fact)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"the fact cannot be read: {error}") from error
    roles = _roles(kind, fact)
    if len(roles) != len(fact.parts) or (kind == "event" and not all(roles)):
        raise InputError(f"this {kind} has the wrong number of parts: it has {many(len(fact.parts), 'part')}")
    return JudgeItem(
        kind, document, fact.label, tuple(ItemPart(role, *part) for role, part in zip(roles, fact.parts, strict=True))
    )


def _roles(kind: Kind, fact: _Fact) -> tuple[str, ...]:
    """Return the roles of the parts of a fact: fixed by the kind, or named by the judge for an event."""
    match kind:
        case "relation":
            return ("head", "tail")
        case "event":
            return ("trigger", *fact.roles)
        case "chain":
            return ("",) * max(2, len(fact.parts))
        case _:
            return ("",)
