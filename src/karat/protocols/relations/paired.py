"""Counting documents that are in pairs already, as programs have them whose files hold both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from karat.protocols.base import Pair, Protocol
from karat.tally import Tally


def tallies_of(pairs: Iterable[Pair], protocol: Protocol, settings: Any) -> Iterator[Tally]:
    """Yield the tally of each pair under a protocol that needs no facts; what was noted on the way is not told."""
    known = protocol.settle(Counter(), settings)
    for gold, system in pairs:
        for sheet in protocol.draft(gold, system, known, settings):
            yield protocol.book.tally(sheet)
