from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from karat import formats
from karat.errors import InputError, UsageError
from karat.formats.fidelity import Losses
from karat.formats.table import OWN_FORMATS
from karat.model import Chain, Document, Mention

DOCUMENT = Document("d", "Bern liegt", [Mention("T1", ((0, 4),), ("LOC",), "Bern")])
CHAINED = Document("d", "Bern liegt", [Mention("m1", ((0, 4),), text="Bern")], [Chain("1", ("m1",))])
OF_CHAINS = ("conll2012", "corefud", "jsonlines", "scorch", "universal-anaphora")
"""Formats that hold nothing but chains."""
PAIR = Document("d", "Bern Thun", [Mention("subj", ((0, 4),), ("A",)), Mention("obj", ((5, 9),), ("B",))])
ENTITY = Document("d", "Bern liegt", [Mention("m1", ((0, 4),), ("LOC",))], [Chain("1", ("m1",))])
REGION = Document("d", "Bern", [Mention("T1", ((0, 4),), ("LOC",), attributes={"from_name": "ner"})])
TITLED = Document("d", "Bern liegt\n", [Mention("T1", ((0, 4),), ("LOC",))])
FITTING = dict.fromkeys(OF_CHAINS, CHAINED) | {"tacred": PAIR, "docred": ENTITY, "labelstudio": REGION}
FITTING["pubtator"] = TITLED
"""Documents for formats that cannot hold just any."""
NUMBERED = ("doccano", "prodigy", "scierc", "spacyjson", "spert")
"""Formats that have no ids of mentions, so that these are numbered."""
WRITABLE = [name for name, one in formats.formats().items() if one.write]
every_format = pytest.mark.parametrize("name", formats.formats())
every_writable_format = pytest.mark.parametrize("name", WRITABLE)


@every_writable_format
def test_a_format_recognises_what_it_writes_and_no_other_does(name: str, tmp_path: Path) -> None:
    ending = next(iter(formats.format_named(name).suffixes), ".json")
    target = tmp_path if formats.format_named(name).folder else tmp_path / f"a{ending}"
    formats.write([FITTING.get(name, DOCUMENT)], target, name, losses=Losses())
    assert formats.sniff(target).name == name
    (file,) = tmp_path.glob(f"*{ending}")
    head = file.read_text()
    assert [one.name for one in formats.formats().values() if one.sniff(head)] == [name]


@pytest.mark.parametrize("name", OF_CHAINS)
def test_chains_are_read_as_they_were_written(name: str, tmp_path: Path) -> None:
    formats.write([CHAINED], tmp_path / "a", name, losses=Losses())
    (found,) = formats.read(tmp_path / "a")
    assert (found.id, len(found.chains)) == ("d", 1)
    (mention,) = (mention for mention in found.mentions if mention.id in found.chains[0].mentions)
    assert (mention.spans, mention.text) == ((((0, 4),), "Bern") if name != "scorch" else (((0, 1),), "0-4"))


@pytest.mark.parametrize("name", [name for name in WRITABLE if name not in FITTING])
def test_what_is_read_is_what_was_written(name: str, tmp_path: Path) -> None:
    formats.write([DOCUMENT], tmp_path / "a", name)
    (found,) = formats.read(tmp_path / "a")
    layer = {"hipe": "NE-COARSE-LIT"}.get(name, "")
    assert (found.id, found.text) == ("d", "Bern liegt")
    given = "m1" if name in NUMBERED else "T1"
    assert found.mentions == [msgspec.structs.replace(DOCUMENT.mentions[0], id=given, layer=layer)]


@every_format
def test_an_ending_is_that_of_one_format(name: str) -> None:
    others = {end for one in formats.formats().values() if one.name != name for end in one.suffixes}
    assert others.isdisjoint(formats.format_named(name).suffixes)


NOT_RECOGNISED = {
    "a.txt": (
        "Once upon a time.\n",
        r"a\.txt: the format is not recognised: its first line is 'Once upon a time\.'; name",
    ),
    "a.xml": ("<corpus><s>Bern</s></corpus>", "its root element is 'corpus'; name the format with --from"),
    "b.xml": ("<TEI.2><text/></TEI.2>", r"its root element is 'TEI\.2', which is TEI P4; convert it to P5"),
    "a.json": ("<!DOCTYPE html><html>", r"it is a web page \(HTML\), perhaps the error message of a server"),
    "a.conll": ("<html><body>", r"it is a web page \(HTML\)"),
    "b.json": ("[]", "it is JSON without an object that has keys; name"),
    "c.json": ('{"id": 1, "text": "Bern"}', "its first object has the keys 'id', 'text'; name"),
    "a.jsonl": ('{"text": "Bern", "lables": []}', r"it looks like doccano \(text, labels\) or elevant"),
    "a.csv": ("id;head;relation;tail\n", r"separated by semicolons, where tables have .* looks like triples \(head, "),
    "a.tsv": ("Bern\tist\tschön\n", "files .tsv are read as hipe if they have a first line of columns with 'TOKEN'"),
    "a.zip": (
        f"PK\x03\x04{chr(0) * 22}\x09{chr(0) * 3}ada.jsonl",
        "it is a ZIP archive with 'ada.jsonl'; unpack it, and name the file in it that is meant",
    ),
    "a.xlsx": (
        f"PK\x03\x04{chr(0) * 22}\x13{chr(0) * 3}[Content_Types].xml",
        "an office document; save the sheet as CSV",
    ),
    "b.csv": (
        "id,text,annotator,annotation_id,lead_time\n",
        "a table of labelstudio .*, which is read from JSON: export",
    ),
    "w.tsv": ("#FORMAT=WebAnno TSV 2\n", "of WebAnno TSV the version 3 is read: export that"),
    "a.rtf": (r"{\rtf1 Bern}", r"a document of a word processor \(RTF\)"),
    "blank.jsonl": ("\n \n", "the file holds nothing but blanks; name its format with --from if that is right"),
}


