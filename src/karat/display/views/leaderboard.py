"""Leaderboards as text: intervals are drawn for terminals and pages, the best numbers are bold for papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.display.drawing.pages import marked_up, page
from karat.display.views._columns import room_of_cells
from karat.display.views._pictures import LEAST_ROOM, MOST_ROOM, intervals_drawn, pictures
from karat.display.views.numbers import SHORT, UNDEFINED, limits, short, spoken, three
from karat.display.views.papers import TEXT_VIEWS, Strong, Tables, TextTable, rendered
from karat.display.views.values import csv_of, json_of, jsonl_of, tsv_of
from karat.errors import many, unknown
from karat.io.terminal import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.analysis.comparison.board import Leaderboard, Standing
    from karat.evaluation.scores import Row

    Column = tuple[str, list[str]]
    """The head of a column, and its cells."""

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_EQUAL = 1e-12
_TEXT = ' class="text"'
TIED = "†"
"""Marks a system that is not first, but than which no system is significantly better."""


def render(
    boards: Sequence[Leaderboard],
    view: str = "table",
    *,
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
    intervals: bool = True,
) -> str:
    """Return leaderboards as text: rounded numbers for people, full digits for programs.

    Without ``intervals``, only the ranks and ties that follow from them are shown.
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "json":
        return json_of({"leaderboards": [board.to_dict() for board in boards]})
    if view == "jsonl":
        return jsonl_of(line for board in boards for line in _lines(board))
    if view == "tsv":
        return "".join(map(_tsv, boards))
    if view == "csv":
        return _csv(boards, intervals=intervals)
    if view == "html":
        return page(boards[0].protocol if boards else "leaderboard", markup(boards, intervals=intervals))
    parts = [rendered(view, _tables(board, view, screen.width, intervals=intervals), screen) for board in boards]
    return "\n".join(parts)


def _lines(board: Leaderboard) -> list[dict[str, Any]]:
    content = board.to_dict()
    about = {name: content[name] for name in ("protocol", "gold", "number")}
    return [about | standing for standing in content["standings"]]


def _cells(board: Leaderboard, *, intervals: bool = True) -> list[list[Any]]:
    """Return the cells of a table for programs, the head first: names and plain numbers."""
    limits, others = ["low", "high"] if intervals else [], [row.name for row in board.standings[0].others]
    lines: list[list[Any]] = [
        ["rank", "system", board.number, *limits, "from", "to", "group", *others, "signature"],
    ]
    for standing in board.standings:
        ends = [getattr(standing.row.interval, end, None) for end in limits]
        numbers = [standing.row.value, *ends, *(standing.ranks or (None, None))]
        values = [row.value for row in standing.others]
        cells = [standing.rank, standing.system, *numbers, standing.group or None, *values]
        lines.append([*cells, standing.signature])
    return lines


def _tsv(board: Leaderboard) -> str:
    heading = [board.gold] if board.gold else []
    return tsv_of(_cells(board), (*heading, *_remarks(board), board.signature))


def _csv(boards: Sequence[Leaderboard], *, intervals: bool) -> str:
    """Return one table for all golds, with their names in front where they have any."""
    golds = any(board.gold for board in boards)
    lines: list[list[Any]] = []
    for board in boards:
        head, *body = _cells(board, intervals=intervals)
        lines += [] if lines else [["gold", *head] if golds else head]
        lines += [[board.gold, *cells] for cells in body] if golds else body
    return csv_of(lines)


def _tables(board: Leaderboard, view: str, width: int, *, intervals: bool) -> Tables:
    block = _terminal(board, width, intervals=intervals) if view == "table" else _paper(board, intervals=intervals)
    told = [_first_place(board)] if board.contest else []
    remarks = _remarks(board) if view == "table" else _paper_remarks(board)
    return Tables(_title(board), told, [block], remarks, [board.signature])


def _title(board: Leaderboard) -> str:
    gold = f"{board.gold}, " if board.gold else ""
    return f"{board.protocol}: {gold}{spoken(board.standings[0].row)}, {many(board.units, board.unit)}"


