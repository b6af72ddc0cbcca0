"""Bringing assessments and a run together, query by query, or LDC query by LDC query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from karat.errors import UsageError
from karat.model import Document, Mention
from karat.protocols.base import Case, Prepared
from karat.protocols.coldstart.options import SlotOptions
from karat.protocols.coldstart.pages import Sheet, fault
from karat.protocols.coldstart.points import Points


def prepare(gold: Iterable[Document], system: Iterable[Document], options: SlotOptions) -> Prepared:
    """Pair the assessments and the answers of every query; what one side lacks is empty there."""
    if options.mapping is not None and options.index is None:
        raise UsageError("--mapping needs --index, the LDC query of each entry point")
    sides = [{document.id: document for document in side} for side in (gold, system)]
    _check_one_run(sides[1].values())
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    asked = dict.fromkeys(names, ()) if options.queries is None else options.queries.content
    sheets = {}
    for name in dict.fromkeys([*(one for one in names if one in asked), *asked]):
        documents = [side.get(name, Document(name)) for side in sides]
        sheets[name] = Sheet(
            name,
            documents[0].mentions,
            documents[1].mentions,
            options.discipline,
            corrected=options.profile == "corrected",
            slots=asked[name],
            sources=(documents[0].source, documents[1].source),
        )
    cases = [Case(name, Points((sheet,))) for name, sheet in sheets.items()]
    notes = {
        "left out queries that the query file lacks": sum(name not in asked for name in names),
        "left out lines of the pool with a slot that their query does not ask for": sum(map(_unasked, sheets.values())),
    }
    if options.index is not None:
        cases, more = _ldc_cases(sheets, options.index.content, options)
        notes |= more
    return Prepared(cases, [f"{text}: {number}" for text, number in notes.items() if number])


def _check_one_run(documents: Iterable[Document]) -> None:
    """Refuse answers of several runs, which would be scored as if one system had given them all."""
    runs: dict[str, tuple[Mention, str]] = {}
    for document in documents:
        for one in document.mentions:
            if "run" in one.attributes:
                runs.setdefault(one.attributes["run"], (one, document.source))
    if len(runs) > 1:
        names = ", ".join(sorted(runs)[:5]) + (", …" if len(runs) > 5 else "")
        message = f"holds {len(runs)} runs ({names}), and one is scored at a time; give each a file of its own"
        raise fault(message, *[*runs.values()][1])


def _unasked(sheet: Sheet) -> int:
    """Count the assessments of slots that a query asks for nowhere."""
    if not sheet.slots:
        return 0
    return sum(not {*sheet.slots}.intersection(one.labels) for one in sheet.gold)


def _ldc_cases(
    sheets: Mapping[str, Sheet], index: Mapping[str, str], options: SlotOptions
) -> tuple[list[Case], dict[str, int]]:
    """Return a case for each LDC query with its entry points, and one for each entry point that the index lacks."""
    mapping = {} if options.mapping is None else options.mapping.content
    entries: dict[str, list[Sheet]] = {}
    for name in sorted(sheets):
        if name in index:
            entries.setdefault(index[name], []).append(sheets[name])
    cases = [
        Case(query, Points(tuple(entries[query]), ldc=True, given=mapping.get(query, ""))) for query in sorted(entries)
    ]
    alone = [Case(name, Points((sheet,))) for name, sheet in sheets.items() if name not in index]
    unmapped = sum(mapping.get(query, "") not in (one.name for one in entries[query]) for query in entries)
    notes = {
        "entry points that the index lacks, which count under sf only": len(alone),
        "LDC queries without an entry point in the mapping, left out of ldc-random": unmapped if mapping else 0,
    }
    return cases + alone, notes
