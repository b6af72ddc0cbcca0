from __future__ import annotations

import inspect
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import documents

from karat import formats
from karat.annotations.faults import faults as unsound
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problem, Problems
from karat.formats.brat.conventions import read_reference, read_roles, write_reference, write_roles
from karat.formats.brat.declaration import FORMAT, BratOptions, sniff
from karat.io import digest
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation

read = partial(FORMAT.read, want=EVERYTHING, options=BratOptions())

TEXT = "Ada met Bob and Eve in Bern."
ADA = "T1\tPER 0 3\tAda"


def put(folder: Path, name: str, ann: str, text: str | None = TEXT) -> Path:
    path = folder / f"{name}.ann"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(ann.encode())
    if text is not None:
        path.with_suffix(".txt").write_bytes(text.encode())
    return path


def read_one(folder: Path, ann: str, text: str = TEXT) -> Document:
    (document,) = read(str(put(folder, "d", ann, text)), problems=Problems())
    return document


def faults(folder: Path, ann: str, text: str | None = TEXT) -> list[Problem]:
    path = put(folder, "d", ann, text)
    problems = Problems(collect=True)
    assert list(read(str(path), problems=problems)) == []
    with pytest.raises(InputError) as raised:
        list(read(str(path), problems=Problems()))
    assert raised.value.message == problems.found[0].message
    return problems.found


def test_every_kind_of_line(tmp_path: Path) -> None:
    ann = (
        "R1\tWith Arg1:T1 Arg2:E1\t\n"
        f"{ADA}\n"
        "T2\tPER 8 11;16 19\tBob Eve\r\n"
        "\n"
        "T3\tMeet 4 7\tmet\n"
        "E1\tMeet:T3 Who:T1 Who2:T2 Where1:T1 \n"
        "A1\tNegated E1\n"
        "M2\tSure T1 very much\n"
        "A3\tLayer T2 NE-FINE\n"
        "A4\tKind R1 x\n"
        "N1\tReference T1 Wikidata:Q7259\tAda Lovelace\n"
        "N2\tReference T1 Wikipedia:974\tAda\n"
        "N3\tReference T2 Wikidata:NIL\t\n"
        "*\tEquiv T1 T2\n"
        "*\tsame-as T2 T3\n"
        "#1\tAnnotatorNotes T1\tor\tAida?\n"
        "#2\tDoubt E1\n"
    )
    document = read_one(tmp_path, ann)
    assert document.id == "d"
    assert document.text == TEXT
    assert document.source == str(tmp_path / "d.ann")
    links = (Link("Q7259"), Link("Wikipedia:974"))
    assert document.mentions == [
        Mention("T1", ((0, 3),), ("PER",), "Ada", links=links, attributes={"Sure": "very much"}),
        Mention("T2", ((8, 11), (16, 19)), ("PER",), "Bob Eve", "NE-FINE", (Link("NIL"),)),
        Mention("T3", ((4, 7),), ("Meet",), "met"),
    ]
    who = (Argument("Who", "T1"), Argument("Who", "T2"), Argument("Where1", "T1"))
    assert document.relations == [
        Relation("R1", "With", (Argument("Arg1", "T1"), Argument("Arg2", "E1")), attributes={"Kind": "x"}),
        Relation("E1", "Meet", who, "T3", {"Negated": ""}),
    ]
    assert document.chains == [Chain("*1", ("T1", "T2")), Chain("*2", ("T2", "T3"), "same-as")]
    assert document.notes == [Note("#1", "T1", "or\tAida?"), Note("#2", "E1", "", "Doubt")]


def test_a_folder_is_read_by_name_without_hidden_files_and_linked_folders(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    put(outside, "x", "")
    folder = tmp_path / "corpus"
    for name in ("b", "a/z", "a.1", ".hidden", ".git/c"):
        put(folder, name, ADA)
    (folder / "link").symlink_to(outside, target_is_directory=True)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert [one.id for one in read(str(folder), problems=Problems())] == ["a.1", "a/z", "b"]


def test_a_faulty_file_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    put(tmp_path, "a", ADA, text=None)
    put(tmp_path, "b", ADA)
    (tmp_path / "c.ann").write_bytes(b"\xff")
    put(tmp_path, "d", "").with_suffix(".txt").write_bytes(b"ok\n\xe9\n")
    put(tmp_path, "e\nf", "")
    problems = Problems(collect=True)
    assert [one.id for one in read(str(tmp_path), problems=problems)] == ["b"]
    found = [(Path(one.path).name, one.line, one.message) for one in problems.found]
    assert found[0] == ("a.ann", None, "has no text beside it; expected the file 'a.txt' in the same folder")
    assert found[1][:2] == ("c.ann", 1)
    assert found[2] == ("d.txt", 2, "byte 0xe9 is not UTF-8; convert the file to UTF-8 first")
    assert "the file name 'e\\nf' has a control character" in found[3][2]


@pytest.mark.parametrize("name", ["nothing", "d.txt"])
def test_what_is_no_brat_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "d.txt").write_text("x")
    with pytest.raises(InputError, match="neither a folder nor an"):
        list(read(str(tmp_path / name), problems=Problems()))