@pytest.mark.parametrize("name", NOT_RECOGNISED)
def test_what_is_not_recognised_is_described_and_what_is_near_named(name: str, tmp_path: Path) -> None:
    content, message = NOT_RECOGNISED[name]
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        formats.sniff(tmp_path / name)


def test_utf_16_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("Bern B-loc\n", "utf-16")
    for name in (None, "conll"):
        with pytest.raises(InputError, match="the text is UTF-16; convert it to UTF-8 first"):
            list(formats.read(tmp_path / "a.conll", name))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0", r"it is a picture \(PNG\); the annotations stand in another file$"),
        (b"\x80\x05\x95\0", "it is a Python pickle, which is never read"),
        ("Bern".encode("utf-16-le"), "the text is UTF-16; convert it"),
        (b"\1\0\2\0\0\0", r"it is no text, and none of the formats that are none: a \.spacy file"),
    ],
)
def test_what_is_no_text_is_called_what_it_is(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(InputError, match=message):
        formats.sniff(tmp_path / "a")


def test_a_packed_file_gives_its_document_the_name_without_the_ending(tmp_path: Path) -> None:
    content = b"#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Ada\n1-1\t0-3\tAda\t\n"
    (tmp_path / "letter.tsv.gz").write_bytes(gzip.compress(content))
    assert [document.id for document in formats.read(tmp_path / "letter.tsv.gz")] == ["letter"]


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format 'bart'; did you mean 'brat'"):
        formats.read(tmp_path, "bart")
    with pytest.raises(UsageError, match="format conll: unknown option 'schema'; did you mean 'scheme'"):
        formats.read(tmp_path / "a.txt", "conll", options={"schema": "IOB1"})


def test_two_candidates_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text('{"text": "Bern", "ents": []}')
    theirs = msgspec.structs.replace(formats.format_named("prodigy"), sniff=lambda head: True)
    monkeypatch.setattr("karat.formats.prodigy.FORMAT", theirs)
    with pytest.raises(InputError, match="may be of the formats prodigy and spacyjson; name the right one with --from"):
        formats.sniff(tmp_path / "a.json")


def test_the_table_of_formats_agrees_with_their_declarations() -> None:
    package = Path(formats.__file__).parent
    modules = {path.stem for path in package.glob("*.py") if "\nFORMAT = Format(" in path.read_text()}
    modules |= {path.parent.name for path in package.glob("*/declaration.py")}
    assert {name.replace("-", "_") for name in OWN_FORMATS} == modules
    for name, row in OWN_FORMATS.items():
        declared = formats.format_named(name)
        assert declared.name == name
        assert declared.folder == bool(row.folder)
        assert not declared.folder or declared.suffixes == (row.folder,)


@pytest.mark.parametrize(
    ("head", "marked"),
    [
        ("TOKEN\tNE-COARSE-LIT\n", {"hipe"}),
        ("Bern B-loc\n", set()),
        ("\ufeff\nT1\tloc 0 4\tBern\n", {"brat"}),
        ("1\tBern" + "\t_" * 8 + "\n", {"corefud", "conllumisc", "conllup", "semeval2010", "brat"}),
        ("run:1\tper:age", {"coldstart"}),
        ("Head,Property\n", {"omin", "triples"}),
    ],
)
def test_a_format_is_imported_only_for_files_with_its_mark(head: str, marked: set[str]) -> None:
    assert {name for name, row in OWN_FORMATS.items() if row.mark and row.may_have(head)} == marked


def test_a_folder_is_known_by_the_content_of_its_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no format is known for this folder: it is empty"):
        formats.sniff(tmp_path)
    (tmp_path / "a.xml").write_text("<collection><document><id>1</id></document></collection>")
    with pytest.raises(InputError, match=r"a\.xml is of the format biocxml, whose files are read one by one"):
        formats.sniff(tmp_path)
    (tmp_path / "a.ann").write_text("")
    assert formats.sniff(tmp_path).name == "brat"
    (tmp_path / "b.naf").write_text("<NAF/>")
    with pytest.raises(InputError, match="the folder has files of the formats brat and naf; name one with --from"):
        formats.sniff(tmp_path)


def test_a_folder_that_cannot_be_filled_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "b.ann").mkdir()
    with pytest.raises(InputError, match="cannot be written: is a directory"):
        formats.write([msgspec.structs.replace(DOCUMENT, id=one) for one in ("sub/a", "b")], tmp_path, "brat")
    assert [path.name for path in tmp_path.rglob("*")] == ["b.ann"]


def test_the_ending_decides_where_the_content_does_not(tmp_path: Path) -> None:
    (tmp_path / "odd.conll").write_text("Bern B-loc\nThun\n")
    assert formats.sniff(tmp_path / "odd.conll").name == "conll"


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("")
    with pytest.raises(InputError, match="the file is empty"):
        formats.sniff(tmp_path / "a.conll")
