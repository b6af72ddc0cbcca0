"""The protocol of Universal Anaphora against the counts of the real program in nine modes, one of them as a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import packs
from tests.conformance.bunches import in_bunches
from tests.conformance.scored import Rows, printed_mode, printed_rows, rows_of

SUITE = "universal-anaphora"
SYNTHETIC = packs.manifest(SUITE)

REGIMES = {name: name for name in ("muc", "ceafe", "ceafm", "lea")}
REGIMES |= {"bcub": "b3", "blancc": "blanc-linked", "blancn": "blanc-unlinked"}
PRINTED = {"muc": "muc", "bcub": "b3", "ceafe": "ceafe", "ceafm": "ceafm", "blanc": "blanc", "lea": "lea"}
BRIDGING = ("bridging-anaphors", "bridging-mentions", "bridging-entities")
PARTS = ("found", "gold", "given", "system")
VALUES = ("recall", "precision", "f1")
SCORED = ("ZeroDivisionError", "TypeError")
"""How the program ends where Karat scores: see the quirks chains-of-zeros and craft-without-zeros."""
ALL_KEPT = "keep/keep/remove/exact/identity"


def options(mode: str, splits: str = "") -> dict[str, str]:
    singletons, kept, zeros, match, evaluate = mode.split("/")
    chosen = {"singletons": singletons, "split_antecedents": splits or kept, "zeros": zeros}
    return chosen | {"match": match, "evaluate": evaluate}


def found(rows: Rows) -> dict[tuple[str, str], Any]:
    return {(row["measure"], row["regime"]): row for row in rows}


def counts(rows: dict[tuple[str, str], Any], regime: str) -> list[float]:
    row = rows.get(("f1", regime), {"counts": {}})
    return [row["counts"].get(part, 0) for part in PARTS]


def values(rows: dict[tuple[str, str], Any], regime: str) -> list[float]:
    """Return recall, precision and F1; those of what is not there are not shown."""
    return [rows[measure, regime]["value"] if (measure, regime) in rows else 0 for measure in VALUES]


def compare(rows: dict[tuple[str, str], Any], wanted: dict[str, Any], *, only: bool, deixis: bool) -> None:
    prefixes = ("only_", "vonly_") if only else ("", "v_")
    for name, regime in REGIMES.items():
        assert counts(rows, regime) == pytest.approx(wanted[prefixes[0] + name], rel=1e-9, abs=1e-9), name
    for name, regime in PRINTED.items():
        if not (only and name == "blanc"):  # see the quirk blanc-of-splits
            assert values(rows, regime) == pytest.approx(wanted[prefixes[1] + name], rel=1e-9), name
    mean = sum(wanted[prefixes[1] + name][2] for name in ("muc", "bcub", "ceafe")) / 3
    assert rows["f1", "conll"]["value"] == pytest.approx(mean, rel=1e-9)
    assert values(rows, "non-referring") == pytest.approx(wanted["nonref"], rel=1e-9)
    for regime, ratios in zip(BRIDGING, wanted["bridging"], strict=True):
        if not deixis:  # which has no bridging; the library leads from its markables to anchors nevertheless
            assert values(rows, regime) == pytest.approx(ratios, rel=1e-9), regime


def compare_printed(rows: dict[tuple[str, str], Any], printed: dict[str, list[str]]) -> None:
    for name, regime in PRINTED.items():
        assert [f"{100 * value:.2f}" for value in values(rows, regime)] == printed[name], name
    assert [f"{100 * rows['f1', 'conll']['value']:.2f}"] == printed["conll"]


def check(root: Path, case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(root / path) for path in case["files"].values()]
    expected = json.loads((root / case["expected"]).read_text("utf-8"))
    printed = expected.pop("printed", None)
    assert len(expected) == 9
    for mode, wanted in expected.items():
        error = wanted.get("error", "")
        scored = rows_of(SUITE, files, options(mode), SUITE)
        if mode == printed_mode(case, list(expected)):
            assert printed_rows(SUITE, files, options(mode), capsys) == scored
        assert (scored is None) == bool(error and not error.startswith(SCORED)), (mode, error)
        if scored is None or error:
            continue
        rows = found(scored)
        compare(rows, wanted, only=False, deixis=mode.endswith("deixis"))
        if mode == ALL_KEPT:
            only = rows_of(SUITE, files, options(mode, "only"), SUITE)
            assert only is not None
            compare(found(only), wanted, only=True, deixis=False)
            assert printed is not None
            compare_printed(rows, printed)


@in_bunches("case", SYNTHETIC, size=5)
def test_synthetic(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    check(packs.synthetic(SUITE), case, capsys)


def test_no_case_is_forgotten() -> None:
    assert len(SYNTHETIC) == 141
