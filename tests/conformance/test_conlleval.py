"""conlleval: what the program prints, byte for byte, and the same numbers through ``karat.score``."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.protocols.spans.drop_in.rows import columns, cut_by, sentences
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

Capture = pytest.CaptureFixture[bytes]
Case = dict[str, Any]
CASES = [case for case in packs.manifest("tags") if case["program"] == "conlleval"]
CASES += [{**case, "public": True} for case in packs.public("tags-relations/conlleval")]
SCORED = [case for case in CASES if case["id"] not in packs.drop_in_only("tags")]


def root(case: Case) -> Path:
    return packs.SHARED / "tags-relations" / "conlleval" / "public" if case.get("public") else packs.synthetic("tags")


def standard_input(case: Case) -> bytes:
    return (root(case) / case["stdin"]).read_bytes()


def expected(case: Case) -> bytes:
    return (root(case) / case["expected"]["stdout"]).read_bytes()


@in_bunches("case", CASES)
def test_command(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(standard_input(case))))
    status = run(["conlleval", *case["args"]])
    out, err = capfdbinary.readouterr()
    assert b"internal error" not in err
    assert bool(status) == bool(case["exit"])
    if not case["exit"]:
        assert out == expected(case)


@pytest.mark.parametrize("protocol", ["conlleval", "conll2003"])
@in_bunches("case", SCORED)
def test_score(case: Case, protocol: str) -> None:
    """The same numbers through ``karat.score``, on the tags of each sentence."""
    text = expected(case).decode("latin-1")
    words = case["args"]
    if protocol == "conll2003" and "-r" in words:
        return  # it has no raw labels
    options = {"raw": "yes"} if "-r" in words else {}
    options |= {"outside": words[words.index("-o") + 1]} if "-o" in words and "-r" in words else {}
    separator = re.compile(words[words.index("-d") + 1] if "-d" in words else " ")
    lines = standard_input(case).decode("latin-1").removesuffix("\n").split("\n")
    gold, system = columns(sentences(lines, cut_by(separator), boundary="-X-"))
    scores = karat.score(protocol, gold, system, zero="zero", by="label", **options)
    printed = text.removesuffix("\n").split("\n")
    rows = {None: printed[-1 if "-l" in words else 1]}
    for line in printed[1:-1] if "-l" in words else printed[2:]:
        name, _, numbers = line.partition(" &" if "-l" in words else ": ")
        rows[name.strip(" ")] = numbers
    assert {row.label for row in scores} == rows.keys()
    measures = ("precision", "recall", "f1")
    for label, line in rows.items():
        numbers = re.findall(r"\d+\.\d\d", line)
        shown = [scores.value(measure, label=label) for measure in measures]
        if label is None and "-l" not in words:
            shown = [scores.value("accuracy"), *shown]
        assert [f"{100 * value:.2f}" for value in shown] == numbers[: len(shown)]
