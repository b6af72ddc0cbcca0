"""The later OMIn evaluation of named entities: the entities of a document as labelled spans.

Spans are ranges of tokens where both sides have tokens, as in the program, and ranges of characters elsewhere; the
order in which gold entities are tried depends on it. :mod:`karat.protocols.omin.schemes` judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from karat.errors import InputError
from karat.evaluation.casebook import Casebook, Verdict
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Demands, Sheet, Side, layers_of
from karat.evaluation.tally import Group
from karat.matching.sweep import ONLY_NEIGHBOURS, are_crowded
from karat.model import Document, Mention, Span
from karat.protocols.omin.mentions import LACKS, PHRASE, by_layer, is_located, phrase, range_of, same_text, stop
from karat.protocols.omin.mentions import demands as demands_of_omin
from karat.protocols.omin.options import SpanOptions
from karat.protocols.omin.schemes import (
    CASES,
    DUMMY,
    NOT_FOUND,
    SHORTER,
    TYPE_SETS,
    LabelledRange,
    among,
    in_published_order,
    judge_one_to_one,
    judge_published,
)

_NO_LABEL = "entity"

Ranges = Callable[[Span], Span]
"""Returns the range of tokens that some characters are."""
Shown = Mapping[LabelledRange, tuple[str, Span | None]]
"""The texts of entities as they were given, and their characters."""


class EntityOrigins(NamedTuple):
    """Where the entities of one side come from: each of them with its mention, and their document."""

    entities: Sequence[LabelledRange]
    mentions: Sequence[Mention]
    text: str
    source: str


class Page(msgspec.Struct, frozen=True, dict=True):
    """The entities of one document and layer as they are compared, and where they come from."""

    group: Group
    gold: Sequence[LabelledRange]
    system: Sequence[LabelledRange]
    one_to_one: bool
    origins: tuple[EntityOrigins, EntityOrigins]

    @cached_property
    def shown(self) -> tuple[Shown, Shown]:
        """How the entities of both sides are shown; of several that are the same, the last."""
        return _shown(self.origins[0]), _shown(self.origins[1])


def demands(options: SpanOptions) -> Demands:
    """Return how OMIn files are read: as published with the possessives of the program, corrected without them."""
    rules = {"possessives": "apart" if options.mends("one-possessive") else "published"}
    rules |= {"stops": "plain"} if options.mends("full-stops-are-marked") else {}
    rules |= {} if options.mends("incomplete-rows-vanish") else {"incomplete": "unplaced"}
    return demands_of_omin(**rules)


def facts(document: Document, side: Side, options: SpanOptions) -> Iterable[Hashable]:
    """Return the layers; rows without an entity are refused wherever they stand, as the program does."""
    for mention in document.mentions:
        if PHRASE in mention.attributes:
            _refuse(document, mention, side, options)
    return layers_of(document, side)


def _refuse(document: Document, mention: Mention, side: Side, options: SpanOptions) -> None:
    """Stop where the program stops at a row without an entity."""
    if side == "system" and not options.mends("incomplete-rows-vanish"):
        advice = "take the row out, or choose --profile corrected, which passes over it"
        raise stop(document, mention, "entity", advice)
    if side == "gold" and LACKS not in mention.attributes:
        raise stop(document, mention, "entity", "expected a text")


def draft(gold: Document, system: Document, layers: Sequence[str], options: SpanOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with a page for each layer."""
    if any(document.metadata.get("possessives") == "stuck" for document in (gold, system)):
        message = f"document {gold.id!r} has an 'S that the published program cannot join to the token before it"
        raise InputError(f"{message}: it stops here; --profile corrected goes on")
    same_text(gold, system)
    ranges = ranges_of(gold, system)
    one_to_one = options.mends("one-to-one")
    unlabelled = options.typing == "untyped" and options.mends("untyped-has-labels")
    labels = None if options.types == "all" or unlabelled else TYPE_SETS[options.types]
    pages = []
    for layer, *mentions in zip(layers, by_layer(gold, layers), by_layer(system, layers), strict=True):
        golds = origin_of(gold, mentions[0], "gold", options, ranges)
        systems = origin_of(system, mentions[1], "system", options, ranges)
        once = not options.mends("gold-repeats-collapse")
        ordered = golds.entities if one_to_one and not once else in_published_order(golds.entities, once=once)
        kept = among(ordered, labels), among(systems.entities, labels)
        pages.append(Page(Group(layer), *kept, one_to_one, (golds, systems)))
    crowded = one_to_one and any(are_crowded(page.gold, page.system) for page in pages)
    yield Sheet(gold.id, pages, (ONLY_NEIGHBOURS,) if crowded else ())


