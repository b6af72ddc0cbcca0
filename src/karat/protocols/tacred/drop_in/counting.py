"""Counting lines of labels: many lines say the same, which is judged once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from karat.formats.base import Problems
from karat.formats.labels import NO_RELATION, bare, labels_in
from karat.protocols.base import Protocol
from karat.protocols.relations.paired import tallies_of
from karat.tally import Tally, add


def labels_of(path: str, protocol: Protocol, settings: Any) -> list[str]:
    """Return the labels of a file, as the protocol wants them read."""
    return list(labels_in(path, Problems(), protocol.demands(settings).of("gold", "labels")["rules"]))


def total_of(pairs: Iterable[tuple[str, str]], protocol: Protocol, settings: Any) -> Tally:
    """Return the counts of labels of the gold and of the system.

    Two labels that differ count each for itself, so they are judged as one that is missed and one that is spurious.
    """
    times: Counter[tuple[str, str]] = Counter()
    for (gold, system), number in Counter(pairs).items():
        for pair in [(gold, system)] if gold == system else [(gold, NO_RELATION), (NO_RELATION, system)]:
            times[pair] += number
    pairs_of_documents = ((bare(number, gold), bare(number, system)) for number, (gold, system) in enumerate(times))
    judged = tallies_of(pairs_of_documents, protocol, settings)
    return add(
        {group: tuple(count * number for count in counts) for group, counts in tally.items()}
        for tally, number in zip(judged, times.values(), strict=True)
    )
