"""Comparisons of systems as text: sentences to quote, a table of all pairs, and the items behind a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.display.views._columns import room_of_cells
from karat.display.views._grid import ALL, once
from karat.display.views._pictures import LEAST_ROOM, MOST_ROOM, intervals_drawn
from karat.display.views.numbers import UNDEFINED, in_brackets, p_value, points, short, spoken, three
from karat.display.views.papers import TEXT_VIEWS, Tables, TextTable, rendered, tables_markup
from karat.display.views.values import csv_of, json_of, jsonl_of, tsv_of
from karat.errors import many, unknown
from karat.io.terminal import Screen
from karat.io.terminal import width as width_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.analysis.comparison.contest import Contest
    from karat.analysis.comparison.contrasts import Contrast
    from karat.analysis.comparison.items import Changes
    from karat.evaluation.scores import Row

    Parts = Mapping[str, Mapping[str, tuple[int, int, int]]]

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_FIELDS = (
    *("number", "first", "second", "difference", "error", "p_value", "holm", "bh", "effect", "error_reduction"),
    *("detectable", "units_for_point", "units", "won", "tied", "lost"),
)
_KINDS = ("layer", "slice", "label", "average", "regime", "measure")
_MOST_SENTENCES = 6
"""The largest number of pairs with a sentence; with more there is only the table."""
_TESTS = {
    "randomisation": "swapping units between systems",
    "bootstrap": "resampling units",
    "t": "Student's test",
    "seeds": "Student's test, over units and runs",
}


def render(
    contest: Contest,
    view: str = "table",
    *,
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
    items: Changes | None = None,
    parts: Parts | None = None,
) -> str:
    """Return a comparison as text: rounded numbers for people, full digits for programs.

    Args:
        contest: the comparison.
        view: the name of the view.
        screen: the terminal.
        items: the items whose case differs between two systems, if known.
        parts: the counts of these items by label or another breakdown.

    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "json":
        return json_of(contest.to_dict() | ({"items": items.to_dict()} if items else {}))
    if view == "jsonl":
        content = contest.to_dict()
        about = {name: content[name] for name in ("protocol", "signature")}
        return jsonl_of(about | line for line in content["contrasts"])
    if view == "tsv":
        return tsv_of(_table_cells(contest), (*_remarks(contest), contest.signature))
    if view == "csv":
        head, *lines = _table_cells(contest)
        return csv_of([[*head, "signature"], *([*cells, contest.signature] for cells in lines)])
    width = screen.width if view == "table" else 1000
    tables = _tables(contest, width, items, parts, drawn=view == "table" and screen.terminal)
    return rendered(view, tables, screen)


def markup(contest: Contest) -> str:
    """Return a comparison as a piece of a page."""
    return tables_markup(_tables(contest, 1000, None, None, drawn=False))


def _table_cells(contest: Contest) -> list[list[Any]]:
    """Return the cells of a table for programs, the head first: names and plain numbers."""
    lines: list[list[Any]] = [[*_FIELDS[:3], "first_value", "second_value", "difference", "low", "high", *_FIELDS[4:]]]
    for contrast in contest.contrasts:
        limits = [getattr(contrast.interval, end, None) for end in ("low", "high")]
        numbers = [*contrast.values, contrast.difference, *limits, *(getattr(contrast, name) for name in _FIELDS[4:])]
        lines.append([*(getattr(contrast, name) for name in _FIELDS[:3]), *numbers])
    return lines


def _tables(contest: Contest, width: int, items: Changes | None, parts: Parts | None, *, drawn: bool) -> Tables:
    """Return the tables for people; columns that do not fit are left out, the least important first.

    With ``drawn``, differences are also drawn if there is room.
    """
    first = contest.row(contest.systems[0], contest.headline)
    system = f"{contest.parts_of}, " if contest.parts_of else ""
    title = f"{contest.protocol}: {system}{spoken(first)}, {many(contest.units, contest.unit)}"
    pairs = _pairs(contest, width)
    pairs = _with_picture(contest, pairs, width) if drawn else pairs
    blocks = [pairs, *_cases(contest), *(_items(contest, items, parts) if items else ())]
    told = [contest.sentence(contrast, items.decide() if items else None) for contrast in contest.of()]
    return Tables(title, told[:_MOST_SENTENCES], blocks, _remarks(contest), [contest.signature])


