from __future__ import annotations

from pathlib import Path

import pytest
from tests.vocabularies.ontology.graphs import AIRCRAFT, kgtk

from karat.cli import run


@pytest.fixture
def index(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    labels = [("Q5", "label", "'my\\tkite'@en"), ("Q50", "label", "'lonely'@en")]
    claims = kgtk(tmp_path / "claims.tsv", [*AIRCRAFT, *labels])
    assert run(["ontology", "build", str(tmp_path / "index"), claims]) == 0
    out = capfd.readouterr().out
    assert out.splitlines()[0].split() == ["10", "nodes"]
    assert out.splitlines()[-1] == "From claims.tsv; nothing taken as given."
    return str(tmp_path / "index")


def test_info(index: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", "info", index]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "              8  members of the root Q35120 (no label)"


def test_pairs_on_the_command_line(index: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", "similarity", index, "Q5", "Q6", "Q5", "Q404"]) == 0
    out, err = capfd.readouterr()
    assert [line.split("\t") for line in out.splitlines()] == [
        ["q1", "q2", "class", "jc", "q1_label", "q2_label"],
        ["Q5", "Q6", "0.13667488060935448", "0.22602396837087935", "my\\tkite", ""],
        ["Q5", "Q404", "0.0", "0.0", "my\\tkite", ""],
    ]
    assert err == "karat: 'Q404' is not in the ontology: it has neither a class nor an English label\n"


def test_undefined_is_an_empty_cell_and_a_sentence(index: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", "similarity", index, "--profile", "corrected", "Q50", "Q5"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[1] == "Q50\tQ5\t\t\tlonely\tmy\\tkite"
    assert [line.partition(":")[2].partition(":")[0] for line in err.splitlines()] == [
        " class of Q50 and Q5 is undefined",
        " jc of Q50 and Q5 is undefined",
    ]


def test_many_remarks_are_cut_short(index: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.csv").write_text("q1,q2\n" + "".join(f"Q5,Q{number}\n" for number in range(900, 950)))
    assert run(["ontology", "similarity", index, "--pairs", str(tmp_path / "pairs.csv")]) == 0
    out, err = capfd.readouterr()
    assert (len(out.splitlines()), len(err.splitlines())) == (51, 6)
    assert err.endswith("karat: and 45 more of this kind\n")


@pytest.mark.parametrize("words", [[], ["Q1"], ["Q1", "Q2", "--pairs", "x.tsv"]])
def test_usage(words: list[str], index: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", "similarity", index, *words]) == 2
    assert "name two nodes for each pair, or a table with --pairs, but not both" in capfd.readouterr().err


def test_no_index(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", "info", str(tmp_path)]) == 3
    assert "is no ontology index; make one with  karat ontology build INDEX FILE..." in capfd.readouterr().err


def test_the_folder_one_stands_in_is_no_place_for_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    kgtk(Path("claims.tsv"), AIRCRAFT)
    assert run(["ontology", "build", ".", "claims.tsv"]) == 3
    assert "internal error" not in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["claims.tsv"]


@pytest.mark.parametrize("content", [b'{"info": {"a":' + b"[" * 3000, b'{"info": {"a": "\xff"}}'])
def test_a_manifest_of_other_bytes_is_none(content: bytes, index: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path(index, "manifest.json").write_bytes(content)
    assert run(["ontology", "info", index]) == 3
    assert "is no manifest of an ontology index" in capfd.readouterr().err
