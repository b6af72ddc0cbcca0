"""What is written is read back as it was, or refused: every pair of formats, documents with everything everywhere."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.strategies import documents

from karat import formats
from karat.annotations.columns import labelled_spans
from karat.errors import InputError
from karat.formats.base import File
from karat.formats.fidelity import Losses
from karat.io.source import _Handle as Handle
from karat.model import Chain, Document, Link, Mention, TokenTable

WRITABLE = [name for name, declared in formats.formats().items() if declared.write is not None]
COMMENTS = ("# language = de", "# date = 1900-01-01", "# date = 1950-12-31", "# newspaper = NZZ", "# remark")
CELLS = {
    "NE-COARSE-LIT": ("O", "O", "O", "B-loc", "I-loc", "I-LOC", "B-pers", "I-org", "_"),
    "NE-FINE-LIT": ("O", "O", "B-loc.adm", "I-loc.adm"),
    "NEL-LIT": ("_", "_", "-", "Q1", "Q2", "Q1|Q2", "NIL"),
    "MISC": ("_", "_", "NoSpaceAfter", "NoSpaceAfter|LED0.10", "EndOfLine"),
}


@st.composite
def hipe_files(draw: st.DrawFn) -> str:
    """Draw a HIPE file: comments before and behind what marks a document, odd tags, links on any token."""
    comments = st.lists(st.sampled_from(COMMENTS), max_size=2)
    names = list(CELLS)
    lines = ["\t".join(("TOKEN", *names))]
    for number in range(draw(st.integers(1, 3))):
        lines += [*draw(comments), f"# document_id = d{number}", *draw(comments)]
        for _ in range(draw(st.integers(1, 6))):
            lines += draw(st.sampled_from([[], [], [], ["# segment_iiif_link = a"], ["# date = 1919-01-01"], [""]]))
            word = draw(st.sampled_from(["Bern", "l", "'", "C#", "é", "."]))
            lines.append("\t".join([word, *(draw(st.sampled_from(CELLS[name])) for name in names)]))
        lines += draw(comments) if draw(st.booleans()) else [""]
    return "".join(f"{line}\n" for line in lines)


def read(path: Path, name: str) -> list[Document]:
    return sorted(formats.read(path, name), key=lambda document: document.id)


def through(given: list[Document], name: str, room: Path, losses: Losses | None = None) -> list[Document] | None:
    """Write documents in a format and read them back; nothing if they were refused."""
    path = Path(tempfile.mkdtemp(dir=room)) / "file"
    try:
        formats.write(given, path, name, losses=losses)
    except InputError:
        return None
    return read(path, name)


def said(document: Document) -> Counter[object]:
    return Counter(
        (mention.spans, tuple(filter(None, mention.labels)), mention.layer or "NE-COARSE-LIT", mention.links)
        for mention in document.mentions
    )


def check_same(before: Document, after: Document) -> None:
    """Compare what people see; ids may differ, and metadata, comments and columns may be more."""
    assert (after.id, after.text) == (before.id, before.text)
    assert said(after) == said(before)
    assert len(after.chains) == len(before.chains)
    assert len(after.relations) == len(before.relations)
    assert sorted((note.text, note.label) for note in after.notes) == sorted(
        (note.text, note.label) for note in before.notes
    )
    assert {key: after.metadata.get(key, before.id) for key in before.metadata} == before.metadata
    if before.table is not None and before.table.dialect == "hipe":
        assert after.table is not None
        assert (list(after.table.forms), after.table.dates) == (list(before.table.forms), before.table.dates)
        assert set(before.table.comments) <= set(after.table.comments)
        for column, cells in before.table.columns.items():
            assert read_as(column, after.table.columns[column]) == read_as(column, cells), column


def read_as(column: str, cells: Sequence[str]) -> object:
    """Return cells as HIPE reads them: tags are spans, and what glues the last token to nothing says nothing."""
    if column.startswith("NE-"):
        return labelled_spans(cells)
    return [cell.replace("-", "_") for cell in cells[:-1]], cells[-1].replace("NoSpaceAfter", "").strip("|_-")


@pytest.mark.parametrize("name", WRITABLE)
@settings(max_examples=10, deadline=None)
@given(text=hipe_files())
def test_a_hipe_file_comes_back_from_every_format_or_is_refused(name: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        (room / "gold.tsv").write_text(text, "utf-8")
        before = read(room / "gold.tsv", "hipe")
        there = through(before, name, room)
        if name in ("hipe", "jsonl"):
            assert there is not None
        back = None if there is None else through(there, "hipe", room)
        if there is None or back is None:
            return
        for first, last in zip(before, back, strict=True):
            check_same(first, last)


@pytest.mark.parametrize("first", WRITABLE)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_what_a_format_holds_comes_back_from_every_other_or_is_refused(first: str, data: st.DataObject) -> None:
    drawn = data.draw(documents(brat=data.draw(st.booleans())))
    second = data.draw(st.sampled_from(WRITABLE))
    with tempfile.TemporaryDirectory() as folder:
        here = through([drawn], first, Path(folder), Losses())
        there = through(here, second, Path(folder)) if here else None
        back = None if there is None else through(there, first, Path(folder))
        if here and back:
            check_same(here[0], back[0])


def test_links_inside_of_an_entity_and_comments_before_a_document_stay(tmp_path: Path) -> None:
    head = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n"
    first = "# date = 1900-01-01\n# document_id = d1\nNew\tB-loc\tQ60\t_\nYork\tI-loc\tQ1\tNoSpaceAfter\n.\tO\t_\t_\n\n"
    second = "# language = fr\n# date = 1950-01-01\n# document_id = d2\nParis\tB-loc\tQ90\t_\n\n"
    (tmp_path / "gold.tsv").write_text(head + first + second)
    one, two = formats.read(tmp_path / "gold.tsv")
    assert (one.metadata, two.metadata) == (
        {"date": "1900-01-01", "document_id": "d1"},
        {"language": "fr", "date": "1950-01-01", "document_id": "d2"},
    )
    assert one.table is not None
    assert one.table.dates == [(0, "1900-01-01")]
    formats.write([one, two], tmp_path / "a.conll", "conll")
    formats.write(formats.read(tmp_path / "a.conll"), tmp_path / "b.tsv", "hipe")
    again = list(formats.read(tmp_path / "b.tsv"))
    for before, after in zip([one, two], again, strict=True):
        check_same(before, after)
    formats.write([two], tmp_path / "alone.tsv", "hipe")
    (alone,) = formats.read(tmp_path / "alone.tsv")
    check_same(two, alone)


def test_a_date_that_another_document_states_is_stated_again(tmp_path: Path) -> None:
    rows = "TOKEN\tMISC\n# date = 1900-01-01\n# document_id = a\nx\t_\n\n# document_id = b\ny\t_\n"
    (tmp_path / "gold.tsv").write_text(rows)
    _, second = formats.read(tmp_path / "gold.tsv")
    for name in ("hipe", "conll"):
        text = formats.render([second], name)[""]
        assert "# date = 1900-01-01\ny\t_" in text, name


UNPLACED = [
    Document("d", "Ada", [Mention("m", (), ("PER",), "Eve")]),
    Document("d", "", [Mention("m", ((0, 3),), ("PER",))]),
    Document("d", "Ada", [Mention("m", ((3, 3),), ("PER",), attributes={"rows": "1"})]),
]


@pytest.mark.parametrize("document", UNPLACED)
def test_mentions_without_a_place_are_counted_and_refused_or_left_out(document: Document, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the format brat would lose 1 mention"):
        formats.write([document], tmp_path / "a", "brat")
    assert not (tmp_path / "a").exists()
    losses = Losses()
    formats.write([document], tmp_path / "a", "brat", losses=losses)
    assert losses.counts["mentions"] == 1
    assert [one.mentions for one in formats.read(tmp_path / "a")] == [[]]


def test_tokens_that_the_text_does_not_imply_are_counted(tmp_path: Path) -> None:
    table = TokenTable(["l", "'", "Italie", "."], segments=[0], starts=[0, 1, 2, 8])
    document = Document("d", "l'Italie.", [Mention("T1", ((2, 8),), ("loc",))], table=table)
    with pytest.raises(InputError, match="the format brat would lose 2 tokens"):
        formats.write([document], tmp_path / "a", "brat")
    implied = TokenTable(["l'", "Italie", "."], segments=[0], starts=[0, 2, 8])
    formats.write([Document("d", "l'Italie.", document.mentions, table=implied)], tmp_path / "a", "brat")


def test_white_space_comes_back(tmp_path: Path) -> None:
    document = Document("d", "\n Ada\tmet\n\nBo | \\s.\u00a0", [Mention("T1", ((2, 5),), ("PER",), "Ada")])
    for name in ("hipe", "conll"):
        formats.write([document], tmp_path / name, name)
        (back,) = formats.read(tmp_path / name, name)
        assert (back.text, back.mentions[0].spans) == (document.text, ((2, 5),)), name


def test_a_sentence_names_every_kind_of_loss() -> None:
    mentions = [
        Mention("a", ((0, 3),), ("PER",), layer="x", links=(Link("Q1", 0.5),), attributes={"sure": "no"}),
        Mention("b", ((4, 7),)),
    ]
    document = Document("d", "Ada met", mentions, [Chain("c", ("a",))], metadata={"a": "b"})
    message = "would lose 1 mention, 1 label, 1 name of a layer, 1 link, 1 score of a link and 1 metadata entry"
    with pytest.raises(InputError, match=message):
        formats.render([document], "jsonlines")


BERN = Mention("T2", ((8, 12),), ("LOC",))
SURPLUS = {
    "links": Mention("T1", ((0, 3),), ("PER",), links=(Link("Q1"),)),
    "scores": Mention("T1", ((0, 3),), ("PER",), links=(Link("Q1", 0.5),)),
    "fragments": Mention("T3", ((0, 3), (8, 12)), ("PER",)),
    "layers": Mention("T1", ((0, 3),), ("PER",), layer="NE"),
}
EXPORTS = (
    "labelstudio",
    "doccano",
    "prodigy",
    "spacyjson",
    "scierc",
    "spert",
    "elevant",
    "biocjson",
    "biocxml",
    "pubtator",
)


@pytest.mark.parametrize("kind", SURPLUS)
@pytest.mark.parametrize("name", EXPORTS)
def test_exports_lose_what_they_have_no_room_for_like_other_formats(name: str, kind: str, tmp_path: Path) -> None:
    text = "Ada saw Bern" if name != "pubtator" else "Ada saw Bern\nand left"
    document = Document("7", text, [SURPLUS[kind], BERN])
    losses = Losses()
    (back,) = through([document], name, tmp_path, losses) or ()
    if not losses:
        assert through([document], name, tmp_path)
        return
    with pytest.raises(InputError, match=f"the format {name} would lose 1 .*; write without them with --lossy"):
        formats.render([document], name)
    assert len(back.mentions) == (1 if kind == "fragments" else 2)
    assert losses.counts["mentions" if kind == "fragments" else kind] == 1


@pytest.mark.parametrize("kind", ["links", "scores", "layers"])
@pytest.mark.parametrize("name", ["docred", "tacred"])
def test_exports_of_chains_and_pairs_name_what_they_would_lose(name: str, kind: str) -> None:
    document = Document("7", "Ada saw Bern", [SURPLUS[kind], BERN], [Chain("c", ("T1", "T2"))])
    with pytest.raises(InputError, match=f"the format {name} would lose 1 .* with --lossy"):
        formats.render([document], name)


@pytest.mark.parametrize("name", ["jsonl", "brat", "biocxml", "spert"])
def test_documents_are_written_one_by_one(name: str, tmp_path: Path) -> None:
    events: list[str] = []

    def drawn() -> Iterator[Document]:
        for number in range(20):
            events.append("read")
            yield Document(f"d{number:02}", "Bern", [Mention("T1", ((0, 4),), ("LOC",))])

    def write(given: Iterable[Document], options: object) -> Iterator[str | File]:
        for piece in declared.write(given, options):  # type: ignore[misc]
            events.append("written")
            yield piece

    declared = formats.format_named(name)
    formats.write(drawn(), tmp_path / "out", replace(declared, write=write), losses=Losses())
    last_read = len(events) - events[::-1].index("read")
    assert events[:last_read].count("written") >= 19


def test_a_file_is_opened_once_and_its_output_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheme of the tags is guessed from the whole file before the first document is read."""
    (tmp_path / "gold.conll").write_text("-DOCSTART- O\n\nBern B-LOC\n\n-DOCSTART- O\n\nThun B-LOC\n")
    opened: list[str] = []
    monkeypatch.setattr("karat.io.source._Handle", lambda path: opened.append(path) or Handle(path))
    formats.write(formats.read(tmp_path / "gold.conll"), tmp_path / "out.jsonl", "jsonl")
    assert len(opened) == 1
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.conll", "out.jsonl"]
