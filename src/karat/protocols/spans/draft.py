"""From a pair of documents to a sheet: the entities of both sides, a page for each layer, and what was noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from karat.annotations.tagging import Shape
from karat.errors import many
from karat.matching.sweep import candidates
from karat.model import Document, Mention
from karat.pairing import check_texts
from karat.protocols.base import Facts, Sheet, Side
from karat.protocols.invented import stands_beyond
from karat.protocols.spans.items import Entity, entities_of, has_place, in_order
from karat.protocols.spans.options import Conll2003Options, EntityOptions
from karat.protocols.spans.tags import agreement, broken_tags, entities_in, listed_shapes, tags_of
from karat.tally import Group

SIDES: tuple[Side, Side] = ("gold", "system")
_REPEATED, _EMPTY, _TOKENS_DIFFER = "repeated", "empty", "tokens differ"


class Place(msgspec.Struct, frozen=True):
    """Where the text of one side stands: the file, and in which line of it which character, if that is known."""

    source: str
    starts: Sequence[int] = ()
    lines: Sequence[tuple[int, int]] = ()


class Page(msgspec.Struct, frozen=True, dict=True):
    """The entities of one layer of a document in the order of the text, and its tokens if both sides have tags."""

    group: Group
    gold: Sequence[Entity]
    system: Sequence[Entity]
    text: str
    places: tuple[Place, Place]
    options: Any
    tokens: int = 0
    same_tags: int = 0

    @cached_property
    def candidates(self) -> list[list[int]]:
        """For each system entity the gold entities that share a character with it."""
        return candidates(self.gold, self.system)

    @cached_property
    def met_golds(self) -> set[int]:
        """The gold entities that share a character with a system entity."""
        return set(chain.from_iterable(self.candidates))

    @cached_property
    def met_systems(self) -> set[int]:
        """The system entities that share a character with a gold entity."""
        return {index for index, golds in enumerate(self.candidates) if golds}


class LayerFact(msgspec.Struct, frozen=True):
    """A document of a side has a mention in a layer."""

    side: Side
    layer: str


class TagFact(msgspec.Struct, frozen=True):
    """A side has a chunk of tags of this shape, or (``None``) a tag that says nothing in any scheme."""

    side: Side
    shape: Shape | None


class Known(NamedTuple):
    """What is known of the whole corpus: its layers, those that a side lacks, and in words how many tags are broken."""

    layers: Sequence[str]
    absent: dict[Side, list[str]]
    repairs: dict[Side, str]


def facts(document: Document, side: Side, options: EntityOptions) -> Iterator[Hashable]:
    """Yield the layers in which a document has a mention, and how its tags are formed if they come without a file."""
    for layer in dict.fromkeys(mention.layer for mention in document.mentions):
        yield LayerFact(side, layer)
    if isinstance(options, Conll2003Options):
        for shape in listed_shapes(document):
            yield TagFact(side, shape)


def settle(facts: Facts, options: EntityOptions) -> Known:
    """Return the layers that have a mention in some document of either side, or else the nameless one."""
    del options
    layers: dict[Side, set[str]] = {side: set() for side in SIDES}
    tags: dict[Side, Counter[Shape | None]] = {side: Counter() for side in SIDES}
    for fact, number in facts.items():
        if isinstance(fact, LayerFact):
            layers[fact.side].add(fact.layer)
        elif isinstance(fact, TagFact):
            tags[fact.side][fact.shape] += number
    every = sorted(layers["gold"] | layers["system"]) or [""]
    absent = {side: [name for name in every if name not in own] if own else [] for side, own in layers.items()}
    broken = {side: broken_tags(shapes) for side, shapes in tags.items()}
    repairs: dict[Side, str] = {
        side: f"{many(number, 'repair')} while reading the tags of the {side} as {scheme}"
        for side, (scheme, number) in broken.items()
        if number
    }
    return Known(every, absent, repairs)


def draft(gold: Document, system: Document, known: Known, options: EntityOptions) -> Iterator[Sheet]:
    """Yield the sheet of a pair of documents, with a page for each layer, or for all together."""
    check_texts(gold, system)
    notes: Counter[Hashable] = Counter()
    sides = []
    for side, document in zip(SIDES, (gold, system), strict=True):
        mentions = [mention for mention in document.mentions if has_place(mention)]
        notes[_EMPTY, side] += len(document.mentions) - len(mentions)
        sides.append(_entities(document, mentions, known.layers, options))
    places = _place(gold), _place(system)
    together = options.layers == "ignore"
    pages = []
    for name, layers in [("", known.layers)] if together else [(layer, [layer]) for layer in known.layers]:
        entities = []
        for side, by_layer in zip(SIDES, sides, strict=True):
            listed = [entity for layer in layers for entity in by_layer[layer]]
            entities.append(in_order(listed))
            notes[_REPEATED, side] += len(listed) - len(entities[-1])
        tokens = _tokens(gold, system, layers, notes) if isinstance(options, Conll2003Options) else (0, 0)
        pages.append(Page(Group(name), entities[0], entities[1], gold.text, places, options, *tokens))
    yield Sheet(gold.id, pages, notes)


def _entities(
    document: Document, mentions: Sequence[Mention], layers: Sequence[str], options: EntityOptions
) -> dict[str, list[Entity]]:
    """Return the entities of a document by layer; officially those of tags are read as conlleval does."""
    entities: dict[str, list[Entity]] = {}
    if isinstance(options, Conll2003Options) and options.profile == "official" and document.table is not None:
        invented = entities_of(filter(stands_beyond, mentions))
        tagged = ((layer, tags_of(document, layer)) for layer in layers)
        entities = {
            layer: entities_in(tags, document.table) + invented.get(layer, [])
            for layer, tags in tagged
            if tags is not None
        }
    if len(entities) < len(layers):
        entities = entities_of(mentions) | entities
    return {layer: entities.get(layer, []) for layer in layers}


def _tokens(gold: Document, system: Document, layers: Iterable[str], notes: Counter[Hashable]) -> tuple[int, int]:
    """Return how many tokens both sides have tagged, and how many alike; of other tokens there is a note."""
    numbers = [agreement(gold, system, layer) for layer in layers]
    if None in numbers:
        notes[_TOKENS_DIFFER] += 1
    tokens, same = zip(*((0, 0), *filter(None, numbers)), strict=True)
    return sum(tokens), sum(same)


def _place(document: Document) -> Place:
    table = document.table
    if table is None or not table.starts:
        return Place(document.source)
    return Place(document.source, table.starts, table.lines)


def remarks(notes: Counter[Hashable], known: Known, options: EntityOptions) -> Iterator[str]:
    """Yield what a user should know before believing the numbers."""
    for side in SIDES:
        if repeated := notes[_REPEATED, side]:
            yield f"left out {many(repeated, 'repetition')} of {side} entities with the same place and label"
        if empty := notes[_EMPTY, side]:
            yield f"left out {many(empty, 'mention')} of the {side} that covers no character"
        if options.layers == "compare" and (absent := known.absent[side]):
            names = ", ".join(name or "the nameless layer" for name in absent)
            yield f"the {side} has no mentions in {names}; to compare all layers together say --layers ignore"
        if side in known.repairs:
            yield known.repairs[side]
    if differing := notes[_TOKENS_DIFFER]:
        yield f"accuracy leaves out {many(differing, 'document')} whose tokens are not the same on both sides"
