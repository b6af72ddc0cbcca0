"""The pages of a report: the summary that fills the template, and the data of the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat._version import __version__
from karat.analysis.slices.confusion import check_labels
from karat.analysis.slices.items import casebook_of
from karat.display.drawing.reader.page import ReaderSystem, Subject, foot, meta_of, sections
from karat.display.drawing.reader.parts import Packer, PagePart
from karat.display.drawing.reader.units import declared_order
from karat.display.views.numbers import limits
from karat.errors import UsageError, many, plural
from karat.evaluation.scores import Row
from karat.report.calibration import calibrations, lacking
from karat.report.confusions import matrices
from karat.report.numbers import ShownSystem, count, row_like, three
from karat.report.summary import by_label, leaderboard, named, named_short, sentence, slice_tables, title_of
from karat.report.survey import Survey
from karat.report.template import rendered
from karat.report.units import by_unit, spread, unit_figures, unit_table

if TYPE_CHECKING:
    from karat.evaluation.protocol import Bound
    from karat.report.collection import ReaderUnits
    from karat.report.content import Report

MOST_ITEMS = 200_000
"""The number of items that a page holds; a report with more is a folder of pages."""


def pages_of(report: Report, name: str = "report.html", *, most: int = MOST_ITEMS) -> dict[str, str]:
    """Return the pages of a report by file name: one or, above ``most`` items, a summary and pages of documents."""
    units = report.units
    size = 0 if units is None else units.items
    if units is None or size <= most:
        return {name: page_of(report, units)}
    shares = list(_shares(units, most))
    files = [f"part-{part_number:03}.html" for part_number in range(1, len(shares) + 1)]
    listed = [
        {"file": file, "name": f"Part {part_number}", "about": _about(share, report.bound)}
        for part_number, (file, share) in enumerate(zip(files, shares, strict=True), 1)
    ]
    note = f"{count(size)} items are too many for one page, so there are {len(shares)} pages of documents"
    pages = {"index.html": page_of(report, None, pages=listed, pages_note=note)}
    back = [{"file": "index.html", "name": "Summary of all", "about": note}]
    for part_number, (file, share) in enumerate(zip(files, shares, strict=True), 1):
        about = f"this is part {part_number} of {len(shares)}; the numbers cover all {plural(report.bound.unit)}"
        pages[file] = page_of(report, share, pages=back, pages_note=about)
    return pages


def _shares(units: ReaderUnits, most: int) -> Iterable[ReaderUnits]:
    """Yield the units of each page; a unit that is too large has a page of its own."""
    start = size = 0
    for index, summary in enumerate(units.summaries):
        if index > start and size + summary.items > most:
            yield units[start:index]
            start, size = index, 0
        size += summary.items
    if start < len(units):
        yield units[start:]


def _about(share: ReaderUnits, bound: Bound) -> str:
    first, last = share.summaries[0].name, share.summaries[-1].name
    return f"{many(len(share), bound.unit)}, {first} to {last}, {count(share.items)} items"


def page_of(
    report: Report, units: ReaderUnits | None, *, pages: Sequence[Mapping[str, str]] = (), pages_note: str = ""
) -> str:
    """Return one page: the summary, and the reader for these units."""
    bound, systems, wanted = report.bound, report.systems, report.wanted
    values = by_unit(bound, systems, wanted)
    regimes = declared_order((), ()) if units is None else units.regimes(bound.regimes())
    regime = _shown_regime(bound, regimes, wanted)
    survey = Survey(systems, regime)
    parts: list[PagePart] = []
    items = 0
    if units is not None:
        packer, unscored = Packer(len(systems), regimes), [None] * len(systems)
        for unit in units:
            packer.add(unit, values.get(unit.name, unscored))
            survey.add(unit)
        parts, items = packer.finished()
    summary = _summary(report, values, units, survey, regime)
    sides = [ReaderSystem(system.letter, system.name, system.scores.signature) for system in systems]
    subject = Subject(bound.name, bound.task, bound.unit, regimes, regime)
    size, layers = (None, ()) if units is None else (len(units), units.layers)
    meta = meta_of(subject, sides, size, items, layers) | {
        "view": "summary",
        "sentence": summary["sentence"],
        "flags": report.flags,
        "number": named_short(wanted),
        **_measures(report),
    }
    return rendered(
        meta=meta,
        reader_sections="" if units is None else sections(meta),
        foot=foot(meta, parts),
        pages=pages,
        pages_note=pages_note,
        **summary,
    )


def _measures(report: Report) -> dict[str, Any]:
    """Return the headline number under every regime or, for answers to queries, at every hop."""
    regimes = _by(report, "regime")
    if regimes or report.bound.task != "slots":
        return {"measures": regimes, "measured": "measure" if report.bound.task == "coreference" else "regime"}
    return {"measures": _by(report, "layer"), "measured": "hop"}


def _by(report: Report, field: str) -> list[tuple[str, list[float | None]]]:
    """Return the headline number by regime or layer, for each system; empty if there is only one."""
    wanted, parts = report.wanted, []
    for name in dict.fromkeys(getattr(row, field) for row in report.systems[0].scores.rows):
        rows = [row_like(system.scores, wanted, **{field: name}) for system in report.systems]
        if any(row is not None for row in rows):
            parts.append((name, [None if row is None or row.value is None else round(row.value, 6) for row in rows]))
    return parts if len(parts) > 1 else []


def _shown_regime(bound: Bound, regimes: Sequence[str], wanted: Row) -> str:
    """Return the regime shown first: that of the headline or, for coreference, one with verdicts on mentions."""
    preferred = [wanted.regime, *(["ceafm", "b3"] if bound.task == "coreference" else []), *bound.main.regimes]
    return next((regime for regime in preferred if regime in regimes), regimes[0])


def _summary(
    report: Report,
    values: Mapping[str, Sequence[float | None]],
    units: ReaderUnits | None,
    survey: Survey,
    regime: str,
) -> dict[str, Any]:
    """Return the variables of the summary template."""
    bound, systems, wanted = report.bound, report.systems, report.wanted
    size = len(systems[0].scores.tallies.units)
    board = leaderboard(systems, wanted)
    labels = by_label(systems, wanted)
    figures, by_name = unit_figures(values, systems, bound.unit), unit_table(values, systems, wanted)
    stand = report.standing
    slices = slice_tables(systems, wanted)
    tables = [board, labels, report.costs and report.costs.table, stand and stand.differences, by_name]
    calibrated = calibrations(systems, survey.confidences)
    further = [*(titled.table for titled in slices), *(titled.table for titled in calibrated)]
    charts = [table.chart for table in (*tables, *further) if table and table.chart]
    labelled = [] if casebook_of(bound) is None else [counts.cells() for counts in survey.labels]
    grids = matrices(systems, labelled, regime, wanted.layer)
    row = row_like(systems[0].scores, wanted)
    interval = row.interval if row else None
    return {
        "version": __version__,
        "title": title_of(bound, systems, size),
        "eyebrow": bound.protocol.title,
        "lead": bound.protocol.summary,
        "facts": _facts(report),
        "sentence": stand.sentence if stand else sentence(bound, systems, wanted, size),
        "number": named(wanted),
        "level": f"{interval.level:.0%}".replace("%", " %") if interval else "",
        "board": board,
        "board_first": 2 + sum(head in ("P", "R") for head in board.heads),
        "labels": labels if labels and labels.chart else None,
        "units": figures,
        "unit_table": by_name,
        "spread": spread(values, systems),
        "costs": report.costs,
        "ties": stand.ties if stand else None,
        "differences": stand.differences if stand else None,
        "test": stand.test if stand else "",
        "calibrations": calibrated,
        "slices": slices,
        "matrices": grids,
        "charts": [*charts, *(figure["chart"] for figure in figures), *(grid.grid.chart for grid in grids)],
        "notes": _notes(systems),
        "absent": [] if units is None else list(_absent(report, units, survey, calibrated=bool(calibrated))),
        "every": _every(bound, systems),
        "deciding": survey.deciding,
    }


def _facts(report: Report) -> list[tuple[str, str]]:
    """Return the facts on the evaluation beside the title."""
    bound, wanted = report.bound, report.wanted
    run = report.systems[0].scores.run
    told = [("Protocol", bound.name)]
    told += [(name.capitalize().replace("_", " "), value) for name, value in (run.options if run else {}).items()]
    told += [("Regime", wanted.regime), ("Average", wanted.average)]
    told += [("Layer", wanted.layer)] if wanted.layer else []
    units = len(report.systems[0].scores.tallies.units)
    told.append(("Units", many(units, bound.unit)))
    ci = next((part[3:] for part in report.systems[0].scores.signature.split("|") if part.startswith("ci:")), "none")
    return [*told, ("Interval", ci), ("Version", f"Karat {__version__}")]


def _notes(systems: Sequence[ShownSystem]) -> list[str]:
    """Return the notes: common ones once, the others with their system."""
    everywhere = set.intersection(*(set(system.scores.notes) for system in systems))
    shared = [note for note in systems[0].scores.notes if note in everywhere]
    own = [
        f"{system.letter}: {note}" if len(systems) > 1 else note
        for system in systems
        for note in system.scores.notes
        if note not in everywhere
    ]
    return shared + own


def _absent(report: Report, units: ReaderUnits, survey: Survey, *, calibrated: bool) -> Iterator[str]:
    """Yield a sentence for each part that the page does not have, with the reason."""
    try:
        check_labels(report.bound)
    except UsageError as error:
        yield f"No confusions: {str(error).partition(': ')[2]}."
    if not calibrated:
        yield lacking(survey.confidences)
    if report.costs is None:
        yield "No cost of quirks: the profile shown has no corrected variant."
    if not units.has_texts:
        yield f"No texts: the files have none, so every {report.bound.unit} is shown as a table of its items."


def _every(bound: Bound, systems: Sequence[ShownSystem]) -> list[dict[str, Any]]:
    """Return all main numbers, those of all labels together, with their intervals."""
    rows = {row.name: row for system in systems for row in system.scores.rows if row.label is None}
    main = bound.main
    names = [name for name, row in rows.items() if main.includes(row)]
    known = [{row.name: row for row in system.scores.rows} for system in systems]

    def cell(row: Row | None) -> tuple[str, str]:
        return (three(row.value), limits(row.interval)) if row else ("–", "")

    return [{"name": name, "cells": [cell(rows_of.get(name)) for rows_of in known]} for name in names]
