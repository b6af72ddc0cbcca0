"""What a result claims: its numbers and its signature, read from a run file or from a view that Karat wrote."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from karat.errors import InputError, UsageError
from karat.files import open_bytes, read_bytes, read_text
from karat.runs.container import MAGIC
from karat.scores import Interval, Row
from karat.signature import SIGNATURE_START
from karat.views.tsv import HEADER

_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)")
_PLAIN = {"t": "\t", "n": "\n", "r": "\r"}


class Claim(msgspec.Struct, frozen=True):
    """The numbers that somebody says a system has, and the signature by which they say it.

    ``gold_content`` and ``system_content`` are digests of what was read, where the result has them.
    """

    system: str
    signature: str
    rows: tuple[Row, ...]
    gold_content: str = ""
    system_content: str = ""


def is_run(path: str | os.PathLike[str]) -> bool:
    """Say whether a file is one that Karat keeps runs in."""
    with open_bytes(path) as stream:
        return read_bytes(stream, len(MAGIC), path) == MAGIC


def claims_in(path: str | os.PathLike[str]) -> list[Claim]:
    """Return the results of a run file, or of a file in the view json, jsonl or tsv; what is neither is refused."""
    if is_run(path):
        from karat.runs import load

        run = load(path)
        scores = run.scores(by="label")
        return [Claim(run.system, run.signature, scores.rows, run.gold_content, run.system_content)]
    text = read_text(path)
    try:
        claims = list(_from_json(text) if text.lstrip()[:1] == "{" else _from_tsv(text))
    except (msgspec.DecodeError, ValueError, KeyError, IndexError, TypeError) as error:
        reason = "" if isinstance(error, KeyError) else f" ({error})"
        raise InputError(f"{_EXPECTED}{reason}", path=path) from error
    if not claims:
        raise InputError(_EXPECTED, path=path)
    return claims


_EXPECTED = (
    "is no result of Karat; expected a run file, or what karat score wrote with --view json, jsonl or tsv, "
    "with its signature"
)


def claim_for(path: str | os.PathLike[str], system: Any) -> Claim:
    """Return the result of a file that is about a system: the only one, or that with the name of the system."""
    claims = claims_in(path)
    if len(claims) == 1:
        return claims[0]
    name = Path(system).name if isinstance(system, str | os.PathLike) else ""
    named = [claim for claim in claims if claim.system == name]
    if len(named) != 1:
        known = ", ".join(sorted({claim.system for claim in claims}))
        raise UsageError(f"{os.fspath(path)} has the results of {known}, but the system to check is called {name!r}")
    return named[0]


class _Told(msgspec.Struct):
    """A result in the view json."""

    system: str
    signature: str
    rows: list[Row]
    digests: dict[str, str] = {}


class _Numbers(msgspec.Struct):
    """The view json."""

    scores: list[_Told]


class _Line(Row, frozen=True, kw_only=True):
    """A line of the view jsonl."""

    system: str
    signature: str


def _from_json(text: str) -> Iterator[Claim]:
    """Yield the results of one object, or of one for each number."""
    try:
        told = msgspec.json.decode(text, type=_Numbers).scores
    except msgspec.DecodeError:
        lines = [msgspec.json.decode(line, type=_Line) for line in text.splitlines() if line.strip()]
        for system, signature in dict.fromkeys((line.system, line.signature) for line in lines):
            own = [line for line in lines if (line.system, line.signature) == (system, signature)]
            yield Claim(system, signature, tuple(map(_bare, own)))
        return
    for result in told:
        contents = (result.digests.get(name, "") for name in ("gold_content", "system_content"))
        yield Claim(result.system, result.signature, tuple(result.rows), *contents)


def _bare(line: _Line) -> Row:
    return Row(**{name: getattr(line, name) for name in Row.__struct_fields__})


def _from_tsv(text: str) -> Iterator[Claim]:
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
        by_system.setdefault(system, []).append(_row(cells, map(_unmasked, head[len(HEADER) :])))
    for (system, own), signature in zip(by_system.items(), signatures, strict=True):
        yield Claim(system, signature[signature.index(SIGNATURE_START) :], tuple(own))


def _uncommented(cell: str) -> str:
    """Return the first cell of a line without what keeps the line from being a comment."""
    return cell.removeprefix("\\") if cell.startswith("\\#") else cell


def _row(cells: Sequence[str], counts: Iterable[str]) -> Row:
    named = {name: _unmasked(cell) for name, cell in zip(HEADER, cells, strict=False)}
    low, high = _number(named["low"]), _number(named["high"])
    numbers = zip(counts, map(_number, cells[len(HEADER) :]), strict=True)
    return Row(
        measure=named["measure"],
        regime=named["regime"],
        average=named["average"],
        layer=named["layer"],
        value=_number(named["value"]),
        slice="" if named["slice"] == "ALL" else named["slice"],
        label=None if named["label"] == "ALL" else named["label"],
        counts={name: number for name, number in numbers if number is not None},
        interval=None if low is None or high is None else Interval(low, high),
    )


def _number(text: str) -> float | None:
    if text == "-":
        return None
    return float(text) if any(mark in text for mark in ".en") else int(text)


def _unmasked(cell: str) -> str:
    """Return a cell of our tables as it was.

    >>> _unmasked(r"a\\tb") == r"a\\tb".replace("\\\\t", chr(9))
    True
    """
    return _ESCAPE.sub(lambda match: _PLAIN.get(match[1]) or _character(match[1]), cell)


def _character(escape: str) -> str:
    return chr(int(escape[1:], 16)) if len(escape) > 1 else escape


def names_of(rows: Iterable[Row]) -> dict[str, Row]:
    """Return rows by their names."""
    return {row.name: row for row in rows}
