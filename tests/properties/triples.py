"""What the ledger of triples adds up to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from karat.ledger import Entry
from karat.protocols.triples.counting import CHECKS
from karat.protocols.triples.judge import LABELLED
from karat.tally import Group
from karat.vocabularies.normalising import normal_name


def summed_triples(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
    """Return the tally of a unit as its ledger has it; what the soft regime counts is in the reasons."""
    tally: dict[Group, list[float]] = {}

    def book(name: str, label: str | None, number: float = 1) -> None:
        for group in dict.fromkeys((Group(), Group(label=label))):
            tally.setdefault(group, [0] * len(counts))[counts.index(name)] += number

    for entry in entries:
        worth = re.search(r"soft (0\.\d+)", entry.reason)
        for regime, verdict in entry.verdicts.items():
            if regime in CHECKS:
                asked, true = CHECKS[regime]
                if regime != "tail-in-text":
                    book(asked, None)
                book(true, None, verdict == "correct")
                continue
            for part, item, alone in (("gold", entry.gold, "missed"), ("system", entry.system, "spurious")):
                if item is None or verdict not in ("correct", "incorrect", "partial", alone):
                    continue
                label = normal_name(item.label) if regime in LABELLED else None
                book(f"{regime}-{part}", label)
                if part == "gold" and verdict in ("correct", "partial"):
                    book(f"{regime}-correct", label, float(worth[1]) if verdict == "partial" and worth else 1)
    return {group: pytest.approx(tuple(numbers), abs=1e-4) for group, numbers in tally.items()}
