"""Estimated shares of right items, with the confidence intervals that follow from the sampling design."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from typing import NamedTuple

from karat.analysis.statistics.samples import (
    Estimate,
    JudgedSample,
    clopper_pearson,
    document_sample,
    simple_sample,
    stratified_sample,
)
from karat.judge.pool import Pool, PooledItem

Value = Callable[[PooledItem], float | None]
"""Returns the value of an item, from 0 to 1, or None if it was not rated."""


class Domain(NamedTuple):
    """The items that a figure is about; an empty system and a label of None stand for all."""

    system: str = ""
    label: str | None = None


class EstimatedShare(NamedTuple):
    """The estimated share of right items with its interval, the number of rated items, and the number of all."""

    value: float | None
    low: float | None
    high: float | None
    rated: int
    items: int


class PoolSample:
    """The items of a pool by domain and the documents that judges have reached; estimates shares from them.

    Controls belong to no system and never count.
    """

    def __init__(self, pool: Pool, reached: Collection[str]) -> None:
        """Group the items of a pool; ``reached`` are the documents with at least one answer."""
        self.head = pool.head
        self.entries: dict[Domain, list[PooledItem]] = {}
        self.sizes: dict[Domain, dict[str, int]] = {}
        for entry in pool.entries:
            for domain in () if entry.control else _domains(entry.systems, entry.item.label):
                self.entries.setdefault(domain, []).append(entry)
        for cell in pool.head.cells:
            for domain in _domains(cell.systems, cell.label):
                sizes = self.sizes.setdefault(domain, {})
                sizes[cell.stratum] = sizes.get(cell.stratum, 0) + cell.items
        holding = list(dict.fromkeys(entry.item.document for entry in self.entries.get(Domain(), ())))
        self.reached = [document for document in holding if document in reached]
        # Nobody can reach a document without items; it counts when all others were reached.
        self.empty = pool.head.drawn_documents - len(holding) if self.reached == holding else 0

    def share(self, domain: Domain, value: Value, level: float = 0.95) -> EstimatedShare:
        """Estimate the mean value of all items of a domain from those that were drawn and rated.

        The sampling unit is the document, unless single items were drawn. There is no interval for a single document,
        or if a stratum has fewer than two rated items.
        """
        values = {entry.id: rated for entry in self.entries.get(domain, ()) if (rated := value(entry)) is not None}
        items = sum(self.sizes.get(domain, {}).values())
        if not values:
            return EstimatedShare(None, None, None, 0, items)
        by_document = self.head.drawn_items is None
        estimate = self._of_documents(domain, values) if by_document else self._of_strata(domain, values)
        if estimate is None:
            return EstimatedShare(sum(values.values()) / len(values), None, None, len(values), items)
        low, high = estimate.interval(level, clopper_pearson if by_document else None)
        return EstimatedShare(estimate.share, low, high, len(values), items)

    def _of_documents(self, domain: Domain, values: Mapping[str, float]) -> Estimate | None:
        """Estimate from the documents that judges reached, including those without items of the domain.

        A document whose items of the domain are all unrated is left out.
        """
        members: dict[str, list[PooledItem]] = {}
        for entry in self.entries[domain]:
            members.setdefault(entry.item.document, []).append(entry)
        samples = [_judged(len(inside), inside, values) for inside in members.values()]
        samples = [sample for sample in samples if sample.judged]
        without = sum(document not in members for document in self.reached) + self.empty
        everything = len(samples) + without == self.head.documents
        if everything and self.head.documents == 1:
            return simple_sample(samples[0])
        return document_sample(samples, self.head.documents, without) if everything or len(samples) > 1 else None

    def _of_strata(self, domain: Domain, values: Mapping[str, float]) -> Estimate | None:
        members: dict[str, list[PooledItem]] = {name: [] for name in self.sizes[domain]}
        for entry in self.entries[domain]:
            members[entry.stratum].append(entry)
        samples = [_judged(size, members[name], values) for name, size in self.sizes[domain].items()]
        if len(samples) == 1:
            return simple_sample(samples[0])
        return None if any(sample.judged < min(2, sample.items) for sample in samples) else stratified_sample(samples)


def share_of_documents(
    samples: Sequence[JudgedSample], documents: int, empty: int, level: float = 0.95
) -> tuple[float | None, float | None, float | None]:
    """Estimate a share from documents that are known as a whole, ``empty`` ones besides, of so many; with its limits.

    A single document of several leaves no interval; without anything in them there is no share.
    """
    items = sum(sample.items for sample in samples)
    if not items:
        return None, None, None
    if len(samples) + empty < 2:
        share = sum(sample.right for sample in samples) / items
        return (share, share, share) if documents == 1 else (share, None, None)
    estimate = document_sample(samples, documents, empty)
    return (estimate.share, *estimate.interval(level, clopper_pearson))


def mean_limits(
    documents: Mapping[int, str], values: Mapping[int, float], of: int | None, level: float = 0.95
) -> tuple[float, float] | tuple[None, None]:
    """Return the limits of the mean of values from 0 to 1 in rows of which each is of a document; not all have one.

    The documents are a sample of so many, or of infinitely many; a single one leaves no interval.
    """
    samples: dict[str, JudgedSample] = {}
    for row, document in documents.items():
        items, judged, right = samples.get(document, JudgedSample(0, 0, 0))
        value = values.get(row)
        samples[document] = JudgedSample(items + 1, judged + (value is not None), right + (value or 0))
    rated = [sample for sample in samples.values() if sample.judged]
    if len(rated) < 2:
        return None, None
    return document_sample(rated, inf if of is None else max(of, len(rated))).interval(level, clopper_pearson)


def _domains(systems: Sequence[str], label: str) -> list[Domain]:
    """Return all domains that something of these systems and this label belongs to."""
    return [Domain(system, name) for system in ("", *systems) for name in (None, label)]


def _judged(items: int, entries: Sequence[PooledItem], values: Mapping[str, float]) -> JudgedSample:
    rated = [values[entry.id] for entry in entries if entry.id in values]
    return JudgedSample(items, len(rated), sum(rated))
