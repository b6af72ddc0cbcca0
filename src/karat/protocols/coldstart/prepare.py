"""Bringing assessments and a run together, query by query, or LDC query by LDC query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from karat.coldstart.problems import ProblemLog
from karat.coldstart.query_files import read_queries
from karat.coldstart.query_ids import CorrectedRules
from karat.coldstart.schema import Schema
from karat.coldstart.sf.projection import read_pairs
from karat.coldstart.stops import Stop
from karat.errors import InputError, UsageError
from karat.model import Document
from karat.protocols.base import Case, Prepared
from karat.protocols.coldstart.judge import Sheet, Sheets
from karat.protocols.coldstart.options import SlotOptions


def prepare(gold: Iterable[Document], system: Iterable[Document], options: SlotOptions) -> Prepared:
    """Pair the assessments and the answers of every query; what one side lacks is empty there."""
    sides = [{document.id: document for document in side} for side in (gold, system)]
    _check_one_run(sides[1].values())
    wanted = None if not options.queries else _query_ids(options.queries)
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    sheets = {}
    for name in names if wanted is None else [*dict.fromkeys([*(one for one in names if one in wanted), *wanted])]:
        documents = [side.get(name, Document(name)) for side in sides]
        sheets[name] = Sheet(
            documents[0].mentions,
            documents[1].mentions,
            options.discipline,
            corrected=options.profile == "corrected",
            sources=(documents[0].source, documents[1].source),
        )
    left_out = [] if wanted is None else [name for name in names if name not in wanted]
    notes = [f"left out queries that the query file lacks: {len(left_out)}"] if left_out else []
    if options.level == "sf":
        return Prepared([Case(name, Sheets((sheet,))) for name, sheet in sheets.items()], notes)
    return Prepared(_ldc_cases(sheets, options), notes)


def _check_one_run(documents: Iterable[Document]) -> None:
    """Refuse answers of several runs, which would be scored as if one system had given them all."""
    runs: dict[str, str] = {}
    for document in documents:
        runs |= {one.attributes["run"]: document.source for one in document.mentions if "run" in one.attributes}
    if len(runs) > 1:
        names = ", ".join(sorted(runs)[:5]) + (", …" if len(runs) > 5 else "")
        message = f"holds {len(runs)} runs ({names}), and one is scored at a time; give each a file of its own"
        raise InputError(message, path=next(iter(runs.values())) or None)


def _query_ids(path: str) -> list[str]:
    try:
        queries = read_queries(path, CorrectedRules(), ProblemLog(), Schema())
    except Stop as stop:
        raise InputError(str(stop)) from stop
    return [query.id.key for query in queries]


def _ldc_cases(sheets: Mapping[str, Sheet], options: SlotOptions) -> list[Case]:
    """Return a case for each LDC query, with the entry points to choose from."""
    if not options.index:
        raise UsageError(f"--level {options.level} needs --index, the LDC query of each entry point")
    if options.level == "ldc-random" and not options.mapping:
        raise UsageError("--level ldc-random needs --mapping, the entry point of each LDC query")
    entries: dict[str, list[str]] = {}
    try:
        for entry, query in read_pairs(options.index, "\t").items():
            entries.setdefault(query, []).append(entry)
        mapping = read_pairs(options.mapping, " ") if options.level == "ldc-random" else None
    except Stop as stop:
        raise InputError(str(stop)) from stop
    cases = []
    for query in sorted(entries):
        chosen = sorted(entries[query]) if mapping is None else [mapping.get(query, "")]
        found = tuple(sheets[entry] for entry in chosen if entry in sheets)
        if found:
            cases.append(Case(query, Sheets(found)))
    return cases
