"""Claimed results: numbers and signatures, read from run files and from views that Karat wrote."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from karat.display.views._grid import ALL, KEYS
from karat.display.views.numbers import UNDEFINED
from karat.display.views.values import HEADER
from karat.errors import InputError, UsageError
from karat.evaluation.f_measures import beta_of
from karat.evaluation.registry import find
from karat.evaluation.run_container import START, kind_of
from karat.evaluation.scores import Interval, Row
from karat.io import open_bytes, read_bytes, read_text
from karat.io.terminal import formula_safe
from karat.signature import SIGNATURE_START

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)")
_PLAIN = {"t": "\t", "n": "\n", "r": "\r"}


class ClaimedNumbers(msgspec.Struct, frozen=True):
    """The claimed numbers of a system, with their signature.

    ``gold_content`` and ``system_content`` are digests of the content of both sides, if the result has them.
    ``in_cells`` says that the numbers come from a table for spreadsheets (CSV), in which names are those of the cells,
    and an empty cell means either no number or an undefined one.
    """

    system: str
    signature: str
    rows: tuple[Row, ...]
    gold_content: str = ""
    system_content: str = ""
    in_cells: bool = False

    def named(self, rows: Iterable[Row]) -> dict[str, Row]:
        """Return rows by their names in this result."""
        return {(_as_in_cells(row) if self.in_cells else row).name: row for row in rows}

    def told(self, known: Mapping[str, Row]) -> list[Row]:
        """Return the rows that make a claim; empty cells of numbers that are not among ``known`` do not."""
        if not self.in_cells:
            return list(self.rows)
        told = (row for row in self.rows if row.value is not None or row.name in known)
        return [_with_counts_of(row, known.get(row.name, row)) for row in told]


def is_run(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a run file."""
    with open_bytes(path) as stream:
        return kind_of(read_bytes(stream, START, path)) is not None


def claims_in(path: str | os.PathLike[str]) -> list[ClaimedNumbers]:
    """Return the results in a run file or in a view (json, jsonl, tsv, csv); raise an error for any other file."""
    if is_run(path):
        from karat.evaluation.run_file import load

        run = load(path)
        scores = run.scores(by="label")
        return [ClaimedNumbers(run.system, run.signature, scores.rows, run.gold_content, run.system_content)]
    text = read_text(path)
    try:
        claims = list(_reader(text)(text))
    except (msgspec.DecodeError, ValueError, KeyError, IndexError, TypeError) as error:
        reason = "" if isinstance(error, KeyError) else f" ({error})"
        raise InputError(f"{_EXPECTED}{reason}", path=path) from error
    if not claims:
        raise InputError(_EXPECTED, path=path)
    return claims


_EXPECTED = (
    "is no result of Karat; expected a run file, or what karat score wrote with --view json, jsonl, tsv or csv, "
    "with its signature"
)


def _reader(text: str) -> Callable[[str], Iterator[ClaimedNumbers]]:
    if text.lstrip()[:1] == "{":
        return _from_json
    return _from_csv if text.startswith(",".join(_CELLS)) else _from_tsv


def claim_for(path: str | os.PathLike[str], system: Any) -> ClaimedNumbers:
    """Return the result of a file for a system: the only one, or the one with the system's name."""
    claims = claims_in(path)
    if len(claims) == 1:
        return claims[0]
    name = Path(system).name if isinstance(system, str | os.PathLike) else ""
    named = [claim for claim in claims if claim.system == name]
    if len(named) != 1:
        known = ", ".join(sorted({claim.system for claim in claims}))
        raise UsageError(f"{os.fspath(path)} has the results of {known}, but the system to check is called {name!r}")
    return named[0]


class _JsonResult(msgspec.Struct):
    """A result in the JSON view."""

    system: str
    signature: str
    rows: list[Row]
    digests: dict[str, str] = {}


class _JsonView(msgspec.Struct):
    """The JSON view."""

    scores: list[_JsonResult]


class _JsonLine(msgspec.Struct, frozen=True):
    """The system and the signature of a line in the JSON Lines view."""

    system: str
    signature: str


def _from_json(text: str) -> Iterator[ClaimedNumbers]:
    """Yield the results of one object, or of one for each number."""
    try:
        told = msgspec.json.decode(text, type=_JsonView).scores
    except msgspec.DecodeError:
        rows: dict[_JsonLine, list[Row]] = {}
        for line in filter(str.strip, text.splitlines()):
            row = msgspec.json.decode(line, type=Row)
            rows.setdefault(msgspec.json.decode(line, type=_JsonLine), []).append(row)
        yield from (ClaimedNumbers(whose.system, whose.signature, tuple(own)) for whose, own in rows.items())
        return
    for result in told:
        gold, system = (result.digests.get(name, "") for name in ("gold_content", "system_content"))
        yield ClaimedNumbers(result.system, result.signature, tuple(result.rows), gold, system)


