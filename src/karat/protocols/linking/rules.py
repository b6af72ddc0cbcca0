"""Rules of comparison as data: which mentions count, what has to be the same about two of them, and who is paired.

In TAC whatever is the same counts once; GERBIL counts every mention.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import repeat
from operator import attrgetter
from typing import Literal

import msgspec

from karat.protocols.invented import BEYOND
from karat.protocols.linking.items import Linked

Field = Literal["place", "type", "id"]
Filter = Literal["all", "linked", "nil"]
Pairing = Literal["same", "overlap", "first-overlap", "clusters"]
"""How mentions are paired: the same key; overlapping, as many as possible or the first that fits; by their clusters."""


def _identifier(item: Linked) -> Hashable:
    """Return the identifier of a mention; that of one which the text does not have is the same as no other."""
    return item.spans if item.start >= BEYOND else item.kb_id


_VALUES: dict[Field, Callable[[Linked], Hashable]] = {
    "place": attrgetter("spans"),
    "type": attrgetter("label"),
    "id": _identifier,
}


class Rule(msgspec.Struct, frozen=True):
    """One way to compare: what is looked at and must be the same, how it is paired, whether the same count once."""

    name: str
    fields: tuple[Field, ...]
    only: Filter = "all"
    pairing: Pairing = "same"
    distinct: bool = True


def keys_of(fields: Sequence[Field], items: Sequence[Linked]) -> Iterable[tuple[Hashable, ...]]:
    """Return of each mention what must be the same about two that are paired."""
    columns = (map(_VALUES[field], items) for field in fields)
    return zip(*columns, strict=True) if fields else repeat((), len(items))