def ranges_of(gold: Document, system: Document) -> Ranges | None:
    """Return how characters become tokens, if both documents have tokens that no mention cuts."""
    tables = [document.table for document in (gold, system) if document.mentions]
    if not tables or any(table is None or len(table.starts) != len(table.forms) for table in tables):
        return None
    table = tables[0]
    assert table is not None  # noqa: S101 - none is, as seen above
    starts = {start: index for index, start in enumerate(table.starts)}
    forms = zip(table.starts, table.forms, strict=True)
    ends = {start + len(form): index for index, (start, form) in enumerate(forms, 1)}
    for mention in filter(is_located, (*gold.mentions, *system.mentions)):
        if mention.start not in starts or (mention.end not in ends and mention.end != mention.start):
            return None

    def ranges(span: Span) -> Span:
        start, end = span
        return starts[start], starts[start] if start == end else ends[end]

    return ranges


def origin_of(
    document: Document, mentions: Iterable[Mention], side: Side, options: SpanOptions, ranges: Ranges | None
) -> EntityOrigins:
    """Return the entities of one side in their order, whatever their labels, of the rows that count.

    Without types the gold has the label of the program and, corrected, the system too. If a set of types is given, gold
    without labels has it as well.
    """
    counted = [mention for mention in mentions if is_counted(mention, options)]
    untyped = options.typing == "untyped"
    if side == "gold":
        dummy, unlabelled, shorter = untyped, _NO_LABEL if options.types == "all" else DUMMY, {}
    else:
        dummy = untyped and (options.mends("untyped-has-labels") or options.types == "all")
        unlabelled, shorter = _NO_LABEL, SHORTER
    entities = []
    for mention in counted:
        label = mention.labels[0] if mention.labels else unlabelled
        span = (mention.start, mention.end) if is_located(mention) else NOT_FOUND
        place = span if ranges is None or span is NOT_FOUND else ranges(span)
        entities.append(LabelledRange(DUMMY if dummy else shorter.get(label, label), *place))
    return EntityOrigins(entities, counted, document.text, document.source)


def is_counted(mention: Mention, options: SpanOptions) -> bool:
    """Return whether a row counts: as published if no cell is missing, corrected if it has an entity and a label."""
    attributes = mention.attributes
    if options.mends("incomplete-rows-vanish"):
        return PHRASE not in attributes and (options.typing == "untyped" or attributes.get(LACKS) != "label")
    return LACKS not in attributes


def _shown(origin: EntityOrigins) -> Shown:
    document = Document("", origin.text)
    return {
        entity: (phrase(mention, document), range_of(mention))
        for entity, mention in zip(origin.entities, origin.mentions, strict=True)
    }


def judge(page: Page) -> list[Verdict]:
    """Return the verdicts on a page."""
    return (judge_one_to_one if page.one_to_one else judge_published)(page.gold, page.system)


def item(page: Page, side: Side, index: int) -> Item:
    """Return how an entity is shown."""
    entity, side_index = (page.gold[index], 0) if side == "gold" else (page.system[index], 1)
    text, span = page.shown[side_index][entity]
    ends = () if span is None else ((span,),)
    return Item(entity.label, text, span, place=page.origins[side_index].source, ends=ends)


def reason(page: Page, verdict: Verdict) -> str:
    """Return in words why the case is what it is."""
    gold = None if verdict.gold is None else page.gold[verdict.gold]
    system = None if verdict.system is None else page.system[verdict.system]
    if gold is None:
        return "it is not in the text" if system and system[1:] == NOT_FOUND else "no gold entity overlaps it"
    if system is None:
        return "it is not in the text" if gold[1:] == NOT_FOUND else "no system entity was judged by it"
    labels = f"{system.label} for {gold.label}"
    if gold[1:] == system[1:]:
        place = "neither is in the text" if gold[1:] == NOT_FOUND else "same place"
        return f"{place} and same label" if verdict.case == "exact" else f"{place}, but {labels}"
    characters = [f"{span[0]}-{span[1]}" for span in (page.shown[1][system][1], page.shown[0][gold][1]) if span]
    where = f"characters {' for '.join(characters)}"
    return f"same label, but {where}" if verdict.case == "wrong-boundary" else f"{labels}, and {where}"


BOOK = Casebook(CASES, judge, item=item, reason=reason)
