"""A GitHub-flavoured Markdown table with three decimals, for README files and issues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from karat.terminal import visible
from karat.views._grid import notes, pivot, signatures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.scores import Scores

_ACTIVE = re.compile(r"([\\`*_\[\]<>|~&$#])")


def render(scores: Sequence[Scores]) -> str:
    """Return the table, the notes, and the signatures as code.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5),)
    >>> print(render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
    | layer | average | regime | F1 |
    | :--- | :--- | :--- | ---: |
    | NE | micro | strict | 0.500 |
    <BLANKLINE>
    `karat:1.0`
    """
    grid = pivot(scores)
    head, *body = grid.scores()
    names = len(grid.keys)
    rule = [":---"] * names + ["---:"] * (len(head) - names)
    lines = [[escape(cell) for cell in head], rule]
    lines += ([*map(escape, cells[:names]), *cells[names:]] for cells in body)
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    ending = [escape(note) for note in notes(scores)] + [_code(line) for line in signatures(scores)]
    return "\n\n".join([table, *ending]) + "\n"


def escape(text: str) -> str:
    r"""Return the text so that Markdown shows it as it is.

    >>> print(escape("a|b_c"))
    a\|b\_c
    """
    return _ACTIVE.sub(r"\\\1", visible(text))


def _code(text: str) -> str:
    """Return the text as code, between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {visible(text)} {fence}" if longest else f"{fence}{visible(text)}{fence}"
