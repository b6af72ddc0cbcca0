"""HIPE on documents of any format: entities are mentions, laid over the tokens of both sides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress

from karat.annotations.tokens import covered_tokens, cut_text
from karat.errors import InputError, many
from karat.matching.text_order import in_text_order
from karat.model import Document, Span
from karat.protocols.hipe.entities import ColumnEntities, ColumnEntity, labels_of
from karat.protocols.hipe.judge import TokenSource
from karat.protocols.hipe.options import HipeColumn, HipeOptions, Slice
from karat.protocols.hipe.tables import both_masks, is_table, token_mask


def layers_of(column: HipeColumn, default: HipeColumn | None) -> set[str]:
    """Return the layers whose mentions belong to a column, on a side whose mentions without a layer have a default."""
    return {column.name, *filter(None, [column.bounds]), *([""] if column == default else [])}


class MentionPair:
    """A gold document and the system's, over one grid of tokens."""

    def __init__(
        self, gold: Document, system: Document, defaults: tuple[HipeColumn | None, ...], options: HipeOptions
    ) -> None:
        self.sides = (gold, system)
        self.defaults = defaults
        self.places = (TokenSource(gold.source), TokenSource(system.source))
        for document in self.sides:
            _check_places(document)
        self.rulers = _rulers(gold, system)
        self.forms, self.starts, self.ends = _grid(self.sides, self.rulers)
        self.characters = [_characters(ruler, self.starts, self.ends) for ruler in self.rulers]
        self.kept = ["#" not in form for form in self.forms] if options.rules.hash_tokens == "drop" else None

    def entities(self, column: HipeColumn, part: Slice) -> ColumnEntities:
        """Return the tokens of a slice, the gold entities and the system entities of a column."""
        mask = both_masks(self.kept, self._slice(part))
        forms = self.forms if mask is None else list(compress(self.forms, mask))
        gold, system = (self._entities(side, column, mask) for side in (0, 1))
        characters = [spans if mask is None else list(compress(spans, mask)) for spans in self.characters]
        return ColumnEntities((forms, forms), gold, system, characters=(characters[0], characters[1]))

    def _slice(self, part: Slice) -> list[bool] | None:
        gold = self.sides[0]
        if part.name and not is_table(gold):
            message = f"document {gold.id!r} has no noise levels or dates by token; slices need a gold in HIPE format"
            raise InputError(message, path=gold.source or None)
        return token_mask(gold, part)

    def _entities(self, side: int, column: HipeColumn, mask: list[bool] | None) -> list[ColumnEntity]:
        ruler = self.rulers[side]
        kept_before = None if mask is None else [*accumulate(mask, initial=0)]
        layers = layers_of(column, self.defaults[side])
        entities: list[ColumnEntity] = []
        for mention in self.sides[side].mentions:
            if mention.layer not in layers:
                continue
            labels = labels_of(mention, column)
            ranked = [links for links in ([labels] if column.bounds else [(label,) for label in labels]) if links]
            if not mention.spans:
                entities += (ColumnEntity(links, 0, 0, mention.text) for links in ranked)
                continue
            start, end = covered_tokens((ruler[mention.start], ruler[mention.end]), self.starts, self.ends)
            if kept_before is not None:
                start, end = kept_before[start], kept_before[end]
            if start < end:
                entities += (ColumnEntity(links, start, end) for links in ranked)
        return in_text_order(entities, lambda entity: (entity.start, entity.end, entity.labels))


Ruler = Sequence[int]
"""For each offset of a text the position that it is compared by."""


def _check_places(document: Document) -> None:
    """Refuse mentions outside of the text, and so all mentions where there is no text: they cover no tokens."""
    length = len(document.text)
    for mention in document.mentions:
        if mention.spans and not 0 <= mention.start <= mention.end <= length:
            where = f"document {document.id!r}: mention {mention.id!r} stands at [{mention.start}, {mention.end}]"
            message = f"{where}, outside of the text, which has {many(length, 'character')}"
            advice = "HIPE compares tokens, so the text must be there; semeval2013 and tac-edl compare offsets alone"
            raise InputError(f"{message}; {advice}", path=document.source or None)


def _rulers(gold: Document, system: Document) -> tuple[Ruler, Ruler]:
    """Return how offsets of either side are compared: as they are or, if only white space differs, without it."""
    if gold.text == system.text:
        every = range(len(gold.text) + 1)
        return every, every
    squeezed = ["".join(document.text.split()) for document in (gold, system)]
    if squeezed[0] != squeezed[1]:
        pairs = enumerate(zip(*squeezed, strict=False))
        difference = next((index for index, (left, right) in pairs if left != right), min(map(len, squeezed)))
        wanted, given = (text[difference : difference + 20] for text in squeezed)
        message = f"document {gold.id!r}: the texts differ, blanks aside: {given!r} instead of {wanted!r}"
        raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)
    return _without_blanks(gold.text), _without_blanks(system.text)


def _characters(ruler: Ruler, starts: Sequence[int], ends: Sequence[int]) -> list[Span]:
    """Return where tokens stand in the text of a side, given their positions."""
    return [(bisect_right(ruler, start) - 1, bisect_left(ruler, end)) for start, end in zip(starts, ends, strict=True)]


def _without_blanks(text: str) -> Ruler:
    return [*accumulate((not char.isspace() for char in text), initial=0)]


def _grid(sides: Sequence[Document], rulers: Sequence[Ruler]) -> tuple[Sequence[str], list[int], list[int]]:
    """Return the tokens with their positions: those of a side that has some in its text, else runs of non-blanks.

    Runs of non-blanks are cut at every mention of either side, so that mentions are whole tokens.
    """
    for document, ruler in zip(sides, rulers, strict=True):
        table = document.table
        if table is not None and table.starts:
            tokens = zip(table.starts, table.forms, strict=True)
            words = [(start, form) for start, form in tokens if document.text.startswith(form, start)]
            ends = [ruler[start + len(form)] for start, form in words]
            return [form for _, form in words], [ruler[start] for start, _ in words], ends
    gold, ruler = sides[0], rulers[0]
    edges = {
        measure[edge]
        for document, measure in zip(sides, rulers, strict=True)
        for mention in document.mentions
        for span in mention.spans
        for edge in span
    }
    cuts = cut_text(gold.text, (offset for offset, position in enumerate(ruler) if position in edges))
    forms = [gold.text[start:end] for start, end in cuts]
    return forms, [ruler[start] for start, _ in cuts], [ruler[end] for _, end in cuts]
