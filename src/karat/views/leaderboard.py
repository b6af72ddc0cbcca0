"""Leaderboards: for terminals with the intervals drawn, for papers with the best in bold, for pages and programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from karat.errors import many, unknown
from karat.screen import Screen
from karat.terminal import visible
from karat.terminal import width as width_of
from karat.views._grid import SHORT, UNDEFINED
from karat.views._pictures import LEAST_ROOM, MOST_ROOM, intervals_drawn
from karat.views._tables import TEXT_VIEWS, Strong, Tables, TextTable, rendered
from karat.views.csv import csv_of
from karat.views.tsv import tsv_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.comparison.board import Leaderboard, Standing
    from karat.scores import Row

VIEWS = (*TEXT_VIEWS, "tsv", "csv", "json", "jsonl")
_EQUAL = 1e-12
TIED = "†"
"""Marks a system than which none is known to be better, beside the best."""


def render(
    boards: Sequence[Leaderboard],
    view: str = "table",
    *,
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
    intervals: bool = True,
) -> str:
    """Return one or more leaderboards as text: for people with rounded numbers, else with full digits.

    Without ``intervals`` those are not shown, but what follows from them is.
    """
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    if view == "json":
        return json.dumps({"leaderboards": [board.to_dict() for board in boards]}, ensure_ascii=False, indent=2) + "\n"
    if view == "jsonl":
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for board in boards for line in _lines(board))
    if view == "tsv":
        return "".join(map(_tsv, boards))
    if view == "csv":
        return _csv(boards, intervals=intervals)
    if view == "html":
        from karat.views.leaderboard_page import page

        return page(boards, intervals=intervals)
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
    lines = tsv_lines(_cells(board))
    heading = [board.gold] if board.gold else []
    lines += (f"# {visible(line)}" for line in (*heading, *remarks_on(board), board.signature))
    return "\n".join(lines) + "\n"


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
    title = title_of(board)
    block = _terminal(board, width, intervals=intervals) if view == "table" else paper(board, intervals=intervals)
    told = [first_place(board)] if board.contest else []
    remarks = remarks_on(board) if view == "table" or not board.contest else [legend(board), *remarks_on(board)[1:]]
    return Tables(title, told, [block], remarks, [board.signature])


def title_of(board: Leaderboard) -> str:
    """Return what a leaderboard is about."""
    row = board.standings[0].row
    about = (row.regime, SHORT.get(row.measure, row.measure), row.average, row.layer, row.slice, row.label)
    gold = f"{board.gold}, " if board.gold else ""
    spoken = " ".join(part for part in about if part)
    return f"{board.protocol}: {gold}{spoken}, {many(board.units, board.unit)}"


def first_place(board: Leaderboard) -> str:
    """Return what can be quoted: who is first, and with whom that is shared."""
    ranked = [standing for standing in board.standings if standing.rank is not None]
    best = [standing.system for standing in ranked if standing.is_best]
    if not ranked:
        return "No system has this number."
    if len(ranked) == 1:
        return f"Only {best[0]} has this number."
    if len(best) == 1:
        return f"{best[0]} is better than every other system{' that has this number' * (len(ranked) < len(board))}."
    return f"{', '.join(best[:-1])} and {best[-1]} cannot be told apart; no system is better than they are."


def _terminal(board: Leaderboard, width: int, *, intervals: bool) -> TextTable:
    """Return the table of a terminal: ranks, numbers and, where there is room, the intervals as a picture."""
    has_chance = board.contest is not None
    first = board.standings[0]
    head = ["rank", "system", _short(first.row)]
    columns = [
        [_rank(standing) for standing in board],
        [standing.system for standing in board],
        [_number(standing.row) for standing in board],
    ]
    if any(standing.row.interval for standing in board) and intervals:
        head.append(f"{100 * _level(board):g} % interval")
        columns.append([_interval(standing.row) for standing in board])
    left = len(head)
    if has_chance:
        head += ["ranks", "tie"]
        columns += [[_ranks(standing) for standing in board], [standing.group for standing in board]]
        left = len(head)
    for place, row in enumerate(first.others):
        head.append(_short(row, first.row))
        columns.append([_number(standing.others[place]) for standing in board])
    left_out: list[str] = []
    while len(head) > left + 1 and _room(head, columns) > width:
        left_out.insert(0, head[-1])
        head, columns = head[:-1], columns[:-1]
    free = width - _room(head, columns) - 2
    drawn = intervals and free >= LEAST_ROOM and any(standing.row.interval for standing in board)
    if drawn:
        numbers = [(standing.row.value, standing.row.interval) for standing in board]
        axis, lines = intervals_drawn(numbers, min(free, MOST_ROOM))
        head.insert(4, axis)
        columns.insert(4, lines)
        left += 1
    return TextTable(
        head, [list(line) for line in zip(*columns, strict=True)], left, (4,) if drawn else (), 2, left_out
    )


def _room(head: Sequence[str], columns: Sequence[Sequence[str]]) -> int:
    return sum(max(map(width_of, (name, *cells))) + 2 for name, cells in zip(head, columns, strict=True)) - 2


def paper(board: Leaderboard, *, intervals: bool) -> TextTable:
    """Return the table of a paper: a line for each system, the best of each column in bold, and marks."""
    first = board.standings[0]
    order = sorted((first.row, *first.others), key=lambda row: (row.average != first.row.average, _place(row)))
    head, columns = (
        ["rank", "system"],
        [[_rank(standing) for standing in board], [standing.system for standing in board]],
    )
    for row in order:
        rows = [next(own for own in (standing.row, *standing.others) if own.name == row.name) for standing in board]
        decides = row.name == first.row.name
        head.append(_short(row, first.row))
        columns.append(_bold([_number(own) for own in rows], rows))
        if decides and board.contest:
            columns[-1] = [_marked(cell, standing) for cell, standing in zip(columns[-1], board, strict=True)]
        if decides and intervals and any(own.interval for own in rows):
            head.append(f"{100 * _level(board):g} % interval")
            columns.append([_interval(own) for own in rows])
    if board.contest:
        head.append("tie")
        columns.append([standing.group for standing in board])
    return TextTable(head, [list(line) for line in zip(*columns, strict=True)], 2)


def _place(row: Row) -> int:
    """Return where a measure stands beside others: precision, recall, F1, then what else there is."""
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


def legend(board: Leaderboard) -> str:
    """Return what the marks of a paper's table mean, and its letters."""
    assert board.contest is not None  # noqa: S101 - asked for only with one
    share = f"{1 - board.contest.level:.2g}"
    mark = f"{TIED}: not the first, but no system is known to be better; " if any(map(_is_marked, board)) else ""
    return f"{mark}systems that share a letter cannot be told apart (p > {share}, Holm's method)."


