"""Reading the files of all editions: BRAT and tab-separated, in the usual form and in any other."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.ehealthkd.files import Sketch, sketch

from karat.errors import InputError
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in.files import read as read_file
from karat.protocols.ehealthkd.drop_in.tabfiles import beside
from karat.protocols.ehealthkd.rules import Rules

TEXT = "Un tipo de cáncer.\nEl asma."


def read(one: Sketch, folder: Path, edition: str = "2021", *, corrected: bool = False) -> Annotations:
    write = Sketch.tabs if edition == "2019" else Sketch.brat
    return read_file(write(one, folder / "input_x.txt"), Rules(edition=edition, corrected=corrected), {})


def raw(folder: Path, annotations: str, edition: str = "2021", *, corrected: bool = False) -> Annotations:
    file = sketch(TEXT).brat(folder / "x.txt")
    file.with_suffix(".ann").write_text(annotations, "utf-8")
    return read_file(file, Rules(edition=edition, corrected=corrected), {})


@st.composite
def sketches(draw: st.DrawFn) -> Sketch:
    lines = []
    for number in draw(st.lists(st.integers(0, 40), unique=True, max_size=6)):
        start = draw(st.integers(0, 26))
        lines.append(f"T{number} {draw(st.sampled_from('AB'))} {start} {start + draw(st.integers(1, 9))}")
    ids = [line.split()[0] for line in lines]
    for number in range(draw(st.integers(0, 4)) if ids else 0):
        ends = f"{draw(st.sampled_from(ids))} {draw(st.sampled_from(ids))}"
        lines.append(f"{draw(st.sampled_from([f'R{number}', '*']))} {draw(st.sampled_from(['is', 'same-as']))} {ends}")
    return sketch(TEXT, *lines)


@settings(deadline=None)
@given(sketches())
def test_a_note_changes_nothing(one: Sketch) -> None:
    """Files of the usual form are read with no detours, and a note is not of that form."""
    with tempfile.TemporaryDirectory() as folder:
        plain = read(one, Path(folder))
        path = Path(folder) / "input_x.ann"
        path.write_text(path.read_text("utf-8") + "#1\tAnnotatorNotes T1\tx\n", "utf-8")
        noted = read_file(path.with_suffix(".txt"), Rules(), {})
    for name in ("texts", "labels", "places", "relations", "warnings"):
        assert list(getattr(plain, name)) == list(getattr(noted, name)), name
    assert list(map(int, plain.ids)) == list(map(int, noted.ids))


def test_entities_are_sorted_by_their_extent(tmp_path: Path) -> None:
    lines = ("T3 A 22 26", "T1 B 11 17", "T2 C 3 7")
    assert list(read(sketch(TEXT, *lines), tmp_path).labels) == ["C", "B", "A"]
    assert list(read(sketch(TEXT, *lines), tmp_path, "2019").labels) == ["B", "C", "A"]


def test_positions_count_not_names_of_arguments(tmp_path: Path) -> None:
    found = raw(tmp_path, "T1\tA 3 7\tx\nT2\tA 11 17\tx\nR1\tis Arg2:T2 Arg1:T1\n")
    assert list(found.relations) == [("is", 1, 0)]


def test_a_star_joins_the_first_with_the_others(tmp_path: Path) -> None:
    found = raw(tmp_path, "T1\tA 3 7\tx\nT2\tA 8 10\tx\nT3\tA 11 17\tx\n*\tsame-as T1 T2 T3\n")
    assert list(found.relations) == [("same-as", 0, 1), ("same-as", 0, 2)]


def test_events_are_relations_of_their_trigger(tmp_path: Path) -> None:
    found = raw(tmp_path, "T1\tA 3 7\tx\nT2\tA 11 17\tx\nR1\tis Arg1:E1 Arg2:T2\nE1\tx:T1 Theme2:T2\n")
    assert list(found.relations) == [("theme", 0, 1), ("is", 0, 1)]


def test_attributes_belong_to_entities(tmp_path: Path) -> None:
    found = raw(tmp_path, "T1\tA 3 7\tx\nA1\tNegated T1\nA2\tUncertain T1\n")
    assert found.attributes == {0: ("Negated", "Uncertain")}


def test_a_repeated_number_means_the_first_entity(tmp_path: Path) -> None:
    found = raw(tmp_path, "T1\tA 3 7\tx\nT01\tB 11 17\tx\nR1\tis Arg1:T01 Arg2:T1\n")
    assert list(found.relations) == [("is", 0, 0)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1\tA 3\tx", "found 'T1\\\\tA 3\\\\tx', expected the form"),
        ("Tx\tA 3 7\tx", "expected the form"),
        ("R1\tis Arg1:T1", "expected the form"),
        ("*\tsame-as", "expected the form"),
        ("A1\tNegated T1 yes", "expected the form"),
        ("A1\tNegated T9", "'T9' is the entity of an attribute, but no entity of the text has this id"),
        ("E1\tx:T9", "'T9' is the trigger of an event, but no entity of the text has this id"),
        ("", "is not an annotation; expected an id that begins with one of"),
        ("N1\tReference T1", "is not an annotation; expected an id that begins with one of"),
    ],
)
def test_faults_are_named_with_their_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as caught:
        raw(tmp_path, f"#1\tnote\n{line}\n")
    assert (Path(str(caught.value.path)).name, caught.value.line) == ("x.ann", 2)


def test_what_is_skipped_is_warned_of(tmp_path: Path) -> None:
    found = raw(
        tmp_path, "T1\tA 3 7\tx\nT2\tA 22 26\tx\nT3\tA 99 100\tx\nR1\tis Arg1:T1 Arg2:T2\nR2\tis Arg1:T1 Arg2:T9\n"
    )
    assert found.warnings[0] == "Cannot determine sentence for Entity 3"
    assert "crosses sentence boundaries and has been ignored." in found.warnings[1]
    assert "between 'T1' and 'T9' (unknown reference)" in found.warnings[2]


def test_names_of_2019() -> None:
    assert beside(Path("gold/input_x.txt"), "b") == Path("gold/output_b_x.txt")
    with pytest.raises(InputError, match="has no '_' in its name"):
        beside(Path("gold/input.txt"), "b")


def test_faults_of_2019(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="9 is an end of a relation"):
        read(sketch(TEXT, "T1 A 3 7", "R1 is T1 T9"), tmp_path, "2019")
    found = read(sketch(TEXT, "T1 A 3 7", "R1 is T1 T9", "T2 A 99 100"), tmp_path, "2019", corrected=True)
    assert len(found.warnings) == 2
    (tmp_path / "output_a_x.txt").write_text("1\t3 7\tA\n")
    with pytest.raises(InputError, match="expected the form") as caught:
        read_file(tmp_path / "input_x.txt", Rules(edition="2019"), {})
    assert caught.value.line == 1
