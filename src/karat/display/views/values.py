"""Values with full digits for programs and spreadsheets: TSV, CSV, JSON, and JSON Lines."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from karat.display.views._grid import ALL, KEYS, label_of, notes, pivot, signatures
from karat.display.views.numbers import digits
from karat.io.terminal import escaped_cell, formula_safe, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.evaluation.scores import Row, Scores

HEADER = ("system", "protocol", *KEYS[1:], "measure", "value", "low", "high")
"""The first columns of a table of numbers; one for each count follows."""


def tsv_of(lines: Iterable[Sequence[str | float | None]], remarks: Iterable[str]) -> str:
    r"""Return lines as tab-separated values, escaped so that none is a comment, and remarks as comments.

    Backslash, tab and line ends inside of names are written ``\\``, ``\t``, ``\n`` and ``\r``.

    >>> tsv_of([["#1", 0.5, None]], ["note"])
    '\\#1\t0.5\t-\n# note\n'
    """
    cells = ([escaped_cell(cell) if isinstance(cell, str) else digits(cell) for cell in line] for line in lines)
    rows = ("\t".join(line) for line in cells)
    uncommented = ("\\" + row if row.startswith("#") else row for row in rows)
    return "".join(f"{line}\n" for line in (*uncommented, *(f"# {visible(remark)}" for remark in remarks)))


def tsv_line(cells: Iterable[str]) -> str:
    """Return one line of tab-separated values, without its end."""
    return "\t".join(map(escaped_cell, cells))


def csv_of(lines: Iterable[Sequence[object]]) -> str:
    r"""Return lines as CSV; texts are escaped so that no spreadsheet takes them for a formula.

    >>> csv_of([["a\\b", "c,d", 0.5, None]])
    'a\\b,"c,d",0.5,\n'
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerows([formula_safe(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return target.getvalue()


def csv_line(cells: Sequence[object]) -> str:
    """Return one line of CSV, without its line end."""
    return csv_of([cells]).removesuffix("\n")


def json_of(content: Any) -> str:
    """Return plain data as one JSON object."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def jsonl_of(objects: Iterable[Any]) -> str:
    """Return a line of JSON for each object."""
    return "".join(f"{json.dumps(fields, ensure_ascii=False)}\n" for fields in objects)


def scores_tsv(scores: Sequence[Scores]) -> str:
    r"""Return one line for each number; lines that begin with ``#`` at the end hold notes and signatures.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 1 / 3),)
    >>> text = scores_tsv([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> text.splitlines()[1].split("\t")[6:]
    ['strict', 'f1', '0.3333333333333333', '-', '-']
    """
    counts = tuple(dict.fromkeys(name for result in scores for row in result.rows for name in row.counts))
    lines: list[Sequence[Any]] = [HEADER + counts]
    for result in scores:
        for row in result.rows:
            names = (row.layer, row.slice or ALL, label_of(row), row.average, row.regime, row.measure)
            numbers = (*_with_limits(row, ("low", "high")), *(row.counts.get(name) for name in counts))
            lines.append([result.system, result.protocol, *names, *numbers])
    return tsv_of(lines, notes(scores) + signatures(scores))


def scores_csv(scores: Sequence[Scores]) -> str:
    """Return a CSV line for each line of the table, with all keys; undefined numbers are empty cells.

    Intervals are two columns after their number. CSV has no notes; the signature is a column,
    after one with the content digests of both sides, which is empty for a result without a run.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 1 / 3), Row("recall", "strict", "micro", "NE", None))
    >>> print(scores_csv([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))]), end="")
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
        numbers = [cell for measure in grid.measures for cell in _with_limits(line.numbers.get(measure), limits)]
        counts = [line.counts.get(name) for name in grid.counts]
        lines.append([system, result.protocol, *keys, *numbers, *counts, _content(result), result.signature])
    return csv_of(lines)


def _with_limits(row: Row | None, limits: Sequence[str]) -> list[float | None]:
    interval = row.interval if row else None
    return [row.value if row else None, *(getattr(interval, end, None) for end in limits)]


def _content(result: Scores) -> str:
    """Return both digests in the form of a signature: alone, ``123e45678901`` is a number for spreadsheets."""
    return f"gold:{result.run.gold_content}|system:{result.run.system_content}" if result.run else ""


def scores_json(scores: Sequence[Scores]) -> str:
    """Return ``{"scores": [...]}`` with one object for each system; undefined is ``null``.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", None),)
    >>> text = scores_json([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])
    >>> json.loads(text)["scores"][0]["rows"]
    [{'measure': 'f1', 'regime': 'strict', 'average': 'micro', 'layer': 'NE', 'value': None}]
    """
    return json_of({"scores": [result.to_dict() for result in scores]})


def scores_jsonl(scores: Sequence[Scores]) -> str:
    """Return one line for each number, with its system, protocol and signature; undefined is ``null``.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5),)
    >>> scores_jsonl([Scores("small", "team1", rows, "karat:1.0", Tallies([], []))])[:77]
    '{"system": "team1", "protocol": "small", "signature": "karat:1.0", "measure":'
    """
    return jsonl_of(
        {"system": result.system, "protocol": result.protocol, "signature": result.signature} | row
        for result in scores
        for row in result.to_dict()["rows"]
    )
