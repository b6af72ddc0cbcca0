"""Parts of the data on the page: the number for each slice that the data have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.report.numbers import MOST_DETAILED, MOST_VALUES, ShownSystem, same
from karat.report.summary import ChartTable, beside

if TYPE_CHECKING:
    from karat.scores import Row

_TITLES = {
    "length": "Words of the item",
    "frequency": "How often the form stands in the gold",
    "ambiguity": "Labels of the form in the gold",
    "nesting": "Nesting",
    "document-length": "Words of the document",
}


class SliceTable(NamedTuple):
    """The slices of one feature."""

    title: str
    table: ChartTable


def slice_tables(systems: Sequence[ShownSystem], wanted: Row) -> list[SliceTable]:
    """Return a table for each feature that cuts the data into more than one part; two systems stand side by side."""
    shown = systems[:MOST_DETAILED]
    features: dict[str, dict[str, list[Row | None]]] = {}
    for index, system in enumerate(shown):
        for row in system.details:
            key, is_slice, value = row.slice.partition("=")
            if is_slice and same(row, wanted, slice=row.slice):
                features.setdefault(key, {}).setdefault(value, [None] * len(shown))[index] = row
    several = {key: slices for key, slices in features.items() if len(slices) > 1}
    return [
        SliceTable(_TITLES.get(key, key), beside(f"slice-{index}", shown, list(slices.items())[:MOST_VALUES]))
        for index, (key, slices) in enumerate(several.items())
    ]
