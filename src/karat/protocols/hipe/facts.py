"""The facts of both corpora that judging a pair needs: the kinds of their documents, and their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from karat.errors import InputError, many
from karat.evaluation.protocol import SYSTEM_FILE, Side
from karat.matching.sweep import ONLY_NEIGHBOURS
from karat.model import Document, Mention
from karat.protocols.hipe.entities import labels_of, tags_of
from karat.protocols.hipe.mentions import layers_of
from karat.protocols.hipe.options import HipeColumn, HipeOptions
from karat.protocols.hipe.tables import is_cut, is_table, kept, token_table

SIDES: tuple[Side, Side] = ("gold", "system")


class Fact(NamedTuple):
    """Something that occurs on a side, in a layer.

    A ``document`` and its ``tokens`` are those of a HIPE table after filtering; ``other`` is a document of another
    kind. A tag in ``cells`` is counted by the place of its first token: of a side with a single document, the sum says
    where that is. A tag in ``mentions`` is counted by them; ``layer`` counts all mentions, ``gaps`` those in pieces.
    """

    what: Literal["document", "tokens", "other", "cells", "mentions", "layer", "gaps"]
    side: Side
    layer: str = ""
    tag: str = ""


class Tags(NamedTuple):
    """The tags of a column in the whole gold and in the whole system data, and those that count."""

    gold: frozenset[str]
    system: frozenset[str]
    counted: frozenset[str]


class HipeKnown(msgspec.Struct, frozen=True):
    """What is known of both corpora.

    ``tables`` says whether both sides are HIPE tables, and ``cut`` whether the system is one document without marks,
    which is cut up as the gold is. ``columns`` are evaluated, with the ``tags`` of each by its name. ``defaults`` is
    the column of the mentions of either side that have no layer.
    """

    tables: bool
    columns: Sequence[HipeColumn]
    tags: Mapping[str, Tags]
    cut: bool = False
    defaults: tuple[HipeColumn | None, HipeColumn | None] = (None, None)
    notes: Sequence[str] = ()


def facts(document: Document, side: Side, options: HipeOptions, *, columns: Sequence[HipeColumn]) -> Mapping[Fact, int]:
    """Return the counts of the facts of a document: as a HIPE table, if it is one, and as a text with mentions."""
    counted: dict[Fact, int] = {}
    if is_table(document):
        for prepared in kept([document], options):
            counted = _of_table(prepared, side, options, columns)
    else:
        counted[Fact("other", side)] = 1
    if not document.mentions:
        return counted
    mentions: Counter[Fact] = Counter(counted)
    for mention in document.mentions:
        mentions[Fact("layer", side, mention.layer)] += 1
        if len(mention.spans) > 1:
            mentions[Fact("gaps", side)] += 1
        mentions.update(Fact("mentions", side, mention.layer, tag) for tag in _tags(mention, columns[0], options))
    return mentions


def _tags(mention: Mention, column: HipeColumn, options: HipeOptions) -> Iterator[str]:
    """Yield the tags of a mention, as if its labels or links stood in a column of a HIPE table."""
    labels = labels_of(mention, column)
    cells = ["|".join(labels)] if labels and column.bounds else [f"B-{label}" for label in labels]
    for cell in cells:
        yield from tags_of(cell, whole=options.rules.whole_tags, links=column.bounds is not None)


def _of_table(document: Document, side: Side, options: HipeOptions, columns: Sequence[HipeColumn]) -> dict[Fact, int]:
    table = token_table(document)
    counted = {Fact("document", side): 1, Fact("tokens", side): len(table.forms)}
    whole = options.rules.whole_tags
    for column in columns:
        cells = table.columns.get(column.name, ())
        first_rows = dict(zip(reversed(cells), range(len(cells) - 1, -1, -1), strict=True))
        for cell, row in first_rows.items():
            for fact in _of_cell(cell, side, column, whole):
                if row < counted.get(fact, row + 1):
                    counted[fact] = row + 1
    return counted


@lru_cache(maxsize=65_536)
def _of_cell(cell: str, side: Side, column: HipeColumn, whole: bool) -> tuple[Fact, ...]:
    tags = tags_of(cell, whole=whole, links=column.bounds is not None)
    return tuple(Fact("cells", side, column.name, tag) for tag in tags)


def settle(facts: Counter[Any], options: HipeOptions, *, columns: Sequence[HipeColumn]) -> HipeKnown:
    """Return what is known of both corpora: from raw cells if both sides are HIPE tables, else from mentions."""
    if any(facts[Fact("other", side)] for side in SIDES):
        return _known_by_mentions(facts, options, columns)
    documents = facts[Fact("document", "gold")], facts[Fact("document", "system")]
    cells = [fact for fact in facts if fact.what == "cells"]
    if is_cut(documents):  # the tokens of the system beyond those of the gold are dropped
        tokens = facts[Fact("tokens", "gold")]
        cells = [fact for fact in cells if fact.side == "gold" or facts[fact] <= tokens]
    tags = {column.name: _tags_of(column, cells, ({column.name}, {column.name}), options) for column in columns}
    return HipeKnown(tables=True, columns=columns, tags=tags, cut=is_cut(documents))


def _known_by_mentions(facts: Counter[Any], options: HipeOptions, columns: Sequence[HipeColumn]) -> HipeKnown:
    """Return what is known of mentions.

    A side whose mentions are in no named layer is taken to annotate the first column of the task; if that holds for
    both sides, no other column is evaluated.
    """
    for name, value in (("--glue", options.glue), ("--link-spans", options.link_spans)):
        if value:
            raise InputError(f"only HIPE files have the columns that {name} needs; give such files as gold and system")
    layers = [{fact.layer for fact in facts if fact.what == "layer" and fact.side == side} for side in SIDES]
    layered = [bool(names - {""}) for names in layers]
    first, evaluated = columns[0], columns if any(layered) else columns[:1]
    gold, system = (None if has_names else first for has_names in layered)
    mentions = [fact for fact in facts if fact.what == "mentions"]
    tags = {
        column.name: _tags_of(column, mentions, (layers_of(column, gold), layers_of(column, system)), options)
        for column in evaluated
    }
    notes = list(_notes_on_layers(facts, layered, evaluated))
    return HipeKnown(tables=False, columns=evaluated, tags=tags, defaults=(gold, system), notes=notes)


def _tags_of(
    column: HipeColumn, facts: Iterable[Fact], layers: tuple[Collection[str], Collection[str]], options: HipeOptions
) -> Tags:
    """Return the tags of a column; those of the gold count, and for links, or with a tag set, also the system's."""
    by_side = dict(zip(SIDES, layers, strict=True))
    inside = [fact for fact in facts if fact.layer in by_side[fact.side]]
    gold, system = (frozenset(fact.tag for fact in inside if fact.side == side) for side in SIDES)
    return Tags(gold, system, gold | (system if column.bounds else system & set(options.tagset)))