def test_an_empty_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no \.ann file"):
        list(read(str(tmp_path), problems=Problems()))
    with pytest.raises(InputError, match="cannot be read"):
        list(read(str(tmp_path / "d.ann"), problems=Problems()))


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "d.ann")
    with pytest.raises(InputError, match="not a plain file"):
        list(read(str(tmp_path), problems=Problems()))


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("one\r\nAda\r\n", "5 8"),
        ("one\r\nAda\r\n", "4 7"),
        ("\ufeffone\nAda\n", "5 8"),
        ("\ufeffone\nAda\n", "4 7"),
        ("\ufeffone\r\nAda\r\n", "6 9"),
        ("\ufeffone\r\nAda\r\n", "4 7"),
    ],
)
def test_offsets_may_or_may_not_count_marks_and_carriage_returns(tmp_path: Path, text: str, offsets: str) -> None:
    document = read_one(tmp_path, f"\ufeffT1\tPER {offsets}\tAda\r\n", text)
    (mention,) = document.mentions
    assert document.text[mention.start : mention.end] == mention.text == "Ada"
    assert not document.text.startswith("\ufeff")


def test_without_mentions_the_text_is_kept_as_it_is(tmp_path: Path) -> None:
    assert read_one(tmp_path, "", "\ufeffa\r\nb").text == "a\r\nb"


def test_a_mention_across_a_line_end_is_read(tmp_path: Path) -> None:
    (mention,) = read_one(tmp_path, "T1\tLOC 0 8\tNew York\n", "New\nYork").mentions
    assert mention.text == "New\nYork"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hello", "is not a BRAT annotation"),
        ("X1\tPER 0 3\tAda", "is not a BRAT annotation"),
        ("T1 PER 0 3\tAda", "is not a BRAT annotation"),
        ("T2\tPER 0 3", "expected the form 'T1<TAB>LABEL 0 5<TAB>text'"),
        ("T2\tPER\tAda", "expected the form 'T1<TAB>"),
        ("T2\tPER 0 3;\tAda", "expected the form 'T1<TAB>"),
        ("T2\tPER 0 ٣\tAda", "expected the form 'T1<TAB>"),
        ("T2\tPER 0 " + "9" * 9999 + "\tAda", "expected the form 'T1<TAB>"),
        ("T2\tPER 0 99\tAda", "ends outside the text, which has 28 characters"),
        ("T2\tPER 3 3\t", "empty or reversed"),
        ("T2\tPER 8 11;0 3\tBob Ada", "out of order"),
        ("T2\tPER 0 4\tAda", "states the text 'Ada', but the text file has 'Ada ' at 0 4"),
        ("T2\tPER 8 11\tAda", "states the text 'Ada', but the text file has 'Bob' at 8 11"),
        ("T1\tPER 8 11\tBob", "the id 'T1' is taken by line 1"),
        ("R1\tx Arg1:T1", "expected the form 'R1<TAB>"),
        ("R1\tx Arg1:T1 T1", "expected the form 'R1<TAB>"),
        (
            "R1\tx Arg1:T1 Arg2:T9",
            "'R1' refers to 'T9', which is not there; expected the id of a T or R or E line",
        ),
        ("E1\t", "expected the form 'E1<TAB>"),
        ("E1\tMeet", "expected the form 'E1<TAB>"),
        (
            "E1\tMeet:E1",
            "'E1' refers to 'E1', which (line 2) is of another kind; expected the id of a T line",
        ),
        ("A1\tSure", "expected the form 'A1<TAB>"),
        ("A1\tSure T9", "'A1' refers to 'T9'"),
        ("M1\tLayer T1", "has no value"),
        ("N1\tReference T1", "expected the form 'N1<TAB>"),
        ("N1\tReference T1 Q42\tx", "expected the form 'N1<TAB>"),
        ("N1\tSimilar T1 Wikidata:Q42\tx", "expected the form 'N1<TAB>"),
        ("N1\tReference N1 Wikidata:Q42\tx", "expected the id of a T line"),
        ("*\tEquiv", "expected the form '*<TAB>"),
        ("*\tEquiv T1 T9", "'*' refers to 'T9'"),
        ("#1\tAnnotatorNotes", "expected the form '#1<TAB>"),
        ("#1\tAnnotatorNotes T9\tx", "'#1' refers to 'T9'"),
    ],
)
def test_faults_name_line_and_fix(tmp_path: Path, line: str, expected: str) -> None:
    (found,) = faults(tmp_path, f"{ADA}\n{line}\n")
    assert found.line == 2
    assert found.path == str(tmp_path / "d.ann")
    assert expected in found.message
    assert len(found.message) < 300


