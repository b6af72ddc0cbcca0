"""HIPE files: how they are cut up, what is repaired, what is refused, and that writing undoes reading."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.corpora import Sketch, sketches

from karat import formats
from karat import io as files
from karat.errors import InputError
from karat.formats.base import Problems, Want
from karat.formats.hipe.declaration import HipeFileOptions, read, sniff
from karat.model import Chain, Document, Link, Mention, Note, TokenTable

SMALL = """TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC
# document_id = a
# date = 1798-01-20
l'\tO\t_\tNoSpaceAfter
Aar\tS-loc\tQ14290|NIL\t_
# segment_iiif_link = _
fließt\tO\tQ1\t_
und\tO\tQ1\t
# document_id = b
Bern\tI-loc
"""


def load(text: str, folder: Path, want: Want | None = None, **options: str) -> tuple[list[Document], Problems]:
    path = folder / "a.tsv"
    path.write_bytes(text.encode())
    problems = Problems(collect=True)
    return list(read(str(path), problems=problems, want=want or Want(), options=HipeFileOptions(**options))), problems


def test_documents_segments_dates_links_and_lines(tmp_path: Path) -> None:
    (first, second), problems = load(SMALL, tmp_path)
    assert (first.id, first.text, first.metadata["date"]) == ("a", "l'Aar fließt und", "1798-01-20")
    assert [(one.text, one.labels, one.layer, [link.target for link in one.links]) for one in first.mentions] == [
        ("Aar", ("loc",), "NE-COARSE-LIT", ["Q14290", "NIL"]),
        ("fließt und", (), "NEL-LIT", ["Q1"]),
    ]
    assert first.table is not None
    assert first.table.segments == [0, 2]
    assert first.table.columns["MISC"] == ["NoSpaceAfter", "_", "_", "_"]
    assert second.table is not None
    assert second.table.dates == [(0, "1798-01-20")]
    assert [(one.line, one.severity) for one in problems.found] == [(10, "repair"), (None, "repair")]
    assert [one.message.split(":")[0] for one in problems.found][1] == "Converted 1 S-tags and 0 E-tags."


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 60), st.sampled_from(["keep", "drop"]), st.sampled_from(["\n", "\r\n"]))
def test_the_size_of_blocks_makes_no_difference(block: int, hash_tokens: str, end: str) -> None:
    text = SMALL.replace("und\t", "C#\t") + "x#y\tO\t_\t_\nGenf\tB-loc\t_\t_\n"
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        whole = load(text, Path(folder), hash_tokens=hash_tokens)
        patch.setattr(files, "_BLOCK", block)
        pieces = load(text.replace("\n", end), Path(folder), hash_tokens=hash_tokens)
        documents = [[(one.id, one.text, one.mentions, one.table) for one in found] for found, _ in (whole, pieces)]
    assert documents[0] == documents[1]
    path = whole[1].found[0].path
    assert whole[1].found == [msgspec.structs.replace(one, path=path) for one in pieces[1].found]


def test_cells_only(tmp_path: Path) -> None:
    want = Want(mentions=False, lines=False, columns=frozenset({"NE-COARSE-LIT"}))
    (first, _), _ = load(SMALL, tmp_path, want)
    assert (first.text, first.mentions) == ("", [])
    assert first.table == TokenTable(
        ["l'", "Aar", "fließt", "und"],
        {"NE-COARSE-LIT": ["O", "B-loc", "O", "O"]},
        [0, 2],
        dates=[(0, "1798-01-20")],
        dialect="hipe",
    )


HEADER = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("TOKEN\tNE-COARSE-LIT\nBern\tO\n", 1, "the header has no column MISC"),
        ("\nBern\tO\n", 1, "the first line is blank"),
        (HEADER + "# date = 1798-02-30\nBern\tO\t_\t_\n", 2, "there is no such date as 1798-02-30"),
        (HEADER + "Bern\n", 2, "the row has 1 cells? and none in column '?NE-COARSE-LIT'?; expected 4"),
        (HEADER + f"{'x' * 200_000}\tO\t_\t_\n", 2, "a cell has 200,000 characters; at most 131,072 are read"),
    ],
)
def test_what_is_refused_and_where(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        list(read(str(path), problems=Problems(), want=Want(), options=HipeFileOptions()))
    assert (caught.value.path, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("row", "refused"),
    [("Bern\tO\t_\t", False), ("Bern\tO\t_", False), ("Bern\tO\t\t_", True), ("Bern\tO", True)],
)
def test_full_rows(row: str, refused: bool, tmp_path: Path) -> None:
    (document,), problems = load(f"{HEADER}{row}\n", tmp_path)
    assert document.text == "Bern"
    assert problems.found == []
    _, problems = load(f"{HEADER}{row}\n", tmp_path, rows="full")
    assert bool(problems.found) == refused


def test_a_byte_order_mark(tmp_path: Path) -> None:
    text = f"\ufeff{HEADER}Bern\tO\t_\t_\n"
    assert sniff(text)
    assert load(text, tmp_path)[0][0].text == "Bern"
    with pytest.raises(InputError, match="the file begins with a byte order mark"):
        load(text, tmp_path, bom="refuse")


def test_a_file_of_hipe_survives_reading_and_writing(tmp_path: Path) -> None:
    text = (
        SMALL.replace("S-loc", "B-loc").replace("und\tO\tQ1\t\n", "und\tO\tQ1\t_\n\n").replace("I-loc", "B-loc\t_\t_\n")
    )
    documents, _ = load(text, tmp_path)
    assert formats.render(documents, "hipe")[""] == text


@settings(max_examples=12, deadline=None)
@given(sketches())
def test_mentions_of_any_document_survive(pair: tuple[list[Sketch], list[Sketch]]) -> None:
    documents = [one.mentions() for one in pair[0]]
    with tempfile.TemporaryDirectory() as folder:
        formats.write(documents, Path(folder) / "a.tsv", "hipe")
        found = list(formats.read(Path(folder) / "a.tsv"))
    assert [(one.id, one.text) for one in found] == [(one.id, one.text) for one in documents]
    for one, other in zip(found, documents, strict=True):
        assert {(m.layer, m.spans, m.labels, m.links) for m in one.mentions} == {
            (m.layer, m.spans, m.labels, m.links) for m in other.mentions
        }


def table(**changes: object) -> Document:
    """A document as a HIPE file gives it, with one thing changed."""
    content = {"forms": ["a"], "columns": {"NE-COARSE-LIT": ["O"], "MISC": ["_"]}, "segments": [0], "dialect": "hipe"}
    return Document("d", "a", table=TokenTable(**{**content, **changes}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (Document("d", "x", chains=[Chain("c", ())], notes=[Note("#1", "c", "?")]), "lose 1 chain and 1 note"),
        (Document("d", "xy", [Mention("T1", ((0, 1), (1, 2)), ("L",))]), "lose 1 mention and 1 label"),
        (Document("d", "x", [Mention("T1", ((0, 1),), ("L",), attributes={"a": ""})]), "lose 1 attribute"),
        (
            Document("d", "x", [Mention("T1", ((0, 1),), ("L",), layer="other")]),
            "layer 'other' is not a column of HIPE",
        ),
        (Document("d", "x", [Mention("T1", ((0, 1),), ("L",), links=(Link("a|b"),))]), "links with a score, a pipe"),
        (Document("d", "x", [Mention(n, ((0, 1),), ("L",)) for n in "ab"]), "it overlaps mention 'a'"),
        (Document("d\n", "x"), "its id is empty"),
        (Document("d", "#x"), "begins with '#'"),
        (table(forms=["a\tb"]), "a tab stands in one of its cells"),
        (table(forms=["a\nb"]), "a line end stands in"),
        (table(forms=[""]), "is empty, or begins with '#'"),
        (table(columns={"MISC": ["x\ty"]}), "a tab stands in"),
        (table(columns={"MI\tSC": ["x"]}), "a tab stands in"),
        (table(comments=[(0, "no comment")]), "does not begin with '#'"),
        (table(comments=[(0, "# a\nBern\tB-loc")]), "a line end stands in"),
    ],
)
def test_what_cannot_be_written(document: Document, message: str) -> None:
    with pytest.raises(InputError, match=message):
        formats.render([document], "hipe")


def test_a_misspelt_column_is_told_once_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("TOKEN\tNE-COARSE-LIT\tNEL-LITx\tMISC\nBern\tB-loc\tQ70\t_\n")
    problems = Problems()
    list(formats.read(tmp_path / "a.tsv", problems=problems))
    assert [problem.message for problem in problems.found] == [
        "the column 'NEL-LITx' is not known; did you mean NEL-LIT?"
    ]
