"""Two roads to one number: ``karat tacred``, and ``karat.score``, on labels drawn at random, on any format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.cli import run
from karat.evaluation.registry import protocol as protocol_named
from karat.protocols.tacred.drop_in.tacred import Labels, evaluate, printed
from karat.testing import check_protocol

LABELS = st.lists(st.tuples(*[st.sampled_from(("no_relation", "a", "b", "c"))] * 2), min_size=1, max_size=8)


def item(number: int, label: str) -> dict[str, object]:
    ends = {"subj_start": 0, "subj_end": 0, "obj_start": 2, "obj_end": 2}
    return {"id": f"x{number}", "token": ["Ada", "saw", "Bern"], "relation": label, **ends}


@given(LABELS)
def test_the_drop_in_prints_what_karat_counts(labels: list[tuple[str, str]]) -> None:
    counts = evaluate(Labels(*map(list, zip(*labels, strict=True))))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.json").write_bytes(
            msgspec.json.encode([item(number, gold) for number, (gold, _) in enumerate(labels)])
        )
        (folder / "pred.txt").write_text("".join(f"{system}\n" for _, system in labels), "utf-8")
        gold = karat.read(folder / "gold.json", "tacred")
        system = karat.read(folder / "pred.txt", "labels", records=str(folder / "gold.json"))
        scores = karat.score("tacred", gold, system)
    assert [line.split()[-1] for line in printed(counts).text.splitlines()[-3:]] == [
        f"{100 * scores.value(measure):.3f}%" for measure in ("precision", "recall", "f1")
    ]
    total = {group.label: row for group, row in scores.tallies.total().items() if group.label is not None}
    for name, labels_of_side in counts._asdict().items():
        place = protocol_named("tacred").with_options().counts.index(name)
        assert {label: row[place] for label, row in total.items() if row[place]} == labels_of_side


def test_labels_are_about_the_records(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_bytes(msgspec.json.encode([item(1, "a"), item(2, "no_relation")]))
    (tmp_path / "pred.txt").write_text("a\nb\n", "utf-8")
    (document, _) = karat.read(tmp_path / "pred.txt", "labels", records=str(tmp_path / "gold.json"))
    assert (document.id, document.text, document.relations[0].label) == ("x1", "Ada saw Bern", "a")
    words = ["score", "tacred", str(tmp_path / "gold.json"), str(tmp_path / "pred.txt"), "--system-format", "labels"]
    assert run([*words, "--read", f"records={tmp_path / 'gold.json'}"]) == 0


def test_labels_that_do_not_fit_the_records_are_refused(tmp_path: Path, capfd) -> None:
    (tmp_path / "gold.json").write_bytes(msgspec.json.encode([item(1, "a"), item(2, "no_relation")]))
    for labels, message in (("a\n", "have 1 more item"), ("a\nb\nc\n", "have no item for this line")):
        (tmp_path / "pred.txt").write_text(labels, "utf-8")
        words = ["validate", str(tmp_path / "pred.txt"), "--from", "labels", "--read", f"records={tmp_path}/gold.json"]
        assert run(words) == 3
        assert message in capfd.readouterr().out


def test_the_promises_of_a_protocol() -> None:
    check_protocol("tacred", profile="corrected")
