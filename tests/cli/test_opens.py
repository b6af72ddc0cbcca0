"""How often commands open their inputs: a file is recognised, hashed and parsed from one handle."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HIPE = Path(__file__).parents[2] / "examples" / "hipe"
COUNT = """
import collections, json, os, runpy, sys
inputs, words = json.loads(sys.argv[1])
opened = collections.Counter()
def audit(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and os.path.realpath(arguments[0]) in inputs:
        opened[os.path.basename(arguments[0])] += 1
sys.addaudithook(audit)
sys.argv = ["karat", *words]
try:
    runpy.run_module("karat", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
finally:
    print(json.dumps(opened), file=sys.stderr)
"""


def opens(*words: object) -> dict[str, int]:
    inputs = [str(word.resolve()) for word in words if isinstance(word, Path) and word.is_file()]
    request = json.dumps([inputs, list(map(str, words))])
    done = subprocess.run([sys.executable, "-c", COUNT, request], capture_output=True, text=True, check=True)
    counted: dict[str, int] = json.loads(done.stderr.splitlines()[-1])
    return counted


GOLD, FIRST, SECOND = (HIPE / f"{name}.tsv" for name in ("gold", "system-a", "system-b"))


@pytest.mark.parametrize("protocol", ["conll2003", "hipe2022-nerc-coarse"])
def test_a_score_opens_each_input_once(protocol: str) -> None:
    assert opens("score", protocol, GOLD, FIRST) == {"gold.tsv": 1, "system-a.tsv": 1}


def test_packed_inputs_are_opened_once(tmp_path: Path) -> None:
    packed = tmp_path / "gold.tsv.gz"
    packed.write_bytes(gzip.compress(GOLD.read_bytes()))
    assert opens("score", "conll2003", packed, FIRST) == {"gold.tsv.gz": 1, "system-a.tsv": 1}


def test_a_comparison_opens_each_input_once() -> None:
    counted = opens("compare", "conll2003", GOLD, FIRST, SECOND)
    assert counted == {"gold.tsv": 1, "system-a.tsv": 1, "system-b.tsv": 1}


def test_an_explanation_opens_each_input_once() -> None:
    assert opens("explain", "conll2003", GOLD, FIRST) == {"gold.tsv": 1, "system-a.tsv": 1}


def test_a_conversion_opens_its_input_once(tmp_path: Path) -> None:
    source = tmp_path / "source.tsv"
    shutil.copy(GOLD, source)
    assert opens("convert", source, str(tmp_path / "out.jsonl")) == {"source.tsv": 1}


def test_a_report_opens_each_input_at_most_twice(tmp_path: Path) -> None:
    counted = opens("report", "conll2003", GOLD, FIRST, "-o", str(tmp_path / "report.html"))
    assert max(counted.values()) <= 2
