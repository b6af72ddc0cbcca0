"""Tab-separated values, one number per line with full digits, for programs and spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.terminal import masked, visible
from karat.views._grid import ALL, digits, label_of, notes, signatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.scores import Row, Scores

HEADER = (
    "system",
    "protocol",
    "layer",
    "slice",
    "label",
    "average",
    "regime",
    "measure",
    "value",
    "low",
    "high",
)
"""The first columns; one for each count follows."""


def render(scores: Sequence[Scores]) -> str:
    r"""Return one line for each number; lines that begin with ``#`` at the end hold notes and signatures.

    Backslash, tab and line ends inside of names are written ``\\``, ``\t``, ``\n`` and ``\r``.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 1 / 3),)
    >>> text = render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> text.splitlines()[1].split("\t")[6:]
    ['strict', 'f1', '0.3333333333333333', '-', '-']
    """
    counts = tuple(dict.fromkeys(name for result in scores for row in result.rows for name in row.counts))
    cells: list[Sequence[Any]] = [HEADER + counts]
    for result in scores:
        cells += ([result.system, result.protocol, *_cells(row, counts)] for row in result.rows)
    lines = tsv_lines(cells)
    lines += (f"# {visible(line)}" for line in notes(scores) + signatures(scores))
    return "\n".join(lines) + "\n"


def tsv_lines(lines: Iterable[Sequence[str | float | None]]) -> list[str]:
    r"""Return lines of names and numbers as tab-separated values, with all digits, none of them a comment.

    >>> tsv_lines([["#1", 0.5, None]])
    ['\\#1\t0.5\t-']
    """
    cells = ([masked(cell) if isinstance(cell, str) else digits(cell) for cell in line] for line in lines)
    return [_uncommented("\t".join(line)) for line in cells]


def _cells(row: Row, counts: Sequence[str]) -> list[str | float | None]:
    names = (row.layer, row.slice or ALL, label_of(row), row.average, row.regime, row.measure)
    limits = (getattr(row.interval, end, None) for end in ("low", "high"))
    return [*names, row.value, *limits, *(row.counts.get(name) for name in counts)]


def _uncommented(line: str) -> str:
    """Keep a name that begins with ``#`` from turning its line into a comment."""
    return "\\" + line if line.startswith("#") else line
