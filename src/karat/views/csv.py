"""Comma-separated values for spreadsheets: a line for each system and regime, a column for each measure, all digits."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from karat.terminal import uncomputed
from karat.views._grid import KEYS, pivot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.scores import Row, Scores


def render(scores: Sequence[Scores]) -> str:
    """Return the lines of the table for papers, each with all that it is about; what is undefined is an empty cell.

    Intervals are two columns behind their number. Notes have no place in a file of values; the signature is a column,
    behind one with the digests of the content of both sides, which is empty where no run is behind a result.

    >>> from karat.scores import Row, Scores
    >>> from karat.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 1 / 3), Row("recall", "strict", "micro", "NE", None))
    >>> print(render([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
    system,protocol,layer,slice,label,average,regime,f1,recall,content,signature
    team1,small,NE,ALL,ALL,micro,strict,0.3333333333333333,,,karat:1.0
    """
    grid = pivot(scores, shown=KEYS)
    limits = ("low", "high") if grid.has_intervals else ()
    measured = [name for measure in grid.measures for name in (measure, *(f"{measure} {end}" for end in limits))]
    lines: list[Sequence[object]] = [["system", "protocol", *KEYS[1:], *measured, *grid.counts, "content", "signature"]]
    for line in grid.lines:
        system, *keys = line.keys
        result = scores[line.result]
        numbers = [cell for measure in grid.measures for cell in _cells(line.numbers.get(measure), limits)]
        counts = [line.counts.get(name) for name in grid.counts]
        lines.append([system, result.protocol, *keys, *numbers, *counts, _content(result), result.signature])
    return csv_of(lines)


def _cells(row: Row | None, limits: Sequence[str]) -> list[float | None]:
    interval = row.interval if row else None
    return [row.value if row else None, *(getattr(interval, end, None) for end in limits)]


def _content(result: Scores) -> str:
    """Return both digests in the form of a signature: alone, ``123e45678901`` is a number for spreadsheets."""
    return f"gold:{result.run.gold_content}|system:{result.run.system_content}" if result.run else ""


def csv_line(cells: Sequence[object]) -> str:
    """Return one line of a file of values, without its end."""
    return csv_of([cells]).removesuffix("\n")


def csv_of(lines: Iterable[Sequence[object]]) -> str:
    r"""Return lines of cells as a file of values; no cell of words is one that a spreadsheet computes.

    >>> csv_of([["a\\b", "c,d", 0.5, None]])
    'a\\b,"c,d",0.5,\n'
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerows([uncomputed(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return target.getvalue()
