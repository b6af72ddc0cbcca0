"""Calling a command line in this process, with what it prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from karat.cli import run


class Called(NamedTuple):
    """The exit status of a command and what it printed."""

    status: int
    out: str
    err: str


class _Printed(io.TextIOWrapper):
    """Standard output or error in memory, encoded as the command line encodes it."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]


def call(words: Sequence[str]) -> Called:
    """Run a command line; standard input is the file behind ``<``, or else empty."""
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = _Printed(), _Printed()
    reads = list(words[-2:-1]) == ["<"]
    given = Path(words[-1]).read_bytes() if reads and Path(words[-1]).is_file() else b""
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BufferedReader(io.BytesIO(given))), out, err  # type: ignore[arg-type]
    try:
        status = run(words[:-2] if reads else words)
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return Called(status, out.text(), err.text())
