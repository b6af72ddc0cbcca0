"""The rows of slices, in the order of their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.scores import Row, ZeroRule, rows_of
from karat.slices.asking import Breakdown
from karat.slices.features import FEATURES
from karat.slices.items import casebook_of
from karat.tally import Tallies, Tally

if TYPE_CHECKING:
    from karat.protocols.base import Protocol

_DIGITS = re.compile(r"([0-9]+)")


def slice_rows(
    protocol: Protocol, units: Sequence[str], sliced: Sequence[Tally], breakdown: Breakdown, zero: ZeroRule
) -> tuple[Row, ...]:
    """Return the rows of the slices of one breakdown; slices of items have none of what is counted of tokens."""
    rows = rows_of(protocol, Tallies(units, sliced), zero=zero)
    layers = {row.layer: place for place, row in reversed(list(enumerate(rows)))}
    book = casebook_of(protocol) if breakdown.of_items else None
    of_tokens = book.shares if book is not None else ()
    prefix = f"{breakdown.name}="
    kept = [row for row in rows if row.slice.startswith(prefix) and row.measure not in of_tokens]
    return tuple(sorted(kept, key=lambda row: (layers[row.layer], _order(breakdown, row.slice.removeprefix(prefix)))))


def _order(breakdown: Breakdown, part: str) -> tuple[object, ...]:
    """Return what sorts slices: by the list of their values, else by the numbers and words in them."""
    if breakdown.of_items:
        value, _, rest = part.partition(" ")
        return FEATURES[breakdown.name].values.index(value), rest
    return tuple((not piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in _DIGITS.split(part))