def test_an_attribute_given_twice_is_a_fault(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, f"{ADA}\nA1\tSure T1 yes\nA2\tSure T1 no\n")
    assert found.line == 3
    assert "'T1' already has an attribute 'Sure'" in found.message


def test_all_faults_are_collected_in_line_order(tmp_path: Path) -> None:
    found = faults(tmp_path, f"#1\tx T9\toops\nT2\tPER 0 99\tAda\nnonsense\n{ADA}\nR1\tx a:T2 b:T8\n")
    assert [one.line for one in found] == [1, 2, 3, 5]


def test_a_note_on_an_attribute_moves_to_its_bearer_as_a_repair(tmp_path: Path) -> None:
    path = put(tmp_path, "d", f"{ADA}\nA1\tSure T1\n#1\tAnnotatorNotes A1\thm\n")
    problems = Problems()
    (document,) = read(str(path), problems=problems)
    assert document.notes == [Note("#1", "T1", "hm")]
    assert [(one.line, one.severity) for one in problems.found] == [(3, "repair")]


def read_back(files: dict[str, str]) -> list[Document]:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        return [msgspec.structs.replace(one, source="") for one in read(folder, problems=Problems())]


@given(documents(brat=True))
def test_what_brat_can_hold_reads_back_the_same(document: Document) -> None:
    files = formats.render([document], "brat")
    assert read_back(files) == [document]


@given(documents())
def test_any_document_is_written_without_loss_or_refused(document: Document) -> None:
    try:
        files = formats.render([document], "brat")
    except InputError:
        return
    assert read_back(files) == [msgspec.structs.replace(document, metadata={}, table=None)]