def _first_place(board: Leaderboard) -> str:
    """Return a sentence to quote: the first system, and those tied with it."""
    ranked = [standing for standing in board.standings if standing.rank is not None]
    best = [standing.system for standing in ranked if standing.is_best]
    if not ranked:
        return "No system has this number."
    if len(ranked) == 1:
        return f"Only {best[0]} has this number."
    if len(best) == 1:
        return f"{best[0]} is better than every other system{' that has this number' * (len(ranked) < len(board))}."
    return f"{', '.join(best[:-1])} and {best[-1]} are statistically tied; no system is significantly better."


def _terminal(board: Leaderboard, width: int, *, intervals: bool) -> TextTable:
    """Return the table of a terminal: ranks, numbers and, where there is room, the intervals as a picture."""
    first = board.standings[0]
    has_intervals = intervals and any(standing.row.interval for standing in board)
    columns = [*_names(board), (_short(first.row), [three(standing.row.value) for standing in board])]
    if has_intervals:
        columns.append(_interval_column(board))
    if board.contest is not None:
        columns += [("ranks", [_ranks(standing) for standing in board]), _tie_column(board)]
    left = len(columns)
    for index, row in enumerate(first.others):
        columns.append((_short(row, first.row), [three(standing.others[index].value) for standing in board]))
    left_out: list[str] = []
    while len(columns) > left + 1 and _room(columns) > width:
        left_out.insert(0, columns.pop()[0])
    free = width - _room(columns) - 2
    drawn = has_intervals and free >= LEAST_ROOM
    if drawn:
        numbers = [(standing.row.value, standing.row.interval) for standing in board]
        columns.insert(4, intervals_drawn(numbers, min(free, MOST_ROOM)))
        left += 1
    return _table(columns, left)._replace(drawn=(4,) if drawn else (), strong=2, left_out=left_out)


def _paper(board: Leaderboard, *, intervals: bool) -> TextTable:
    """Return the table of a paper: a line for each system, the best of each column in bold, and marks."""
    first = board.standings[0]
    columns = _names(board)
    for row in sorted((first.row, *first.others), key=lambda row: (row.average != first.row.average, _place(row))):
        rows = [next(own for own in (standing.row, *standing.others) if own.name == row.name) for standing in board]
        decides = row.name == first.row.name
        cells = _bold([three(own.value) for own in rows], rows)
        if decides and board.contest:
            cells = [_marked(cell, standing) for cell, standing in zip(cells, board, strict=True)]
        columns.append((_short(row, first.row), cells))
        if decides and intervals and any(own.interval for own in rows):
            columns.append(_interval_column(board))
    if board.contest:
        columns.append(_tie_column(board))
    return _table(columns, 2)


def _table(columns: Sequence[Column], left: int) -> TextTable:
    return TextTable([head for head, _ in columns], list(zip(*(cells for _, cells in columns), strict=True)), left)


def _room(columns: Sequence[Column]) -> int:
    return room_of_cells([head, *cells] for head, cells in columns)


def _names(board: Leaderboard) -> list[Column]:
    ranks = [UNDEFINED if standing.rank is None else str(standing.rank) for standing in board]
    return [("rank", ranks), ("system", [standing.system for standing in board])]


def _interval_column(board: Leaderboard) -> Column:
    level = next((standing.row.interval.level for standing in board if standing.row.interval), 0.95)
    return f"{100 * level:g} % interval", [limits(standing.row.interval, UNDEFINED) for standing in board]


def _tie_column(board: Leaderboard) -> Column:
    return "tie", [standing.group for standing in board]


def _place(row: Row) -> int:
    """Return the sort key of a measure: precision, recall, F1, then others."""
    return [*SHORT, row.measure].index(row.measure)


