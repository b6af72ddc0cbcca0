"""From a pair of documents to a sheet: the entities of both sides, a page for each layer, and what was noticed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import msgspec

from karat.annotations.cells import distinct
from karat.annotations.tagging import Run, Shape, broken_tags, shapes_and_strays
from karat.errors import many
from karat.matching.sweep import candidates
from karat.model import Document, Mention
from karat.pairing import check_texts
from karat.protocols.base import Facts, Lack, Sheet, Side
from karat.protocols.casebook import Verdict
from karat.protocols.invented import stands_beyond
from karat.protocols.spans.items import Entity, entities_of, has_place
from karat.protocols.spans.options import EntityOptions, TaggedOptions
from karat.protocols.spans.tags import agreement, entities_in, layers_in, listed_runs, tags_of
from karat.tally import Group

SIDES: tuple[Side, Side] = ("gold", "system")
_REPEATED, _EMPTY, MISREAD, _TOKENS_DIFFER = "repeated", "empty", "misread", "tokens differ"
_OTHER_LABELS = "other labels"


class Page(msgspec.Struct, frozen=True, dict=True):
    """The entities of one layer of a document in the order of the text, and its tokens if both sides have tags.

    ``forms`` are verdicts on surface forms, where these count, too: on each in one document of all.
    """

    group: Group
    gold: Sequence[Entity]
    system: Sequence[Entity]
    text: str
    documents: tuple[Document, Document]
    options: Any
    tokens: int = 0
    same_tags: int = 0
    forms: Sequence[Verdict] = ()

    @property
    def published(self) -> bool:
        """Whether it is counted as the published program counts."""
        return bool(self.options.profile == "published") and not self.options.mends("tiny-number-below-the-line")

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


class Known(msgspec.Struct, frozen=True):
    """What is known of the whole corpus: its layers, those that a side lacks, and in words how many tags are broken."""

    layers: Sequence[str]
    absent: dict[Side, list[str]]
    repairs: dict[Side, str]


_layer_fact = lru_cache(maxsize=4096)(LayerFact)
"""A fact is made once, however often it is met."""


@lru_cache(maxsize=8192)
def _tag_facts(side: Side, run: Run) -> list[TagFact]:
    """Return how the tags of a run are formed."""
    return [TagFact(side, shape) for shape in shapes_and_strays(run)]


def facts(document: Document, side: Side, options: EntityOptions) -> Iterable[Hashable]:
    """Return the layers in which a document has a mention, and how its tags are formed if they come without a file."""
    found: list[Hashable] = [_layer_fact(side, layer) for layer in layers_in(document)]
    if isinstance(options, TaggedOptions):
        for _, run in listed_runs(document):
            found += _tag_facts(side, run)
    return found


def settle(facts: Facts, options: EntityOptions) -> Known:
    """Return the layers that have a mention in some document of either side, or else the nameless one."""
    del options
    layers: dict[Side, set[str]] = {side: set() for side in SIDES}
    tags: dict[Side, Counter[Shape | None]] = {side: Counter() for side in SIDES}
    for fact, times in facts.items():
        if isinstance(fact, LayerFact):
            layers[fact.side].add(fact.layer)
        elif isinstance(fact, TagFact):
            tags[fact.side][fact.shape] += times
    every = sorted(layers["gold"] | layers["system"]) or [""]
    absent = {side: [name for name in every if name not in own] if own else [] for side, own in layers.items()}
    broken = {side: broken_tags(shapes) for side, shapes in tags.items()}
    in_words: dict[Side, str] = {
        side: f"{many(repairs, 'repair')} while reading the tags of the {side} as {scheme}"
        for side, (scheme, repairs) in broken.items()
        if repairs
    }
    return Known(every, absent, in_words)


def draft(gold: Document, system: Document, known: Known, options: EntityOptions) -> Iterator[Sheet]:
    """Yield the sheet of a pair of documents, with a page for each layer, or for all together."""
    check_texts(gold, system)
    notes: dict[Hashable, int] = defaultdict(int)
    sides = []
    for side, document in zip(SIDES, (gold, system), strict=True):
        mentions = document.mentions
        if not all(map(has_place, mentions)):
            mentions = [mention for mention in mentions if has_place(mention)]
            notes[_EMPTY, side] += len(document.mentions) - len(mentions)
        entities = entities_by_layer(document, mentions, known.layers, options)
        if options.corrected_by and (misread := _misread(document, mentions, entities)):
            notes[MISREAD, side] += misread
        sides.append(entities)
    together = options.layers == "ignore"
    pages = []
    for name, layers in [("", known.layers)] if together else [(layer, [layer]) for layer in known.layers]:
        both = []
        for side, by_layer in zip(SIDES, sides, strict=True):
            listed = [entity for layer in layers for entity in by_layer[layer]]
            if kept := options.kept_labels:
                notes[_OTHER_LABELS, side] += sum(entity.label not in kept for entity in listed)
                listed = [entity for entity in listed if entity.label in kept]
            both.append(options.arranged(listed))
            if len(both[-1]) < len(listed):
                notes[_REPEATED, side] += len(listed) - len(both[-1])
        tokens = _tokens(gold, system, layers, options, notes) if isinstance(options, TaggedOptions) else (0, 0)
        pages.append(Page(Group(name), both[0], both[1], gold.text, (gold, system), options, *tokens))
    yield Sheet(gold.id, pages, notes)


def entities_by_layer(
    document: Document, mentions: Sequence[Mention], layers: Sequence[str], options: EntityOptions
) -> dict[str, list[Entity]]:
    """Return the entities of a document by layer; tags may be read as a program does."""
    entities: dict[str, list[Entity]] = {}
    reading = options.reading()
    if reading is not None and document.table is not None:
        invented = entities_of(beyond) if (beyond := list(filter(stands_beyond, mentions))) else {}
        for layer in layers:
            tags = tags_of(document, layer)
            if tags is not None:
                entities[layer] = entities_in(tags, document.table, reading) + invented.get(layer, [])
    if len(entities) < len(layers):
        entities = entities_of(mentions) | entities
        return {layer: entities.get(layer, []) for layer in layers}
    return entities


def _misread(document: Document, mentions: Sequence[Mention], entities: Mapping[str, Sequence[Entity]]) -> int:
    """Return how many entities a program does not see as their tags say, in schemes with more than B and I."""
    tagged = [layer for layer in entities if any(map(is_foreign, distinct(tags_of(document, layer) or ())))]
    if not tagged:
        return 0
    meant = entities_of(mentions)
    return sum(len(set(meant.get(layer, ())).difference(entities[layer])) for layer in tagged)


@lru_cache(maxsize=4096)
def is_foreign(tag: str) -> bool:
    """Say whether a tag has a prefix that schemes with B and I alone do not have, or is empty."""
    return tag[:1] in "SELU"


def _tokens(
    gold: Document, system: Document, layers: Iterable[str], options: TaggedOptions, notes: dict[Hashable, int]
) -> tuple[int, int]:
    """Return how many tokens both sides have tagged, and how many alike; of other tokens there is a note."""
    tokens = same = 0
    differ = False
    for layer in layers:
        agreeing = agreement(gold, system, layer, options.alike)
        differ = differ or agreeing is None
        tokens, same = (tokens + agreeing[0], same + agreeing[1]) if agreeing else (tokens, same)
    if differ:
        notes[_TOKENS_DIFFER] += 1
    return tokens, same


def remarks(notes: Counter[Hashable], known: Known, options: EntityOptions) -> Iterator[str]:
    """Yield what a user should know before believing the numbers."""
    for side in SIDES:
        if repeated := notes[_REPEATED, side]:
            yield f"left out {many(repeated, 'repetition')} of {side} entities with the same place and label"
        if others := notes[_OTHER_LABELS, side]:
            yield f"left out {many(others, 'entity')} of the {side} with other labels than those that count"
        if empty := notes[_EMPTY, side]:
            yield f"left out {many(empty, 'mention')} of the {side} that covers no character"
        if misread := notes[MISREAD, side]:
            reads = f"the program misreads the tags of {many(misread, f'{side} entity')}, whose scheme it does not know"
            yield f"{reads}; {options.corrected_by} reads them right"
        if options.layers == "compare" and (absent := known.absent[side]):
            names = ", ".join(name or "the nameless layer" for name in absent)
            yield Lack(side, f"mentions in {names}; to compare all layers together say --layers ignore")
        if side in known.repairs:
            yield known.repairs[side]
    yield from options.remarks()
    if differing := notes[_TOKENS_DIFFER]:
        yield f"accuracy leaves out {many(differing, 'document')} whose tokens are not the same on both sides"
