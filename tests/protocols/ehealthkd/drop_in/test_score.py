"""Counts, the three numbers, items in the words of the programs, and the summary of runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.ehealthkd.files import sketch

from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.evaluation import A, B, TextEvaluation, evaluate_files
from karat.protocols.ehealthkd.drop_in.reports import items
from karat.protocols.ehealthkd.drop_in.score_2020 import evaluate, printed, read
from karat.protocols.ehealthkd.drop_in.score_2021 import summary
from karat.protocols.ehealthkd.rules import Rules

TOTALS = {
    A: {"correct": 4, "incorrect": 1, "partial": 2, "missed": 3, "spurious": 1},
    B: {"correct": 1, "missed": 1, "spurious": 2},
}
TEXT = "El asma no es grave."


@pytest.mark.parametrize(
    ("skipped", "recall", "precision"),
    [({}, 6 / 12, 6 / 11), ({"skip_b": True}, 5 / 10, 5 / 8), ({"skip_a": True}, 1 / 2, 1 / 3)],
)
def test_the_three_numbers(skipped: dict[str, bool], recall: float, precision: float) -> None:
    found = TextEvaluation((Annotations([], []),) * 2, Rules(), {}, TOTALS, []).metrics(**skipped)
    f1 = 2 * recall * precision / (recall + precision)
    assert found == pytest.approx({"recall": recall, "precision": precision, "f1": f1})
    assert list(found) == ["recall", "precision", "f1"]


def test_nothing_below_the_line_is_zero() -> None:
    nothing = TextEvaluation((Annotations([], []),) * 2, Rules(), {}, {A: {}, B: {}}, []).metrics()
    assert nothing == {"recall": 0.0, "precision": 0.0, "f1": 0.0}


def test_items_are_written_as_the_programs_do(tmp_path: Path) -> None:
    gold = sketch(TEXT, "T1 Concept 3 7", "T2 Predicate 14 19", "R1 is T2 T1").brat(tmp_path / "gold.txt")
    with gold.with_suffix(".ann").open("a") as stream:
        stream.write("A1\tNegated T2\n")
    system = sketch(TEXT, "T7 Action 3 7").brat(tmp_path / "system.txt")
    pages = evaluate_files(gold, system, Rules()).pages
    listed = items(pages[A], A) | items(pages[B], B)
    left = "Keyphrase(text='asma', label='Action', id=7, attr=[])"
    assert listed["incorrect_A"] == [f"{left} --> Keyphrase(text='asma', label='Concept', id=1, attr=[])"]
    negated = "Keyphrase(text='grave', label='Predicate', id=2, attr=[Attribute(label='Negated')])"
    assert listed["missing_A"] == [negated]
    assert listed["missing_B"] == ["Relation(from='grave', to='asma', label='is')"]


def test_a_report_has_four_significant_digits(tmp_path: Path) -> None:
    gold = sketch(TEXT, "T1 A 3 7", "T2 A 8 10", "T3 A 11 13").brat(tmp_path / "gold.txt")
    system = sketch(TEXT, "T1 A 3 7").brat(tmp_path / "system.txt")
    result = evaluate(read(gold, system, Rules(), skip_b=True))
    output = printed(result, verbose=False)
    assert str(output.text).splitlines() == [
        *("correct_A: 1", "incorrect_A: 0", "partial_A: 0", "spurious_A: 0", "missing_A: 2"),
        *("-" * 20, "recall: 0.3333", "precision: 1.0", "f1: 0.5"),
    ]
    assert (output.notes, result.metrics["f1"]) == ([], 0.5)


def test_the_summary_shows_the_last_run_or_the_best() -> None:
    runs = {
        name: {"scenario1": {"recall": value, "precision": value, "f1": value}}
        for name, value in (("run1", 0.5), ("run2", 0.75), ("run3", 0.25))
    }
    assert summary(runs, "")[:4] == [
        *("scenario1_f1:0.25", "scenario1_precision:0.25", "scenario1_recall:0.25", "scenario1_best:run3")
    ]
    assert summary(runs, "x_", best=True)[3] == "x_scenario1_best:run2"
    assert summary(runs, "")[-1] == "scenario3_best:0"
