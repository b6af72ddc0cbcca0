"""Leaderboards as a page of its own, without script: the table, and every interval drawn beside its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.drawing.pages import marked_up as _text
from karat.drawing.pages import page as whole_page
from karat.views._pictures import pictures
from karat.views._tables import Strong
from karat.views.leaderboard import first_place, legend, paper, remarks_on, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.comparison.board import Leaderboard


def page(boards: Sequence[Leaderboard], *, intervals: bool = True) -> str:
    """Return one or more leaderboards as a page that needs nothing else."""
    return whole_page(boards[0].protocol if boards else "leaderboard", markup(boards, intervals=intervals))


def markup(boards: Sequence[Leaderboard], *, intervals: bool = True) -> str:
    """Return one or more leaderboards as a piece of a page; several stand below a heading that they share."""
    heading, level = ("", "h1") if len(boards) < 2 else (f"<h1>{_text(boards[0].protocol)}</h1>\n", "h2")
    return heading + "".join(f"{_section(board, level, intervals=intervals)}\n" for board in boards)


def _section(board: Leaderboard, level: str, *, intervals: bool) -> str:
    block = paper(board, intervals=intervals)
    drawn = pictures([standing.row for standing in board]) if intervals else []
    place = next((index for index, name in enumerate(block.head) if name.endswith("interval")), None)
    lines = [f"<section><{level}>{_text(title_of(board))}</{level}>"]
    lines += [f'<p class="told">{_text(first_place(board))}</p>'] if board.contest else []
    head = [f'<th scope="col"{_aligned(index)}>{_text(name)}</th>' for index, name in enumerate(block.head)]
    rows = [[_cell(index, cell) for index, cell in enumerate(line)] for line in block.lines]
    if drawn and place is not None:
        head.insert(place + 1, "<td></td>")
        rows = [
            [*row[: place + 1], f'<td class="drawn">{picture}</td>', *row[place + 1 :]]
            for row, picture in zip(rows, drawn, strict=True)
        ]
    lines += ['<div class="wide" tabindex="0"><table><thead>', f"<tr>{''.join(head)}</tr>", "</thead><tbody>"]
    lines += [f"<tr>{''.join(row)}</tr>" for row in rows]
    lines.append("</tbody></table></div>")
    remarks = [legend(board), *remarks_on(board)[1:]] if board.contest else remarks_on(board)
    lines += [f"<p>{_text(remark)}</p>" for remark in remarks]
    return "\n".join([*lines, f"<p><code>{_text(board.signature)}</code></p></section>"])


def _aligned(index: int) -> str:
    return ' class="text"' if index == 1 else ""


def _cell(index: int, cell: str) -> str:
    shown = f"<strong>{_text(cell)}</strong>" if isinstance(cell, Strong) else _text(cell)
    return f'<th scope="row">{shown}</th>' if index == 1 else f"<td>{shown}</td>"
