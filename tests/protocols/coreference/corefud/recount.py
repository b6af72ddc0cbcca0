"""The tally of a CorefUD document, counted again from the mentions of its ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import pytest

from karat.evaluation.ledger import Entry, Item
from karat.evaluation.tally import Group
from karat.measures.coreference import (
    aligned_by_likeness,
    aligned_by_mentions,
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    contingency,
    identification,
    lea,
    muc,
)
from karat.model import Mention
from karat.protocols.coreference.corefud.marks import Mark
from karat.protocols.coreference.corefud.measures import overlap


def recounted(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
    """Return the tally of a document without tokens, zeros and repeated mentions."""
    del counts
    chains: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
    marks: tuple[list[Mark], list[Mark]] = ([], [])
    for number, entry in enumerate(entry for entry in entries if entry.layer == "mentions"):
        for side, found, item in zip(chains, marks, (entry.gold, entry.system), strict=True):
            if item is not None:
                side.setdefault(item.label, []).append(number)
                found.append(_mark(item))
    table = contingency(*(list(side.values()) for side in chains))
    aligned = aligned_by_likeness(table), aligned_by_mentions(table)
    measured = [identification(table), muc(table), b_cubed(table), ceaf_e(table, aligned[0]), ceaf_m(table, aligned[1])]
    vector = tuple(chain.from_iterable([*measured, *blanc(table), lea(table), overlap(*marks), (0, 0, 0, 0)]))
    return {Group(): pytest.approx(vector)} if any(vector) else {}


def _mark(item: Item) -> Mark:
    return Mark((item.span,), item.span[0], Mention("", (item.span,)))
