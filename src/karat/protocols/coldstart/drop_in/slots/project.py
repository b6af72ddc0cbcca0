"""``project-scores``: scores of LDC queries from those of their entry points (CS-ProjectSFScoreToLDCScores).

The published program is lost; what it did is inferred from its documentation and from the later scorer that took it
in. An LDC query has one or more entry points, each a query of its own for slot filling: MAX takes the one with the
best F1 over all hops, RANDOM the one that a mapping names, MEAN averages the F1 of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.protocols.coldstart.cases import SlotCounts, total
from karat.protocols.coldstart.drop_in.outlets import Options, Outlet, Outlets, Program
from karat.protocols.coldstart.drop_in.slots.tables import (
    F1_HEADER,
    HEADER,
    CountRow,
    PrintedRow,
    by_hop,
    of_counts,
    table,
)
from karat.protocols.coldstart.pool import Path, order, path_of
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text_files import exists, lines_without_mark, read_pairs

MAX, RANDOM, MEAN = "MAX", "RANDOM", "MEAN"
SCORES = (MAX, MEAN, RANDOM)
_NUMBERS = 7
_NAMES = 3
_SUM = "ALL-"
_ALL = "ALL"

Rows = Mapping[str, Sequence[CountRow]]
"""The rows of each entry point by its id."""


class ProjectionInput(NamedTuple):
    """What scores are projected, and how.

    Args:
        scores: By run, the rows of each entry point.
        queries: The LDC query of each entry point.
        mapping: The entry point that RANDOM takes for each LDC query.
        how: MAX, MEAN or RANDOM.
        tabs: Whether the columns are separated by tabs.
        output: Where the tables go.
        outlets: All outlets.

    """

    scores: Mapping[str, Rows]
    queries: Mapping[str, str]
    mapping: Mapping[str, str]
    how: str
    tabs: bool
    output: Outlet
    outlets: Outlets


class ProjectionResult(NamedTuple):
    """The input, and the rows of the table of each run, which are computed while they are printed."""

    asked: ProjectionInput
    tables: Iterator[Iterator[PrintedRow]]


def read(options: Options, outlets: Outlets) -> ProjectionInput:
    """Read the scores of ``score_file``, the index ``index_file`` and the other files of the options."""
    output = outlets.open(options["output_file"])
    outlets.open_log(options["error_file"])
    score_kind = options["score"]
    if score_kind not in SCORES:
        raise Stop(f"Unknown scoring option: {score_kind} (known options are [{', '.join(SCORES)}])")
    if score_kind == RANDOM and "mapping" not in options:
        raise Stop("-score RANDOM needs -mapping")
    for name in ("index_file", "score_file", "mapping", "queries"):
        if name in options and not exists(options[name]):
            raise Stop(f"File {options[name]} does not exist")
    index = read_pairs(options["index_file"], "\t")
    if "queries" in options:
        wanted = {line.strip() for line in lines_without_mark(options["queries"])}
        index = {entry: query for entry, query in index.items() if query in wanted}
    mapping = read_pairs(options["mapping"], " ") if score_kind == RANDOM else {}
    scores = read_scores(options["score_file"])
    return ProjectionInput(scores, index, mapping, score_kind, "tabs" in options, output, outlets)


def evaluate(asked: ProjectionInput) -> ProjectionResult:
    """Compute the scores of the LDC queries of each run."""
    tables = (projected(run_id, rows, asked.queries, asked.how, asked.mapping) for run_id, rows in asked.scores.items())
    return ProjectionResult(asked, tables)


def printed(result: ProjectionResult) -> ProgramOutput:
    """Write the table of each run."""
    asked = result.asked
    header = F1_HEADER if asked.how == MEAN else HEADER
    for rows in result.tables:
        asked.output.write(table(rows, tabs=asked.tabs, header=header))
    return asked.outlets.program_output()


PROGRAM = Program(read, evaluate, printed)


def projected(
    run_id: str, rows: Rows, index: Mapping[str, str], how: str, mapping: Mapping[str, str]
) -> Iterator[PrintedRow]:
    """Yield the rows of LDC queries, then their sums and means; ``index`` has the LDC query of each entry point."""
    entries: dict[str, list[str]] = {}
    for entry in sorted(rows.keys() & index.keys()):
        entries.setdefault(index[entry], []).append(entry)
    if how == MEAN:
        averages = [average for query, several in entries.items() for average in _mean(query, several, rows)]
    else:
        chosen = {query: _best(several, rows) for query, several in entries.items()}
        if how == RANDOM:
            chosen = {query: entry for query, entry in mapping.items() if entry in entries.get(query, ())}
        of_chosen = ((query, row) for query, entry in chosen.items() for row in rows[entry])
        averages = [(CountRow((query, *row.path[1:]), row.counts), row.counts.f1) for query, row in of_chosen]
    averages.sort(key=lambda average: order(average[0].path))
    for row, f1 in averages:
        yield PrintedRow(row.name, run_id, str(row.hop), None if how == MEAN else row.counts, f1)
    if how != MEAN:
        for hop, counts in by_hop(row for row, _ in averages).items():
            yield of_counts("ALL-Micro", run_id, hop, counts)
    yield from _macro(averages, run_id)


def _best(entries: Sequence[str], rows: Rows) -> str:
    """Return the entry point with the best F1 over all hops, of equals the first."""
    return max(entries, key=lambda entry: total(row.counts for row in rows[entry]).f1)


def _mean(query: str, entries: Sequence[str], rows: Rows) -> Iterator[tuple[CountRow, float]]:
    """Yield the classes of an LDC query with the mean F1 of the entry points that have them."""
    by_path: dict[Path, list[SlotCounts]] = {}
    for entry in entries:
        for row in rows[entry]:
            by_path.setdefault((query, *row.path[1:]), []).append(row.counts)
    for path, several in by_path.items():
        yield CountRow(path, total(several)), sum(counts.f1 for counts in several) / len(several)


def _macro(averages: Sequence[tuple[CountRow, float]], run_id: str) -> Iterator[PrintedRow]:
    """Yield the means of F1 by hop and for all hops, over the classes with an answer in the ground truth."""
    for hop in [*sorted({str(row.hop) for row, _ in averages}), _ALL] if averages else []:
        of_hop = [(row, f1) for row, f1 in averages if hop in (_ALL, str(row.hop))]
        known = sum(row.counts.gold > 0 for row, _ in of_hop)
        yield PrintedRow("ALL-Macro", run_id, hop, None, sum(f1 for _, f1 in of_hop) / known if known else 0.0)


def read_scores(path: str) -> dict[str, dict[str, list[CountRow]]]:
    """Read the table of a scorer, aligned or with tabs: the rows of each entry point, by run."""
    scores: dict[str, dict[str, list[CountRow]]] = {}
    for line_number, line in enumerate(lines_without_mark(path), 1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith((HEADER[0], _SUM, " ", "\t")):
            continue
        cells = line.split("\t") if "\t" in line else line.rsplit(None, _NUMBERS + 1)
        names = cells[:_NAMES] if "\t" in line else [*cells[0].split(None, 1), *cells[1:2]]
        counts = [cell.strip() for cell in cells[-_NUMBERS:-_NAMES]]
        if len(names) != _NAMES or not all(cell.isascii() and cell.isdigit() and len(cell) < 16 for cell in counts):
            message = f"{line[:60]!r} is no row of scores; expected a table as karat coldstart score writes it"
            raise InputError(message, path=path, line=line_number)
        if not path_of(names[0]):
            continue
        if names[2].strip() != str(names[0].count(":")):
            message = f"{line[:60]!r} sums up a query; expected a row for each class, as -combo MICRO writes them"
            raise InputError(message, path=path, line=line_number)
        row = CountRow(path_of(names[0]), SlotCounts(*map(int, counts)))
        scores.setdefault(names[1].strip(), {}).setdefault(row.path[0], []).append(row)
    return scores
