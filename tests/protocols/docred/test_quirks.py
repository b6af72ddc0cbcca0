"""Every quirk of the programs of DocRED and Re-DocRED, shown: the published value, and the corrected one beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.protocols.docred.build import record, result, scored, written

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.quirks import quirks_of


def both(folder: Path, gold: Any, system: Any, measure: str, regime: str, **options: Any) -> list[float | None]:
    """Return a number under both profiles."""
    return [
        scored(folder, gold, system, profile=profile, **options).value(measure, regime=regime)
        for profile in ("published", "corrected")
    ]


def test_seen_facts_stay_in_recall(tmp_path: Path) -> None:
    gold, train = [record(("P17", 0, 1, [0]), ("P27", 0, 2, [1]))], [record(("P17", 0, 1, []))]
    system = [result("P27", 0, 2, [])]
    assert both(tmp_path, gold, system, "recall", "ign-annotated", train=train) == [0.5, 1]


def test_wrong_seen_facts_stay(tmp_path: Path) -> None:
    gold, train = [record(("P27", 0, 2, [1]))], [record(("P17", 0, 1, []))]
    system = [result("P27", 0, 2, []), result("P17", 0, 1, [])]
    assert both(tmp_path, gold, system, "precision", "ign-annotated", train=train) == [0.5, 1]


def laid_out(folder: Path, gold: Any, system: Any) -> None:
    """Write the files that the program expects, without training facts."""
    for name in ("in/ref", "in/res"):
        (folder / name).mkdir(parents=True)
    written(folder, "in/ref/dev_test.json", gold)
    written(folder, "in/res/result.json", system)
    for name in ("annotated", "distant"):
        written(folder, f"in/ref/train_{name}.fact", [])


def test_stops_where_nothing_is_left(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    laid_out(tmp_path, [record(("P17", 0, 1, []))], [])
    assert run(["docred", str(tmp_path / "in"), str(tmp_path / "out")]) == 3
    assert "no fact to be scored" in capfd.readouterr().err
    written(tmp_path, "in/res/result.json", [result("P17", 0, 1, [])])
    assert run(["docred", str(tmp_path / "in"), str(tmp_path / "out")]) == 3
    assert "Evi_F1 is undefined: the gold has none" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_evidence_of_unknown_titles(tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0]))]
    system = [result("P17", 0, 1, [0]), result("P17", 0, 1, [0], title="E")]
    assert both(tmp_path, gold, system, "precision", "evidence") == [1, 0.5]
    assert both(tmp_path, gold, system, "precision", "facts") == [0.5, 0.5]


@pytest.mark.parametrize(
    ("given", "right", "counted"),
    [("01", 0, 2), (["0", 1], 1, 2), ([0.0, True, 1], 2, 2), ([0.5, None, "0,1"], 0, 3), ("", 0, 0)],
)
def test_anything_is_a_sentence(given: Any, right: int, counted: int, tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0, 1]))]
    system = [result("P17", 0, 1, given), result("P17", 1, 0, []), {**result("P17", 1, 0, []), "t_idx": 0.5}]
    laid_out(tmp_path, gold, system)
    assert run(["docred", str(tmp_path / "in"), str(tmp_path / "out")]) == 0
    paths = [str(tmp_path / name) for name in ("in/ref/dev_test.json", "in/res/result.json")]
    scores = karat.score("docred", *paths, read={"rules": "program", "records": paths[0]}, zero="zero")
    facts, evidence = scores.value("f1", regime="facts"), scores.value("f1", regime="evidence")
    assert (facts, evidence) == (0.5, pytest.approx(2 * right / (2 + counted)))
    written_scores = (tmp_path / "out/scores.txt").read_text().splitlines()
    assert written_scores[:2] == [f"RE_F1: {facts:f}", f"Evi_F1: {evidence:f}"]
    if given:
        with pytest.raises(InputError, match="evidence"):
            scored(tmp_path, gold, system[:1])


@pytest.mark.parametrize(("entities", "said"), [((1, None), "cannot be sorted"), ((1.0,), "expected 1")])
def test_entities_at_which_the_program_stops(entities: tuple[Any, ...], said: str, tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0]))]
    laid_out(tmp_path, gold, [{**result("P17", 0, 1, []), "t_idx": entity} for entity in entities])
    paths = [str(tmp_path / name) for name in ("in/ref/dev_test.json", "in/res/result.json")]
    with pytest.raises(InputError, match=said):
        karat.score("docred", *paths, read={"rules": "program", "records": paths[0]})


def test_repeated_gold_evidence(tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0]), ("P17", 0, 1, [1]))]
    assert both(tmp_path, gold, [result("P17", 0, 1, [0, 1])], "recall", "evidence") == [0.5, 1]
    assert both(tmp_path, gold, [result("P17", 0, 1, [0, 1])], "f1", "facts") == [1, 1]


def test_titles_merged(tmp_path: Path) -> None:

    path = written(tmp_path, "gold.json", [record(("P17", 0, 1, [])), record(("P27", 0, 1, []))])
    (document,) = karat.read(path, "docred", rules="program")
    assert [relation.label for relation in document.relations] == ["P17", "P27"]
    with pytest.raises(InputError, match="there twice"):
        karat.read(path, "docred")


def test_stale_facts_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for folder in ("in/ref", "in/res", "code", "data"):
        (tmp_path / folder).mkdir(parents=True)
    written(tmp_path, "in/ref/dev_test.json", [record(("P17", 0, 1, [0]), ("P27", 0, 2, [1]))])
    written(tmp_path, "in/ref/train_annotated.fact", [["Ada", "Bo", "P17"]])
    written(tmp_path, "in/res/result.json", [result("P17", 0, 1, [0]), result("P17", 1, 0, [])])
    for name in ("annotated", "distant"):
        written(tmp_path, f"data/train_{name}.json", [])
    monkeypatch.chdir(tmp_path / "code")
    printed = []
    for profile in ("published", "corrected"):
        assert run(["docred", "../in", f"../{profile}", "--profile", profile]) == 0
        printed.append(capfd.readouterr().out.splitlines()[2])
    assert printed == ["RE_ignore_annotated_F1: 0.0", "RE_ignore_annotated_F1: 0.5"]
    assert not (tmp_path / "in/ref/train_distant.fact").exists()


def test_counts_from_one(tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0]), ("P27", 0, 2, [0, 1]))]
    system = [result("P17", 0, 1, [0]), result("P27", 0, 2, [0, 1])]
    options = {"protocol": "redocred", "train": [record()]}
    assert both(tmp_path, gold, system, "f1", "evidence", **options) == [pytest.approx(6 / 7), 1]
    published, corrected = both(tmp_path, gold, system, "f1", "ign-annotated", **options)
    assert published == pytest.approx(0.9999975, abs=1e-8)
    assert corrected == 1


def test_single_fact_dropped(tmp_path: Path) -> None:
    gold = [record(("P17", 0, 1, [0]), ("P27", 0, 2, [1]), ("P27", 1, 2, []))]
    values = {
        profile: scored(tmp_path, gold, [result("P17", 0, 1, [0])], "redocred", profile=profile).value("f1")
        for profile in ("published", "benchmark", "corrected")
    }
    assert values == {"published": 0.5, "benchmark": 0, "corrected": 0.5}


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.docred")}
    assert names <= globals().keys()