def _notes_on_layers(facts: Counter[Any], layered: Sequence[bool], columns: Sequence[HipeColumn]) -> Iterator[str]:
    """Yield notes on mentions that are not evaluated because they have no layer, and on empty columns."""
    for side, has_names in zip(SIDES, layered, strict=True):
        lost = facts[Fact("layer", side)] if has_names else 0
        if lost:
            yield f"left out {lost} {side} mentions without a layer, because others have one"
    split = sum(facts[Fact("gaps", side)] for side in SIDES)
    if split:
        yield f"HIPE knows no gaps: {many(split, 'discontinuous mention')} judged from first to last token"
    for column in columns if any(layered) else ():
        if not any(facts[Fact("layer", side, name)] for side in SIDES for name in layers_of(column, None)):
            yield f"neither side has mentions in the layer {column.bounds or column.name}"


class SplitLink(NamedTuple):
    """A note on an entity whose tokens have different links: in which column and slice, and in the scorer's words."""

    column: str
    slice: int
    words: str


def remarks(noted: Counter[Any], known: HipeKnown, options: HipeOptions) -> Iterator[str]:
    """Yield what the scorer would have logged; it evaluates links once more for every cutoff, and warns each time."""
    yield from known.notes
    times = len(options.n_best) if known.columns[0].bounds else 1
    for _ in range(max(times, 1)):
        for column in known.columns:
            for slice_index in range(len(options.slices)):
                yield from _notes_on_tags(column, known.tags[column.name], options)
                for note, count in noted.items():
                    if note[:2] == (column.name, slice_index):
                        yield from [note.words] * count
    if ONLY_NEIGHBOURS in noted:
        yield ONLY_NEIGHBOURS


def _notes_on_tags(column: HipeColumn, tags: Tags, options: HipeOptions) -> Iterator[str]:
    """Warn of system labels that do not count, in the words of the scorer's log."""
    if column.bounds is not None:
        return
    if not tags.system and not options.tagset:
        yield f"No tags in the column '['{column.name}']' of the system response file: '{SYSTEM_FILE}'"
    for tag in sorted(tags.system - set(options.tagset or tags.gold)):
        yield (
            f"Spurious entity label '{tag}' in column ['{column.name}'] of system response file: '{SYSTEM_FILE}'."
            f"{' ' * 17}As the tag is not part of the gold standard, it is ignored in the evaluation."
        )
