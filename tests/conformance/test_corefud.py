"""The CorefUD protocol against the counts of the real program in every mode, and in one through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import packs
from tests.conformance.bunches import in_bunches
from tests.conformance.scored import Rows, apart, documents_of, printed_mode, printed_rows, rows_of

SYNTHETIC = packs.manifest("coref")
PUBLIC = packs.public("coref")
needs_public = pytest.mark.skipif(not PUBLIC, reason="the third-party cases of the pack are not beside the repository")

REGIMES = {name: name for name in ("muc", "ceafe", "ceafm", "lea", "mor", "zero")}
REGIMES |= {"bcub": "b3", "blancc": "blanc-linked", "blancn": "blanc-unlinked"}
PARTS = {"rn": "found", "rd": "gold", "pn": "given", "pd": "system"}
VALUES = {"R": "recall", "P": "precision", "F1": "f1"}
MATCHES = {"exact": "exact", "partial-corefud": "partial", "head": "head"}
SINGLETONS = {"keep_singletons": "keep", "no_singletons": "remove"}
DIVISION = "ZeroDivisionError: division by zero"
"""How the program ends at a zero without dependencies; Karat scores it: see the quirk zeros-without-dependencies."""


def cases(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the cases with CorefUD files."""
    return [case for case in listed if any(path.endswith("key.conllu") for path in case["files"].values())]


def options(mode: str) -> dict[str, str]:
    match, singletons, zeros = mode.split("/")
    return {"match": MATCHES[match], "singletons": SINGLETONS[singletons], "zeros": zeros}


def check(root: Path, case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    files = {Path(path).name: root / path for path in case["files"].values()}
    expected = json.loads((root / case["expected"]).read_text("utf-8"))["corefud_scorer"]
    assert len(expected) in (6, 12)  # with and without zeros
    paths = [str(files["key.conllu"]), str(files["resp.conllu"])]
    sides = documents_of("corefud", paths)
    for mode, wanted in expected.items():
        rows = rows_of("corefud", sides, options(mode))
        if mode == printed_mode(case, list(expected)):
            assert printed_rows("corefud", paths, options(mode), capsys) == rows
        error = wanted.get("error", "")
        assert (rows is None) == bool(error and error != DIVISION), mode
        if rows is not None and not error:
            compare(rows, wanted, mode)


def compare(rows: Rows, wanted: dict[str, Any], mode: str) -> None:
    found = {(row["measure"], row["regime"]): row for row in rows}
    numbers = {}
    for name, regime in REGIMES.items():
        counts = found["f1", regime]["counts"]
        numbers |= {(name, part): (counts.get(part, 0), wanted[name][letters]) for letters, part in PARTS.items()}
    for name, regime in (REGIMES | {"blanc": "blanc"}).items():
        for letter, measure in VALUES.items():
            numbers[name, measure] = found[measure, regime]["value"], wanted[name][letter]
    mean = sum(wanted[name]["F1"] for name in ("muc", "bcub", "ceafe")) / 3
    numbers["mean", "f1"] = found["f1", "conll"]["value"], mean
    assert apart(numbers) == {}, mode


@in_bunches("case", cases(SYNTHETIC))
def test_synthetic(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    check(packs.synthetic("coref"), case, capsys)


@needs_public
@in_bunches("case", cases(PUBLIC))
def test_public(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    check(packs.SHARED / "coref" / "public", case, capsys)


def test_no_case_is_forgotten() -> None:
    assert len(cases(SYNTHETIC)) == 332
