"""Scores as a page: the table with three decimals, intervals drawn, notes and signatures, without script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.drawing.pages import marked_up, page
from karat.views._grid import notes, pivot, signatures
from karat.views._pictures import pictures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.scores import Scores


def render(scores: Sequence[Scores]) -> str:
    """Return a whole page with the scores of some systems."""
    return page(_title(scores), markup(scores))


def markup(scores: Sequence[Scores]) -> str:
    """Return the scores as a piece of a page: the table with its counts, the notes and the signatures.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "<NE>", 0.5),)
    >>> text = markup([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> text.splitlines()[6]
    '<tr><th scope="row">&lt;NE&gt;</th><th scope="row">micro</th><th scope="row">strict</th><td>0.500</td></tr>'
    """
    grid = pivot(scores)
    head, *body = grid.scores_and_counts()
    names = len(grid.keys)
    measure = "f1" if "f1" in grid.measures else next(iter(grid.measures), "")
    drawn = pictures([line.numbers.get(measure) for line in grid.lines])
    place = names + len(grid.measures)
    lines = [f"<h1>{marked_up(_title(scores))}</h1>", '<div class="wide" tabindex="0"><table>', "<thead>"]
    heads = [f'<th scope="col"{_side(index, names)}>{marked_up(cell)}</th>' for index, cell in enumerate(head)]
    lines += [_line([*heads[:place], *(["<td></td>"] if drawn else []), *heads[place:]]), "</thead>", "<tbody>"]
    for index, cells in enumerate(body):
        keys = [f'<th scope="row">{marked_up(cell)}</th>' if cell else "<td></td>" for cell in cells[:names]]
        values = [f"<td>{marked_up(cell)}</td>" for cell in cells[names:]]
        picture = [f'<td class="drawn">{drawn[index]}</td>'] if drawn else []
        lines.append(_line([*keys, *values[: place - names], *picture, *values[place - names :]]))
    lines += ["</tbody>", "</table></div>"]
    lines += [f"<p>{marked_up(note)}</p>" for note in notes(scores)]
    lines += [f"<p><code>{marked_up(line)}</code></p>" for line in signatures(scores)]
    return "\n".join(lines) + "\n"


def _title(scores: Sequence[Scores]) -> str:
    protocol = ", ".join(dict.fromkeys(result.protocol for result in scores))
    return f"{protocol}: {scores[0].system}" if len(scores) == 1 else protocol


def _side(place: int, names: int) -> str:
    return ' class="text"' if place < names else ""


def _line(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"
