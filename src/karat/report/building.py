"""From runs and ledgers to a page: all that the template is filled with, and the data of the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from karat._version import __version__
from karat.analysis.slices.confusion import check_labels
from karat.display.drawing.reader.gathering import Gathering, ReaderUnit, regimes_in
from karat.display.drawing.reader.packing import PagePart, pack
from karat.display.drawing.reader.page import ReaderSystem, Subject, foot, meta_of, policy, sections, style
from karat.display.views.numbers import limits
from karat.errors import UsageError, many, needing, plural
from karat.evaluation.scores import Row
from karat.report.calibration import calibrations, lacking
from karat.report.confusions import matrices
from karat.report.contests import ContestSummary, standing
from karat.report.contexts import deciding_items
from karat.report.costs import Costs
from karat.report.numbers import ShownSystem, count, row_like, three
from karat.report.summary import by_label, leaderboard, named, named_short, sentence, slice_tables, title_of
from karat.report.units import by_unit, spread, unit_figures, unit_table

if TYPE_CHECKING:
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.protocol import Protocol

MOST_ITEMS = 200_000
"""How many items a page holds; beyond that there is a folder of pages."""


class Report(NamedTuple):
    """What a page is made of: the results of all systems, and the units if there are ledgers."""

    protocol: Protocol
    systems: Sequence[ShownSystem]
    wanted: Row
    units: Sequence[ReaderUnit] | None
    flags: str = ""
    costs: Costs | None = None
    standing: ContestSummary | None = None


def report_of(
    protocol: Protocol,
    named: tuple[Sequence[ShownSystem], Row],
    bootstrap: Bootstrap | bool,
    gathering: Gathering | None = None,
    *,
    flags: str = "",
    costs: Costs | None = None,
) -> Report:
    """Return the report on systems in a number, with what the reader shows if the ledgers were gathered."""
    systems, wanted = named
    units = None if gathering is None else gathering.finished()
    stand = standing(systems, wanted, units, None if isinstance(bootstrap, bool) else bootstrap)
    return Report(protocol, systems, wanted, units, flags, costs, stand)


def pages_of(report: Report, name: str = "report.html", *, most: int = MOST_ITEMS) -> dict[str, str]:
    """Return the pages of a report by name: one or, if there are too many items for it, a summary and pages to read."""
    units = report.units
    size = 0 if units is None else sum(len(unit.rows) for unit in units)
    if units is None or size <= most:
        return {name: page_of(report, units)}
    shares = list(_shares(units, most))
    files = [f"part-{part_number:03}.html" for part_number in range(1, len(shares) + 1)]
    listed = [
        {"file": file, "name": f"Part {part_number}", "about": _about(share, report.protocol)}
        for part_number, (file, share) in enumerate(zip(files, shares, strict=True), 1)
    ]
    note = f"{count(size)} items are too many for one page, so there are {len(shares)} to read"
    pages = {"index.html": page_of(report, None, pages=listed, pages_note=note)}
    back = [{"file": "index.html", "name": "Summary of all", "about": note}]
    for part_number, (file, share) in enumerate(zip(files, shares, strict=True), 1):
        about = f"this is part {part_number} of {len(shares)}; numbers are of all {plural(report.protocol.unit)}"
        pages[file] = page_of(report, share, pages=back, pages_note=about)
    return pages


def _shares(units: Sequence[ReaderUnit], most: int) -> Iterable[list[ReaderUnit]]:
    """Yield units in their order, as many as a page holds; one that is too large by itself has a page of its own."""
    share: list[ReaderUnit] = []
    size = 0
    for unit in units:
        if share and size + len(unit.rows) > most:
            yield share
            share, size = [], 0
        share.append(unit)
        size += len(unit.rows)
    if share:
        yield share


def _about(share: Sequence[ReaderUnit], protocol: Protocol) -> str:
    items = sum(len(unit.rows) for unit in share)
    return f"{many(len(share), protocol.unit)}, {share[0].name} to {share[-1].name}, {count(items)} items"


def page_of(
    report: Report, units: Sequence[ReaderUnit] | None, *, pages: Sequence[Mapping[str, str]] = (), pages_note: str = ""
) -> str:
    """Return one page: the summary, and the reader for these units."""
    protocol, systems, wanted = report.protocol, report.systems, report.wanted
    values = by_unit(protocol, systems, wanted)
    regimes = regimes_in(units or (), protocol.regimes())
    regime = _shown_regime(protocol, regimes, wanted)
    parts: list[PagePart] = []
    items = 0
    if units is not None:
        scores = [values.get(unit.name, [None] * len(systems)) for unit in units]
        parts, items = pack(units, len(systems), regimes, scores)
    summary = _summary(report, values, units, regime)
    sides = [ReaderSystem(system.letter, system.name, system.scores.signature) for system in systems]
    subject = Subject(protocol.name, protocol.task, protocol.unit, regimes, regime)
    meta = meta_of(subject, sides, units, items) | {
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
    """Return the number that is spoken of under every regime or, of answers under one regime, at every hop."""
    regimes = _by(report, "regime")
    if regimes or report.protocol.task != "slots":
        return {"measures": regimes, "measured": "measure" if report.protocol.task == "coreference" else "regime"}
    return {"measures": _by(report, "layer"), "measured": "hop"}


def _by(report: Report, field: str) -> list[tuple[str, list[float | None]]]:
    """Return the number that is spoken of for every regime or layer, by system, if there are several."""
    wanted, parts = report.wanted, []
    for name in dict.fromkeys(getattr(row, field) for row in report.systems[0].scores.rows):
        rows = [row_like(system.scores, wanted, **{field: name}) for system in report.systems]
        if any(row is not None for row in rows):
            parts.append((name, [None if row is None or row.value is None else round(row.value, 6) for row in rows]))
    return parts if len(parts) > 1 else []


def _shown_regime(protocol: Protocol, regimes: Sequence[str], wanted: Row) -> str:
    """Return the regime that is shown first: that of the headline or, of chains, one that judges mentions by them."""
    preferred = [wanted.regime, *(["ceafm", "b3"] if protocol.task == "coreference" else []), *protocol.main.regimes]
    return next((regime for regime in preferred if regime in regimes), regimes[0])


def _summary(
    report: Report, values: Mapping[str, Sequence[float | None]], units: Sequence[ReaderUnit] | None, regime: str
) -> dict[str, Any]:
    protocol, systems, wanted = report.protocol, report.systems, report.wanted
    size = len(systems[0].scores.tallies.units)
    board = leaderboard(systems, wanted)
    labels = by_label(systems, wanted)
    figures, by_name = unit_figures(values, systems, protocol.unit), unit_table(values, systems, wanted)
    stand = report.standing
    slices = slice_tables(systems, wanted)
    tables = [board, labels, report.costs and report.costs.table, stand and stand.differences, by_name]
    calibrated = calibrations(units or (), systems, regime)
    further = [*(titled.table for titled in slices), *(titled.table for titled in calibrated)]
    charts = [table.chart for table in (*tables, *further) if table and table.chart]
    grids = matrices(protocol, units or (), systems, regime, wanted.layer)
    row = row_like(systems[0].scores, wanted)
    interval = row.interval if row else None
    return {
        "version": __version__,
        "title": title_of(protocol, systems, size),
        "eyebrow": protocol.title,
        "lead": protocol.summary,
        "facts": _facts(report),
        "sentence": stand.sentence if stand else sentence(protocol, systems, wanted, size),
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
        "absent": [] if units is None else list(_absent(report, units, regime, calibrated=bool(calibrated))),
        "every": _every(protocol, systems),
        "deciding": deciding_items(units or (), systems, regime),
    }


def _facts(report: Report) -> list[tuple[str, str]]:
    """Return what is told of the evaluation beside the title."""
    protocol, wanted = report.protocol, report.wanted
    run = report.systems[0].scores.run
    told = [("Protocol", protocol.name)]
    told += [(name.capitalize().replace("_", " "), value) for name, value in (run.options if run else {}).items()]
    told += [("Regime", wanted.regime), ("Average", wanted.average)]
    told += [("Layer", wanted.layer)] if wanted.layer else []
    units = len(report.systems[0].scores.tallies.units)
    told.append(("Units", many(units, protocol.unit)))
    ci = next((part[3:] for part in report.systems[0].scores.signature.split("|") if part.startswith("ci:")), "none")
    return [*told, ("Interval", ci), ("Version", f"Karat {__version__}")]


def _notes(systems: Sequence[ShownSystem]) -> list[str]:
    """Return what was noticed: what holds for all systems once, the rest with its system."""
    everywhere = set.intersection(*(set(system.scores.notes) for system in systems))
    shared = [note for note in systems[0].scores.notes if note in everywhere]
    own = [
        f"{system.letter}: {note}" if len(systems) > 1 else note
        for system in systems
        for note in system.scores.notes
        if note not in everywhere
    ]
    return shared + own


def _absent(report: Report, units: Sequence[ReaderUnit], regime: str, *, calibrated: bool) -> Iterator[str]:
    """Yield what the page does not have, and why: no part of it is left out in silence."""
    try:
        check_labels(report.protocol)
    except UsageError as error:
        yield f"No confusions: {str(error).partition(': ')[2]}."
    if not calibrated:
        yield lacking(units, report.systems, regime)
    if report.costs is None:
        yield "No cost of quirks: there is no corrected variant of what is shown."
    if not any(unit.text for unit in units):
        yield f"No texts: the files have none, so that every {report.protocol.unit} is a table of its items."


def _every(protocol: Protocol, systems: Sequence[ShownSystem]) -> list[dict[str, Any]]:
    """Return all main numbers, those of all labels together, with their intervals."""
    rows = {row.name: row for system in systems for row in system.scores.rows if row.label is None}
    main = protocol.main
    names = [name for name, row in rows.items() if main.includes(row)]
    known = [{row.name: row for row in system.scores.rows} for system in systems]

    def cell(row: Row | None) -> tuple[str, str]:
        return (three(row.value), limits(row.interval)) if row else ("–", "")

    return [{"name": name, "cells": [cell(rows_of.get(name)) for rows_of in known]} for name in names]


_SIGNS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {0x7F: "␡"}
_SIGNS |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "⇄")


def visible(text: Any) -> Any:
    """Return a text from the data in which what cannot be seen, or turns the direction of a line, is a sign.

    >>> visible("a\x1bb\u202ec")
    'a␛b⇄c'
    """
    return text.translate(_SIGNS) if type(text) is str else text


def emphasised(text: str) -> str:
    """Return a sentence as markup in which what counts is set bold, and intervals recede.

    >>> str(emphasised("A beats B by 4.8 points [0.2, 9.5]; 83 items decide"))
    'A beats B by <b>4.8 points</b> <span class="quiet">[0.2, 9.5]</span>; <b>83 items</b> decide'
    """
    from markupsafe import Markup, escape

    bold = re.sub(r"(?<![\w.,-])\d[\d.\u2009]* (?:points?|items?)\b", r"<b>\g<0></b>", str(escape(visible(text))))
    return Markup(re.sub(r"\[[\d., −-]+\]", r'<span class="quiet">\g<0></span>', bold))  # noqa: S704 - it was escaped


def running(title: str) -> str:
    """Return the style that sets a title above every printed page, and the number of the page below it.

    >>> "</style>" in running("</style>")
    False
    """
    said = "".join(char if char.isalnum() or char == " " else f"\\{ord(char):06x}" for char in visible(title)[:90])
    font = 'font: 9pt Palatino, "Palatino Linotype", P052, Georgia, serif; color: #6a6357'
    boxes = (
        f'@top-left {{ content: "{said}"; {font}; }}',
        f'@top-right {{ content: "Karat"; {font}; }}',
        f'@bottom-right {{ content: counter(page) " / " counter(pages); {font}; }}',
    )
    return f"@page {{ {' '.join(boxes)} }}"


def rendered(**content: Any) -> str:
    """Return a page that was filled in; everything that comes from data is escaped."""
    with needing("karat report", "report"):
        import jinja2
    loader = jinja2.PackageLoader("karat.report", "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=visible
    )
    environment.filters["emphasised"] = emphasised
    page = environment.get_template("report.html")
    header = running(content["title"])
    text = page.render(style=style(), running=header, policy=policy(header), **content)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
