"""The table for people at a terminal: plain aligned text with three decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.terminal import aligned, visible, widths
from karat.terminal import width as width_of
from karat.views._grid import notes, pivot, signatures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Scores


def render(scores: Sequence[Scores], *, width: int = 100) -> str:
    """Return the table of some systems; counts that do not fit beside the scores stand below them.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5, counts={"correct": 3, "missed": 6}),)
    >>> print(render([Scores("small", "team1", rows, "karat:1.0|protocol:small", Tallies([], []))]), end="")
    small: team1
    <BLANKLINE>
    layer  average  regime     F1  correct  missed
    -----  -------  ------  -----  -------  ------
    NE     micro    strict  0.500        3       6
    <BLANKLINE>
    karat:1.0|protocol:small
    """
    grid = pivot(scores)
    left = len(grid.keys) + (len(grid.measures) if grid.has_intervals else 0)
    blocks = [_block(grid.scores_and_counts(), left)]
    if grid.counts and max(map(width_of, blocks[0])) > width:
        counts = grid.group_counts()
        blocks = [_block(grid.scores(), left), _block(counts, len(counts[0]) - len(grid.counts))]
    ending = [visible(line) for line in notes(scores) + signatures(scores)]
    return "\n\n".join("\n".join(block) for block in [[_heading(scores)], *blocks, ending] if block) + "\n"


def _heading(scores: Sequence[Scores]) -> str:
    protocol = ", ".join(dict.fromkeys(result.protocol for result in scores))
    return visible(f"{protocol}: {scores[0].system}" if len(scores) == 1 else protocol)


def _block(cells: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align the cells, with a rule under the head."""
    shown = [[visible(cell) for cell in line] for line in cells]
    columns = widths(shown)
    shown.insert(1, ["-" * column for column in columns])
    return [aligned(line, columns, left=left) for line in shown]
