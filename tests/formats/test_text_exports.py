"""Exports that are no JSON: promises of every such format, hostile input, and what is refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from tests.fuzz.targets import targets

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Argument, Document, Link, Mention, Relation
from karat.testing import check_format

NAMES = ("pubtator", "biocxml", "tei", "gate", "conllup", "conllumisc", "xmi", "casjson", "webanno")
"""Formats whose samples stand in ``tests/fuzz/targets.toml``."""

every_format = pytest.mark.parametrize("name", NAMES)
every_name = pytest.mark.parametrize("name", [*NAMES, "i2b2"])


def sample(name: str) -> bytes:
    return targets()[f"format {name}"].files[targets()[f"format {name}"].read]


def read(tmp_path: Path, name: str, content: str | bytes, **options: str) -> list[Document]:
    path = tmp_path / "a"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(formats.read(path, name, options=options))


def told(tmp_path: Path, name: str, content: str | bytes, **options: str) -> list[str]:
    """Return what reading reports."""
    path = tmp_path / "a"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    problems = Problems(collect=True)
    list(formats.read(path, name, problems=problems, options=options))
    return [problem.message for problem in problems.found]


@every_format
def test_a_format_keeps_its_promises(name: str) -> None:
    check_format(formats.format_named(name), [sample(name)])


@every_format
def test_a_sample_is_recognised_and_written_as_it_was_read(name: str, tmp_path: Path) -> None:
    documents = read(tmp_path, name, sample(name))
    assert formats.sniff(tmp_path / "a").name == name
    assert all(document.mentions for document in documents)
    if formats.format_named(name).write is not None:
        formats.write(documents, tmp_path / "back", name)
        back = formats.read(tmp_path / "back", name)
        assert [msgspec.structs.replace(document, source="") for document in back] == [
            msgspec.structs.replace(document, source="") for document in documents
        ]


HOSTILE = {
    "no UTF-8": b"\xff\xfe\xfa",
    "half a surrogate pair": b"\xed\xa0\x80",
    "deep elements": b"<a>" * 100_000,
    "a bomb": b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
    "JSON": b'{"text": "a"}',
    "a row": b"1\t2\t3\n",
}


@every_name
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_end_with_a_sentence(
    name: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(HOSTILE[what])
    if name == "i2b2":
        path = path.rename(tmp_path / "a.con")
        (tmp_path / "a.txt").write_text("Bern")
    status = run(["convert", str(path), "-", "--from", name, "--to", "jsonl"])
    out, err = capsys.readouterr()
    assert (status, out) == (3, "")
    (sentence,) = err.splitlines()
    assert sentence.startswith(f"karat: {path}:")


def test_rows_of_pubtator_stand_below_a_title_and_an_abstract(tmp_path: Path) -> None:
    assert told(tmp_path, "pubtator", "7\t0\t4\tBern\tLOC\n") == [
        "expected a title, 'ID|t|…', but found '7\\t0\\t4\\tBern\\tLOC'"
    ]
    assert told(tmp_path, "pubtator", "7|t|Bern\n8|a|.\n") == [
        "expected the abstract, a line '7|a|…', behind the title"
    ]
    twice = "7|t|Bern\n7|a|.\n\n7|t|Bern\n7|a|.\n"
    assert told(tmp_path, "pubtator", twice) == ["document '7' is there twice, first on line 1; remove one"]
    assert told(tmp_path, "pubtator", f"7|t|Bern\n7|a|.\n7\t0\t{'9' * 19}\tBern\tLOC\n") == [
        "an offset has too many digits"
    ]


def test_what_pubtator_cannot_hold_is_refused() -> None:
    ada, bern = Mention("1", ((0, 3),), ("PER",), links=(Link("D1"),)), Mention("2", ((9, 13),), ("LOC",))
    ends = Argument("head", "1"), Argument("tail", "2")
    one_line, crossing = Document("7", "Ada left Bern", [ada]), Mention("1", ((0, 9),))
    for document, reason in (
        (one_line, "its text is not two lines, a title and an abstract"),
        (Document("7|t|", "a\nb"), "its id holds a tab, a line end or '|t|'"),
        (Document("7", "Ada left\nBern", [crossing]), "a cell would hold a tab or a line end"),
        (Document("7", "Ada left\nBern", [ada, bern], relations=[Relation("r", "x", ends)]), "an end without a link"),
    ):
        with pytest.raises(InputError, match=r"cannot be written as pubtator: .*; the format jsonl") as caught:
            formats.render([document], "pubtator")
        assert reason in str(caught.value)


BIOC = (
    "<collection><document><id>d</id><passage><offset>0</offset><text>Bern</text>{}</passage></document>{}</collection>"
)


def test_elements_of_bioc_that_are_not_read_are_told(tmp_path: Path) -> None:
    misspelt = BIOC.format("<anotation/><anotation/>", "")
    assert told(tmp_path, "biocxml", misspelt) == ["the element 'anotation' is not read, 2 times"]
    for part, reason in (
        ('<annotation id="1"><location offset="x" length="4"/></annotation>', "offset is 'x'; expected a whole number"),
        ('<infon key="a">1</infon><infon key="a">2</infon>', "the infon 'a' is there twice; give each its own key"),
    ):
        assert told(tmp_path, "biocxml", BIOC.format(part, "")) == [f"document 'd': {reason}"]
    again = BIOC.format("", "<document><id>d</id></document>")
    assert told(tmp_path, "biocxml", again) == ["document 'd' is there twice, first on line 1; remove one"]


def test_characters_that_xml_lacks_are_refused() -> None:
    with pytest.raises(InputError, match=r"it holds the character '\\x01', which XML has no place for"):
        formats.render([Document("d", "a\x01b")], "biocxml")


def test_relations_of_tei_stand_between_names_of_the_text(tmp_path: Path) -> None:
    text = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><person xml:id="x"/></teiHeader><text><p>'
        '<name xml:id="a">Ada</name> <name/></p><relation name="r" active="#a" passive="#{}"/></text></TEI>'
    )
    assert told(tmp_path, "tei", text.format("x")) == [
        "1 name without text left out",
        "a relation 'r' is not between two names of the text; left out",
    ]
    assert told(tmp_path, "tei", text.format("y"))[-1] == "a relation 'r' names 'y', which is nowhere"


def test_places_of_gate_are_where_nodes_stand(tmp_path: Path) -> None:
    text = (
        '<GateDocument><TextWithNodes>In <Node id="4"/>Bern<Node id="8"/></TextWithNodes><AnnotationSet>'
        '<Annotation Id="1" Type="LOC" StartNode="4" EndNode="8"/></AnnotationSet></GateDocument>'
    )
    (document,) = read(tmp_path, "gate", text)
    assert document.mentions[0].text == "Bern"
    assert told(tmp_path, "gate", text) == ["2 nodes not where the id says; the place counts"]
    assert told(tmp_path, "gate", "<GateDocument/>") == ["the document has no element 'TextWithNodes'"]
    other = '{"text": "", "annotation_sets": {}, "offset_type": "x"}'
    assert told(tmp_path, "gate", other) == ["offset_type is 'x'; expected 'p' or 'j'"]
    named = '{"text": "", "annotation_sets": {}, "offset_type": "j", "name": "letter-7"}'
    assert [document.id for document in read(tmp_path, "gate", named)] == ["letter-7"]


def test_entities_of_a_key_that_is_named(tmp_path: Path) -> None:
    row = "1\tAda\t_\t_\t_\t_\t0\troot\t_\tner=B-LOC|Typo=B-PER\n"
    (document,) = read(tmp_path, "conllumisc", row, key="Typo")
    assert document.mentions[0].labels == ("PER",)
    assert told(tmp_path, "conllumisc", row, key="none") == ["no row has entities in MISC"]


def test_labels_without_a_prefix_are_those_of_neighbours(tmp_path: Path) -> None:
    tags = zip(("New", "York", "or", "Bern"), ("LOC", "LOC", "O", "GPE"), strict=True)
    rows = "".join(f"{n}\t{form}\t_\t_\t_\t_\t_\t_\t_\tNER={tag}\n" for n, (form, tag) in enumerate(tags, 1))
    (document,) = read(tmp_path, "conllumisc", rows)
    assert [(mention.text, *mention.labels) for mention in document.mentions] == [("New York", "LOC"), ("Bern", "GPE")]
    assert told(tmp_path, "conllumisc", rows) == [
        "document '1': the entities under 'NER' have no B- and I-: neighbours of one label are one mention"
    ]
    other = rows.replace("NER=LOC", "Ner=B-LOC").replace("NER=GPE", "Ner=B-GPE")
    assert told(tmp_path, "corefud", other) == [
        "3 tags under 'Ner' in MISC are not read; read them with --from conllumisc --read key=Ner"
    ]


def test_a_word_of_several_may_be_outside_or_have_another_key(tmp_path: Path) -> None:
    rows = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tner=O|Typo=B-PER\n"
    rows += "".join(f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\tner=O\n" for number, form in ((1, "de"), (2, "le")))
    assert told(tmp_path, "conllumisc", rows) == []
    assert "the entity of 1-2" in told(tmp_path, "conllumisc", rows, key="Typo")[0]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "n1.txt").write_text("Ada left", "utf-8-sig")
    (tmp_path / "n1.con").write_text('c="ada" 1:0 1:0||t="person"', "utf-8-sig")
    (document,) = formats.read(tmp_path / "n1.con", "i2b2")
    assert (document.text, document.mentions[0].spans) == ("Ada left", ((0, 3),))


def test_concepts_of_i2b2_are_found_by_folder(tmp_path: Path) -> None:
    (tmp_path / "n1.txt").write_text("Given aspirin now")
    (tmp_path / "n1.con").write_text('c="aspirin" 1:1 1:1||t="treatment"')
    (tmp_path / "n2.txt").write_text("Nothing")
    (tmp_path / "n2.con").touch()
    assert formats.sniff(tmp_path).name == "i2b2"
    assert [(document.id, len(document.mentions)) for document in formats.read(tmp_path)] == [("n1", 1), ("n2", 0)]
    for suffix, row, reason in (
        ("ast", 'c="now" 1:2 1:2||t="x"||a="y"', "an assertion is about 1:2 1:2, where n1.con has no 'x'"),
        ("rel", 'c="now" 1:2 1:2', "expected a line such as"),
        ("con", 'c="x" 1:1 1:0||t="y"', "the tokens 1:1 1:0 are empty, or not in the order of the text"),
    ):
        (tmp_path / f"n1.{suffix}").write_text(row)
        with pytest.raises(InputError, match=f"n1.{suffix}:1: ") as caught:
            list(formats.read(tmp_path / "n1.con", "i2b2"))
        assert reason in str(caught.value)
        (tmp_path / f"n1.{suffix}").unlink()


def test_annotations_of_a_cas_are_found_by_their_types_and_views(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "xmi", sample("xmi"))
    assert [(mention.text, mention.layer) for mention in document.mentions] == [
        ("Ana", ""),
        ("left", "Event"),
        ("Bern", ""),
        ("😀", ""),
    ]
    assert [(relation.label, bool(relation.trigger)) for relation in document.relations] == [
        ("Move", True),
        ("born_in", False),
    ]
    assert told(tmp_path, "xmi", sample("xmi"), view="more") == [
        "there is no view 'more'; the file has '_InitialView', 'other'"
    ]
    ring = sample("xmi").replace(b'referenceType="pro"', b'next="21"')
    assert "which is not a link, or a repeated one" in told(tmp_path, "xmi", ring)[-1]


CUE = 'sofa="1" begin="0" end="3" score="0.5" negated="true" kind="Neg"'
XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:c="http:///webanno/custom.ecore"><c:Cue xmi:id="2" {}><tags>a b</tags><tags>c</tags></c:Cue>{}'
    '<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="Ada"/></xmi:XMI>'
)


def test_the_first_feature_that_is_a_text_is_the_label_and_arrays_are_kept(tmp_path: Path) -> None:
    array = {"%ID": 3, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["a b", "c"]}
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Ada"}
    cue = {"%ID": 2, "%TYPE": "webanno.custom.Cue", "@sofa": 1, "begin": 0, "end": 3, "score": 0.5, "negated": True}
    structures = [sofa, cue | {"kind": "Neg", "@tags": 3}, array]
    for name, content in (
        ("xmi", XMI.format(CUE, "")),
        ("casjson", json.dumps({"%FEATURE_STRUCTURES": structures, "%VIEWS": {}})),
    ):
        (document,) = read(tmp_path, name, content)
        assert document.mentions[0].labels == ("Neg",)
        assert document.mentions[0].attributes == {"score": "0.5", "negated": "true", "tags": '["a b", "c"]'}


def test_slots_of_a_cas_may_lead_through_an_array_and_relations_need_both_ends(tmp_path: Path) -> None:
    link = '<c:Link xmi:id="4" role="who" target="2"/><cas:FSArray xmi:id="5" elements="4"/>'
    (document,) = read(tmp_path, "xmi", XMI.format(f'{CUE} args="5"', link))
    (relation,) = document.relations
    assert (relation.label, relation.trigger, relation.arguments[0].role) == ("Neg", "m1", "who")
    half = XMI.format(CUE, '<c:Rel xmi:id="6" sofa="1" begin="0" end="3" Governor="2"/>')
    assert told(tmp_path, "xmi", half) == ["Rel '6': refers to '', which is not an annotation"]


def test_an_archive_of_a_cas_has_one(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("TypeSystem.xml", b"<typeSystemDescription/>" * 500)
        archive.writestr("doc.xmi", sample("xmi"))
    assert formats.sniff(path).name == "xmi"
    assert [document.id for document in formats.read(path)] == ["x"]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("other.xmi", b"")
    with pytest.raises(InputError, match=r"the archive has 2 files \.xmi; expected one"):
        list(formats.read(path, "xmi"))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="the archive is damaged"):
        list(formats.read(path, "xmi"))


def test_annotations_of_webanno_are_read_off_their_rows(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "webanno", sample("webanno"))
    assert [(mention.text, mention.labels, mention.layer) for mention in document.mentions] == [
        ("Ada Lovelace", ("PER",), ""),
        ("Ada", ("a_b",), ""),
        ("Bern", ("LOC",), ""),
        ("B", (), ""),
        ("left", ("Move",), "Event"),
        ("She", ("pro",), ""),
    ]
    assert [(relation.label, len(relation.arguments)) for relation in document.relations] == [
        ("Move", 2),
        ("born_in", 2),
    ]
    assert [len(chain.mentions) for chain in document.chains] == [2]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("1-2[1];1-5", "1-2[1]", "2 roles and 1 target of slots; expected as many"),
        ("1-2[1_0]", "x", "'x' leads nowhere; expected the number of a token, such as 1-3 or 1-3[2_0]"),
        ("*->1-2", "x", "'x' is no link of a chain; expected such as *->1-2"),
        ("26-29", "99999-100002", "a sentence begins at 99999; a gap may have 65,536 characters"),
        ("#T_CH", "#T_XX", "expected '#T_SP=TYPE|FEATURE'"),
        ("2-1\t", "2\t", "the row begins with '2' and '26-29'; expected such as 1-1 and 0-3"),
        ("#Text", "#Txt", "a row stands before the first '#Text='"),
    ],
)
def test_damaged_rows_of_webanno_are_named(before: str, after: str, reason: str, tmp_path: Path) -> None:
    (message,) = told(tmp_path, "webanno", sample("webanno").decode().replace(before, after))
    assert reason in message
