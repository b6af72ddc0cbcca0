"""`karat --help` answers at once: what starting the program may load, and how long it may take."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import karat

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}
HEAVY = {"numpy", "msgspec", "pandas", "lxml", "karat.formats", "karat.protocols.base", "karat.scoring", "karat.model"}
MOST_MODULES = 120
"""How many modules ``karat --help`` may import beyond what Python itself does; most of them are those of click."""


def imported(*words: str, cwd: Path | None = None) -> set[str]:
    """Return the modules that a Python process imports."""
    command = [sys.executable, "-X", "importtime", *words]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=True)
    return set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))


def test_the_command_line_loads_only_click() -> None:
    modules = imported("-c", "import karat.cli")
    assert "karat.cli" in modules
    assert modules & HEAVY == set()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["hipe", "--help"], ["convert", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    assert imported("-m", "karat", *words) & HEAVY == set()


def test_help_loads_little() -> None:
    assert len(imported("-m", "karat", "--help") - imported("-c", "pass")) < MOST_MODULES


def test_numpy_is_for_intervals_only(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-loc\nliegt O\n\n")
    (tmp_path / "gold.tsv").write_text("TOKEN\tNE-COARSE-LIT\tMISC\nBern\tB-loc\t_\n# document_id = b\nGenf\tO\t_\n")
    for name in ("gold.conll", "gold.tsv"):
        words = ("-m", "karat", "score", "hipe2022-nerc-coarse", name, name)
        assert "numpy" not in imported(*words, cwd=tmp_path)
    assert "numpy" in imported(*words, "--ci", cwd=tmp_path)
