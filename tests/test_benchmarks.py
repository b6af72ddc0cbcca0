"""The benchmarks: their commands exist, and a case runs; how long it takes is not looked at."""

from __future__ import annotations

import sys

import pytest
from benchmarks import __main__ as benchmarks
from benchmarks.cases import GROWING, cases
from benchmarks.measure import cost

from karat.cli import COMMANDS


def test_every_command_exists():
    names = {case.command.split()[0] for case in cases()} | {words[0] for words in GROWING}
    assert names <= set(COMMANDS)


def test_a_case_is_measured(tmp_path):
    (case,) = (case for case in cases() if case.command == "semeval2010 score")
    (tmp_path / "input").mkdir()
    row = benchmarks._beside_the_reference(case, tmp_path, repeats=1)
    assert row.ours.seconds > 0
    assert row.ours.memory > 1


def test_a_program_that_fails_is_told(tmp_path):
    with pytest.raises(SystemExit, match=r"-m karat score nothing failed:\nUsage: "):
        cost([*benchmarks.KARAT, "score", "nothing"], tmp_path)


def test_the_memory_of_a_program_is_not_that_of_the_benchmark(tmp_path):
    held = bytearray(b"x") * (100 << 20)
    assert cost([sys.executable, "-S", "-c", "pass"], tmp_path).memory < 50
    assert cost([sys.executable, "-S", "-c", "held = b'x' * (200 << 20)"], tmp_path).memory > 200
    assert len(held) == 100 << 20
