"""What is compared: a mention in its place, with its type and one identifier.

A system mention has its first link. A gold mention has its first one too, or, where any alternative is right, the one
that a system mention there has chosen. The same place, type and identifier count once.

Rules of comparison are data: which mentions count, what has to be the same about two of them, and who is paired. In TAC
whatever is the same counts once; GERBIL counts every mention.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import repeat
from operator import attrgetter
from typing import Literal

import msgspec

from karat.matching.text_order import in_text_order
from karat.model import Mention
from karat.protocols.spans.items import Entity, entity
from karat.vocabularies.identifiers import Identifier, Normalizer


class Linked(Entity, frozen=True):
    """A mention with its identifier; ``label`` is its type, all of its labels together."""

    target: Identifier
    alternatives: tuple[Identifier, ...] = ()
    score: float | None = None

    @property
    def kb_id(self) -> str | None:
        """The identifier in the knowledge base; all NILs have none."""
        return None if self.target.is_nil else self.target.name


def linked(mention: Mention, read: Normalizer, *, alternatives: bool) -> Linked:
    """Return the mention as it is compared.

    >>> from karat.vocabularies.identifiers import IdentifierOptions
    >>> from karat.model import Link
    >>> mention = Mention("m", ((0, 4),), ("LOC",), links=(Link("Q70"),))
    >>> item = linked(mention, Normalizer(IdentifierOptions()), alternatives=False)
    >>> item.label, item.kb_id
    ('LOC', 'Q70')
    """
    written = [link.target for link in mention.links] or [""]
    targets = tuple(dict.fromkeys(map(read, written))) if len(written) > 1 else (read(written[0]),)
    label = mention.labels[0] if len(mention.labels) == 1 else "+".join(sorted(set(mention.labels)))
    placed = entity(mention.spans, label, "" if mention.spans else mention.text)
    accepted = targets if alternatives and len(targets) > 1 else ()
    score = mention.links[0].score if mention.links else None
    known = placed.spans, placed.label, placed.start, placed.end, placed.size, placed.words
    return Linked(*known, targets[0], accepted, score)


def in_order(items: Iterable[Linked]) -> list[Linked]:
    """Return the items in text order, without duplicates; none is one without a place."""
    ordered = in_text_order(items, _order)
    placed = {(item.spans, item.label, item.target.name): item for item in ordered if item.spans}
    return in_text_order([*placed.values(), *(item for item in ordered if not item.spans)], _order)


def _order(item: Linked) -> tuple[object, ...]:
    written = (item.target.written, *(target.written for target in item.alternatives))
    return item.start, item.end, item.spans, item.label, item.target.name, written


def chosen(gold: Sequence[Linked], system: Sequence[Linked], rows: Sequence[Sequence[int]]) -> list[Linked]:
    """Return the gold items, each with the alternative that the system has chosen there, or its first one.

    ``rows`` are the system items that share a character with each gold item. One in the same place comes first.
    """
    return [
        _with_choice(item, [system[index] for index in row]) if item.alternatives else item
        for item, row in zip(gold, rows, strict=True)
    ]


def _with_choice(gold: Linked, nearby: Sequence[Linked]) -> Linked:
    for near in ([item for item in nearby if item.spans == gold.spans], nearby):
        names = {item.target.name for item in near}
        for target in gold.alternatives:
            if target.name in names:
                return msgspec.structs.replace(gold, target=target)
    return gold


Field = Literal["place", "type", "id"]
Filter = Literal["all", "linked", "nil"]
Pairing = Literal["same", "overlap", "first-overlap", "clusters"]
"""How mentions are paired: the same key; overlapping, as many as possible or the first that fits; by their clusters."""


_VALUES: dict[Field, Callable[[Linked], Hashable]] = {
    "place": attrgetter("spans"),
    "type": attrgetter("label"),
    "id": attrgetter("kb_id"),
}


class Rule(msgspec.Struct, frozen=True):
    """One way to compare: what is looked at and must be the same, how it is paired, whether the same count once."""

    name: str
    fields: tuple[Field, ...]
    only: Filter = "all"
    pairing: Pairing = "same"
    distinct: bool = True


def keys_of(fields: Sequence[Field], items: Sequence[Linked]) -> Iterable[tuple[Hashable, ...] | None]:
    """Return the matching key of each mention; one that the text does not have has none."""
    columns = (map(_VALUES[field], items) for field in fields)
    keys = zip(*columns, strict=True) if fields else repeat((), len(items))
    return (key if item.spans else None for key, item in zip(keys, items, strict=True))
