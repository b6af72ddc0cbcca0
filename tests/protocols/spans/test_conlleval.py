"""``karat conlleval``: the faults of the program beside what ``karat score`` does, and two roads to one number."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.cli import run
from karat.errors import UsageError
from karat.evaluation.quirks import quirks_of
from karat.protocols.spans.drop_in import conlleval
from karat.protocols.spans.drop_in.rows import cut_by
from karat.testing import check_protocol

TAGS = st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "B", "I"])


def printed(text: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["conlleval", *words]) == 0
    return capfd.readouterr().out


def both_profiles(gold: str, system: str, measure: str = "f1") -> list[float | None]:
    """Return the value as published, and corrected."""
    sides = [gold.split()], [system.split()]
    return [karat.score("conlleval", *sides, profile=profile).value(measure) for profile in ("official", "corrected")]


def test_end_does_not_close() -> None:
    assert both_profiles("E-X B-X", "E-X O") == [0, pytest.approx(2 / 3)]


def test_unknown_prefixes_join() -> None:
    assert both_profiles("S-X S-X", "S-X O") == [0, pytest.approx(2 / 3)]
    assert both_profiles("O S", "O S") == [None, 1]


def test_type_zero_is_none() -> None:
    assert both_profiles("B-0", "B") == [1, 0]


def test_accuracy_of_tags() -> None:
    """It has no profile without it: the F1 beside it says that the entities are the same."""
    assert both_profiles("I-X O", "B-X O", "accuracy") == [0.5, 0.5]
    assert both_profiles("I-X O", "B-X O") == [1, 1]


def test_undefined_is_zero(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert "precision:   0.00%; recall:   0.00%; FB1:   0.00" in printed("a O O\n", [], monkeypatch, capfd)
    assert both_profiles("O", "O") == [None, None]
    assert karat.score("conlleval", [["O"]], [["O"]], zero="zero").value("f1") == 0


def test_document_marks_are_tokens(tmp_path, monkeypatch, capfd) -> None:
    text = "-DOCSTART- O O\n\na B-X O\n"
    assert "accuracy:  50.00%" in printed(text, [], monkeypatch, capfd)
    for side, tag in (("gold", "B-X"), ("system", "O")):
        (tmp_path / side).write_text(f"-DOCSTART- O\n\na {tag}\n", "utf-8")
    sides = tmp_path / "gold", tmp_path / "system"
    assert karat.score("conlleval", *sides, format="conll").value("accuracy") == 0


def test_bare_unknown_prefix_lost(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """A chunk that ends in a bare S is not closed: the program finds it, and takes it for wrong."""
    text = "a B B\nb S S\nc O O\nd B B\ne O O\n"
    assert "with 2 phrases; found: 2 phrases; correct: 1." in printed(text, [], monkeypatch, capfd)
    sides = [["B", "S", "O", "B", "O"]], [["B", "S", "O", "B", "O"]]
    assert karat.score("conlleval", *sides).value("f1") == 1


def test_a_chunk_at_the_end_of_input_is_closed_by_a_boundary_alone(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tags = "w B B\nw S I\n"
    assert ["correct: 1." in printed(tags + end, [], monkeypatch, capfd) for end in ("", "\n", "-X- O O\n")] == [
        True,
        False,
        False,
    ]


def test_empty_type_listed_twice(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert printed("a B B\n", [], monkeypatch, capfd).count("\n                 : ") == 2
    scores = karat.score("conlleval", [["B"]], [["B"]], by="label")
    assert [row.label for row in scores if (row.measure, row.average) == ("f1", "micro")] == [None, ""]


def test_carriage_return_is_part_of_a_tag(tmp_path, monkeypatch, capfd) -> None:
    assert "               X\r: " in printed("a B-X B-X\r\n", [], monkeypatch, capfd)
    (tmp_path / "tags.conll").write_bytes(b"a B-X\r\n\r\nb O\r\n")
    assert karat.score("conlleval", tmp_path / "tags.conll", tmp_path / "tags.conll").value("f1") == 1


def test_delimiter_is_a_pattern(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert "processed 0 tokens" in printed("a.B-X.B-X\n", ["-d", "."], monkeypatch, capfd)
    assert "correct: 1." in printed("a.B-X.B-X\n", ["-d", r"\."], monkeypatch, capfd)
    assert run(["conlleval", "-d", "("]) == 2
    assert "-d '(' is no regular expression" in capfd.readouterr().err
    for words in (["-lr"], ["-d,"], ["--"]):
        assert run(["conlleval", *words]) == 2
        assert words[0] in capfd.readouterr().err


def test_outside_only_with_raw(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert "with 2 phrases" in printed("a B-X B-X\nb N N\n", ["-o", "N"], monkeypatch, capfd)
    assert "with 1 phrases" in printed("a B-X B-X\nb N N\n", ["-r", "-o", "N"], monkeypatch, capfd)
    with pytest.raises(UsageError, match="is for raw labels; say"):
        karat.score("conlleval", [["N"]], [["N"]], outside="N")


def test_an_outside_label_beyond_ascii(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert "with 0 phrases" in printed("a Ö O\n", ["-r", "-o", "Ö"], monkeypatch, capfd)


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.spans", "conlleval")}
    assert names <= globals().keys()


@given(st.lists(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=6), min_size=1, max_size=3))
def test_both_roads(sentences: list[list[tuple[str, str]]]) -> None:
    gold, system = ([[pair[side] for pair in sentence] for sentence in sentences] for side in (0, 1))
    text = conlleval.text(conlleval.evaluate(gold, system))
    scores = karat.score("conlleval", gold, system, zero="zero")
    values = [scores.value(measure) for measure in ("accuracy", "precision", "recall", "f1")]
    assert re.findall(r"\d+\.\d\d", text.split("\n")[1]) == [f"{100 * value:.2f}" for value in values]


@given(st.text(alphabet="a b", max_size=8))
def test_a_line_is_cut_as_by_its_separator(line: str) -> None:
    fields = line.split(" ")
    while fields and not fields[-1]:
        fields.pop()
    assert cut_by(re.compile(" "))(line) == fields


@pytest.mark.parametrize("profile", ["official", "corrected"])
def test_the_promises_of_a_protocol(profile: str) -> None:
    check_protocol("conlleval", profile=profile)
