"""Two roads to one number: ``karat semeval2010 score``, and ``karat.score``, on answers drawn at random."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.errors import InputError
from karat.formats import read, render
from karat.formats.semeval2010.answers import RELATIONS
from karat.protocols.semeval2010.drop_in import score
from karat.testing import check_protocol

NUMBERS = re.compile(r"P = (?:[ \d/]*= )?\s*([\d.]+)%\s+R = (?:[ \d/]*= )?\s*([\d.]+)%\s+F1 =\s+([\d.]+)%")
LABELS = ["Other", *(f"{name}({ends})" for name in RELATIONS[:3] for ends in ("e1,e2", "e2,e1"))]
ANSWERS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from([*LABELS, ""])), min_size=1, max_size=10)


@given(ANSWERS)
def test_the_drop_in_prints_what_karat_counts(answers: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/key.txt", f"{folder}/proposed.txt"]
        for path, labels in zip(paths, zip(*answers, strict=True), strict=True):
            lines = (f"{number}\t{label}\n" for number, label in enumerate(labels) if label)
            Path(path).write_text("".join(lines), "utf-8")
        gold, system = zip(*answers, strict=True)
        if set(gold) == {"Other"} or not any(system):
            with pytest.raises(InputError, match="nothing to be divided"):
                score.read(paths[1], paths[0])
            return
        text = str(score.printed(score.evaluate(score.read(paths[1], paths[0]))).text)
        scores = karat.score("semeval2010-task8", *paths)
    parts = [NUMBERS.findall(part)[:2] for part in text.split("Micro-averaged")[1:]]
    numbers = [float(number) for part in parts for average in part for number in average]
    assert numbers == pytest.approx(
        [
            100 * scores.value(measure, regime=regime, average=average)
            for regime in ("directed", "undirected", "official")
            for average in ("micro", "macro-label")
            for measure in ("precision", "recall", "f1")
        ],
        abs=0.005000001,
    )


def test_any_format_may_hold_the_answers(tmp_path: Path) -> None:
    for name, text in (
        ("key", "1\tCause-Effect(e2,e1)\n2\tOther\n"),
        ("answers", "1\tCause-Effect(e1,e2)\n2\tOther\n"),
    ):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
        (tmp_path / f"{name}.jsonl").write_text(render(read(tmp_path / f"{name}.txt"), "jsonl")[""], "utf-8")
    lines = karat.score("semeval2010-task8", tmp_path / "key.txt", tmp_path / "answers.txt")
    plain = karat.score("semeval2010-task8", tmp_path / "key.jsonl", tmp_path / "answers.jsonl")
    assert [(row.name, row.value) for row in lines] == [(row.name, row.value) for row in plain]
    assert [plain.value("f1", regime=regime) for regime in ("official", "directed", "undirected")] == [0, 0, 1]
    (entry,) = karat.explain("semeval2010-task8", tmp_path / "key.jsonl", tmp_path / "answers.jsonl")
    assert (entry.case, entry.gold.label, entry.system.label) == (
        "reversed",
        "Cause-Effect(e2,e1)",
        "Cause-Effect(e1,e2)",
    )


def test_the_promises_of_a_protocol() -> None:
    check_protocol("semeval2010-task8", profile="corrected")