def _pairs(contest: Contest, width: int) -> TextTable:
    rows = {row.name: row for row in contest.named_rows()}
    keys = ("A", "B") if len(contest.systems) > 2 else ()
    kinds = [kind for kind in _KINDS if len({_kind(row, kind) for row in rows.values()}) > 1]
    left = len(keys) + len(kinds)
    scores = ["score A", "score B"] if keys else [_short(name) for name in contest.systems]
    compared = ["difference", f"{100 * contest.level:g} % interval", "p", "needed", "won", "tied", "lost"]
    head = [*keys, *kinds, *scores, *compared]
    lines = [
        [
            *([contrast.first, contrast.second] if keys else ()),
            *(_kind(rows[contrast.number], kind) for kind in kinds),
            *_cells(contrast),
        ]
        for contrast in contest.contrasts
    ]
    if contest.parts_of:
        head, lines = head[:-3], [line[:-3] for line in lines]
    left_out: list[str] = []
    for spared in (1, 1) if contest.parts_of else (3, 1, 1):
        if room_of_cells(zip(head, *lines, strict=True)) <= width:
            break
        left_out = [*head[-spared:], *left_out]
        head, lines = head[:-spared], [line[:-spared] for line in lines]
    return TextTable(head, once(lines, left), left, left_out=left_out)


def _with_picture(contest: Contest, block: TextTable, width: int) -> TextTable:
    """Return the table of pairs with a column that draws each difference on its interval."""
    free = width - room_of_cells(zip(block.head, *block.lines, strict=True)) - 2
    column = next((column for column, head in enumerate(block.head) if head.endswith("interval")), None)
    if column is None or free < LEAST_ROOM:
        return block
    numbers = [(contrast.difference, contrast.interval) for contrast in contest.contrasts]
    axis, drawn = intervals_drawn(numbers, min(free, MOST_ROOM), points=True)
    head, lines = list(block.head), [list(line) for line in block.lines]
    for line, picture in zip([head, *lines], [axis, *drawn], strict=True):
        line.insert(column + 1, picture)
    return block._replace(head=head, lines=lines, drawn=(column + 1,), strong=column - 1)


def _kind(row: Row, kind: str) -> str:
    value = getattr(row, kind)
    if kind == "measure":
        return str(short(value))
    return ALL if value is None or (kind == "slice" and not value) else str(value)


def _short(name: str) -> str:
    return name if width_of(name) <= 12 else name[:11] + "…"


def _cells(contrast: Contrast) -> list[str]:
    difference, needed = _points(contrast.difference, signed=True), _points(contrast.detectable)
    interval, counts = in_brackets(contrast.interval) or UNDEFINED, (contrast.won, contrast.tied, contrast.lost)
    return [*map(three, contrast.values), difference, interval, p_value(contrast.adjusted), needed, *map(str, counts)]


def _points(value: float | None, *, signed: bool = False) -> str:
    return UNDEFINED if value is None else points(value, signed=signed)


def _cases(contest: Contest) -> list[TextTable]:
    """Return the table of the changes of cases behind the difference of two systems in the first number."""
    cases = contest.of()[0].cases
    if len(contest.systems) != 2 or not cases:
        return []
    head = ["counted", *(_short(name) for name in contest.systems), "difference", "points"]
    lines = []
    for case in cases:
        counts = [_count(case.first), _count(case.second), _count(case.first - case.second, signed=True)]
        lines.append([case.name, *counts, _points(case.share, signed=True)])
    return [TextTable(head, lines, 1)]


def _items(contest: Contest, items: Changes, parts: Parts | None) -> list[TextTable]:
    """Return the counts of items by both cases, then by each breakdown."""
    names = [_short(name) for name in contest.systems]
    head = [f"case of {names[0]}", f"case of {names[1]}", "items", *(f"for {name}" for name in names)]
    cases = [[*cases, *map(str, counts)] for cases, counts in items.by_case().items()]
    blocks = [TextTable(head, [*cases, _total(cases, 2)], 2)] if cases else []
    for name, counted in (parts or {}).items():
        lines = [[value, *map(str, counts)] for value, counts in counted.items()]
        if lines:
            total = [_total(lines, 1)] if name != "slice" else []  # slices overlap
            blocks.append(TextTable([name, *head[2:]], [*lines, *total], 1))
    return blocks


def _total(lines: Sequence[Sequence[str]], left: int) -> list[str]:
    sums = (str(sum(map(int, column))) for column in list(zip(*lines, strict=True))[left:])
    return ["all", *[""] * (left - 1), *sums]


def _count(number: float, *, signed: bool = False) -> str:
    """Return a count, or the mean of several runs."""
    digits = 0 if float(number).is_integer() else 1
    text = f"{number:+.{digits}f}" if signed else f"{number:.{digits}f}"
    return "0" if text == "+0" else text.replace("-", "−")


def _remarks(contest: Contest) -> list[str]:
    remarks = []
    if any(contrast.p_value is not None for contrast in contest.contrasts):
        pairs = len(contest.systems) * (len(contest.systems) - 1) // 2
        adjusted = f", adjusted for {pairs} pairs (intervals are for one)" if pairs > 1 else ""
        remarks.append(
            f"p: by {_TESTS[contest.test]}{adjusted}; needed: the smallest difference found in 4 of 5 such collections"
        )
    return [*remarks, *(f"note: {note}" for note in contest.notes)]
