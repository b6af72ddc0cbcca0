"""SciERC and DyGIE++: JSON lines with sentences, entities, relations and events for each of them, and clusters.

Token indices count over the document, and the last is part of the span. The layers of a system have keys that begin
with ``predicted_``, and a logit and a score after each item. A trigger becomes a mention, an event a relation with
that trigger, a cluster a chain; a span that these use and ``ner`` lacks becomes a mention without a label. Lines for
coreference systems have a flat ``ner``, which is also read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import Assembly, SentenceWords
from karat.formats.parts.capacity import AllBut, Capacity, WrittenWords, plain_id, values_of
from karat.formats.parts.heads import first_object
from karat.formats.parts.json_items import JsonItem, documents_of, text_of, texts_of
from karat.formats.parts.unread_names import Unread
from karat.model import Document, Mention, Relation
from karat.settings import choice

_BY_SENTENCE = ("ner", "relations", "events")
_LAYERS = (*_BY_SENTENCE, "clusters", "event_clusters")
_PREDICTED = "predicted_"
_OF_WORDS = ("speakers", "pronouns", "constituents", "subtoken_map", "sentence_map", "_sentence_start")
"""Keys about words, which are no annotations of ours and not read."""

_SIDES = (*_LAYERS, *(f"{_PREDICTED}{layer}" for layer in _LAYERS))
"""The layers of the gold and of a system."""
_KEYS = frozenset(("doc_key", "sentences", *_SIDES, *_OF_WORDS))
_CAPACITY = Capacity("scierc", chains=True, relations=True, metadata=AllBut(_KEYS))


@dataclass(frozen=True)
class SciercOptions:
    """Which side of a file with gold and predictions is read."""

    side: Literal["", "gold", "predicted"] = choice(
        ("", "gold", "predicted"), "which layers are read, if a line has those of the gold and of a system"
    )
    repeated: Literal["error", "number"] = choice(
        ("error", "number"), "a doc_key that is there again: an error, or another document of that name"
    )


class _Line(msgspec.Struct):
    sentences: list[list[str]]
    doc_key: str | int | None = None


class _Row(NamedTuple):
    """An item of a layer: token indices, a label, and the score of the system."""

    tokens: list[int]
    label: str
    attributes: dict[str, str]


def read(path: str, *, problems: Problems, want: Want, options: SciercOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want
    unread = Unread(layers=_SIDES)

    def build(item: JsonItem) -> Iterator[Document]:
        line = item.read(_Line)
        unread.look(item.value, _KEYS)
        yield _document(item, line, _prefix(item.value, options.side), problems)

    repeated = "doc_key" if options.repeated == "number" else ""
    return documents_of(path, problems, build, unread, repeated=repeated)


def read_pairs(path: str, problems: Problems) -> Iterator[tuple[Document, Document]]:
    """Yield the gold and the system document of each line; a ``doc_key`` may be repeated."""
    systems: list[Document] = []

    def build(item: JsonItem) -> Iterator[Document]:
        line = item.read(_Line)
        gold, system = (_document(item, line, prefix, problems) for prefix in ("", _PREDICTED))
        systems.append(system)
        yield gold

    for gold in documents_of(path, problems, build, repeated="doc_key"):
        system = systems.pop()
        system.id, system.source = gold.id, gold.source
        yield gold, system


def _document(item: JsonItem, line: _Line, prefix: str, problems: Problems) -> Document:
    """Return the document of the layers of a line whose keys have the prefix."""
    name = item.named(line.doc_key)
    layers = {layer: item.value.get(prefix + layer) or [] for layer in _LAYERS}
    problems.has("scierc", (layer for layer, items in layers.items() if isinstance(items, list) and any(items)))
    return _Reading(name, line.sentences, texts_of(item.value, _KEYS)).document(layers, prefix)


def _prefix(line: dict[str, Any], side: str) -> str:
    """Return the prefix of the keys of the side that is read."""
    gold = [layer for layer in _LAYERS if layer in line]
    predicted = [layer for layer in _LAYERS if f"{_PREDICTED}{layer}" in line]
    if gold and predicted and not side:
        raise InputError(
            f"there are layers of the gold ({', '.join(gold)}) and of a system "
            f"({', '.join(_PREDICTED + layer for layer in predicted)}); choose with --read side=gold or side=predicted"
            "; system.side=predicted holds for one side"
        )
    return _PREDICTED if side == "predicted" or (predicted and not side) else ""


class _Reading:
    """Reads the layers of one document: spans of tokens become mentions, one per span."""

    def __init__(self, name: str, sentences: list[list[str]], metadata: dict[str, str]) -> None:
        self.words = SentenceWords(sentences, "scierc")
        self.assembly = Assembly(name, self.words.text, self.words.table, metadata)
        self._entities: dict[tuple[int, int], str] = {}
        self._triggers: dict[tuple[int, int], dict[str, str]] = {}

    def document(self, layers: dict[str, Any], prefix: str) -> Document:
        """Return the document with these layers, whose keys have a prefix in the file."""
        rows = {layer: list(self._by_sentence(layers[layer], prefix + layer)) for layer in _BY_SENTENCE}
        for sentence, entity in rows["ner"]:
            self._entity(_row(entity, (2,), f"{prefix}ner"), sentence)
        for sentence, relation in rows["relations"]:
            tokens, label, attributes = _row(relation, (4,), f"{prefix}relations")
            if sentence is not None and not self._begins_in(sentence, tokens[0]):
                attributes = {**attributes, "sentence": str(sentence)}
            head, tail = (self._mention(*ends) for ends in (tokens[:2], tokens[2:]))
            self.assembly.relation(label, head, tail, attributes=attributes)
        for _, event in rows["events"]:
            self._event(event, f"{prefix}events")
        for layer in ("clusters", "event_clusters"):
            for cluster in _lists(layers[layer], prefix + layer):
                spans = [_row([*span, ""], (2,), prefix + layer).tokens for span in _lists(cluster, prefix + layer)]
                members = [self._member(span[0], span[1], of_events=layer == "event_clusters") for span in spans]
                self.assembly.chain(dict.fromkeys(members))
        return self.assembly.document

    def _by_sentence(self, layer: Any, key: str) -> Iterator[tuple[int | None, Any]]:
        """Yield the items of a layer with their sentence number, None for a flat list."""
        sentences = _lists(layer, key)
        if all(items and isinstance(items[0], int) for items in sentences):
            yield from ((None, items) for items in sentences)
            return
        if len(sentences) != len(self.words.firsts):
            size = many(len(self.words.firsts), "sentence")
            raise InputError(
                f"there are {size}, but {key!r} has {len(sentences)} lists; expected one for each sentence"
            )
        for sentence, items in enumerate(sentences):
            yield from ((sentence, item) for item in _lists(items, key))

    def _begins_in(self, sentence: int, token: int) -> bool:
        first, behind = self.words.bounds[sentence : sentence + 2]
        return first <= token < behind

    def _entity(self, row: _Row, sentence: int | None) -> None:
        first, last = row.tokens
        span = self.words.span(first, last + 1, end=last)
        if sentence is not None:
            begin, behind = self.words.bounds[sentence : sentence + 2]
            if not begin <= first <= last < behind:
                raise InputError(
                    f"the entity [{first}, {last}] is listed below sentence {sentence} (from 0), which has the tokens "
                    f"{begin} to {behind - 1}; numbers of tokens run over the document"
                )
        name = self.assembly.mention([span], (row.label,), attributes=row.attributes)
        self._entities.setdefault((first, last), name)

    def _mention(self, first: int, last: int) -> str:
        """Return the first mention with these tokens; if there is none, a new one without a label."""
        if (first, last) not in self._entities:
            span = self.words.span(first, last + 1, end=last)
            self._entities[first, last] = self.assembly.mention([span])
        return self._entities[first, last]

    def _member(self, first: int, last: int, *, of_events: bool) -> str:
        triggers = self._triggers.get((first, last), {}) if of_events else {}
        return next(iter(triggers.values()), "") or self._mention(first, last)

    def _event(self, event: Any, key: str) -> None:
        """Add an event: its trigger is the first element, followed by its arguments."""
        trigger, *arguments = _lists(event, key) or [[]]
        tokens, label, attributes = _row(trigger, (1, 2), key)
        first, last = tokens[0], tokens[-1]
        known = self._triggers.setdefault((first, last), {})
        if label not in known:
            span = self.words.span(first, last + 1, end=last)
            known[label] = self.assembly.mention([span], (label,), attributes=attributes)
        rows = [_row(argument, (2,), key) for argument in arguments]
        ends = [(row.label, self._mention(row.tokens[0], row.tokens[1])) for row in rows]
        self.assembly.tuple(label, ends, trigger=known[label])


def _lists(value: Any, key: str) -> list[list[Any]]:
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        raise InputError(f"{key!r} holds {shown(text_of(value))} where lists are expected")
    return value


def _row(row: list[Any], counts: tuple[int, ...], key: str) -> _Row:
    """Return an item of a layer: as many token indices as expected, a label, optionally a logit and a score."""
    tokens = [value for value in row[: max(counts)] if type(value) is int]
    label, *rest = row[len(tokens) :] or [None]
    if len(tokens) not in counts or not isinstance(label, str):
        token_counts = " or ".join(map(str, counts))
        raise InputError(f"{key!r} holds {shown(text_of(row))}; expected {token_counts} numbers of tokens and a label")
    return _Row(tokens, label, texts_of(dict(zip(("logit", "score"), rest, strict=False))) if rest else {})


def _line(document: Document) -> dict[str, Any]:
    """Return a document as a line with gold layers."""
    words = WrittenWords(document, _CAPACITY)
    mentions = {mention.id: mention for mention in document.mentions}
    triggers = {relation.trigger for relation in document.relations if relation.trigger is not None}
    layers: dict[str, list[list[Any]]] = {layer: [[] for _ in words.firsts] for layer in _BY_SENTENCE}

    def place(mention: Mention) -> tuple[int, list[int]]:
        sentence, first, behind = words.in_sentence(mention)
        start = words.firsts[sentence]
        return sentence, [start + first, start + behind - 1]

    def event(relation: Relation) -> None:
        sentence, tokens = place(mentions[relation.trigger or ""])
        arguments = [
            [*place(mentions[end.target])[1], end.role] for end in relation.arguments if end.target in mentions
        ]
        layers["events"][sentence].append([[*dict.fromkeys(tokens), relation.label], *arguments])

    for mention in document.mentions:
        if mention.labels and mention.id not in triggers:
            sentence, tokens = place(mention)
            layers["ner"][sentence].append([*tokens, mention.labels[0]])
    for relation in document.relations:
        if relation.trigger is not None:
            event(relation)
            continue
        head, tail = _CAPACITY.ends(document, relation, mentions)
        sentence, tokens = place(mentions[head])
        sentence = int(relation.attributes.get("sentence", sentence))
        layers["relations"][sentence].append([*tokens, *place(mentions[tail])[1], relation.label])
    line: dict[str, Any] = {"doc_key": plain_id(document.id), "sentences": words.sentences}
    line |= {layer: rows for layer, rows in layers.items() if layer != "events" or any(rows)}
    for key, of_events in (("clusters", False), ("event_clusters", True)):
        chains = [chain for chain in document.chains if triggers.issuperset(chain.mentions) == of_events]
        line[key] = [[place(mentions[name])[1] for name in chain.mentions] for chain in chains]
    line |= values_of(document.metadata)
    layers_again = {layer: line.get(layer, []) for layer in _LAYERS}
    again = _Reading(document.id, line["sentences"], document.metadata).document(layers_again, "")
    _CAPACITY.compare(document, again, "a mention without a label must be an end or in a chain, and none stand twice")
    return line


def sniff(head: str) -> bool:
    """Tell whether the first object has sentences, and entities, relations or events of gold or system.

    >>> sniff('{"sentences": [["Ada"]], "ner": [[]]}'), sniff('{"sentences": [["Ada"]], "clusters": []}')
    (True, False)
    """
    first = first_object(head)
    sentences = first.get("sentences")
    return (
        isinstance(sentences, list)
        and all(isinstance(sentence, list) for sentence in sentences)
        and any(isinstance(first.get(prefix + layer), list) for prefix in ("", _PREDICTED) for layer in _BY_SENTENCE)
    )


FORMAT = Format(
    name="scierc",
    title="SciERC and DyGIE++: sentences with entities, relations, events and clusters",
    known_by="`sentences` with `ner`, `relations` or `events`, or with `predicted_ner` and the like",
    read=read,
    sniff=sniff,
    write=_CAPACITY.lines(_line),
    keeps=_CAPACITY.keeps,
    options=SciercOptions,
    layers="mentions of whole tokens with one label, relations, events, chains, tokens, sentences, metadata",
)
