"""The protocol nervaluate and its module: the faults of each version beside what is right."""

from __future__ import annotations

from typing import Any

import pytest

import karat
from karat.compat.nervaluate import Evaluator
from karat.errors import UsageError
from karat.evaluation.quirks import quirks_of
from karat.model import Document, Mention
from karat.testing import check_protocol

Spans = list[tuple[int, int, str]]


def document(spans: Spans, name: str = "d") -> Document:
    mentions = [Mention(f"T{number}", ((start, end),), (label,)) for number, (start, end, label) in enumerate(spans)]
    return Document(name, "x" * 20, mentions)


def scored(gold: Spans, system: Spans, **options: Any) -> Any:
    return karat.score("nervaluate", [document(gold)], [document(system)], by="label", zero="zero", **options)


def outcomes(scores: Any, regime: str, label: str | None = None) -> dict[str, int]:
    row = next(row for row in scores if (row.regime, row.label, row.average) == (regime, label, "micro"))
    return {name: number for name, number in row.counts.items() if number}


def test_first_come_first_served() -> None:
    gold: Spans = [(3, 5, "A")]
    one, other = [(0, 6, "A"), (3, 5, "A")], [(3, 5, "A"), (0, 6, "A")]
    assert outcomes(scored(gold, one), "strict") == {"incorrect": 1, "spurious": 1}
    assert outcomes(scored(gold, other), "strict") == {"correct": 1, "spurious": 1}
    for system in (one, other):
        assert outcomes(scored(gold, system, profile="corrected"), "strict") == {"correct": 1, "spurious": 1}


def test_scenarios_pair_on_their_own() -> None:
    gold: Spans = [(4, 7, "LOC"), (0, 10, "PER")]
    sides = [document(gold)], [document([(4, 7, "PER")])]
    entries = {entry.gold.label: entry for entry in karat.explain("nervaluate", *sides) if entry.system and entry.gold}
    assert entries["LOC"].verdicts["exact"] == "correct"
    assert entries["PER"].verdicts["ent_type"] == "correct"


def test_labels_do_not_add_up() -> None:
    published, corrected = (scored([(0, 2, "A")], [(0, 2, "B")], profile=name) for name in ("1.2.1", "corrected"))
    assert outcomes(published, "strict") == outcomes(corrected, "strict") == {"incorrect": 1}
    assert (outcomes(published, "exact", "A"), outcomes(published, "exact", "B")) == ({"missed": 1}, {"spurious": 1})
    assert corrected.value("recall", regime="exact", label="A") == 1
    assert corrected.value("precision", regime="exact", label="B") == 1


def test_overlap_of_the_gold_only() -> None:
    options: dict[str, Any] = {"min_overlap_percentage": 100.0}
    assert outcomes(scored([(4, 6, "A")], [(0, 20, "A")], **options), "ent_type") == {"correct": 1}
    corrected = scored([(4, 6, "A")], [(0, 20, "A")], profile="corrected", **options)
    assert outcomes(corrected, "ent_type") == {"missed": 1, "spurious": 1}


def test_half_forgotten() -> None:
    gold = [document([(0, 2, "A")], name) for name in "ab"]
    system = [document([(0, 1, "A")], "a"), document([(0, 2, "A")], "b")]
    values = {
        profile: karat.score("nervaluate", gold, system, profile=profile).value("precision", regime="partial")
        for profile in ("1.2.1", "1.1.0")
    }
    assert values == {"1.2.1": 0.75, "1.1.0": 0.5}


def test_first_overlap_taken() -> None:
    sides: tuple[Spans, Spans] = [(0, 6, "A"), (3, 5, "A")], [(3, 5, "A")]
    assert outcomes(scored(*sides), "strict") == {"correct": 1, "missed": 1}
    assert outcomes(scored(*sides, profile="1.1.0"), "strict") == {"incorrect": 1, "missed": 1}


def test_counted_several_times() -> None:
    sides: tuple[Spans, Spans] = [(0, 2, "A")], [(0, 2, "A"), (0, 2, "A")]
    assert outcomes(scored(*sides), "strict") == {"correct": 1, "spurious": 1}
    assert outcomes(scored(*sides, profile="0.2.0"), "strict") == {"correct": 2}
    assert outcomes(scored(*sides, profile="corrected"), "strict") == {"correct": 1}


