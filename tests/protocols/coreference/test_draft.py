"""What is said about what a coreference protocol leaves out, and about what it cannot count."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coreference.chains import columns, document

import karat
from karat.cli import run
from karat.errors import InputError
from karat.measures import coreference
from karat.model import Chain, Document, Mention


def mixed() -> Document:
    """Return a document whose mentions are repeated in so many ways that BLANC cannot be counted."""
    found = Document("d")
    for bit in range(13):
        members = [mention for mention in range(8000) if mention >> bit & 1]
        ids = tuple(f"{bit}-{mention}" for mention in members)
        found.mentions += (Mention(name, ((at, at + 1),)) for name, at in zip(ids, members, strict=True))
        found.chains.append(Chain(f"c{bit}", ids))
    return found


def test_only_blanc_is_undefined_where_it_cannot_be_counted() -> None:
    gold = [mixed(), document("ab", id="e")]
    system = [Document("d", mentions=gold[0].mentions[:9], chains=[Chain("c", tuple(f"0-{n}" for n in (1, 3, 5)))])]
    scores = karat.score("conll2012", gold, [*system, document("ab", id="e")])
    assert [scores.value(regime=regime) for regime in ("blanc", "blanc-linked")] == [None, None]
    assert scores.value(regime="muc")
    assert "BLANC is not counted: mentions are repeated in too many ways in d" in scores.notes


@pytest.mark.parametrize("tokens", ["", '"tokens": ["a", "b", "c"], '])
def test_coreference_eval_compares_numbers_wherever_they_are(tmp_path: Path, tokens: str) -> None:
    """The numbers are those of the program; whether one side has the tokens makes no difference."""
    files = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    for file, extra, clusters in zip(files, (tokens, ""), ("[[0,0],[2,2]]", "[[0,0],[-1,-1]]"), strict=True):
        file.write_text(f'{{"doc_key": "d", {extra}"clusters": [{clusters}]}}\n', "utf-8")
    scores = karat.score("corefeval", *files)
    assert [scores.value(regime=name) for name in ("conll", "muc", "b3", "ceafe", "lea")] == [0.25, 0, 0.25, 0.5, 0]
    lacking = ("the system has no tokens or texts, which the gold has",) if tokens else ()
    assert scores.notes == (f"1 repair while reading {files[1]}; see karat validate", *lacking)
    for file, extra in zip(files, (tokens, ""), strict=True):
        file.write_text(f'{{"doc_key": "d", {extra}"clusters": [[[0,0],[7,9],[-1,-1]]]}}\n', "utf-8")
    assert karat.score("corefeval", *files).value() == 1


def test_what_cannot_be_counted_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coreference, "MAX_OVERLAPS", 2)
    system = document("abc", "abc")
    system.source = "run.jsonl"
    with pytest.raises(InputError, match=r"run\.jsonl: document 'd': mentions are repeated so often"):
        karat.score("coval", [document("abc")], [system])


def test_documents_of_one_name_are_noted() -> None:
    scores = karat.score("conll2012", [document("ab"), document("cd")], [document("cd")])
    assert (scores.value(), scores.notes) == (1.0, ("left out 1 repeated gold document",))


def test_a_line_of_unicode_white_space_is_scored(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for blank in ("\xa0", "\x1c"):
        path = columns(tmp_path / "a.conll", "w (1)", "w (1)")
        path.write_text(path.read_text("utf-8").replace("#end", f"{blank}\n#end"), encoding="utf-8")
        assert run(["score", "conll2012", str(path), str(path)]) == 0
    assert capfd.readouterr().err == ""


def test_nothing_to_compare_is_an_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [columns(tmp_path / f"{name}.conll", "0 w (1)", name=f"({name});") for name in "ab"]
    assert run(["score", "scorch", *map(str, files), "--missing", "skip"]) == 3
    assert "no gold document has a system document of its name" in capfd.readouterr().err