def _bold(cells: Sequence[str], rows: Sequence[Row]) -> list[str]:
    best = max((row.value for row in rows if row.value is not None), default=None)
    return [
        Strong(cell) if best is not None and row.value is not None and row.value >= best - _EQUAL else cell
        for cell, row in zip(cells, rows, strict=True)
    ]


def _marked(cell: str, standing: Standing) -> str:
    return type(cell)(cell + TIED) if _is_marked(standing) else cell


def _is_marked(standing: Standing) -> bool:
    return standing.is_best and standing.rank != 1


def _remarks(board: Leaderboard) -> list[str]:
    """Return the remarks below a leaderboard of a terminal."""
    tie = "tie: systems that share a letter are statistically tied; ranks: the range of ranks that a system may have"
    undefined = [standing.system for standing in board if standing.rank is None]
    unranked = [f"not ranked, because the number is undefined: {', '.join(undefined)}"] if undefined else []
    return [*([tie] if board.contest else []), *unranked, *(f"note: {note}" for note in board.notes)]


def _paper_remarks(board: Leaderboard) -> list[str]:
    """Return the remarks for papers and pages, whose tables have marks and no ranks."""
    if board.contest is None:
        return _remarks(board)
    share = f"{1 - board.contest.level:.2g}"
    mark = f"{TIED}: not first, but no system is significantly better; " if any(map(_is_marked, board)) else ""
    legend = f"{mark}systems that share a letter are statistically tied (p > {share}, Holm's method)."
    return [legend, *_remarks(board)[1:]]


def _short(row: Row, beside: Row | None = None) -> str:
    """Return the short name of a number: the measure, and the average if it differs from that of ``beside``."""
    name = short(row.measure)
    return f"{name} {row.average}" if beside is not None and row.average != beside.average else name


def _ranks(standing: Standing) -> str:
    if standing.ranks is None:
        return UNDEFINED
    low, high = standing.ranks
    return str(low) if low == high else f"{low}–{high}"


def markup(boards: Sequence[Leaderboard], *, intervals: bool = True) -> str:
    """Return leaderboards as HTML; several have a common heading."""
    heading, level = ("", "h1") if len(boards) < 2 else (f"<h1>{marked_up(boards[0].protocol)}</h1>\n", "h2")
    return heading + "".join(f"{_section(board, level, intervals=intervals)}\n" for board in boards)


def _section(board: Leaderboard, level: str, *, intervals: bool) -> str:
    """Return a leaderboard as HTML, with every interval drawn beside its number."""
    block = _paper(board, intervals=intervals)
    drawn = pictures([standing.row for standing in board]) if intervals else []
    head = [
        f'<th scope="col"{_TEXT if index == 1 else ""}>{marked_up(name)}</th>' for index, name in enumerate(block.head)
    ]
    rows = [[_html_cell(index, cell) for index, cell in enumerate(line)] for line in block.lines]
    if drawn:
        behind = next(index for index, name in enumerate(block.head, 1) if name.endswith("interval"))
        head.insert(behind, "<td></td>")
        for row, picture in zip(rows, drawn, strict=True):
            row.insert(behind, f'<td class="drawn">{picture}</td>')
    lines = [f"<section><{level}>{marked_up(_title(board))}</{level}>"]
    lines += [f'<p class="told">{marked_up(_first_place(board))}</p>'] if board.contest else []
    lines += ['<div class="wide" tabindex="0"><table><thead>', f"<tr>{''.join(head)}</tr>", "</thead><tbody>"]
    lines += [*(f"<tr>{''.join(row)}</tr>" for row in rows), "</tbody></table></div>"]
    lines += [f"<p>{marked_up(remark)}</p>" for remark in _paper_remarks(board)]
    return "\n".join([*lines, f"<p><code>{marked_up(board.signature)}</code></p></section>"])


def _html_cell(index: int, cell: str) -> str:
    shown = f"<strong>{marked_up(cell)}</strong>" if isinstance(cell, Strong) else marked_up(cell)
    return f'<th scope="row">{shown}</th>' if index == 1 else f"<td>{shown}</td>"
