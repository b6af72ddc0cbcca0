"""From a pair of documents to a sheet: the entities of both sides, a page for each layer, and what was noticed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, compress
from operator import ne
from typing import Any

import msgspec

from karat.annotations.columns import LINK_COLUMNS, TAG, linked_outside, tag_layer_of
from karat.annotations.tag_chunks import Reading, chunks_over
from karat.annotations.tag_schemes import Shape, TagRun, broken_tags, is_inside, runs_in, shapes_and_strays
from karat.errors import many
from karat.evaluation.casebook import Verdict
from karat.evaluation.pairing import check_texts
from karat.evaluation.protocol import Facts, Lack, Sheet, Side
from karat.evaluation.tally import Group
from karat.matching.sweep import candidates
from karat.model import Document, Mention, TokenTable
from karat.protocols.spans.items import Entity, entities_of, entity, is_whole
from karat.protocols.spans.options import EntityOptions, TaggedOptions

SIDES: tuple[Side, Side] = ("gold", "system")
_REPEATED, _EMPTY, MISREAD, _TOKENS_DIFFER = "repeated", "empty", "misread", "tokens differ"
_OTHER_LABELS = "other labels"
_DIALECTS = ("", "conll")
"""The tables whose columns hold plain tags: of lists of tags, and of column files."""


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


class EntitiesKnown(msgspec.Struct, frozen=True):
    """The facts of the whole corpus: its layers, those that a side lacks, and remarks on malformed tags."""

    layers: Sequence[str]
    absent: dict[Side, list[str]]
    repairs: dict[Side, str]


_layer_fact = lru_cache(maxsize=4096)(LayerFact)
"""A fact is made once, however often it is met."""


@lru_cache(maxsize=8192)
def _tag_facts(side: Side, run: TagRun) -> list[TagFact]:
    return [TagFact(side, shape) for shape in shapes_and_strays(run)]


def facts(document: Document, side: Side, options: EntityOptions) -> Iterable[Hashable]:
    """Return the layers in which a document has a mention, and how its tags are formed if they come without a file."""
    gathered: list[Hashable] = [_layer_fact(side, layer) for layer in layers_in(document)]
    if isinstance(options, TaggedOptions):
        for _, run in listed_runs(document):
            gathered += _tag_facts(side, run)
    return gathered


def settle(facts: Facts) -> EntitiesKnown:
    """Return the layers that have a mention in some document of either side, or else the nameless one."""
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
    return EntitiesKnown(every, absent, in_words)


def draft(gold: Document, system: Document, known: EntitiesKnown, options: EntityOptions) -> Iterator[Sheet]:
    """Yield the sheet of a pair of documents, with a page for each layer, or for all together."""
    check_texts(gold, system)
    notes: dict[Hashable, int] = defaultdict(int)
    sides = []
    for side, document in zip(SIDES, (gold, system), strict=True):
        mentions = document.mentions
        if not all(map(is_whole, mentions)):
            mentions = [mention for mention in mentions if is_whole(mention)]
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
        invented = entities_of([mention for mention in mentions if not mention.spans])
        for layer in layers:
            tags = tags_of(document, layer)
            if tags is not None:
                entities[layer] = entities_in(tags, document.table, reading) + invented.get(layer, [])
    if len(entities) < len(layers):
        entities = entities_of(mentions) | entities
        return {layer: entities.get(layer, []) for layer in layers}
    return entities


def _misread(document: Document, mentions: Sequence[Mention], entities: Mapping[str, Sequence[Entity]]) -> int:
    """Return how many entities a program misreads because it knows only B and I."""
    tagged = [layer for layer in entities if any(map(is_foreign, set(tags_of(document, layer) or ())))]
    if not tagged:
        return 0
    meant = entities_of(mentions)
    return sum(len(set(meant.get(layer, ())).difference(entities[layer])) for layer in tagged)


@lru_cache(maxsize=4096)
def is_foreign(tag: str) -> bool:
    """Return whether a tag has a prefix that schemes with B and I alone do not have, or is empty."""
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


def remarks(notes: Counter[Hashable], known: EntitiesKnown, options: EntityOptions) -> Iterator[str]:
    """Yield remarks on anything that makes the scores unreliable."""
    for side in SIDES:
        if repeated := notes[_REPEATED, side]:
            yield f"left out {many(repeated, 'repetition')} of {side} entities with the same place and label"
        if with_other_labels := notes[_OTHER_LABELS, side]:
            yield f"left out {many(with_other_labels, 'entity')} of the {side} with other labels than those that count"
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


def tags_of(document: Document, layer: str) -> Sequence[str] | None:
    """Return the tags that the mentions of a layer were read from, if there are any."""
    table = document.table
    if table is None or table.dialect not in _DIALECTS or len(table.starts) != len(table.forms):
        return None
    return table.columns.get(layer or TAG)


def entities_in(tags: Sequence[str], table: TokenTable, reading: Reading) -> list[Entity]:
    """Return the entities that a program reads off a column, each segment by itself.

    One that goes on behind a token without a tag does not have that token, and one that has no other is none.
    """
    starts, forms = table.starts, table.forms
    entities = []
    for first, past, label in chunks_over(reading, tags, table.segments or [0]):
        last = past - 1
        if last > first + 1 and "" in tags[first:past]:
            tagged = [index for index in range(first, past) if tags[index]]
            spans = tuple((starts[index], starts[index] + len(forms[index])) for index in tagged)
            if spans:
                entities.append(entity(spans, label, "\t".join(forms[index] for index in tagged)))
            continue
        entities.append(_entity(starts[first], starts[last] + len(forms[last]), label))
    return entities


@lru_cache(maxsize=1 << 14)
def _entity(start: int, end: int, label: str) -> Entity:
    """Return a label over one stretch of text; short documents have the same ones again and again."""
    return Entity(((start, end),), label, start, end, end - start, "")


def agreement(
    gold: Document, system: Document, layer: str, alike: Callable[[str, str], bool]
) -> tuple[int, int] | None:
    """Return the number of tokens and of those with the same tag on both sides; None if the tokens differ.

    ``alike`` says of two tags that are not written alike whether they are the same.
    """
    left, right = tags_of(gold, layer), tags_of(system, layer)
    if left is None or right is None:
        return 0, 0
    if gold.table is None or system.table is None or gold.table.starts != system.table.starts:
        return None
    differing = list(compress(range(len(left)), map(ne, left, right)))
    return len(left), len(left) - len(differing) + sum(alike(left[index], right[index]) for index in differing)


def layers_in(document: Document) -> Iterable[str]:
    """Return the layers in which a document has a mention, or a tag if only tags were read.

    >>> from karat.model import TokenTable
    >>> list(layers_in(Document("d", table=TokenTable([], {"TAG": ["O", "B-LOC"], "NE": ["O", "O"]}, dialect="conll"))))
    ['']
    """
    table = document.table
    if table is None or table.forms or document.mentions:
        return dict.fromkeys([mention.layer for mention in document.mentions])
    layers: list[str] = []
    for name, cells in table.columns.items():
        layer = tag_layer_of(name)
        if layer is not None:
            links = table.columns.get(LINK_COLUMNS.get(name, ""))
            layers += [layer] if any(map(is_inside, set(cells))) else []
            layers += [LINK_COLUMNS[name]] if links and any(linked_outside(cells, links)) else []
    return layers


def listed_runs(document: Document) -> Iterable[tuple[int, TagRun]]:
    """Return the runs of the tags of a document, for lists of tags; readers of files look at these themselves."""
    table = document.table
    tags = None if table is None or table.dialect else tags_of(document, "")
    return () if table is None or tags is None else runs_in(tags, table.segments)