PIECES = st.sampled_from(
    [
        *"\t\t  :;03*\n\0\x85\r",
        *["T1", "T2", "R1", "E1", "A1", "N1", "#1", "PER", "Layer", "Reference", "Wikidata:Q1"],
        ADA,
        "\nE1\tx:T1 a:",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_whatever_stands_in_a_file_it_is_reported_or_makes_a_sound_document(ann: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        put(Path(folder), "d", ann)
        problems = Problems(collect=True)
        found = list(read(folder, problems=problems))
    assert len(found) == (not any(one.severity == "error" for one in problems.found))
    assert [fault for document in found for fault in unsound(document)] == []


def test_foreign_ids_are_renumbered_with_their_references() -> None:
    document = Document(
        "d",
        "Ada met Bob",
        [Mention(name, ((0, 3),), ("PER",)) for name in ("m1", "T1", "co-3")],
        [Chain("c", ("m1", "co-3"))],
        [Relation("rel", "x", (Argument("a", "m1"), Argument("b", "T1"))), Relation("ev", "y", (), "co-3")],
        [Note("n", "rel", "ok")],
    )
    assert formats.render([document], "brat") == {
        "d.txt": "Ada met Bob",
        "d.ann": "T2\tPER 0 3\tAda\nT1\tPER 0 3\tAda\nT3\tPER 0 3\tAda\nR1\tx a:T2 b:T1\nE1\ty:T3\n"
        "*\tEquiv T2 T3\n#1\tAnnotatorNotes R1\tok\n",
    }


def mention(**changes: object) -> Mention:
    return msgspec.structs.replace(Mention("T1", ((0, 3),), ("PER",)), **changes)


def event(*roles: str) -> Relation:
    return Relation("E1", "x", tuple(Argument(role, "T1") for role in roles), "T1")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"mentions": [mention(labels=("PER", "ORG"))]}, "it has 2 labels"),
        ({"mentions": [mention(labels=())]}, "it has 0 labels"),
        ({"mentions": [mention(labels=("a person",))]}, "its label 'a person' is empty or has a blank"),
        ({"mentions": [mention(labels=("",))]}, "its label '' is empty"),
        ({"mentions": [mention(id="T 1")]}, "the id 'T 1' has a blank"),
        ({"mentions": [mention(links=(Link("Q1", 0.5),))]}, "lose 1 score of a link"),
        ({"mentions": [mention(links=(Link("a b"),))]}, "its link 'a b'"),
        ({"mentions": [mention(spans=((0, 5),))]}, "across a line end"),
        ({"mentions": [mention(spans=((0, 50),))]}, "outside the text"),
        ({"mentions": [mention(attributes={"Layer": "x"})]}, "read as its layer"),
        ({"mentions": [mention(attributes={"a b": "x"})]}, "its attribute 'a b'"),
        ({"mentions": [mention(attributes={"a": " x"})]}, "needless blank"),
        ({"mentions": [mention(layer="a\tb")]}, "tab"),
        ({"relations": [Relation("R1", "x", (Argument("a", "T1"),))]}, "no trigger and 1 arguments"),
        ({"relations": [event("a b")]}, "its role 'a b'"),
        ({"relations": [event("Theme", "Theme2")]}, "ends in a number"),
        ({"chains": [Chain("c", ())]}, "it has no mention"),
        ({"chains": [Chain("c", ("T1",), "Equiv")]}, "the label 'Equiv'"),
        ({"chains": [Chain("c", ("T1",))], "notes": [Note("n", "c", "")]}, "not on a mention or relation"),
        ({"notes": [Note("n", "T1", "a\nb")]}, "more than one line"),
        ({"notes": [Note("n", "T1", "", "AnnotatorNotes")]}, "its label does not fit"),
        ({"text": "\ufeffAda"}, "byte-order mark"),
        ({"text": "Ada\ud800"}, "surrogate"),
    ],
)
def test_what_brat_cannot_hold_is_refused(parts: dict[str, object], reason: str) -> None:
    document = Document("d", "Ada\nmet", [mention()], source="gold.tsv")
    with pytest.raises(InputError) as refusal:
        formats.render([msgspec.structs.replace(document, **parts)], "brat")
    assert str(refusal.value).startswith("gold.tsv: ")
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    "name", ["", "/etc/x", "../x", "a/../x", "a//b", "a/", ".x", "a\\b", "C:x", "a\nb", "a\0b", "\ud800"]
)
def test_ids_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="its id has"):
        formats.render([Document(name)], "brat")


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="id of two documents"):
        formats.render([Document("d"), Document("d")], "brat")


@given(st.text(min_size=1) | st.from_regex(r"(KB:|Wikidata:|:)?(Q[0-9]|NIL|x:?)", fullmatch=True))
def test_every_link_target_survives(target: str) -> None:
    reference = write_reference(target)
    assert read_reference(reference) == target
    assert all(reference.partition(":"))


@given(st.lists(st.sampled_from(["Theme", "Cause", "Arg1", "T"]), max_size=6))
def test_repeated_roles_survive_and_are_told_apart(roles: list[str]) -> None:
    written = write_roles(roles)
    assert read_roles(written) == roles
    assert len(set(written)) == len(roles)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("T1\tLOC 0 5\tParis\n", True),
        ("\ufeffT12\tLOC 0 5;10 15\tParis x\r\n", True),
        ("R1\tOrigin Arg1:T3 Arg2:T4\t\n", True),
        ("E1\tMeet:T3 Who:T1\n", True),
        ("A1\tNegation E1\n", True),
        ("#1\tAnnotatorNotes T1\thm\n", True),
        ("*\tEquiv T1 T2\n", True),
        ("N1\tReference T1 Wikidata:Q42\tx\n", True),
        ('{"id": "d1"}\n', False),
        ("TOKEN\tNE-COARSE-LIT\tMISC\n# document_id = x\n", False),
        ("#begin document (x); part 000\nx 0 0 T1 -\n", False),
        ("1\tThe\tthe\tDET\n", False),
        ("EU\tB-ORG\n", False),
        ("T1\tB-LOC\n", False),
        ("", False),
    ],
)
def test_sniffs_annotations_only(head: str, *, expected: bool) -> None:
    assert sniff(head) is expected


def read_loosely(folder: Path, ann: str, text: str = TEXT) -> tuple[Document, list[str]]:
    problems = Problems()
    options = BratOptions(rules="ehealthkd")
    (document,) = read(str(put(folder, "d", ann, text)), problems=problems, options=options)
    return document, [problem.message for problem in problems.found]


