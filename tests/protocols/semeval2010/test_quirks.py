"""Every quirk of the programs of SemEval-2010 task 8, shown: the published value, and the corrected one beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.quirks import quirks_of
from karat.evaluation.scores import Scores


def scored(folder: Path, key: list[str], proposed: list[str], **options: str) -> Scores:
    for name, labels in (("key", key), ("proposed", proposed)):
        lines = (f"{number}\t{label}\n" for number, label in enumerate(labels, start=1))
        (folder / name).write_text("".join(lines), "utf-8")
    return karat.score("semeval2010-task8", folder / "key", folder / "proposed", by="label", **options)


CAUSE, BACK, WHOLE = "Cause-Effect(e1,e2)", "Cause-Effect(e2,e1)", "Component-Whole(e1,e2)"


def test_unlisted_labels_cost_nothing(tmp_path: Path) -> None:
    published = scored(tmp_path, [CAUSE, CAUSE], [WHOLE, CAUSE])
    corrected = scored(tmp_path, [CAUSE, CAUSE], [WHOLE, CAUSE], profile="corrected")
    assert published.value("f1") == published.value("f1", average="macro-label") == pytest.approx(2 / 3)
    assert corrected.value("f1") == 0.5
    assert corrected.value("f1", average="macro-label") == pytest.approx(1 / 3)
    assert published.notes == (f"the gold never uses the labels of 1 system relations, which costs nothing: {WHOLE}",)


def test_the_ledger_of_unlisted_labels(tmp_path: Path) -> None:
    scored(tmp_path, [CAUSE, CAUSE, "Other", "Other"], [WHOLE, BACK, WHOLE, BACK])
    told = [
        (entry.label, entry.case, entry.verdicts)
        for entry in karat.explain("semeval2010-task8", tmp_path / "key", tmp_path / "proposed")
    ]
    assert told == [
        (CAUSE, "unlisted", {"official": "missed", "directed": "missed", "undirected": "missed"}),
        (CAUSE, "reversed", {"official": "incorrect", "directed": "missed", "undirected": "correct"}),
        (WHOLE, "unlisted", {}),
        (BACK, "spurious", {"official": "spurious", "undirected": "spurious"}),
    ]


def test_nothing_proposed_is_zero(tmp_path: Path) -> None:
    published = scored(tmp_path, [CAUSE, WHOLE], [CAUSE, "Other"])
    corrected = scored(tmp_path, [CAUSE, WHOLE], [CAUSE, "Other"], profile="corrected")
    assert published.value("precision", label="Component-Whole") == 0
    assert corrected.value("precision", label="Component-Whole") is None
    assert published.value("precision", average="macro-label") == 0.5
    assert corrected.value("precision", average="macro-label") == 1


def test_stops_without_relations(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    scores = scored(tmp_path, ["Other"], [CAUSE])
    assert scores.value("recall") is None
    assert run(["semeval2010", "score", str(tmp_path / "proposed"), str(tmp_path / "key")]) == 3
    captured = capfd.readouterr()
    assert not captured.out
    assert "there is nothing to be divided" in captured.err


def test_open_last_line_refused(tmp_path: Path) -> None:
    scored(tmp_path, [CAUSE], [CAUSE])
    path = tmp_path / "proposed"
    path.write_text(f"1\t{CAUSE}", "utf-8")
    assert karat.score("semeval2010-task8", tmp_path / "key", path, profile="corrected").value("f1") == 1
    for ends in ("", "\r", "\r\r\n", "\n\n"):
        path.write_bytes(f"1\t{CAUSE}{ends}".encode())
        with pytest.raises(InputError, match="expected a number, a tab"):
            karat.score("semeval2010-task8", tmp_path / "key", path)
    path.write_bytes(f"1\t{CAUSE}\r\n".encode())
    assert karat.score("semeval2010-task8", tmp_path / "key", path).value("f1") == 1


def test_wide_numbers_push(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    scored(tmp_path, [CAUSE] * 10_000, [CAUSE])
    run(["semeval2010", "score", str(tmp_path / "proposed"), str(tmp_path / "key")])
    assert " C-E1 |   1 |    1 9999 10000\n" in capfd.readouterr().out


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.semeval2010")}
    assert names <= globals().keys()
