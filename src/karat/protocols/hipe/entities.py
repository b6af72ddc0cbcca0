"""Reading entities off the columns of a document: labels, and links by three rules.

All functions take raw cells of one document (after filtering) and return entities in text order, upper-cased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.annotations.columns import NO_LINK, OUTSIDE, LabelledSpan, labelled_spans
from karat.model import Mention, Span
from karat.protocols.hipe.options import HipeColumn

Warn = Callable[[str], None]


class ColumnEntity(NamedTuple):
    """A label, or ranked links, over a half-open range of tokens.

    The range of an entity that the text does not have is empty, so that it has no fragment; ``text`` is what was given.
    """

    labels: tuple[str, ...]
    start: int
    end: int
    text: str = ""

    @property
    def spans(self) -> tuple[Span, ...]:
        """The tokens as one fragment, if there are any."""
        return ((self.start, self.end),) if self.start < self.end else ()

    def best(self, cutoff: int) -> ColumnEntity:
        """Return the entity with no more than so many of its links."""
        return self if len(self.labels) <= cutoff else self._replace(labels=self.labels[:cutoff])


class ColumnEntities(NamedTuple):
    """The entities of a column in a document and slice, with the tokens of either side, and what the scorer notes.

    ``characters`` is where the tokens of either side stand in its text, as far as that is known.
    """

    forms: tuple[Sequence[str], Sequence[str]]
    gold: list[ColumnEntity]
    system: list[ColumnEntity]
    notes: Sequence[str] = ()
    characters: tuple[Sequence[Span], Sequence[Span]] = ((), ())

    def within(self) -> ColumnEntities:
        """Return the entities without those that cover the whole document."""
        gold, system = (
            [entity for entity in side if entity.start or entity.end < len(forms) or not entity.spans]
            for side, forms in zip((self.gold, self.system), self.forms, strict=True)
        )
        return self._replace(gold=gold, system=system)


def tags_of(cell: str, *, whole: bool, links: bool) -> tuple[str, ...]:
    """Return the tags of a cell: as the scorer finds them, before the first pipe and behind the last hyphen, or whole.

    Whole ones are as they are meant: the type of a label, or every alternative of a link.

    >>> [tags_of(cell, whole=False, links=False) for cell in ("B-loc", "I-x-org", "O", "B-pers|loc", "_")]
    [('LOC',), ('ORG',), (), ('PERS',), ()]
    >>> tags_of("I-x-org", whole=True, links=False), tags_of("Q1-2|Q3", whole=True, links=True)
    (('X-ORG',), ('Q1-2', 'Q3'))
    """
    upper = cell.upper()
    if not whole:
        tag = upper.split("|", 1)[0].rsplit("-", 1)[-1]
        return () if tag in (OUTSIDE, *NO_LINK) else (tag,)
    if links:
        return () if upper in ("", *NO_LINK) else tuple(upper.split("|"))
    return () if upper == OUTSIDE else (upper[2:],)


def labels_of(mention: Mention, column: HipeColumn) -> tuple[str, ...]:
    """Return the labels of a mention or, for a column of links, its links."""
    names = (link.target for link in mention.links) if column.bounds else mention.labels
    return tuple(name.upper() for name in names)


def ner_entities(cells: Sequence[str]) -> list[ColumnEntity]:
    """Return the labelled spans of a column."""
    return [ColumnEntity((label,), start, end) for label, start, end in labelled_spans(cells)]


def link_entities(links: Sequence[str], ner: Sequence[str] | None, rule: str, conflict: Conflict) -> list[ColumnEntity]:
    """Return the linked spans of a column by the rule ``ner``, ``runs`` or ``fixed``.

    ``ner`` are the cells of the bounding column, if there is one; ``conflict`` says what happens, under the rule
    ``ner``, to an entity whose tokens have different links.
    """
    linked = {index: cell for index, cell in enumerate(links) if cell != NO_LINK[0]}
    tags = {} if ner is None else {index: cell for index, cell in enumerate(ner) if cell != OUTSIDE}
    if rule == "ner" and ner is not None:
        spans = _bounded_links(linked, tags, conflict, len(links))
    elif rule == "fixed" and ner is not None:
        spans = _fixed_links(linked, tags, len(links))
    else:
        spans = _runs(linked, len(links), begins=lambda index: False)
    return [ColumnEntity(tuple(link.split("|")), start, end) for link, start, end in spans]


class Conflict:
    """What to do with an entity whose tokens have different links: a gold one keeps the first, a system's is split."""

    def __init__(self, warn: Warn, *, split: bool) -> None:
        self.warn, self.split = warn, split

    def splits(self, first: str, second: str) -> bool:
        """Return whether the entity is split where its link changes, and warn as often as the scorer does."""
        whose, then = ("", "Splitting into multiple predictions.")
        if not self.split:
            whose, then = (" in the GOLD STANDARD", "Keeping the first link.")
        for _ in range(2 if self.split else 1):
            self.warn(f"A named entity{whose} has different links within its tokens: {first} != {second}. {then}")
        return self.split


Cells = Mapping[int, str]
"""Raw cells by token; tokens with a plain cell are left out."""


def _fixed_links(links: Cells, tags: Cells, length: int) -> Iterator[LabelledSpan]:
    """Yield the runs of tokens with the same link in which no entity begins or ends."""

    def begins(index: int) -> bool:
        previous, here = (tags.get(token, OUTSIDE).upper() for token in (index - 1, index))
        return here[:1] == "B" or (here == OUTSIDE) != (previous == OUTSIDE) or here[2:] != previous[2:]

    return _runs({index: link for index, link in links.items() if link}, length, begins)


def _runs(links: Cells, length: int, begins: Callable[[int], bool]) -> Iterator[LabelledSpan]:
    """Yield the runs of equal links; ``begins`` says where a new one begins all the same.

    Neighbours that both link to NIL become one. An empty link that is open at the end of the document is lost.
    """
    start = end = -1
    current = ""
    for index, raw in links.items():
        if raw in NO_LINK:
            continue
        link = raw.upper()
        if index == end and link == current and not begins(index):
            end = index + 1
            continue
        if end > 0:
            yield current, start, end
        current, start, end = link, index, index + 1
    if end > 0 and (current or end < length):
        yield current, start, end


def _bounded_links(links: Cells, tags: Cells, conflict: Conflict, length: int) -> Iterator[LabelledSpan]:
    """Yield one link for each entity of the bounding column, and one for each linked token outside of entities."""
    start = end = -1
    current = label = ""
    for index in sorted(links.keys() | tags.keys()):
        tag, link = tags.get(index, OUTSIDE).upper(), links.get(index, NO_LINK[0]).upper()
        if tag == OUTSIDE:
            if link not in NO_LINK:
                if end > 0:
                    yield current, start, end
                    end = -1
                yield link, index, index + 1
            continue
        extends = index == end and tag[2:] == label and tag[:1] != "B"
        if extends and tag[:1] == "I" and link != current:
            extends = not conflict.splits(current, link)
        if extends:
            end = index + 1
            continue
        if end > 0:
            yield current, start, end
        current, label, start, end = link, tag[2:], index, index + 1
    if end > 0 and (current or end < length):
        yield current, start, end
