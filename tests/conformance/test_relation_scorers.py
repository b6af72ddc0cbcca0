"""Scorers of relations: what the real programs print, and the same numbers through ``karat.score``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.cli import run
from karat.errors import InputError
from tests.conformance import packs
from tests.conformance.bunches import in_bunches

SYNTHETIC = packs.manifest("relations")
FOLDERS = ("tacred", "semeval2010", "docred", "relations")
PUBLIC = [
    {**case, "id": f"{folder}/{case['id']}", "public": True}
    for folder in FOLDERS
    for case in packs.public(f"tags-relations/{folder}")
]
SEMEVAL = re.compile(r"P = (?:[ \d/]*= )?\s*([\d.]+)%\s+R = (?:[ \d/]*= )?\s*([\d.]+)%\s+F1 =\s+([\d.]+)%")
"""Micro and macro averages as the scorer of SemEval-2010 prints them."""
Case = dict[str, Any]
Capture = pytest.CaptureFixture[bytes]


def cases(folder: str) -> list[Case]:
    """Return the cases of a folder of the pack."""
    return [case for case in SYNTHETIC + PUBLIC if case["id"].startswith(f"{folder}/")]


def root(case: Case) -> Path:
    if case.get("public"):
        return packs.SHARED / "tags-relations" / case["id"].split("/")[0] / "public"
    return packs.synthetic("relations")


def place(case: Case) -> Path:
    """Return the folder in which the program was called."""
    name = case["id"].split("/")[1]
    return root(case) / case.get("cwd", f"cases/{name}")


def expected(case: Case, name: str) -> bytes:
    return (root(case) / case["expected"][name]).read_bytes()


def on_both_roads(case: Case) -> bool:
    """Say whether a case is scored by ``karat.score``, too; one that is not stands in the list, with the reason."""
    return case["id"] not in packs.drop_in_only("relations")


def called(words: list[str], capfdbinary: Capture) -> tuple[int, bytes]:
    status = run(words)
    out, err = capfdbinary.readouterr()
    assert b"Traceback" not in err
    assert b"internal error" not in err
    return status, out


def check(case: Case, words: list[str], capfdbinary: Capture) -> None:
    """Compare what a command prints, and whether it fails."""
    status, out = called(words, capfdbinary)
    assert bool(status) == bool(case["exit"])
    if case["compare"] == "bytes" and not case["exit"]:
        assert out == expected(case, "stdout")


@in_bunches("case", cases("tacred"))
def test_tacred(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.chdir(place(case))
    check(case, ["tacred", *case["args"]], capfdbinary)
    if "other-length" in case["id"]:
        _, out = called(["tacred", *case["args"]], capfdbinary)
        assert out == expected(case, "stdout")
    if on_both_roads(case):
        assert tacred_lines(*case["args"]) == expected(case, "stdout").decode().splitlines()[-3:]


def tacred_lines(gold: str, system: str) -> list[str]:
    """Return the last lines of the program with the numbers of the other road."""
    scores = karat.score("tacred", *(list(karat.read(path, "labels", rules="tacred")) for path in (gold, system)))
    names = {"precision": "Precision", "recall": "   Recall", "f1": "       F1"}
    if not scores.rows:
        return ["Precision (micro): 100.000%", "   Recall (micro): 0.000%", "       F1 (micro): 0.000%"]
    return [f"{shown} (micro): {100 * scores.value(name):.3f}%" for name, shown in names.items()]


@in_bunches("case", cases("semeval2010"))
def test_semeval2010(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.chdir(place(case))
    verb = "check" if case["program"].endswith("checker") else "score"
    check(case, ["semeval2010", verb, *case["args"]], capfdbinary)
    if on_both_roads(case):
        printed = expected(case, "stdout").decode()
        parts = [SEMEVAL.findall(part)[:2] for part in printed.split("Micro-averaged")[1:]]
        numbers = [float(number) for part in parts for average in part for number in average]
        assert semeval_numbers(*case["args"]) == pytest.approx(numbers, abs=0.005000001)


def semeval_numbers(system: str, gold: str) -> list[float]:
    """Return micro and macro precision, recall and F1 of the three parts, in per cent, by the other road."""
    scores = karat.score("semeval2010-task8", gold, system)
    return [
        100 * scores.value(measure, regime=regime, average=average)
        for regime in ("directed", "undirected", "official")
        for average in ("micro", "macro-label")
        for measure in ("precision", "recall", "f1")
    ]


DOCRED = {"RE_F1": "facts", "Evi_F1": "evidence", "RE_ignore_annotated_F1": "ign-annotated"} | {
    "RE_ignore_distant_F1": "ign-distant"
}
REDOCRED = {
    "re_f1": ("f1", "facts"),
    "re_p": ("precision", "facts"),
    "re_r": ("recall", "facts"),
    "evi_f1": ("f1", "evidence"),
    "re_f1_ignore_train_annotated": ("f1", "ign-annotated"),
    "re_f1_ignore_train": ("f1", "ign-distant"),
    "re_f1_freq": ("f1", "frequent"),
    "re_p_freq": ("precision", "frequent"),
    "re_r_freq": ("recall", "frequent"),
    "re_f1_long_tail": ("f1", "long-tail"),
    "re_p_long_tail": ("precision", "long-tail"),
    "re_r_long_tail": ("recall", "long-tail"),
    "re_f1_intra": ("f1", "intra"),
    "re_f1_inter": ("f1", "inter"),
}
ONLY_AS_PROGRAM = ("hand-duplicate-title", "hand-string-index", "good", "poor")
"""Files that are no DocRED by the strict rules: without texts, with a title twice, with entities that are texts."""


@in_bunches("case", cases("docred"))
def test_docred(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture, tmp_path: Path) -> None:
    monkeypatch.chdir(place(case))
    out = tmp_path / "out"
    check(case, ["docred", case["args"][0], str(out)], capfdbinary)
    if not on_both_roads(case):
        assert not out.exists()
        return
    assert (out / "scores.txt").read_bytes() == expected(case, "out/scores.txt")
    printed = dict(line.split(": ") for line in expected(case, "stdout").decode().splitlines())
    for rules in docred_rules(case):
        scores = docred_scores("docred", "published", rules, "../in/ref")
        for name, regime in DOCRED.items():
            assert scores.value("f1", regime=regime) == pytest.approx(float(printed[name]), abs=1e-12)


def docred_rules(case: Case) -> tuple[str, ...]:
    return ("program",) if case["id"].endswith(ONLY_AS_PROGRAM) else ("program", "strict")


def docred_scores(protocol: str, profile: str, rules: str, facts: str) -> karat.Scores:
    """Score by the other road; facts of training come from a list in a folder, if there is one."""
    training = {}
    for option, name in (("train", "train_annotated"), ("distant", "train_distant")):
        kept = Path(facts, f"{name}.fact")
        training[option] = kept if facts and kept.exists() else Path("../data", f"{name}.json")
    gold = "../in/ref/dev_test.json"
    read = {"records": gold, "rules": rules}
    return karat.score(protocol, gold, "../in/res/result.json", format="docred", read=read, profile=profile, **training)


@in_bunches("case", [case for case in cases("docred") if "redocred" in case["expected"]])
def test_redocred(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place(case))
    results = json.loads(expected(case, "redocred"))
    for profile, name in (("published", "official_evaluate"), ("benchmark", "official_evaluate_benchmark")):
        if "error" not in results[name]:
            for rules in docred_rules(case):
                scores = docred_scores("redocred", profile, rules, "")
                rows = {(row.measure, row.regime): row.value for row in scores.rows}
                for key, number in results[name].items():
                    assert rows.get(REDOCRED[key], 0) == pytest.approx(number, abs=1e-12), (profile, rules, key)


PURE = ("entities", "rel", "rel+")
PRF = ("precision", "recall", "f1")


def program_scores(profile: str) -> karat.Scores:
    """Score the predictions beside the gold as a program counts."""
    sides = (karat.read("pred.json", "scierc", side=side, repeated="number") for side in ("gold", "predicted"))
    return karat.score("relations", *sides, profile=profile)


def row_values(scores: karat.Scores, regime: str, average: str = "micro") -> list[float]:
    """Return precision, recall and F1; nothing is 0, as for the programs."""
    found = {(row.measure, row.regime, row.average): row.value for row in scores.rows}
    return [found.get((measure, regime, average)) or 0.0 for measure in PRF]


@in_bunches("case", cases("relations"))
def test_pure(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.chdir(place(case))
    check(case, ["pure", *case["args"]], capfdbinary)
    scores = program_scores("pure")
    for line, regime in zip(expected(case, "stdout").decode().splitlines()[1:], PURE, strict=True):
        shown = [number.split(": ")[1] for number in line.split(" - ")[1].split(", ")]
        assert [f"{value:f}" for value in row_values(scores, regime)] == shown


@in_bunches("case", cases("relations"))
def test_dygie(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place(case))
    result = json.loads(expected(case, "result"))["dygie"]
    scores = program_scores("dygie")
    assert row_values(scores, "rel") == pytest.approx([result[measure] for measure in PRF], abs=1e-12)
    (counts,) = {tuple(row.counts.values()) for row in scores.rows if row.average == "micro" and row.regime == "rel"}
    assert list(counts) == [result[part] for part in ("gold", "predicted", "matched")]


@in_bunches("case", cases("relations"))
def test_spert(case: Case, monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.chdir(place(case))
    result = json.loads(expected(case, "result"))["spert"]
    status, printed = called(["spert", "pred.json"], capfdbinary)
    if "error" in result:
        assert status == 3
        return
    blocks, shown = (
        [sorted(block.split("\n")) for block in text.decode().split("\n\n")]
        for text in (
            printed,
            expected(case, "spert.txt"),
        )
    )
    assert blocks == shown, "rows of types may stand in any order"
    scores = program_scores("spert")
    for part, regime in (("ner", "entities"), ("rel", "rel"), ("rel_nec", "rel+")):
        for average, prefix in (("micro", ""), ("macro-label", "macro_")):
            wanted = [result[part][prefix + measure] for measure in PRF]
            values = [100 * value for value in row_values(scores, regime, average)]
            assert "NaN" in wanted or values == pytest.approx(wanted, abs=1e-10)


@in_bunches("case", cases("relations"))
def test_plmarker(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place(case))
    result = json.loads(expected(case, "result"))["plmarker"]
    if result.get("error") in ("AssertionError", "KeyError"):
        with pytest.raises(InputError, match=r"PL-Marker stops|plmarker knows no other ends"):
            program_scores("plmarker")
        return
    scores = program_scores("plmarker")
    if result.get("error"):
        assert scores.value("recall", regime="rel") is None
        return
    for name, regime in (("f1", "rel"), ("f1_with_ner", "rel+"), ("ner_f1", "entities")):
        assert row_values(scores, regime)[2] == pytest.approx(result[name], abs=1e-12)
