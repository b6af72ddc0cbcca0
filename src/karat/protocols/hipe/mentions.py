"""HIPE on documents of any format: entities are mentions, laid over the tokens of both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, compress

from karat.annotations.tokens import covered_tokens, cut_text
from karat.errors import InputError, many
from karat.model import Document, Mention
from karat.pairing import paired as all_pairs
from karat.protocols.hipe.entities import Entities, Entity, tags_of, whole_tags_of
from karat.protocols.hipe.judge import Place
from karat.protocols.hipe.options import Column, HipeOptions, Slice
from karat.protocols.hipe.tables import token_mask

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
        _refuse_table_options(options)
        paired = all_pairs(gold, system, options.missing)
        for note in paired.notes:
            warn(note)
        layered = [any(mention.layer for one in side for mention in one.mentions) for side in (gold, system)]
        self.columns = columns if any(layered) else columns[:1]
        _note_layers((gold, system), layered, self.columns, warn)
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
        self.rulers = _rulers(gold, system)
        self.forms, self.starts, self.ends = _grid(self.sides, self.rulers)
        self.kept = ["#" not in form for form in self.forms] if options.rules.hash_tokens == "drop" else None

    def mentions(self, side: int, column: Column) -> list[Mention]:
        """Return the mentions of one side that belong to a column."""
        layers = {column.name, column.bounds}
        if self.defaults[side] == column:
            layers.add("")
        return [mention for mention in self.sides[side].mentions if mention.layer in layers]

    def entities(self, column: Column, part: Slice) -> Entities:
        """Return the tokens of a slice, the gold entities and the system entities of a column."""
        mask = _both(self.kept, self._slice(part))
        forms = self.forms if mask is None else list(compress(self.forms, mask))
        gold, system = (self._entities(side, column, forms, mask) for side in (0, 1))
        return Entities((forms, forms), gold, system)

    def _slice(self, part: Slice) -> list[bool] | None:
        gold = self.sides[0]
        if part.name and (gold.table is None or gold.table.dialect != "hipe"):
            message = f"document {gold.id!r} has no noise levels or dates by token; slices need a gold in HIPE format"
            raise InputError(message, path=gold.source or None)
        return token_mask(gold, part)

    def _entities(self, side: int, column: Column, forms: Sequence[str], mask: list[bool] | None) -> list[Entity]:
        ruler = self.rulers[side]
        before = None if mask is None else [0, *accumulate(mask)]
        found: list[Entity] = []
        for mention in self.mentions(side, column):
            start, end = covered_tokens((ruler[mention.start], ruler[mention.end]), self.starts, self.ends)
            if before is not None:
                start, end = before[start], before[end]
            if start < end:
                text = "".join(forms[start:end])
                labels = _labels(mention, column)
                alternatives = [labels] if column.bounds else [(label,) for label in labels]
                found += (Entity(one, start, end, text) for one in alternatives if one)
        return sorted(found, key=lambda entity: (entity.start, entity.end, entity.labels))


def _labels(mention: Mention, column: Column) -> tuple[str, ...]:
    names = (link.target for link in mention.links) if column.bounds else mention.labels
    return tuple(name.upper() for name in names)


def _refuse_table_options(options: HipeOptions) -> None:
    """Refuse options that only make sense for the columns of HIPE files."""
    for name, value in (("--glue", options.glue), ("--link-spans", options.link_spans)):
        if value:
            raise InputError(f"{name} speaks of the columns of HIPE files; gold and system must both be such files")


def _note_layers(
    sides: Sequence[Sequence[Document]], layered: Sequence[bool], columns: Sequence[Column], warn: Warn
) -> None:
    """Say which mentions are not evaluated for want of a layer, and which columns are empty."""
    found = {mention.layer for side in sides for one in side for mention in one.mentions}
    for name, side, named in zip(("gold", "system"), sides, layered, strict=True):
        lost = sum(not mention.layer for one in side for mention in one.mentions) if named else 0
        if lost:
            warn(f"left out {lost} {name} mentions without a layer, because others have one")
    split = sum(len(mention.spans) > 1 for side in sides for one in side for mention in one.mentions)
    if split:
        warn(f"HIPE knows no gaps: {many(split, 'discontinuous mention')} judged from first to last token")
    for column in columns if any(layered) else ():
        if not found & {column.name, column.bounds}:
            warn(f"neither side has mentions in the layer {column.bounds or column.name}")


Ruler = Sequence[int]
"""For each offset of a text the position that it is compared by."""


def _rulers(gold: Document, system: Document) -> tuple[Ruler, Ruler]:
    """Return how offsets of either side are compared: as they are or, if only white space differs, without it."""
    if gold.text == system.text:
        every = range(len(gold.text) + 1)
        return every, every
    squeezed = ["".join(one.text.split()) for one in (gold, system)]
    if squeezed[0] != squeezed[1]:
        pairs = enumerate(zip(*squeezed, strict=False))
        place = next((index for index, (one, two) in pairs if one != two), min(map(len, squeezed)))
        wanted, found = (text[place : place + 20] for text in squeezed)
        message = f"document {gold.id!r}: the texts differ, blanks aside: {found!r} instead of {wanted!r}"
        raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)
    left, right = ([0, *accumulate(not char.isspace() for char in one.text)] for one in (gold, system))
    return left, right


def _grid(sides: Sequence[Document], rulers: Sequence[Ruler]) -> tuple[Sequence[str], list[int], list[int]]:
    """Return the tokens with their positions: those of a side that has some, else runs of non-blanks.

    Runs of non-blanks are cut at every mention of either side, so that mentions are whole tokens.
    """
    for document, ruler in zip(sides, rulers, strict=True):
        table = document.table
        if table is not None and table.starts:
            ends = [start + len(form) for start, form in zip(table.starts, table.forms, strict=True)]
            return table.forms, [ruler[start] for start in table.starts], [ruler[end] for end in ends]
    gold, ruler = sides[0], rulers[0]
    edges = {
        measure[edge]
        for one, measure in zip(sides, rulers, strict=True)
        for mention in one.mentions
        for span in mention.spans
        for edge in span
    }
    cuts = cut_text(gold.text, (offset for offset, position in enumerate(ruler) if position in edges))
    forms = [gold.text[start:end] for start, end in cuts]
    return forms, [ruler[start] for start, _ in cuts], [ruler[end] for _, end in cuts]


def _both(one: list[bool] | None, two: list[bool] | None) -> list[bool] | None:
    if one is None or two is None:
        return two if one is None else one
    return [left and right for left, right in zip(one, two, strict=True)]
