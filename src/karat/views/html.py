"""An HTML table with three decimals: a fragment without style sheet or script, for pages and notebooks."""

from __future__ import annotations

from html import escape as escape_markup
from typing import TYPE_CHECKING

from karat.terminal import visible
from karat.views._grid import notes, pivot, signatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.scores import Scores


def render(scores: Sequence[Scores]) -> str:
    """Return the table with its counts, the notes and the signatures.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "<NE>", 0.5),)
    >>> text = render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> text.splitlines()[5]
    '<tr><th scope="row">&lt;NE&gt;</th><th scope="row">micro</th><th scope="row">strict</th><td>0.500</td></tr>'
    """
    grid = pivot(scores)
    head, *body = grid.scores_and_counts()
    names = len(grid.keys)
    lines = ['<table class="karat">', "<thead>", _line([_cell("th", cell, "col") for cell in head])]
    lines += ["</thead>", "<tbody>"]
    for cells in body:
        keys = (_cell("th", cell, "row") for cell in cells[:names])
        lines.append(_line([*keys, *(_cell("td", cell) for cell in cells[names:])]))
    lines += ["</tbody>", "</table>"]
    lines += [f"<p>{_escape(note)}</p>" for note in notes(scores)]
    lines += [f"<p><code>{_escape(line)}</code></p>" for line in signatures(scores)]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return escape_markup(visible(text))


def _cell(tag: str, text: str, scope: str = "") -> str:
    opening = f'{tag} scope="{scope}"' if scope else tag
    return f"<{opening}>{_escape(text)}</{tag}>"


def _line(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"
