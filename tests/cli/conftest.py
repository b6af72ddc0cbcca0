"""A folder with a small gold and two systems, and the command line as a function."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import karat as package
from karat.cli import run

HEADER = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n"
GOLD = HEADER + (
    "# document_id = a\nAda\tB-pers\tQ7259\t_\nlebte\tO\t_\t_\nin\tO\t_\t_\nLondon\tB-loc\tQ84\t_\n"
    "# document_id = b\nBern\tB-loc\tQ70\t_\nliegt\tO\t_\t_\n"
)
GOOD = GOLD.replace("London\tB-loc\tQ84", "London\tO\t_")
BAD = GOOD.replace("B-pers", "O").replace("Bern\tB-loc", "Bern\tB-pers")

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(package.__file__).parents[1])}
"""For commands that run in a process of their own."""

Command = Callable[..., SimpleNamespace]


@pytest.fixture
def karat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs a command line in a folder with gold.tsv, good.tsv and bad.tsv."""
    for name, text in (("gold", GOLD), ("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def command(*words: str, stdin: str = "") -> SimpleNamespace:
        stream = io.BufferedReader(io.BytesIO(stdin.encode()))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        status = run(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return SimpleNamespace(status=status, out=out, err=err)

    return command
