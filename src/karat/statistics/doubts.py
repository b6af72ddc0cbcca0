"""What is to be said beside intervals: that some rest on little, and that draws without a value were left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.errors import plural
from karat.statistics.intervals import FEW_ITEMS, FEW_UNITS

if TYPE_CHECKING:
    from karat.scores import Row


def few_of_many(rows: Sequence[Row], unit: str) -> Iterator[str]:
    """Say how many of the numbers rest on few units, or few items, where there are units enough for the others."""
    known = [row.interval for row in rows if row.interval is not None]
    few = sum(interval.units < FEW_UNITS or interval.method == "widened" for interval in known)
    if 0 < few < len(known):
        rest = "rests" if few == 1 else "rest"
        little = f"fewer than {FEW_UNITS} {plural(unit)} or {FEW_ITEMS} items"
        yield f"{few} of {len(known)} intervals {rest} on {little}, and may miss more often than they say"


def undefined_draws(rows: Sequence[Row]) -> Iterator[str]:
    """Say which share of the draws has no value for the number that lacks most of them."""
    lacking = [(row.interval.undefined, row.name) for row in rows if row.interval is not None]
    share, name = max(lacking, default=(0.0, ""), key=lambda entry: entry[0])
    if share:
        yield f"draws without a value are left out: up to {100 * share:.2g} %, for {name}"
