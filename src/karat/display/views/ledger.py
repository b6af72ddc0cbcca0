"""The ledger as text, one entry per line: gold item, system item, verdict under each regime, and reason."""

from __future__ import annotations

import json
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from karat.display.views import writable
from karat.display.views.numbers import UNDEFINED
from karat.display.views.values import csv_line, tsv_line
from karat.errors import unknown
from karat.io.terminal import aligned, clipped, visible, widths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from karat.evaluation.ledger import Entry, Item

LedgerView = Literal["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]
_MEASURED = 1000
"""The number of entries that determine the column widths; later ones are streamed."""
_LIMIT = 40
"""The largest width of a cell; a reason may be twice as wide."""


def render_entries(
    entries: Iterable[Entry],
    view: LedgerView = "table",
    *,
    regimes: Sequence[str] | None = None,
    title: str = "",
    notes: Callable[[], Sequence[str]] = tuple,
) -> Iterator[str]:
    """Yield the lines of the ledger, without line ends, with the verdicts of these regimes (or of all).

    Tables leave out regimes without a verdict among the first entries, and end with the notes; ``notes`` is called
    after the last entry. JSON lines and CSV have no notes, so every line is an entry.

    >>> from karat.evaluation.ledger import Entry, Item
    >>> missed = Entry("d1", "NE", "LOC", "missed", {"strict": "missed"}, "not found", Item("LOC", "Bern", (0, 1)))
    >>> for line in render_entries([missed], "table"): print(line)
    unit  layer  case    strict  gold      system  reason     place
    ----  -----  ------  ------  --------  ------  ---------  -----
    d1    NE     missed  missed  LOC Bern  -       not found  -
    """
    if view == "jsonl":
        return (json_line(content(entry, regimes)) for entry in entries)
    if view == "json":
        return _json(entries, regimes, notes)
    stream = iter(entries)
    first = list(islice(stream, _MEASURED))
    judged = dict.fromkeys(regime for entry in first for regime in entry.verdicts)
    regimes = list(judged) if regimes is None else [regime for regime in regimes if regime in judged or not first]
    every = chain(first, stream)
    if view in ("markdown", "latex"):
        return _paper(every, view, regimes, title, notes)
    if view == "table":
        return chain(_table(first, stream, regimes), _ending(notes))
    rows = chain([tsv_head(regimes)], (tsv_cells(entry, regimes) for entry in every))
    if view == "tsv":
        return chain(map(tsv_line, rows), _ending(notes, mark="# "))
    if view == "csv":
        return map(csv_line, rows)
    raise unknown("view", view, get_args(LedgerView))


def _ending(notes: Callable[[], Sequence[str]], mark: str = "") -> Iterator[str]:
    """Yield the notes below a table, or as comments that begin with ``mark``."""
    said = notes()
    if said and not mark:
        yield ""
    yield from (f"{mark}note: {visible(note)}" for note in said)


def _paper(
    entries: Iterable[Entry], view: str, regimes: Sequence[str], title: str, notes: Callable[[], Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of a table for papers and pages."""
    from karat.display.views.papers import Tables, TextTable, rendered

    head = table_head(regimes)
    block = TextTable(head, [table_cells(entry, regimes) for entry in entries], len(head))
    return iter(rendered(view, Tables(title, [], [block], [f"note: {note}" for note in notes()])).splitlines())


def _table(first: Sequence[Entry], later: Iterator[Entry], regimes: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table aligned to the first entries; long cells are clipped."""
    head = table_head(regimes)
    shown = [table_cells(entry, regimes) for entry in first]
    columns = widths([head, *shown])
    rule = ["-" * room for room in columns]
    for cells in chain([head, rule], shown, (table_cells(entry, regimes) for entry in later)):
        yield aligned(cells, columns, left=len(head))


def table_head(regimes: Sequence[str]) -> list[str]:
    """Return the names of the columns for people."""
    return ["unit", "layer", "case", *regimes, "gold", "system", "reason", "place"]


def table_cells(entry: Entry, regimes: Sequence[str]) -> list[str]:
    """Return the cells of an entry for people: few, clipped, without control characters."""
    layer = f"{entry.layer} {entry.slice}".strip()
    sides = [f"{_labels(item)} {item.text}" if item else UNDEFINED for item in (entry.gold, entry.system)]
    names = [clipped(visible(text), _LIMIT) for text in (entry.unit, layer, entry.case)]
    shown = [clipped(visible(text), _LIMIT) for text in sides]
    verdicts = [entry.verdicts.get(regime, UNDEFINED) for regime in regimes]
    item = entry.gold or entry.system
    place = (item.place if item else "") or UNDEFINED
    return [*names, *verdicts, *shown, clipped(visible(entry.reason), 2 * _LIMIT), visible(place)]


def tsv_head(regimes: Sequence[str]) -> list[str]:
    """Return the names of the columns for programs."""
    sides = [f"{side}_{field}" for side in ("gold", "system") for field in ("label", "text", "span", "place")]
    return ["unit", "layer", "slice", "label", "case", *regimes, *sides, "reason"]


def tsv_cells(entry: Entry, regimes: Sequence[str]) -> list[str]:
    """Return the cells of an entry for programs, not yet escaped."""
    names = (entry.unit, entry.layer, entry.slice, entry.label, entry.case)
    verdicts = (entry.verdicts.get(regime, UNDEFINED) for regime in regimes)
    return [*names, *verdicts, *_item_cells(entry.gold), *_item_cells(entry.system), entry.reason]


def _item_cells(item: Item | None) -> tuple[str, str, str, str]:
    if item is None:
        return UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED
    span = UNDEFINED if item.span is None else f"{item.span[0]}-{item.span[1]}"
    return _labels(item), item.text, span, item.place or UNDEFINED


def _labels(item: Item) -> str:
    return "|".join((item.label, *item.alternatives))


def _json(entries: Iterable[Entry], regimes: Sequence[str] | None, notes: Callable[[], Sequence[str]]) -> Iterator[str]:
    """Yield one object, an entry on a line."""
    yield '{"entries": ['
    yield from joined(json_line(content(entry, regimes)) for entry in entries)
    yield f'], "notes": {json.dumps(list(notes()), ensure_ascii=False)}}}'


def joined(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with a comma after each but the last.

    >>> list(joined(["1", "2"]))
    ['1,', '2']
    """
    last = None
    for line in lines:
        if last is not None:
            yield f"{last},"
        last = line
    if last is not None:
        yield last


def content(entry: Entry, regimes: Sequence[str] | None) -> dict[str, Any]:
    """Return an entry as a plain dictionary."""
    fields: dict[str, Any] = msgspec.to_builtins(entry)
    if regimes is not None:
        fields["verdicts"] = {name: entry.verdicts[name] for name in regimes if name in entry.verdicts}
    return fields


def json_line(fields: dict[str, Any]) -> str:
    """Return a line of JSON that UTF-8 can encode."""
    return writable(json.dumps(fields, ensure_ascii=False))
