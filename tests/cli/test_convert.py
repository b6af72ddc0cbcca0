from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import GOLD, Command

DOCUMENT = {
    "id": "d",
    "text": "Ada in Bern",
    "mentions": [
        {"id": "T1", "spans": [[0, 3]], "labels": ["PER"], "layer": "NE-COARSE-LIT", "links": [{"target": "Q1"}]},
        {"id": "T2", "spans": [[0, 11]], "labels": ["PER"], "layer": "other", "attributes": {"sure": "no"}},
    ],
    "relations": [
        {"id": "R1", "label": "x", "arguments": [{"role": "A", "target": "T1"}, {"role": "B", "target": "T2"}]}
    ],
    "chains": [{"id": "*1", "mentions": ["T1", "T2"]}],
    "notes": [{"id": "#1", "target": "T2", "text": "?"}],
}


def test_the_format_follows_the_ending(karat: Command, tmp_path: Path) -> None:
    assert karat("convert", "gold.tsv", "gold.jsonl").status == 0
    assert karat("convert", "gold.jsonl", "again.tsv").status == 0
    assert (tmp_path / "again.tsv").read_text().split() == GOLD.split()
    assert karat("convert", "gold.tsv", "gold.BIOES", "--write", "scheme=BIOES").status == 0
    assert "S-loc" in (tmp_path / "gold.BIOES").read_text()


def test_standard_input_and_output(karat: Command) -> None:
    shown = karat("convert", "-", "--to", "jsonl", stdin=GOLD)
    assert (shown.status, shown.err) == (0, "")
    assert [json.loads(line)["id"] for line in shown.out.splitlines()] == ["a", "b"]
    folder = karat("convert", "gold.tsv", "-", "--to", "brat")
    assert folder.status == 2
    assert "format brat writes several files; give a folder as TARGET" in folder.err


def test_a_folder_of_files(karat: Command, tmp_path: Path) -> None:
    assert karat("convert", "gold.tsv", "brat/new", "--to", "brat").status == 0
    assert sorted(path.name for path in (tmp_path / "brat" / "new").iterdir()) == ["a.ann", "a.txt", "b.ann", "b.txt"]
    assert karat("convert", "brat", "-", "--to", "jsonl").out.count('"id":"new/') == 2


def test_what_does_not_fit_is_counted_and_refused_or_dropped(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(json.dumps(DOCUMENT))
    shown = karat("convert", "d.jsonl", "out.tsv")
    assert (shown.status, (tmp_path / "out.tsv").exists()) == (3, False)
    assert "d.jsonl: the format hipe would lose 1 attribute, 1 chain, 1 relation and 1 note" in shown.err
    assert "(first in document 'd'); write without them with --lossy" in shown.err
    assert karat("convert", "d.jsonl", "out.tsv", "--layer", "NE-COARSE-LIT", "--drop", "links").status == 0
    assert "Q1" not in (tmp_path / "out.tsv").read_text()
    assert karat("convert", "d.jsonl", "out.tsv", "--drop", "mentions").status == 2


def test_what_is_lost_on_demand_is_said(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(json.dumps(DOCUMENT))
    shown = karat("convert", "d.jsonl", "out.conll", "--lossy")
    assert (shown.status, shown.out) == (0, "")
    assert shown.err == "karat: lost 1 attribute, 1 chain, 1 relation and 1 note (first in document 'd')\n"
    assert "B-PER" in (tmp_path / "out.conll").read_text()
    assert karat("convert", "out.conll", "again.jsonl", "--lossy").err == ""


def test_repairs_are_mentioned(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "odd.conll").write_text("Bern B-loc\nin O\nder I-loc\nSchweiz I-loc\n")
    shown = karat("convert", "odd.conll", "out.jsonl", "--read", "scheme=IOB2")
    assert (shown.status, shown.err) == (0, "karat: 1 repair while reading; see karat validate odd.conll\n")


def test_ids_lead_nowhere_else(karat: Command, tmp_path: Path) -> None:
    for name in ("../evil", "/evil", "a/../../evil", ".hidden", "C:\\evil", "a\u0000b", ""):
        (tmp_path / "d.jsonl").write_text(json.dumps({"id": name, "text": "x"}))
        shown = karat("convert", "d.jsonl", "out", "--to", "brat", "--from", "jsonl")
        assert (shown.status, shown.err.count("\n")) == (3, 1), name
        assert not (tmp_path / "out").exists()