def remarks_on(board: Leaderboard) -> list[str]:
    """Return what is to be said below a leaderboard."""
    remarks = []
    if board.contest is not None:
        remarks.append("tie: systems that share a letter cannot be told apart; ranks: those that a system may have")
    undefined = [standing.system for standing in board if standing.rank is None]
    if undefined:
        remarks.append(f"not ranked, because the number is undefined: {', '.join(undefined)}")
    return [*remarks, *(f"note: {note}" for note in board.notes)]


def _level(board: Leaderboard) -> float:
    return next((standing.row.interval.level for standing in board if standing.row.interval), 0.95)


def _short(row: Row, beside: Row | None = None) -> str:
    """Return a number in short: the measure, and the average where it is another than that of the number beside."""
    name = SHORT.get(row.measure, row.measure)
    return f"{name} {row.average}" if beside is not None and row.average != beside.average else name


def _rank(standing: Standing) -> str:
    return UNDEFINED if standing.rank is None else str(standing.rank)


def _ranks(standing: Standing) -> str:
    if standing.ranks is None:
        return UNDEFINED
    low, high = standing.ranks
    return str(low) if low == high else f"{low}–{high}"


def _number(row: Row) -> str:
    return UNDEFINED if row.value is None else f"{row.value:.3f}"


def _interval(row: Row) -> str:
    return f"[{row.interval.low:.3f}, {row.interval.high:.3f}]" if row.interval else UNDEFINED