def test_what_systems_were_given_may_be_left_out(tmp_path: Path) -> None:
    for name in ("a/input", "a/output", "b/input", "output", "xinput"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        for ending in (".txt", ".ann"):
            (tmp_path / f"{name}{ending}").touch()
    problems = Problems()
    documents = read(str(tmp_path), problems=problems, options=BratOptions(inputs="skip"))
    assert [document.id for document in documents] == ["a/output", "b/input", "output", "xinput"]
    (found,) = problems.found
    assert found.message == "'a/input.ann' is what systems were given, and left out beside 'output.ann'"
    assert len(list(read(str(tmp_path), problems=problems))) == 5


def test_loose_rules_take_what_is_written(tmp_path: Path) -> None:
    ann = "T1\tPER 0 3\nT1\tPER 90 95\tx\nT2\tPER 11 8;0 3\tx\nR1 Met Arg2:T1 Arg1:T9\n*\tSame T1 T8\nA1 Sure T1\n"
    document, repairs = read_loosely(tmp_path, ann)
    assert [(mention.id, mention.spans) for mention in document.mentions] == [
        ("T1", ((0, 3),)),
        ("T1", ((90, 95),)),
        ("T2", ((11, 8), (0, 3))),
    ]
    assert document.relations == [Relation("R1", "Met", (Argument("Arg1", "T1"), Argument("Arg2", "T9")))]
    assert document.chains == [Chain("*1", ("T1", "T8"), "Same")]
    assert [repair.partition(" ")[0] for repair in repairs] == ["the", "'T1':", "'T2':", "'*'", "'R1'"]


def test_loose_rules_read_marks_line_ends_and_roles_as_the_programs_do(tmp_path: Path) -> None:
    ann = "T1\tPER 1 4\tAda\nT2\tPER 9 12\tBob\nE1\tMeet:T1 Who:T1 Who:T2\n"
    document, repairs = read_loosely(tmp_path, ann, "\ufeffAda\r\nmet Bob")
    assert (document.text, repairs) == ("\ufeffAda\nmet Bob", [])
    assert document.relations == [Relation("E1", "Meet", (Argument("Who", "T2"),), "T1")]


def test_loose_rules_leave_the_rest_to_the_strict_ones(tmp_path: Path) -> None:
    ann = f"{ADA}\n\nN1\tReference T1 Wikidata:Q7259\tAda\nA1\tLayer T1 NE-FINE\n#1\tAnnotatorNotes T1\tsee\n"
    document, repairs = read_loosely(tmp_path, ann)
    assert (document, repairs) == (read_one(tmp_path, ann), [])
    for wrong in ("T1\tPER 0\tAda", "X1\tPER 0 3\tAda", "Tx PER 0 3 Ada", "A1\tSure T9", "E1\tMeet:T9 Who:T1"):
        with pytest.raises(InputError):
            read_loosely(tmp_path, wrong)


def test_loose_rules_leave_out_notes_that_are_none(tmp_path: Path) -> None:
    ann = f"{ADA}\n#\n# remark\n#1\tAnnotatorNotes T9\tsee\n#2\tAnnotatorNotes\n#3\tAnnotatorNotes T1\tsee\n"
    document, repairs = read_loosely(tmp_path, ann)
    assert [note.id for note in document.notes] == ["#3"]
    assert [repair.partition(";")[0] for repair in repairs] == [
        "found '#<TAB>', expected the form '#1<TAB>AnnotatorNotes T1<TAB>text'",
        "found '# remark<TAB>', expected the form '#1<TAB>AnnotatorNotes T1<TAB>text'",
        "'#1' refers to 'T9', which is not there",
        "found '#2<TAB>AnnotatorNotes', expected the form '#1<TAB>AnnotatorNotes T1<TAB>text'",
    ]
    with pytest.raises(InputError, match="'# remark' is not a BRAT annotation"):
        read_one(tmp_path, f"{ADA}\n# remark\n")


def test_a_tree_of_folders_may_be_deep_and_one_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step is taken for each level, and no folder is passed over in silence."""
    place = tmp_path.joinpath(*["a"] * 400)
    place.mkdir(parents=True)
    (place / "x.ann").write_text("T1\tLOC 0 4\tBern\n")
    (place / "x.txt").write_text("Bern")
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 250)
    try:
        assert [document.text for document in formats.read(str(tmp_path), "brat")] == ["Bern"]
        assert digest(tmp_path) != digest(tmp_path / "a")
        with pytest.raises(InputError, match="no format is known for this folder"):
            formats.sniff(str(tmp_path))
    finally:
        sys.setrecursionlimit(usual)

    def refused(folder: str) -> NoReturn:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr("os.scandir", refused)
    with pytest.raises(InputError, match="cannot be read: permission denied"):
        list(formats.read(str(tmp_path), "brat"))
