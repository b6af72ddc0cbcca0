"""The drop-in for the official CoNLL-2012 scorer: every captured output, and every number of its totals.

Each case goes down both roads: what the drop-in prints is what ``karat score`` counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from karat.analysis.summary import evaluate
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure
from karat.evaluation.scores import Scores
from karat.measures.published import truncated_percent
from karat.protocols.coreference.drop_in.conll2012 import METRICS
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

SYNTHETIC = packs.manifest("coref")
PUBLIC = packs.public("coref")
TOTALS = "\n====== TOTALS =======\n"
RATIOS = re.compile(r"Recall: \((\S+) / (\S+)\) (\S+)%\tPrecision: \((\S+) / (\S+)\) (\S+)%\tF1: (\S+)%")
PARTS = ("found", "gold", "given", "system")
DROP_IN_ONLY = packs.drop_in_only("coref")

Capture = pytest.CaptureFixture[bytes]


def listed(cases: list[dict[str, Any]], root: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the cases that the program has run, each with where it is."""
    return [(root, case) for case in cases if _has_columns(case)]


def _has_columns(case: dict[str, Any]) -> bool:
    return any(path.endswith("key.conll") for path in case["files"].values())


def folder_of(root: str, path: str) -> Path:
    return (packs.synthetic("coref") if root == "synthetic" else packs.SHARED / "coref" / "public") / path


def score(words: list[str], capfdbinary: Capture) -> tuple[int, str]:
    status = run(["conll2012", *words])
    out, err = capfdbinary.readouterr()
    assert b"Traceback" not in err
    assert bool(status) == bool(err)
    return status, out.decode()


def same(found: str, expected: str, documents: int) -> bool:
    """Compare outputs; those of several documents have their blocks in any order, but the same totals."""
    return found == expected if documents == 1 else taken_apart(found) == taken_apart(expected)


def taken_apart(output: str) -> list[Any]:
    """Return for each metric its totals, the blocks of documents and the lines around them, in no order."""
    metrics = []
    for part in output.split(TOTALS):
        head, *pieces = re.split(r"(?m)^(?=====> )", part)
        blocks = Counter(zip(pieces[::2], pieces[1::2], strict=True))  # gold, then system with the counts
        metrics.append((head.split("\n\nMETRIC")[0] if metrics else "", Counter(head.split("\n")), blocks))
    return metrics


def printed_totals(document: str, capfdbinary: Capture) -> dict[str, tuple[int, str]]:
    """Return for each metric how the program ends and what it prints of a document, or of all of them."""
    return {metric: score([metric, "key.conll", "resp.conll", document], capfdbinary) for metric in METRICS}


def check_outputs(root: str, case: dict[str, Any], capfdbinary: Capture) -> None:
    captured = json.loads(folder_of(root, case["stdout"]).read_text("utf-8"))
    documents = len(set(re.findall(rb"(?m)^#\s*begin document (.*)$", Path("key.conll").read_bytes())))
    ran = {name: one for name, one in captured.items() if name.startswith("perl_")}
    assert ran
    for name, one in ran.items():
        status, out = score(one["args"], capfdbinary)
        assert (status == 3) == (one["exit"] != 0), name
        assert same(out, one["stdout"].replace("<PATH>", "karat"), documents), name


def check_numbers(expected: dict[str, Any], printed: dict[str, tuple[int, str]]) -> None:
    assert expected.keys() == printed.keys()
    for metric, numbers in expected.items():
        status, out = printed[metric]
        assert (status == 3) == (numbers["exit"] != 0), metric
        assert out.count("Repeated mention") == numbers.get("repeated_messages", 0), metric
        if status == 0:
            check_totals(metric, numbers, out.split(TOTALS)[1])


def check_totals(metric: str, numbers: dict[str, Any], totals: str) -> None:
    rows = [match.groups() for match in RATIOS.finditer(totals)]
    wanted = [numbers["mentions"], *((numbers["coref"], numbers["noncoref"]) if metric == "blanc" else (numbers,))]
    for row, counts in zip(rows, wanted, strict=False):
        found = [float(row[at]) for at in (0, 1, 3, 4)]
        assert found == pytest.approx([counts[part] for part in ("rn", "rd", "pn", "pd")], rel=1e-9), metric
    if metric == "blanc":
        assert [float(rows[-1][at]) for at in (0, 3)] == pytest.approx([numbers["R"], numbers["P"]], rel=1e-9)
    assert {"R": rows[-1][2], "P": rows[-1][5], "F1": rows[-1][6]} == numbers["printed"], metric


@in_bunches("root,case", [*listed(SYNTHETIC, "synthetic"), *listed(PUBLIC, "public")])
def test_case(root: str, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.chdir(folder_of(root, next(path for path in case["files"].values() if path.endswith(".conll"))).parent)
    printed = printed_totals("none", capfdbinary)
    check_other_road(case, printed)
    if "stdout" in case:
        check_outputs(root, case, capfdbinary)
    if "expected" in case:
        expected = json.loads(folder_of(root, case["expected"]).read_text("utf-8"))["conll_scorer_8.01"]
        check_numbers(expected["total"], printed)
        for document, numbers in expected.get("docs", {}).items():
            check_numbers(numbers, printed_totals(document, capfdbinary))


def scored() -> Scores:
    """Score the files of a case down the other road."""
    bound = configure("conll2012", {})
    sides = load(bound, ["key.conll", "resp.conll"], [Reading("conll2012")] * 2)
    return evaluate(bound, *sides, zero="zero")


def check_other_road(case: dict[str, Any], printed: dict[str, tuple[int, str]]) -> None:
    totals = {metric: out.split(TOTALS)[1] for metric, (status, out) in printed.items() if status == 0}
    if case["id"] in DROP_IN_ONLY:
        assert not totals
    elif totals:
        compare(totals, scored())
    else:
        with pytest.raises(InputError):
            scored()


def compare(totals: dict[str, str], scores: Scores) -> None:
    """Compare counts and the percentages that are printed.

    The sums of ``karat score`` are exact before they are rounded, those of the program are rounded at each step.
    """
    rows = {(row.measure, row.regime): row for row in scores}
    for metric, text in totals.items():
        regimes = ["mentions", *(["blanc-linked", "blanc-unlinked"] if metric == "blanc" else [METRICS[metric]])]
        *counted, last = [match.groups() for match in RATIOS.finditer(text)]
        if metric != "blanc":
            counted.append(last)
        for regime, row in zip(regimes, counted, strict=True):
            counts = rows["f1", regime].counts
            assert [counts[part] for part in PARTS] == pytest.approx([float(row[at]) for at in (0, 1, 3, 4)], rel=1e-14)
        regime = "blanc" if metric == "blanc" else METRICS[metric]
        for measure, share in zip(("recall", "precision", "f1"), (last[2], last[5], last[6]), strict=True):
            assert truncated_percent(rows[measure, regime].value) == float(share), (regime, measure)


def test_no_case_is_forgotten() -> None:
    ids = {case["id"] for case in SYNTHETIC}
    assert DROP_IN_ONLY.keys() <= ids
    assert len(listed(SYNTHETIC, "synthetic")) == 329
    assert sum("stdout" in case for case in SYNTHETIC if _has_columns(case)) == 108
    assert all("expected" in case for case in SYNTHETIC)
    assert {case["id"] for case in SYNTHETIC if not _has_columns(case)} <= {
        case["id"] for case in SYNTHETIC if _is_corefud(case)
    }


def _is_corefud(case: dict[str, Any]) -> bool:
    return any(path.endswith("key.conllu") for path in case["files"].values())
