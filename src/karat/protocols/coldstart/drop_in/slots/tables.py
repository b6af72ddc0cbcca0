"""The tables of scores as the published programs print them, and how the rows of queries are combined in them.

MICRO sums them, MACRO averages queries, UNION takes entry points together. The published MACRO averages the rows of a
query and then sums the averages; corrected, it is the mean of the F1 of the queries with an answer in the ground truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.protocols.coldstart.cases import UNCOUNTED, SlotCounts, counted, total
from karat.protocols.coldstart.judge import Judged
from karat.protocols.coldstart.pool import Path
from karat.vocabularies.coldstart.problems import Stop

HEADER = ("QID/EC", "Run ID", "Hop", "GT", "Right", "Wrong", "Dup", "Prec", "Recall", "F1")
F1_HEADER = ("QID/EC", "Run ID", "Hop", "F1")
_RIGHT_ALIGNED = frozenset({"GT", "Right", "Wrong", "Dup"})
_NO_COUNT = " " * 4
_NO_RATIO = " " * 6
MICRO, MACRO, UNION = "MICRO", "MACRO", "UNION"
COMBOS = (MICRO, MACRO, UNION)


class CountRow(NamedTuple):
    """The counts below a query or a class."""

    path: Path
    counts: SlotCounts

    @property
    def name(self) -> str:
        """The name of the query or class."""
        return ":".join(self.path)

    @property
    def hop(self) -> int:
        """The hop that is counted, 0 for the fills of a query itself."""
        return len(self.path) - 1


def rows_of(judged: Judged) -> list[CountRow]:
    """Return the rows of a query: the counts of the verdicts below it and below each of its classes."""
    cases: dict[Path, dict[str, int]] = {path: {} for path in judged.paths}
    for case, path, _, _ in judged.verdicts:
        if case not in UNCOUNTED:
            row = cases[path[:-1]]
            row[case] = row.get(case, 0) + 1
    return [CountRow(path, counted(several)) for path, several in cases.items()]


def by_hop(rows: Iterable[CountRow]) -> Mapping[str, SlotCounts]:
    """Return the sums of rows for every hop, in the order of their names, and for ALL of them."""
    rows = list(rows)
    hops: dict[str, list[SlotCounts]] = {}
    for row in rows:
        hops.setdefault(str(row.hop), []).append(row.counts)
    sums = {hop: total(hops[hop]) for hop in sorted(hops)}
    return sums | {"ALL": total(row.counts for row in rows)} if rows else sums


class PrintedRow(NamedTuple):
    """A row to print; without counts only its F1 is shown."""

    name: str
    run_id: str
    hop: str
    counts: SlotCounts | None
    f1: float


def of_counts(name: str, run_id: str, hop: str, counts: SlotCounts) -> PrintedRow:
    """Return the row of some counts."""
    return PrintedRow(name, run_id, hop, counts, counts.f1)


def table(rows: Iterable[PrintedRow], *, tabs: bool, header: Sequence[str] = HEADER) -> str:
    r"""Return the table of rows.

    >>> table([of_counts("Q1", "run1", "0", SlotCounts(1, 1, 0, 0))], tabs=True).split("\n")[1].split("\t")[3:6]
    ['   1', '   1', '   0']
    """
    cells = [tuple(header), *(_cells(row, header) for row in rows)]
    if tabs:
        return "".join("\t".join(row) + "\n" for row in cells)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "".join(_aligned(row, widths, header) + "\n" for row in cells)


def _cells(row: PrintedRow, header: Sequence[str]) -> tuple[str, ...]:
    names = (row.name, row.run_id, row.hop)
    f1 = f"{row.f1:6.4f}"
    if len(header) == len(F1_HEADER):
        return *names, f1
    if row.counts is None:
        return *names, *[_NO_COUNT] * len(_RIGHT_ALIGNED), _NO_RATIO, _NO_RATIO, f1
    numbers = (f"{int(number):4d}" for number in row.counts)
    return *names, *numbers, f"{row.counts.precision:6.4f}", f"{row.counts.recall:6.4f}", f1


def _aligned(row: Sequence[str], widths: Sequence[int], header: Sequence[str]) -> str:
    return " ".join(
        cell.rjust(width) if column in _RIGHT_ALIGNED else cell.ljust(width)
        for cell, width, column in zip(row, widths, header, strict=True)
    )


class Scored(NamedTuple):
    """A query with its rows; ``counted`` says whether they enter the sums."""

    name: str
    rows: Sequence[CountRow]
    counted: bool = True


def micro(queries: Iterable[Scored], run_id: str, times: int = 1) -> Iterator[PrintedRow]:
    """Yield the rows of every query, then their sums, in which they are counted so many ``times``."""
    counted: list[CountRow] = []
    for query in queries:
        yield from (of_counts(row.name, run_id, str(row.hop), row.counts) for row in query.rows)
        counted += query.rows if query.counted else ()
    for hop, counts in by_hop(counted * times).items():
        yield of_counts("ALL-Micro", run_id, hop, counts)


def macro_published(queries: Iterable[Scored], run_id: str, times: int) -> Iterator[PrintedRow]:
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


def macro_corrected(queries: Iterable[Scored], run_id: str) -> Iterator[PrintedRow]:
    """Yield the counts of every query by hop and for all hops, then the means of F1 over queries with an answer."""
    counts_by_hop: dict[str, list[SlotCounts]] = {}
    for query in queries:
        for hop, counts in by_hop(query.rows).items():
            yield of_counts(query.name, run_id, hop, counts)
            if query.counted:
                counts_by_hop.setdefault(hop, []).append(counts)
    for hop in sorted(counts_by_hop):
        yield PrintedRow("ALL-Macro", run_id, hop, None, mean_f1(counts_by_hop[hop]))


def mean_f1(queries: Iterable[SlotCounts]) -> float:
    """Return the mean of F1 over the queries that have an answer in the ground truth, 0 without any.

    >>> mean_f1([SlotCounts(1, 1, 0, 0), SlotCounts(1, 0, 1, 0), SlotCounts(0, 0, 5, 0)])
    0.5
    """
    known = [counts.f1 for counts in queries if counts.gold]
    return sum(known) / len(known) if known else 0.0
