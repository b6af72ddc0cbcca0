"""Systems against each other: sentences that can be quoted, every pair in every number, what makes the difference."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from karat.errors import many, unknown
from karat.screen import Screen
from karat.terminal import visible
from karat.terminal import width as width_of
from karat.views._grid import ALL, SHORT, UNDEFINED
from karat.views._pictures import LEAST_ROOM, MOST_ROOM, intervals_drawn
from karat.views._tables import TEXT_VIEWS, Tables, TextTable, rendered, tables_markup
from karat.views.csv import csv_of
from karat.views.numbers import in_brackets, p_value, points
from karat.views.tsv import tsv_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.comparison.contest import Contest
    from karat.comparison.contrasts import Contrast
    from karat.comparison.items import Changes
    from karat.scores import Row

    Parts = Mapping[str, Mapping[str, tuple[int, int, int]]]

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_FIELDS = (
    *("number", "first", "second", "difference", "error", "p_value", "holm", "bh", "effect", "error_reduction"),
    *("detectable", "units_for_point", "units", "won", "tied", "lost"),
)


def render(
    contest: Contest,
    view: str = "table",
    *,
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
    items: Changes | None = None,
    parts: Parts | None = None,
) -> str:
    """Return a comparison as text: for people with rounded numbers, else with full digits.

    ``items`` are those that are another case for two systems, where they are known, and ``parts`` the same by label, or
    by what else they were broken down by.
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "json":
        return json.dumps(_content(contest, items), ensure_ascii=False, indent=2) + "\n"
    if view == "jsonl":
        content = _content(contest, items)
        about = {name: content[name] for name in ("protocol", "signature")}
        return "".join(json.dumps(about | line, ensure_ascii=False) + "\n" for line in content["contrasts"])
    if view in ("tsv", "csv"):
        return _tsv(contest) if view == "tsv" else _csv(contest)
    width = screen.width if view == "table" else 1000
    tables = _tables(contest, width, items, parts, drawn=view == "table" and screen.terminal)
    return rendered(view, tables, screen)


def markup(contest: Contest) -> str:
    """Return a comparison as a piece of a page."""
    return tables_markup(_tables(contest, 1000, None, None, drawn=False))


def _content(contest: Contest, items: Changes | None) -> dict[str, Any]:
    return contest.to_dict() | ({"items": items.to_dict()} if items else {})


def _table_cells(contest: Contest) -> list[list[Any]]:
    """Return the cells of a table for programs, the head first: names and plain numbers."""
    lines: list[list[Any]] = [[*_FIELDS[:3], "first_value", "second_value", "difference", "low", "high", *_FIELDS[4:]]]
    for contrast in contest.contrasts:
        limits = [getattr(contrast.interval, end, None) for end in ("low", "high")]
        numbers = [*contrast.values, contrast.difference, *limits, *(getattr(contrast, name) for name in _FIELDS[4:])]
        lines.append([*(getattr(contrast, name) for name in _FIELDS[:3]), *numbers])
    return lines


def _tsv(contest: Contest) -> str:
    lines = tsv_lines(_table_cells(contest))
    lines += (f"# {visible(line)}" for line in (*_remarks(contest), contest.signature))
    return "\n".join(lines) + "\n"


def _csv(contest: Contest) -> str:
    head, *lines = _table_cells(contest)
    return csv_of([[*head, "signature"], *([*cells, contest.signature] for cells in lines)])


def _tables(contest: Contest, width: int, items: Changes | None, parts: Parts | None, *, drawn: bool) -> Tables:
    """Return what people are shown; columns that do not fit stay away, those first that can be spared.

    ``drawn`` asks for the differences as a picture, where there is room for it.
    """
    first = contest.row(contest.systems[0], contest.headline)
    system = f"{contest.parts_of}, " if contest.parts_of else ""
    title = f"{contest.protocol}: {system}{_spoken(first)}, {many(contest.units, contest.unit)}"
    pairs = _pairs(contest, width)
    pairs = _with_picture(contest, pairs, width) if drawn else pairs
    blocks = [pairs, *_cases(contest), *(_items(contest, items, parts) if items else ())]
    told = [contest.sentence(contrast, items.decide() if items else None) for contrast in contest.of()]
    return Tables(title, told[:_MOST_SENTENCES], blocks, _remarks(contest), [contest.signature])


_MOST_SENTENCES = 6
"""Pairs that are told in words; of more the table has to do."""


def _spoken(row: Row) -> str:
    parts = (row.regime, SHORT.get(row.measure, row.measure), row.average, row.layer, row.slice, row.label or "")
    return " ".join(part for part in parts if part)


