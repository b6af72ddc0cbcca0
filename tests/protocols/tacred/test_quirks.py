"""Every quirk of TACRED's scorer.py, shown: the published value, and the corrected one beside it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import karat
from karat.analysis.summary import evaluate
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.quirks import quirks_of
from karat.evaluation.registry import configure
from karat.evaluation.scores import Scores
from karat.formats import read
from karat.protocols.tacred.drop_in.tacred import RelationCounts, printed


def scored(folder: Path, gold: str, system: str, **options: str) -> Scores:
    """Score labels that are separated by blanks."""
    for name, labels in (("gold", gold), ("system", system)):
        (folder / name).write_text("".join(f"{label}\n" for label in labels.split(" ")), "utf-8")
    bound = configure("tacred", options)
    sides = load(bound, [folder / "gold", folder / "system"], [Reading("labels")] * 2)
    return evaluate(bound, *sides, by="label")


def test_nothing_guessed_is_precise(tmp_path: Path) -> None:
    published = scored(tmp_path, "a b", "no_relation no_relation")
    corrected = scored(tmp_path, "a b", "no_relation no_relation", profile="corrected")
    assert [published.value(measure) for measure in ("precision", "recall", "f1")] == [1, 0, 0]
    assert published.value("precision", label="a") == 1
    assert [corrected.value(measure) for measure in ("precision", "recall", "f1")] == [None, 0, 0]


def test_guessed_labels_unlisted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    scores = scored(tmp_path, "a a", "a b")
    assert scores.value("precision", label="b") == 0
    assert run(["tacred", str(tmp_path / "gold"), str(tmp_path / "system")]) == 0
    assert "\nb " not in capfd.readouterr().out


def test_rounded_into_the_next_column() -> None:
    counts = RelationCounts(Counter(a=99996), Counter(a=100000), Counter(a=99996))
    assert "P:  100.00%  R: 100.00%" in printed(counts).text


def test_blank_is_a_label(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("a\n\nno_relation \n", "utf-8")
    documents = list(read(path, "labels", options={"rules": "tacred"}))
    assert [[relation.label for relation in document.relations] for document in documents] == [
        ["a"],
        [""],
        ["no_relation "],
    ]
    with pytest.raises(InputError, match="expected a label without blanks around it") as error:
        karat.read(path, "labels")
    assert error.value.line == 2
    assert run(["tacred", str(path), str(path), "--profile", "corrected"]) == 3


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.tacred")}
    assert names <= globals().keys()
