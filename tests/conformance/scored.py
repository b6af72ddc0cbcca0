"""The rows of scores through ``karat.score`` and, for one mode of each case, the same rows through the command line."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.errors import KaratError
from karat.model import Document

Rows = list[dict[str, Any]]


def documents_of(protocol: str, files: Sequence[str]) -> list[list[Document]] | None:
    """Return the documents of a pair of files, in the format that is called like the protocol; None if one is refused.

    They are read once for all modes in which they are scored.
    """
    try:
        return [karat.read(file, protocol) for file in files]
    except KaratError:
        return None


def rows_of(
    protocol: str,
    sides: Sequence[Any] | None,
    options: Mapping[str, str],
    format: str | None = None,  # noqa: A002
) -> Rows | None:
    """Return the rows of a pair of documents, or of files of a format; None if they are refused."""
    if sides is None:
        return None
    try:
        scores = karat.score(protocol, *sides, format=format, zero="zero", **options)
    except KaratError:
        return None
    rows: Rows = scores.to_dict()["rows"]
    return rows


def printed_rows(
    protocol: str, files: Sequence[str], options: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> Rows | None:
    """Return the rows that the command prints, which recognises the format; None if it refuses, with a sentence."""
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    status = run(["score", protocol, *files, *words, "--all", "--view", "json", "--zero", "zero"])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    if status:
        assert (status, out) == (3, "")
        assert err.startswith("karat: ")
        return None
    rows: Rows = json.loads(out)["scores"][0]["rows"]
    return rows


def printed_mode(case: dict[str, Any], modes: Sequence[str]) -> str:
    """Return the mode in which a case goes through the command line as well: another one for other cases."""
    return modes[sum(case["id"].encode()) % len(modes)]


def apart(numbers: Mapping[Hashable, tuple[float, float]]) -> dict[Hashable, tuple[float, float]]:
    """Return the pairs of a number and the one that is wanted that differ, but for rounding."""
    return {
        name: (number, wanted)
        for name, (number, wanted) in numbers.items()
        if not abs(number - wanted) <= max(1e-9 * abs(wanted), 1e-12)
    }
