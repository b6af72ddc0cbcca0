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
HEAVY = {"numpy", "msgspec", "pandas", "lxml", "karat.formats", "karat.protocols", "karat.scoring", "karat.model"}
DECLARED = {"msgspec", "karat.protocols", "karat.model"}
"""What the declaration of an evaluation needs; its drop-ins live under the same roof."""
BUDGET = 0.15
"""Seconds of processor time for ``karat --help``."""


def imported(*words: str, cwd: Path | None = None) -> set[str]:
    """Return the modules that a Python process imports."""
    command = [sys.executable, "-X", "importtime", *words]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=cwd, capture_output=True, text=True, check=True)
    return set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE))


def processor_time(*words: str) -> float:
    """Return the seconds of processor time, user and system, that a process takes."""
    with subprocess.Popen([sys.executable, *words], env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def test_the_command_line_loads_only_click() -> None:
    modules = imported("-c", "import karat.cli")
    assert "karat.cli" in modules
    assert modules & HEAVY == set()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["convert", "--help"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    assert imported("-m", "karat", *words) & HEAVY == set()


def test_the_help_of_a_drop_in_loads_only_what_its_evaluation_declares() -> None:
    assert imported("-m", "karat", "hipe", "--help") & (HEAVY - DECLARED) == set()


def test_help_takes_no_time() -> None:
    assert min(processor_time("-m", "karat", "--help") for _ in range(5)) < BUDGET


def test_numpy_is_for_intervals_only(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-loc\nliegt O\n\n")
    (tmp_path / "gold.tsv").write_text("TOKEN\tNE-COARSE-LIT\tMISC\nBern\tB-loc\t_\n# document_id = b\nGenf\tO\t_\n")
    for name in ("gold.conll", "gold.tsv"):
        words = ("-m", "karat", "score", "hipe2022-nerc-coarse", name, name)
        assert "numpy" not in imported(*words, cwd=tmp_path)
    assert "numpy" in imported(*words, "--ci", cwd=tmp_path)