def test_single_positions_never_meet() -> None:
    sides: tuple[Spans, Spans] = [(0, 1, "A")], [(0, 3, "A")]
    assert outcomes(scored(*sides, profile="0.2.0"), "partial") == {"partial": 1}
    assert outcomes(scored(*sides, profile="classic"), "partial") == {"missed": 1, "spurious": 1}


def test_foreign_letters_go_on() -> None:
    sides = [["B-A", "S-A"]], [["B-A", "I-A"]]
    assert karat.score("nervaluate", *sides).value("f1") == 1
    assert karat.score("nervaluate", *sides, profile="corrected").value("f1") == 0
    with pytest.raises(karat.InputError, match="'S-A' is no tag that starts an entity"):
        karat.score("nervaluate", [["S-A"]], [["O"]])


def test_missed_looked_up_among_predictions() -> None:
    gold, system = [["B-A", "O", "O"], ["B-A", "O", "B-A"]], [["O", "O", "B-A"], ["B-A", "O", "B-A"]]
    report = Evaluator(gold, system, tags=["A"], loader="list").summary_report_indices()
    assert "Missed               0          0        Label=A, Start=2, End=2" in report
    (missed,) = [entry for entry in karat.explain("nervaluate", gold, system) if entry.case == "missed"]
    assert missed.gold is not None
    assert missed.gold.span == (0, 1)


def test_carriage_return_in_the_label(tmp_path) -> None:
    text = "Ada\tB-PER\r\nb\tO\r\n"
    assert Evaluator(text, text, tags=["PER"], loader="conll").evaluate()["overall"]["strict"].possible == 0
    (tmp_path / "tags.conll").write_text(text, "utf-8", newline="")
    scores = karat.score("nervaluate", tmp_path / "tags.conll", tmp_path / "tags.conll", tags=("PER",))
    assert scores.value("f1") == 1


def test_first_document_decides_the_loader() -> None:
    documents = [[], [{"label": "PER", "start": 0, "end": 1}]]
    with pytest.raises(IndexError):
        Evaluator(documents, documents, tags=["PER"])
    assert Evaluator(documents, documents, tags=["PER"], loader="dict").evaluate()["overall"]["strict"].f1 == 1


def test_places_unchecked() -> None:
    backwards = [[{"label": "A", "start": 5, "end": 3}]]
    found = Evaluator(backwards, backwards, tags=["A"], loader="dict").evaluate()["overall"]
    assert (found["strict"].correct, found["partial"].correct) == (1, 0)
    with pytest.raises(karat.InputError):
        karat.score(
            "nervaluate", [{"text": "abcdef", "mentions": [{"id": "T", "spans": [[5, 3]], "labels": ["A"]}]}], []
        )


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.spans", "nervaluate")}
    assert names <= globals().keys()


def test_options() -> None:
    scores = scored([(0, 2, "A"), (3, 4, "B")], [(0, 2, "A")], tags=("A",))
    assert scores.value("f1") == 1
    assert "left out 1 entity of the gold with other labels than those that count" in scores.notes
    with pytest.raises(UsageError, match="expected a number from 1 to 100"):
        scored([], [], min_overlap_percentage=0.5)
    with pytest.raises(UsageError, match="knows no least overlap"):
        scored([], [], min_overlap_percentage=50.0, profile="0.2.0")


def test_csv_is_written(tmp_path) -> None:
    evaluator = Evaluator([["B-A"]], [["B-A"]], tags=["A"])
    assert evaluator.results_to_csv(file_path=str(tmp_path / "table.csv")) is None
    assert (tmp_path / "table.csv").read_bytes().decode() == evaluator.results_to_csv()


def test_the_promises_of_a_protocol() -> None:
    check_protocol("nervaluate", profile="corrected")


def test_corrected_is_semeval2013() -> None:
    sides = [["B-A", "I-A", "O", "B-B"], ["B-A", "O"]], [["B-A", "O", "O", "B-A"], ["O", "B-B"]]
    ours, theirs = (
        karat.score(name, *sides, **options)
        for name, options in (("nervaluate", {"profile": "corrected"}), ("semeval2013", {}))
    )
    for regime in ("strict", "exact", "partial"):
        assert ours.value("f1", regime=regime) == theirs.value("f1", regime=regime)
    assert ours.value("f1", regime="ent_type") == theirs.value("f1", regime="type")
