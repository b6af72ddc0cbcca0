"""Reading tags as conlleval does; the expected numbers were printed by the Perl program."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.annotations.tag_schemes import decode
from karat.errors import UsageError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.quirks import quirks_of
from karat.evaluation.registry import configure
from karat.protocols.spans.readings import conlleval

IOB = st.lists(st.sampled_from(["O", "B-LOC", "I-LOC", "B-PER", "I-PER", "B", "I", "B-a-b"]), max_size=12)


@given(IOB)
def test_both_profiles_read_iob_alike(tags: list[str]) -> None:
    assert conlleval(tags) == [tuple(one) for one in decode(tags, "IOB2")[0]]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("B-X E-X B-X E-X", "B-X I-X I-X E-X", (1, 1, 1, 4, 2)),  # end-does-not-close
        ("S-X S-X O", "S-X O S-X", (1, 2, 0, 3, 1)),  # unknown-prefixes-join
        ("S O", "S O", (0, 0, 0, 2, 2)),  # bare-unknown-prefix-lost
        ("B-0 O", "B O", (1, 1, 1, 2, 2)),  # type-zero-is-none
        ("B-X I-X O", "I-X I-X O", (1, 1, 1, 3, 2)),  # accuracy-of-tags
    ],
)
def test_published(gold: str, system: str, expected: tuple[int, ...]) -> None:
    scores = karat.score("conll2003", [gold.split()], [system.split()])
    assert tuple(scores.rows[0].counts.values()) == expected


def test_undefined_is_zero() -> None:
    assert karat.score("conll2003", [["O"]], [["O"]]).value("f1") is None
    assert karat.score("conll2003", [["O"]], [["O"]], zero="zero").value("f1") == 0


def test_document_marks_are_tokens(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("-DOCSTART- O\n\nBern B-LOC\n", "utf-8")
    assert karat.score("conll2003", path, path).rows[0].counts["tokens"] == 1


def test_quirks_are_shown_here() -> None:
    page = Path(__file__).read_text("utf-8").replace("_", "-")
    quirks = quirks_of("karat.protocols.spans", "conll2003")
    assert quirks
    assert [quirk.name for quirk in quirks if quirk.name not in page] == []


def test_repairs_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("Bern I-LOC\nund O\nGenf B-LOC\nAG I-LOC\n", "utf-8")
    assert any("1 repair while reading" in note for note in karat.score("conll2003", path, path).notes)
    tags = [["I-LOC", "O", "B-LOC", "I-LOC", "B-PER"]]
    assert karat.score("conll2003", [["O"] * 5], tags).notes == (
        "1 repair while reading the tags of the system as IOB2",
        "the gold has no mentions",
    )


def test_the_official_profile_drops_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("Bern I-LOC\n", "utf-8")
    bound = configure("conll2003", {})
    with pytest.raises(UsageError, match="repair=discard contradicts the protocol"):
        load(bound, [path, path], [Reading("conll", {"repair": "discard"})] * 2)


def test_other_tokens_have_no_accuracy(tmp_path: Path) -> None:
    header = "# global.columns = FORM TAG MISC\n"
    (tmp_path / "gold.conll").write_text(f"{header}ab\tB-X\t_\n", "utf-8")
    (tmp_path / "system.conll").write_text(f"{header}a\tB-X\tSpaceAfter=No\nb\tI-X\t_\n", "utf-8")
    scores = karat.score("conll2003", tmp_path / "gold.conll", tmp_path / "system.conll")
    assert (scores.value("f1"), scores.value("accuracy")) == (1, None)
    assert scores.notes == ("accuracy leaves out 1 document whose tokens are not the same on both sides",)


def test_an_entity_of_tokens_without_tags_is_none() -> None:
    gold, system = ["O", "B-PER", "O", "B-PER", "O", "", ""], ["O", "B-PER", "O", "B-PER", "", "", ""]
    scores = karat.score("conll2003", [gold], [system])
    assert next(row.counts for row in scores if row.measure == "f1" and row.average == "micro")["gold"] == 2
