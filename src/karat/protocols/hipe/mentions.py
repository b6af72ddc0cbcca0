"""HIPE on documents of any format: entities are mentions, laid over the tokens of both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, compress

from karat.errors import InputError
from karat.model import Document, Mention, Span
from karat.pairing import pair
from karat.protocols.hipe.entities import Entity, tags_of, whole_tags_of
from karat.protocols.hipe.judge import Place
from karat.protocols.hipe.options import Column, HipeOptions, Slice
from karat.protocols.hipe.tables import token_mask
from karat.tokens import covered_tokens, cut_text

Warn = Callable[[str], None]


class MentionCorpus:
    """Documents with mentions, paired by their ids.

    A side whose mentions are in no named layer is taken to annotate the first column of the task; if that holds for
    both sides, no other column is evaluated.
    """

    def __init__(
        self,
        gold: Sequence[Document],
        system: Sequence[Document],
        columns: Sequence[Column],
        options: HipeOptions,
        warn: Warn,
    ) -> None:
        self.options = options
        paired = pair(gold, system, options.missing)  # type: ignore[arg-type]
        for note in paired.notes:
            warn(note)
        layered = [any(mention.layer for one in side for mention in one.mentions) for side in (gold, system)]
        self.columns = columns if any(layered) else columns[:1]
        defaults = tuple(None if named else columns[0] for named in layered)
        self.pairs = [MentionPair(left, right, defaults, options) for left, right in paired.pairs]

    def tags(self, column: Column) -> tuple[set[str], set[str]]:
        """Return the labels (or links) of a column on either side."""
        gold, system = (self._tags(side, column) for side in (0, 1))
        return gold, system

    def _tags(self, side: int, column: Column) -> set[str]:
        links = column.bounds is not None
        labels = (_labels(mention, column) for one in self.pairs for mention in one.mentions(side, column))
        if links:
            cells = {"|".join(alternatives) for alternatives in labels if alternatives}
        else:
            cells = {f"B-{label}" for several in labels for label in several}
        return whole_tags_of(cells, links=links) if self.options.rules.whole_tags else tags_of(cells)


class MentionPair:
    """A gold document and the system's, over one grid of tokens."""

    def __init__(
        self, gold: Document, system: Document, defaults: tuple[Column | None, ...], options: HipeOptions
    ) -> None:
        self.unit = gold.id
        self.sides = (gold, system)
        self.defaults = defaults
        self.places = (Place(gold.source), Place(system.source))
        _check_texts(gold, system)
        self.grid = _grid(gold, system)
        self.forms = [gold.text[start:end] for start, end in self.grid]
        self.kept = ["#" not in form for form in self.forms] if options.rules.hash_tokens == "drop" else None

    def mentions(self, side: int, column: Column) -> list[Mention]:
        """Return the mentions of one side that belong to a column."""
        layers = {column.name, column.bounds}
        if self.defaults[side] == column:
            layers.add("")
        return [mention for mention in self.sides[side].mentions if mention.layer in layers]

    def entities(self, column: Column, part: Slice) -> tuple[Sequence[str], list[Entity], list[Entity]]:
        """Return the tokens of a slice, the gold entities and the system entities of a column."""
        mask = _both(self.kept, self._slice(part))
        forms = self.forms if mask is None else list(compress(self.forms, mask))
        gold, system = (self._entities(side, column, forms, mask) for side in (0, 1))
        return forms, gold, system

    def _slice(self, part: Slice) -> list[bool] | None:
        gold = self.sides[0]
        if part.name and (gold.table is None or gold.table.dialect != "hipe"):
            message = f"document {gold.id!r} has no noise levels or dates by token; slices need a gold in HIPE format"
            raise InputError(message, path=gold.source or None)
        return token_mask(gold, part)

    def _entities(self, side: int, column: Column, forms: Sequence[str], mask: list[bool] | None) -> list[Entity]:
        starts, ends = [start for start, _ in self.grid], [end for _, end in self.grid]
        before = None if mask is None else [0, *accumulate(mask)]
        found: set[Entity] = set()
        for mention in self.mentions(side, column):
            start, end = covered_tokens((mention.start, mention.end), starts, ends)
            if before is not None:
                start, end = before[start], before[end]
            if start < end:
                text = "".join(forms[start:end])
                labels = _labels(mention, column)
                alternatives = [labels] if column.bounds else [(label,) for label in labels]
                found.update(Entity(one, start, end, text) for one in alternatives if one)
        return sorted(found, key=lambda entity: (entity.start, entity.end, entity.labels))


def _labels(mention: Mention, column: Column) -> tuple[str, ...]:
    names = (link.target for link in mention.links) if column.bounds else mention.labels
    return tuple(name.upper() for name in names)


def _check_texts(gold: Document, system: Document) -> None:
    if gold.text == system.text:
        return
    shared = zip(gold.text, system.text, strict=False)
    at = next((index for index, (one, two) in enumerate(shared) if one != two), None)
    place = min(len(gold.text), len(system.text)) if at is None else at
    found, wanted = system.text[place : place + 20], gold.text[place : place + 20]
    message = f"document {gold.id!r}: the texts differ from character {place} on: {found!r} instead of {wanted!r}"
    raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)


def _grid(gold: Document, system: Document) -> list[Span]:
    """Return the tokens: those of a side that has some, else runs of non-blanks cut at every mention."""
    for document in (gold, system):
        if document.table is not None and document.table.starts:
            starts, forms = document.table.starts, document.table.forms
            return [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)]
    edges = (edge for one in (gold, system) for mention in one.mentions for span in mention.spans for edge in span)
    return cut_text(gold.text, edges)


def _both(one: list[bool] | None, two: list[bool] | None) -> list[bool] | None:
    if one is None or two is None:
        return two if one is None else one
    return [left and right for left, right in zip(one, two, strict=True)]
