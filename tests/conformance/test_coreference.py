"""The coreference protocols against the counts of the real programs, through the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from karat.cli import run
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

NAMES = {"mentions": "mentions", "muc": "muc", "bcub": "b3", "b_cubed": "b3", "ceafm": "ceafm", "ceafe": "ceafe"}
NAMES |= {"lea": "lea", "blanc": "blanc"}
PARTS = {"rn": "found", "rd": "gold", "pn": "given", "pd": "system"}
SYNTHETIC = packs.manifest("coref")
PUBLIC = packs.public("coref")
needs_public = pytest.mark.skipif(not PUBLIC, reason="the third-party cases of the pack are not beside the repository")


class Case:
    """One input with what the programs make of it."""

    def __init__(self, root: Path, described: dict[str, Any]) -> None:
        files = {name.replace("response", "resp"): root / path for name, path in described["files"].items()}
        self.files = {name if "." in name else f"{name}{path.suffix}": path for name, path in files.items()}
        self.expected: dict[str, Any] = json.loads((root / described["expected"]).read_text("utf-8"))

    def rows(self, protocol: str, ending: str, capsys: pytest.CaptureFixture[str], *flags: str) -> dict[Any, Any]:
        """Score the case and return its rows by measure, regime and slice; nothing where the input is refused."""
        gold, system = (str(self.files[f"{side}{ending}"]) for side in ("key", "resp"))
        shape = {".conll": "conll2012", ".jsonl": "jsonlines"}[ending]
        command = ["score", protocol, gold, system, "--from", shape, "--all", "--view", "json", "--zero", "zero"]
        status = run([*command, *flags])
        captured = capsys.readouterr()
        assert status in (0, 3), captured.err
        assert (status == 3) == bool(captured.err.startswith("karat: ") and not captured.out)
        if status == 3:
            return {}
        found = [row for result in json.loads(captured.out)["scores"] for row in result["rows"]]
        return {(row["measure"], row["regime"], row.get("slice", "")): row for row in found}


def cases(listed: list[dict[str, Any]], program: str, ending: str) -> list[dict[str, Any]]:
    """Return the cases that a program has scored, with files of this kind."""
    return [
        one
        for one in listed
        if program in one.get("programs", [program])
        and any(path.endswith(f"key{ending}") for path in one["files"].values())
    ]


def case_of(described: dict[str, Any]) -> Case:
    synthetic = described in SYNTHETIC
    return Case(packs.synthetic("coref") if synthetic else packs.SHARED / "coref" / "public", described)


def counts_of(row: dict[str, Any]) -> dict[str, float]:
    return {part: row["counts"].get(name, 0) for part, name in PARTS.items()}


def check(rows: dict[Any, Any], expected: dict[str, Any], part: str = "") -> Iterator[str]:
    """Compare counts and ratios of every measure that the program has; yield the names of those compared."""
    for name, regime in NAMES.items():
        wanted = expected.get(name)
        if not wanted or "rn" not in wanted:
            continue
        assert counts_of(rows["f1", regime, part]) == pytest.approx({part: wanted[part] for part in PARTS}, rel=1e-9), (
            name
        )
        for measure, letter in (("recall", "R"), ("precision", "P"), ("f1", "F1")):
            if letter in wanted:
                assert rows[measure, regime, part]["value"] == pytest.approx(wanted[letter], rel=1e-9), (name, measure)
        yield name


ALL = [*SYNTHETIC, *PUBLIC]


@in_bunches("described", cases(ALL, "conll_scorer_8.01", ".conll"))
def test_official_scorer(described: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    case = case_of(described)
    expected = case.expected["conll_scorer_8.01"]
    totals = {name: one for name, one in expected["total"].items() if one["exit"] == 0}
    rows = case.rows("conll2012", ".conll", capsys, "--by", "unit")
    check_documents(rows, expected.get("docs", {}))
    if not totals:
        return
    assert rows
    compared = list(check(rows, totals))
    assert compared
    if "blanc" in totals:
        for kind, regime in (("coref", "blanc-linked"), ("noncoref", "blanc-unlinked")):
            wanted = {part: totals["blanc"][kind][part] for part in PARTS}
            assert counts_of(rows["f1", regime, ""]) == pytest.approx(wanted, rel=1e-9)
        for measure, letter in (("recall", "R"), ("precision", "P")):
            assert rows[measure, "blanc", ""]["value"] == pytest.approx(totals["blanc"][letter], rel=1e-9)
    if {"muc", "bcub", "ceafe"} <= totals.keys():
        printed = [float(totals[name]["printed"]["F1"]) for name in ("muc", "bcub", "ceafe")]
        assert rows["f1", "conll-truncated", ""]["value"] * 100 == pytest.approx(sum(printed) / 3, rel=1e-9)


def check_documents(rows: dict[Any, Any], documents: dict[str, Any]) -> None:
    for name, totals in documents.items():
        scored = {metric: one for metric, one in totals.items() if one["exit"] == 0}
        assert list(check(rows, scored, f"document={name}")) or not scored


@in_bunches("described", cases(ALL, "coval", ".conll"))
def test_coval(described: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    case = case_of(described)
    for singletons in ("keep", "remove"):
        expected = case.expected.get("coval", {}).get(f"{singletons}_singletons", {})
        rows = case.rows("coval", ".conll", capsys, "--singletons", singletons)
        if "error" in expected or not expected:
            assert not rows or not expected
            continue
        assert list(check(rows, expected))
        assert rows["f1", "conll", ""]["value"] == pytest.approx(expected["conll"], rel=1e-9)


@in_bunches("described", cases(ALL, "coreference_eval", ".jsonl"))
def test_coreference_eval(described: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    case = case_of(described)
    expected = case.expected["coreference_eval"]
    rows = case.rows("corefeval", ".jsonl", capsys)
    assert list(check(rows, expected))
    assert rows["f1", "conll", ""]["value"] == pytest.approx(expected["conll"], rel=1e-9)


def check_ratios(rows: dict[Any, Any], expected: dict[str, list[float]], part: str) -> None:
    for name, wanted in expected.items():
        if not isinstance(wanted, list):  # the program failed on this measure
            continue
        for measure, value in zip(("recall", "precision", "f1"), wanted, strict=True):
            found = rows[measure, NAMES[name], part]["value"]
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12), (name, measure)


@in_bunches("described", cases(SYNTHETIC, "scorch", ".conll"))
def test_scorch(described: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    case = case_of(described)
    expected = case.expected["scorch"]
    modes = {"leave": "library", "add": "cli_adds_system_mentions_to_gold"}
    for twinless, key in modes.items():
        rows = case.rows("scorch", ".conll", capsys, "--twinless", twinless, "--by", "unit")
        if "error" in expected:
            assert not rows
            continue
        for name, values in expected[key].items():
            check_ratios(rows, values, f"document={name}")
    printed = case.expected["scorch_cli"].get("stdout")
    if printed:
        check_printed(case.rows("scorch", ".conll", capsys), printed)


@needs_public
@pytest.mark.parametrize(
    ("folder", "gold", "system", "twinless"),
    # the expectations of the second were recorded before the command line added mentions to the gold
    [("single", "gold.json", "sys.json", "add"), ("multiple", "gold", "sys", "leave")],
)
def test_scorch_json(folder: str, gold: str, system: str, twinless: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = packs.SHARED / "coref" / "public" / "scorch_json" / folder
    command = ["score", "scorch", str(root / gold), str(root / system), "--twinless", twinless, "--view", "json"]
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)["scores"][0]["rows"]
    rows = {(row["measure"], row["regime"], ""): row for row in found}
    check_printed(rows, (root / "out.txt").read_text("utf-8"))


def check_printed(rows: dict[Any, Any], printed: str) -> None:
    """Compare with what the program prints: a line for each measure, then the average."""
    regimes = {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}
    *lines, average = printed.splitlines()
    assert len(lines) == len(regimes)
    for line in lines:
        name, *values = line.split("\t")
        numbers = {one.partition("=")[0]: float(one.partition("=")[2]) for one in values}
        for measure, letter in (("recall", "R"), ("precision", "P"), ("f1", "F₁")):
            found = rows[measure, regimes[name.rstrip(":")], ""]["value"]
            assert found == pytest.approx(numbers[letter], rel=1e-9), line
    assert rows["f1", "conll", ""]["value"] == pytest.approx(float(average.split(": ")[1]), rel=1e-9)
