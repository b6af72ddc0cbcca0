"""Counting many lists of tags at once, to the tallies, facts and notes that the sheets of all pairs would give.

Entities are columns of numbers (:mod:`karat.annotations.tag_lists`), found by the rules by which a program reads runs
of tags, and those that both sides have are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from karat.annotations.tag_lists import ChunkColumns, ReadRun, TagLists, read_as_formats_do
from karat.compact import Numbered
from karat.protocols.base import CountedLists, Facts
from karat.protocols.spans.draft import MISREAD, SIDES, LayerFact, TagFact, is_foreign
from karat.protocols.spans.options import TaggedOptions
from karat.tally import Group, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


def counted(gold: TagLists, system: TagLists, options: TaggedOptions, read: ReadRun) -> CountedLists | None:
    """Count lists of both sides, which are as long in every pair; nothing if more than a run says what an entity is.

    So it is where a token has no tag, which an entity may go on behind.
    """
    if "" in (*gold.tags, *system.tags):
        return None
    labels = Numbered[str]()
    golds, systems = (lists.chunks(read, labels) for lists in (gold, system))
    if golds is None or systems is None:
        return None
    facts: Facts = Counter()
    notes: dict[Hashable, tuple[int, int]] = {}
    for side, lists, entities in zip(SIDES, (gold, system), (golds, systems), strict=True):
        facts.update({TagFact(side, shape): times for shape, times in lists.forms.items()})
        if tagged := int(np.count_nonzero(np.bincount(lists.mentions.lists))):
            facts[LayerFact(side, "")] = tagged
        misread = _misread(lists, entities, labels) if options.corrected_by else []
        if misread:
            notes[MISREAD, side] = len(misread), misread[0]
    both = [gold.sizes, gold.sizes - _unlike(gold, system, options)]
    rows = _rows(golds, systems, both, labels)
    return CountedLists(facts, rows, dict(sorted(notes.items(), key=lambda note: note[1][1])))


def _are_among(chunks: ChunkColumns, other_chunks: ChunkColumns, labels: Numbered[str]) -> NDArray[np.bool_]:
    """Say of each chunk whether it is one of the others: in the same place, with the same label."""
    width = 1 + max(int((side.ends - side.starts).max(initial=0)) for side in (chunks, other_chunks))
    own, known = (
        (side.starts * width + side.ends - side.starts) * len(labels) + side.labels for side in (chunks, other_chunks)
    )
    return np.isin(own, known, assume_unique=True)


def _misread(lists: TagLists, entities: ChunkColumns, labels: Numbered[str]) -> list[int]:
    """Return the lists of mentions that a program does not see as their tags say, in schemes with more than B and I."""
    foreign = np.array([is_foreign(tag) for tag in lists.tags])
    if not foreign.any():
        return []
    has_foreign = np.zeros(len(lists), np.bool_)
    has_foreign[lists.lists_of(np.flatnonzero(foreign[lists.numbers]))] = True
    meant = lists.chunks(read_as_formats_do, labels)
    assert meant is not None  # noqa: S101 - formats read every run
    misread: list[int] = meant.lists[has_foreign[meant.lists] & ~_are_among(meant, entities, labels)].tolist()
    return misread


def _unlike(gold: TagLists, system: TagLists, options: TaggedOptions) -> NDArray[np.int64]:
    """Return for each pair of lists how many tokens have tags that differ; each pair of tags is asked for once."""
    pairs = gold.numbers.astype(np.uint16) * 256 + system.numbers
    unlike = np.zeros(1 << 16, np.bool_)
    for pair in np.flatnonzero(np.bincount(pairs)).tolist():
        left, right = gold.tags[pair // 256], system.tags[pair % 256]
        unlike[pair] = left != right and not options.alike(left, right)
    return np.bincount(gold.lists_of(np.flatnonzero(unlike[pairs])), minlength=len(gold))


def _rows(golds: ChunkColumns, systems: ChunkColumns, also: list[NDArray[np.int64]], labels: Numbered[str]) -> Rows:
    """Return the tallies of pairs of lists: over all labels, with what is counted beside entities, and by label."""
    units, width = len(also[0]), len(labels) or 1
    is_right = _are_among(systems, golds, labels)
    lists = (golds.lists, systems.lists, systems.lists[is_right])
    totals = [*(np.bincount(own, minlength=units) for own in lists), *also]
    both = (chunks.lists * width + chunks.labels for chunks in (golds, systems))
    different, firsts, places = np.unique(np.concatenate([*both]), return_index=True, return_inverse=True)
    left, right = places[: len(golds.lists)], places[len(golds.lists) :]
    order = np.lexsort((firsts, different // width))  # labels of a pair stand as they are met, those of the gold first
    by_label = [np.bincount(own, minlength=len(different))[order] for own in (left, right, right[is_right])]
    sizes = 1 + np.bincount(different // width, minlength=units)
    ends = np.cumsum(sizes)
    is_total = np.zeros(units + len(different), np.bool_)
    is_total[ends - sizes] = True
    columns = np.zeros((1 + len(totals), len(is_total)), np.int64)
    columns[1:, is_total] = totals
    columns[: 1 + len(by_label), ~is_total] = [different[order] % width + 1, *by_label]
    groups = [Group(), *(Group(label=label) for label in labels)]
    return Rows.of_entries(groups, zip(*columns.tolist(), strict=True), ends.tolist())
