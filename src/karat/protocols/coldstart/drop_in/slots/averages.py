"""How the rows of queries are combined: MICRO sums them, MACRO averages queries, UNION takes entry points together.

The published MACRO averages the rows of a query and then sums the averages; corrected, it is the mean of the F1 of
the queries that have an answer in the ground truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from karat.protocols.coldstart.counts import SlotCounts, total
from karat.protocols.coldstart.drop_in.slots.tables import CountRow, Printed, by_hop, of_counts
from karat.vocabularies.coldstart.problems import Stop

MICRO, MACRO, UNION = "MICRO", "MACRO", "UNION"
COMBOS = (MICRO, MACRO, UNION)


class Scored(NamedTuple):
    """A query with its rows; ``counted`` says whether they enter the sums."""

    name: str
    rows: Sequence[CountRow]
    counted: bool = True


def micro(queries: Iterable[Scored], run_id: str, times: int = 1) -> Iterator[Printed]:
    """Yield the rows of every query, then their sums, in which they are counted so many ``times``."""
    counted: list[CountRow] = []
    for query in queries:
        yield from (of_counts(row.name, run_id, str(row.hop), row.counts) for row in query.rows)
        counted += query.rows if query.counted else ()
    for hop, counts in by_hop(counted * times).items():
        yield of_counts("ALL-Micro", run_id, hop, counts)


def macro_published(queries: Iterable[Scored], run_id: str, times: int = 1) -> Iterator[Printed]:
    """Yield the mean row of every query, without a name, then the sums of the means, each so many ``times``."""
    counted = []
    for query in queries:
        if not query.rows:
            raise Stop("Illegal division by zero", kind="DIE")
        counts = SlotCounts(
            *(sum(column) / len(query.rows) for column in zip(*(row.counts for row in query.rows), strict=True))
        )
        yield of_counts("", "", "", counts)
        counted += [counts] if query.counted else []
    if counted:
        for hop in ("0", "ALL"):
            yield of_counts("ALL-Micro", run_id, hop, total(counted * times))


def macro_corrected(queries: Iterable[Scored], run_id: str) -> Iterator[Printed]:
    """Yield the counts of every query by hop and for all hops, then the means of F1 over queries with an answer."""
    counts_by_hop: dict[str, list[SlotCounts]] = {}
    for query in queries:
        for hop, counts in by_hop(query.rows).items():
            yield of_counts(query.name, run_id, hop, counts)
            if query.counted:
                counts_by_hop.setdefault(hop, []).append(counts)
    for hop in sorted(counts_by_hop):
        yield Printed("ALL-Macro", run_id, hop, None, mean_f1(counts_by_hop[hop]))


def mean_f1(queries: Iterable[SlotCounts]) -> float:
    """Return the mean of F1 over the queries that have an answer in the ground truth, 0 without any.

    >>> mean_f1([SlotCounts(1, 1, 0, 0), SlotCounts(1, 0, 1, 0), SlotCounts(0, 0, 5, 0)])
    0.5
    """
    known = [counts.f1 for counts in queries if counts.gold]
    return sum(known) / len(known) if known else 0.0