def _from_tsv(text: str) -> Iterator[ClaimedNumbers]:
    lines = text.splitlines()
    comments = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    signatures = [line for line in comments if SIGNATURE_START in line and not line.startswith("note: ")]
    body = [line for line in lines if line and not line.startswith("# ")]
    head, *rows = csv.reader(body, delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(head[: len(HEADER)]) != HEADER:
        raise ValueError("its first line is another one")
    by_system: dict[str, list[Row]] = {}
    for cells in rows:
        system = _unmasked(_uncommented(cells[0]))
        by_system.setdefault(system, []).append(_row_in(cells, map(_unmasked, head[len(HEADER) :])))
    for (system, own), signature in zip(by_system.items(), signatures, strict=True):
        yield ClaimedNumbers(system, signature[signature.index(SIGNATURE_START) :], tuple(own))


def _uncommented(cell: str) -> str:
    """Return the first cell of a line without the backslash that keeps the line from being a comment."""
    return cell.removeprefix("\\") if cell.startswith("\\#") else cell


def _row_in(cells: Sequence[str], counts: Iterable[str]) -> Row:
    named = {name: _unmasked(cell) for name, cell in zip(HEADER, cells, strict=False)}
    numbers = [_number(named[name]) for name in ("value", "low", "high")]
    return _row(named, named["measure"], numbers, dict(zip(counts, map(_number, cells[len(HEADER) :]), strict=True)))


def _row(
    about: Mapping[str, str], measure: str, numbers: Sequence[float | None], counts: Mapping[str, float | None]
) -> Row:
    """Return the row for a line of a table.

    Args:
        about: the cells that identify the number, by column.
        measure: the name of the measure.
        numbers: the value and both limits of the interval.
        counts: the counts by name; None for an empty cell.

    """
    value, low, high = numbers
    return Row(
        measure=measure,
        regime=about["regime"],
        average=about["average"],
        layer=about["layer"],
        value=value,
        slice="" if about["slice"] == ALL else about["slice"],
        label=None if about["label"] == ALL else about["label"],
        counts={name: count for name, count in counts.items() if count is not None},
        interval=None if low is None or high is None else Interval(low, high),
    )


def _number(text: str) -> float | None:
    if text == UNDEFINED:
        return None
    return float(text) if any(mark in text for mark in ".en") else int(text)


def _unmasked(cell: str) -> str:
    """Return a cell of a TSV view with its escapes undone.

    >>> _unmasked(r"a\\tb") == r"a\\tb".replace("\\\\t", chr(9))
    True
    """
    return _ESCAPE.sub(lambda match: _PLAIN.get(match[1]) or _character(match[1]), cell)


def _character(escape: str) -> str:
    return chr(int(escape[1:], 16)) if len(escape) > 1 else escape


_CELLS = ("system", "protocol", *KEYS[1:])
"""The first columns of the CSV view; measures, counts, digests and the signature follow."""


def _from_csv(text: str) -> Iterator[ClaimedNumbers]:
    """Yield the results of the CSV view; the protocol says which columns are measures."""
    results: dict[tuple[str, str, str], list[Row]] = {}
    head, *lines = csv.reader(io.StringIO(text), strict=True)
    for cells in lines:
        about = dict(zip(_CELLS, cells, strict=False))
        named = dict(zip(head[len(_CELLS) :], cells[len(_CELLS) :], strict=True))
        signature, content = named.pop("signature"), named.pop("content", "")
        protocol = find(about["protocol"])
        figures = protocol.with_options().figures if protocol else ()
        measures = {figure.measure for figure in figures} | {name for name in named if beta_of(name) is not None}
        numbers = {name: _number(cell or UNDEFINED) for name, cell in named.items()}
        limits = {f"{measure} {end}" for measure in measures for end in ("low", "high")}
        counts = {name: count for name, count in numbers.items() if name not in measures | limits}
        results.setdefault((about["system"], signature, content), []).extend(
            _row(about, name, [numbers.get(f"{name}{end}") for end in ("", " low", " high")], counts)
            for name in numbers
            if name in measures
        )
    for (system, signature, content), rows in results.items():
        digests = dict(part.split(":") for part in content.split("|") if part)
        yield ClaimedNumbers(
            system, signature, tuple(rows), digests.get("gold", ""), digests.get("system", ""), in_cells=True
        )


def _as_in_cells(row: Row) -> Row:
    label = row.label if row.label is None else formula_safe(row.label)
    return msgspec.structs.replace(row, layer=formula_safe(row.layer), slice=formula_safe(row.slice), label=label)


def _with_counts_of(row: Row, known: Row) -> Row:
    """Return a row of the CSV view with only the counts that another row has; its line has those of all measures."""
    counts = {name: count for name, count in row.counts.items() if name in known.counts}
    return msgspec.structs.replace(row, counts=counts)
