"""The rows of scores through ``karat.score`` and, for one mode of each case, the same rows through the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.errors import KaratError

Rows = list[dict[str, Any]]


def rows_of(protocol: str, files: Sequence[str], options: Mapping[str, str]) -> Rows | None:
    """Return the rows of a pair of files, in the format that is called like the protocol; None if it is refused."""
    try:
        scores = karat.score(protocol, *files, format=protocol, zero="zero", **options)
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
