"""Every similarity of the OMIn pack: pairs of invented ontologies, recorded answers, and the published arithmetic."""

from __future__ import annotations

import csv
import json
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karat.cli import run
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.index import Ontology
from karat.vocabularies.ontology.similarity import OntologyProvider, jiang_conrath, measure, subsumers
from karat.vocabularies.ontology.tables import TableProvider
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

CASES = [case for case in packs.manifest("omin") if case["kind"] == "sim"]
PUBLIC = {case["kind"]: case for case in packs.public("omin") if case["kind"] in ("sim_table", "sim_formula")}
SOURCES = ("claims", "labels.en", "derived.P279star", "class_counts", "class_counts.compact")
CONTRADICTORY = ("sm03", "sm04")
"""Cases whose derived tables do not follow from their claims."""


def built(case: dict[str, Any], tmp_path: Path, sources: tuple[str, ...]) -> tuple[Ontology, list[dict[str, Any]]]:
    folder = packs.synthetic("omin") / case["dir"]
    index = str(tmp_path / "index")
    build(index, [str(folder / f"{name}.tsv") for name in sources])
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    ontology = Ontology(index)
    assert ontology.total == expected["N"]
    return ontology, expected["pairs"]


def check(ontology: Ontology, expected: list[dict[str, Any]]) -> None:
    pairs = [(pair["q1"], pair["q2"]) for pair in expected]
    for pair, found in zip(expected, measure(ontology, pairs), strict=True):
        assert (found.class_, found.jc) == (approx(pair["class"]), approx(pair["jc"])), pair
        assert found.known == (pair["q1_present"], pair["q2_present"])
        assert sorted(name for name, _ in subsumers(ontology, pair["q1"], pair["q2"])) == sorted(pair["mss"])
        for side in ("q1", "q2"):
            (node,) = ontology.places([pair[side]]).tolist()
            assert ontology.label(node) == pair[f"{side}_label"]
    for pair, answer in zip(expected, OntologyProvider(ontology).similarity(pairs), strict=True):
        scores = ("", "") if answer is None else answer
        assert scores == (approx(pair["api_class"]), approx(pair["api_jc"]))


def approx(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@in_bunches("case", CASES)
def test_with_all_tables(case: dict[str, Any], tmp_path: Path) -> None:
    check(*built(case, tmp_path, SOURCES))


@in_bunches("case", [case for case in CASES if case["id"] not in CONTRADICTORY])
@pytest.mark.parametrize("tables", [0, 1, 2], ids=["computed", "closure", "counts"])
def test_with_tables_computed(case: dict[str, Any], tables: int, tmp_path: Path) -> None:
    check(*built(case, tmp_path, SOURCES[: 2 + tables]))


@in_bunches("case", CASES)
def test_command(case: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, expected = built(case, tmp_path, SOURCES)
    pairs = packs.synthetic("omin") / case["dir"] / "pairs.tsv"
    assert run(["ontology", "similarity", str(tmp_path / "index"), "--pairs", str(pairs)]) == 0
    rows = list(csv.DictReader(capfd.readouterr().out.splitlines(), delimiter="\t"))
    for row, pair in zip(rows, expected, strict=True):
        assert (row["q1"], row["q2"]) == (pair["q1"], pair["q2"])
        for name in ("class", "jc"):
            assert (float(row[name]) if row[name] else None) == approx(pair[name])


@pytest.mark.skipif(not PUBLIC, reason="the public OMIn data are not beside the repository")
def test_recorded_answers() -> None:
    path = packs.SHARED / "omin" / "public" / "similarity" / "observed_wikidata_pairs.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    answers = TableProvider(str(path)).similarity([(row["q1"], row["q2"]) for row in rows])
    assert len(answers) == 2562
    for row, answer in zip(rows, answers, strict=True):
        scores = ("-1", "-1") if answer is None else answer
        for shown, score in zip((row["class"], row["jc"]), scores, strict=True):
            assert shown == score or float(shown) == (-1 if score is None else score)


@pytest.mark.skipif(not PUBLIC, reason="the public OMIn data are not beside the repository")
def test_published_arithmetic() -> None:
    path = packs.SHARED / "omin" / "public" / "similarity" / "published_examples.json"
    published = json.loads(path.read_text("utf-8"))
    total = published["N"]
    for example in published["checks"]:
        for row in example["subsumers"].values():
            both = 2 * log(row["count"] / total) - row["dist"]
            shares = {name: log(one["count"] / total) for name, one in example["subsumers"].items()}
            alike = {name: float(jiang_conrath(np.float64(one), np.float64(both))) for name, one in shares.items()}
            for name, one in example["subsumers"].items():
                assert alike[name] == pytest.approx(one["sim"], abs=1e-6)
                assert 2 * shares[name] - both == pytest.approx(one["dist"], abs=2e-6)
            assert max(alike.values()) == pytest.approx(example["jc"], abs=1e-6)
