r"""A LaTeX table with three decimals, for papers; it needs ``\usepackage{booktabs}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.terminal import visible
from karat.views._grid import notes, pivot, signatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.scores import Scores

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # bare, it would be read as an option of the line break above
    "*": "{*}",
} | {character: f"\\{character}" for character in "{}$&#_%"}
_ESCAPES = str.maketrans(_SPECIAL)


def render(scores: Sequence[Scores]) -> str:
    r"""Return the table, with notes and signatures as comments and the signatures once more in small print.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE_LIT", 0.5),)
    >>> print(render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
    % karat:1.0
    \begin{tabular}{lllr}
    \toprule
    layer & average & regime & F1 \\
    \midrule
    NE\_LIT & micro & strict & 0.500 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    {\footnotesize\texttt{karat:1.0}}
    """
    grid = pivot(scores)
    head, *body = grid.scores()
    names = len(grid.keys)
    lines = [f"% {visible(line)}" for line in notes(scores) + signatures(scores)]
    lines += [rf"\begin{{tabular}}{{{'l' * names}{'r' * (len(head) - names)}}}", r"\toprule"]
    lines += [_line(map(escape, head)), r"\midrule"]
    lines += [_line([*map(escape, cells[:names]), *cells[names:]]) for cells in body]
    lines += [r"\bottomrule", r"\end{tabular}"]
    ending = [rf"{{\footnotesize\texttt{{{_breakable(line)}}}}}" for line in signatures(scores)]
    return "\n\n".join(["\n".join(lines), *ending]) + "\n"


def escape(text: str) -> str:
    r"""Return the text so that LaTeX sets it as it is.

    >>> print(escape("50 % of A&B"))
    50 \% of A\&B
    """
    return visible(text).translate(_ESCAPES)


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _breakable(signature: str) -> str:
    """Return the escaped signature, which may be broken behind each of its parts."""
    return escape(signature).replace(_SPECIAL["|"], _SPECIAL["|"] + r"\allowbreak{}")