def _pairs(contest: Contest, width: int) -> TextTable:
    rows = {row.name: row for row in contest.named_rows()}
    keys = ("A", "B") if len(contest.systems) > 2 else ()
    kinds = [kind for kind in _KINDS if len({_kind(row, kind) for row in rows.values()}) > 1]
    left = len(keys) + len(kinds)
    scores = ["score A", "score B"] if keys else [_short(name) for name in contest.systems]
    head = [
        *keys,
        *kinds,
        *scores,
        "difference",
        f"{100 * contest.level:g} % interval",
        "p",
        "needed",
        "won",
        "tied",
        "lost",
    ]
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
        if _room([head, *lines]) <= width:
            break
        left_out = [*head[-spared:], *left_out]
        head, lines = head[:-spared], [line[:-spared] for line in lines]
    return TextTable(head, _once(lines, left), left, left_out=left_out)


def _with_picture(contest: Contest, block: TextTable, width: int) -> TextTable:
    """Return the table of pairs with each difference drawn on its interval, beside the line of no difference."""
    free = width - _room([block.head, *block.lines]) - 2
    place = next((place for place, head in enumerate(block.head) if head.endswith("interval")), None)
    if place is None or free < LEAST_ROOM:
        return block
    numbers = [(contrast.difference, contrast.interval) for contrast in contest.contrasts]
    axis, drawn = intervals_drawn(numbers, min(free, MOST_ROOM), points=True)
    head, lines = list(block.head), [list(line) for line in block.lines]
    for line, picture in zip([head, *lines], [axis, *drawn], strict=True):
        line.insert(place + 1, picture)
    return block._replace(head=head, lines=lines, drawn=(place + 1,), strong=place - 1)


def _once(lines: Sequence[Sequence[str]], left: int) -> list[list[str]]:
    """Leave out, from the left, what is the same as above."""
    result, above = [], None
    for line in lines:
        keys: list[tuple[str, str]] = list(zip(line[:left], above[:left], strict=True)) if above else []
        same = next((place for place, (key, upper) in enumerate(keys) if key != upper), 0)
        result.append([""] * same + list(line[same:]))
        above = line
    return result


_KINDS = ("layer", "slice", "label", "average", "regime", "measure")


def _kind(row: Row, kind: str) -> str:
    value = getattr(row, kind)
    if kind == "measure":
        return str(SHORT.get(value, value))
    return ALL if value is None or (kind == "slice" and not value) else str(value)


def _short(name: str) -> str:
    return name if width_of(name) <= 12 else name[:11] + "…"


def _room(cells: Sequence[Sequence[str]]) -> int:
    return sum(max(map(width_of, column)) + 2 for column in zip(*cells, strict=True)) - 2


def _cells(contrast: Contrast) -> list[str]:
    values = [UNDEFINED if value is None else f"{value:.3f}" for value in contrast.values]
    difference = UNDEFINED if contrast.difference is None else points(contrast.difference, signed=True)
    needed = UNDEFINED if contrast.detectable is None else points(contrast.detectable)
    counts = [str(contrast.won), str(contrast.tied), str(contrast.lost)]
    return [
        *values,
        difference,
        in_brackets(contrast.interval) or UNDEFINED,
        p_value(contrast.adjusted),
        needed,
        *counts,
    ]


def _cases(contest: Contest) -> list[TextTable]:
    """Return what makes the difference of two systems in the first number."""
    cases = contest.of()[0].cases
    if len(contest.systems) != 2 or not cases:
        return []
    head = ["counted", *(_short(name) for name in contest.systems), "difference", "points"]
    lines = [
        [
            case.name,
            _count(case.first),
            _count(case.second),
            _count(case.first - case.second, signed=True),
            _part(case.share),
        ]
        for case in cases
    ]
    return [TextTable(head, lines, 1)]


def _items(contest: Contest, items: Changes, parts: Parts | None) -> list[TextTable]:
    """Return how many items went from which case to which, then the same items by what they were broken down by."""
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


def _part(share: float | None) -> str:
    return UNDEFINED if share is None else points(share, signed=True)


def _count(number: float, *, signed: bool = False) -> str:
    """Return a count, or the mean of several runs."""
    digits = 0 if float(number).is_integer() else 1
    text = f"{number:+.{digits}f}" if signed else f"{number:.{digits}f}"
    return "0" if text == "+0" else text.replace("-", "−")


def _remarks(contest: Contest) -> list[str]:
    tests = {
        "randomisation": "swapping units between systems",
        "bootstrap": "resampling units",
        "t": "Student's test",
        "seeds": "Student's test, over units and runs",
    }
    remarks = []
    if any(contrast.p_value is not None for contrast in contest.contrasts):
        pairs = len(contest.systems) * (len(contest.systems) - 1) // 2
        adjusted = f", adjusted for {pairs} pairs (intervals are for one)" if pairs > 1 else ""
        remarks.append(
            f"p: by {tests[contest.test]}{adjusted}; needed: the smallest difference found in 4 of 5 such collections"
        )
    return [*remarks, *(f"note: {note}" for note in contest.notes)]
