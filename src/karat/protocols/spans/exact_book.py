"""The book of protocols to which an entity is right or not: how those that are not are paired changes no count."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from karat.annotations.tag_chunks import NeighbourReading
from karat.protocols.casebook import RegimeBook
from karat.protocols.spans.draft import Page
from karat.tally import Group, Tally

if TYPE_CHECKING:
    from karat.annotations.tag_lists import TagLists
    from karat.protocols.base import CountedLists, CountLists
    from karat.protocols.spans.options import TaggedOptions

_group = lru_cache(maxsize=4096)(Group)
"""A group is made once, however many units have it."""


class ExactBook(RegimeBook):
    """A book of one regime whose counts are the entities of the gold, those of the system, and those of both.

    Every entity of a page is different from the others on its side. So a page is counted without looking for what
    comes near to an entity that is wrong; the verdicts, from which the ledger is told, add up to the same.
    """

    def counted(self, page: Page) -> Tally:
        """Count the entities of a page by their labels, and what is counted of it beside them."""
        golds, systems = page.gold, page.system
        correct = set(golds).intersection(systems)
        nothing = [0] * len(self.counts)
        labels: dict[str, list[int]] = {}
        for place, entities in enumerate((golds, systems, correct)):
            for entity in entities:
                label = entity.label
                if label not in labels:
                    labels[label] = nothing.copy()
                labels[label][place] += 1
        also = (count(page) for count in self.also.values())
        tally: Tally = {page.group: (len(golds), len(systems), len(correct), *also)}
        layer, part, _ = page.group
        for label, counts in labels.items():
            tally[_group(layer, part, label)] = tuple(counts)
        return tally


def at_once(options: TaggedOptions) -> CountLists | None:
    """Return how such a book counts many lists of tags at once, where a program reads runs of tags apart."""
    reading = options.reading()
    if reading is not None and not (isinstance(reading, NeighbourReading) and reading.is_quiet_outside):
        return None

    def count(gold: TagLists, system: TagLists) -> CountedLists | None:
        from karat.annotations.tag_lists import read_as_formats_do
        from karat.protocols.spans.tag_counts import counted

        return counted(gold, system, options, read_as_formats_do if reading is None else reading.of_run)

    return count
