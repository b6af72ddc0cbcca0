"""How good a system is, with the doubt that the design of the sample leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from karat.judge.pool import Cell, Entry, Pool
from karat.statistics.samples import (
    Estimate,
    Judged,
    clopper_pearson,
    document_sample,
    simple_sample,
    stratified_sample,
)

Value = Callable[[Entry], float | None]
"""What an item counts for, from 0 to 1; nothing if it was not rated."""


class Domain(NamedTuple):
    """The items a figure is about: those of a system, with a label, or all."""

    system: str = ""
    label: str | None = None

    def holds(self, part: Entry | Cell) -> bool:
        """Say whether an item, or a number of items, belongs to it."""
        label = part.label if isinstance(part, Cell) else part.item.label
        return (not self.system or self.system in part.systems) and self.label in (None, label)


class Share(NamedTuple):
    """A share of right items among those that were rated, and the limits it has among all."""

    value: float | None
    low: float | None
    high: float | None
    rated: int
    items: int


def share_of(pool: Pool, domain: Domain, value: Value, level: float = 0.95) -> Share:
    """Estimate the mean value of all items of a domain from those that were drawn and rated.

    Controls are no system's items, and never count. Items are judged document by document, so documents are what was
    drawn, unless single items were. Without an interval are a single document and a stratum of which fewer than two
    items were rated.
    """
    entries = [entry for entry in pool.entries if not entry.control and domain.holds(entry)]
    values = {entry.id: rated for entry in entries if (rated := value(entry)) is not None}
    items = sum(cell.items for cell in pool.head.cells if domain.holds(cell))
    if not values:
        return Share(None, None, None, 0, items)
    if pool.head.drawn_items is None:
        samples, draw = _by_document(pool, entries, values), _of_documents
    else:
        samples, draw = _by_stratum(pool, domain, entries, values), _of_strata
    estimate = draw(pool, samples)
    if estimate is None:
        return Share(sum(values.values()) / len(values), None, None, len(values), items)
    method = clopper_pearson if draw is _of_documents else None
    low, high = estimate.interval(level, method)
    return Share(estimate.share, low, high, len(values), items)


def _by_document(pool: Pool, entries: list[Entry], values: Mapping[str, float]) -> list[Judged]:
    """Return what was rated in each document; documents with items of which none was rated yet are left out."""
    members: dict[str, list[Entry]] = {page.id: [] for page in pool.pages}
    for entry in entries:
        members[entry.item.document].append(entry)
    samples = [_sample(len(inside), inside, values) for inside in members.values()]
    return [sample for sample in samples if sample.judged or not sample.items]


def _by_stratum(pool: Pool, domain: Domain, entries: list[Entry], values: Mapping[str, float]) -> list[Judged]:
    sizes: dict[str, int] = {}
    for cell in pool.head.cells:
        if domain.holds(cell):
            sizes[cell.stratum] = sizes.get(cell.stratum, 0) + cell.items
    members: dict[str, list[Entry]] = {name: [] for name in sizes}
    for entry in entries:
        members[entry.stratum].append(entry)
    return [_sample(size, members[name], values) for name, size in sizes.items()]


def _sample(items: int, entries: list[Entry], values: Mapping[str, float]) -> Judged:
    rated = [values[entry.id] for entry in entries if entry.id in values]
    return Judged(items, len(rated), sum(rated))


def _of_documents(pool: Pool, samples: list[Judged]) -> Estimate | None:
    if len(samples) > 1:
        return document_sample(samples, pool.head.documents)
    return simple_sample(samples[0]) if pool.head.documents == 1 else None


def _of_strata(pool: Pool, samples: list[Judged]) -> Estimate | None:
    del pool
    if len(samples) == 1:
        return simple_sample(samples[0])
    return None if any(sample.judged < min(2, sample.items) for sample in samples) else stratified_sample(samples)
