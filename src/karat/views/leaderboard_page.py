"""Leaderboards as a page of its own, without script: the table, and every interval drawn beside its number."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from karat.terminal import visible
from karat.views._tables import Strong
from karat.views.leaderboard import first_place, legend, paper, remarks_on, title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.comparison.board import Leaderboard
    from karat.scores import Row

_WIDTH, _HEIGHT, _EDGE = 240, 20, 6
"""The size of a drawn interval, and what is free on its sides."""
_STYLE = """
:root{--paper:#fbfaf6;--ink:#1e1b16;--soft:#6a6357;--rule:#ddd7c9;--gold:#a87c00}
@media (prefers-color-scheme:dark){:root{--paper:#171612;--ink:#f0ebe0;--soft:#a79f8f;--rule:#3a362c;--gold:#c99b1e}}
body{background:var(--paper);color:var(--ink);font:14px/21px system-ui,sans-serif;margin:32px auto;max-width:1176px;
padding:0 16px}
h1,.told{font-family:Palatino,Georgia,serif}h1{font-size:26px;line-height:32px}.told{font-size:20px;line-height:28px}
.wide{overflow-x:auto}table{border-collapse:collapse;border-top:2px solid var(--ink);font-variant-numeric:tabular-nums}
th,td{padding:8px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
th[scope=row],th.text,td.text{text-align:left}thead th{font-size:12px;border-bottom:1px solid var(--ink)}
svg{display:block}line{stroke:var(--ink)}circle{fill:var(--gold)}.axis{stroke:var(--rule)}
p{color:var(--soft);max-width:75ch}.told{color:var(--ink)}code{font-size:12px;overflow-wrap:anywhere}
"""


def page(boards: Sequence[Leaderboard], *, intervals: bool = True) -> str:
    """Return one or more leaderboards as a page that needs nothing else."""
    title = _text(boards[0].protocol if boards else "leaderboard")
    body = "\n".join(_section(board, intervals=intervals) for board in boards)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    start = f'<!doctype html>\n<html lang="en">\n<head>{head}<style>{_STYLE}</style></head>'
    return f"{start}\n<body>\n{body}\n</body>\n</html>\n"


def _section(board: Leaderboard, *, intervals: bool) -> str:
    block = paper(board, intervals=intervals)
    drawn = _drawn([standing.row for standing in board]) if intervals else []
    place = next((number for number, name in enumerate(block.head) if name.endswith("interval")), None)
    lines = [f"<section><h1>{_text(title_of(board))}</h1>"]
    lines += [f'<p class="told">{_text(first_place(board))}</p>'] if board.contest else []
    head = [f'<th scope="col"{_aligned(number)}>{_text(name)}</th>' for number, name in enumerate(block.head)]
    rows = [[_cell(number, cell) for number, cell in enumerate(line)] for line in block.lines]
    if drawn and place is not None:
        head.insert(place + 1, "<th></th>")
        rows = [
            [*row[: place + 1], f"<td>{picture}</td>", *row[place + 1 :]]
            for row, picture in zip(rows, drawn, strict=True)
        ]
    lines += ['<div class="wide"><table><thead>', f"<tr>{''.join(head)}</tr>", "</thead><tbody>"]
    lines += [f"<tr>{''.join(row)}</tr>" for row in rows]
    lines.append("</tbody></table></div>")
    remarks = [legend(board), *remarks_on(board)[1:]] if board.contest else remarks_on(board)
    lines += [f"<p>{_text(remark)}</p>" for remark in remarks]
    return "\n".join([*lines, f"<p><code>{_text(board.signature)}</code></p></section>"])


def _aligned(number: int) -> str:
    return ' class="text"' if number == 1 else ""


def _cell(number: int, cell: str) -> str:
    shown = f"<strong>{_text(cell)}</strong>" if isinstance(cell, Strong) else _text(cell)
    return f'<th scope="row">{shown}</th>' if number == 1 else f"<td>{shown}</td>"


def _drawn(rows: Sequence[Row]) -> list[str]:
    """Return each number as a dot on the line of its interval, all on one scale."""
    ends = [end for row in rows if row.interval for end in (row.interval.low, row.interval.high)]
    if not ends:
        return []
    low, high = min(ends), max(ends)

    def place(value: float) -> str:
        share = (value - low) / (high - low) if high > low else 0.5
        return f"{_EDGE + share * (_WIDTH - 2 * _EDGE):.1f}"

    return [
        _picture(row, place(row.interval.low), place(row.value), place(row.interval.high))
        if row.interval and row.value is not None
        else ""
        for row in rows
    ]


def _picture(row: Row, low: str, value: str, high: str) -> str:
    middle = _HEIGHT // 2
    assert row.interval is not None  # noqa: S101 - asked for only with one
    label = f"{row.value:.3f}, from {row.interval.low:.3f} to {row.interval.high:.3f}"
    ends = "".join(f'<line x1="{x}" x2="{x}" y1="{middle - 4}" y2="{middle + 4}"/>' for x in (low, high))
    line = f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}"/>'
    line += f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>'
    dot = f'<circle cx="{value}" cy="{middle}" r="4.5"/>'
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{label}">{line}{ends}{dot}</svg>'


def _text(text: str) -> str:
    return escape(visible(text))
