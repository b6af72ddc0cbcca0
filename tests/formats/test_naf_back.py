"""NAF that was read is written back whole: the same document, and nothing else for the programs of NewsReader."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance import packs

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.model import Document, Link, Mention
from karat.protocols.newsreader.drop_in import corrected_extraction as corrected
from karat.protocols.newsreader.drop_in import published_extraction as published

PUBLIC = packs.SHARED / "newsreader" / "public" / "data"
FOLDERS = ("meantime_gold", "meantime_sys", "naf4", "wikinews1173_en", "wikinews1173_gold", "wikinews1173_nl")
RESOURCES = ("spotlight_v1", "wikipedia-db-nlEn", "a", "")

DOCUMENT = """<NAF xml:lang="nl">
  <nafHeader><fileDesc title="Bank" custom="x" resource="desk"/><public publicId="7" uri="u"/></nafHeader>
  <raw>"De Bank of Bern" won. Zij lachte.</raw>
  <text>
    <wf id="w_1" sent="0" offset="0" length="1">``</wf>
    <wf id="w_2" sent="0" offset="1" length="2">De<subtoken id="w_2.1">d</subtoken><subtoken>e</subtoken></wf>
    <wf id="w_3" sent="0">Bank</wf><wf id="w_4" sent="0">of</wf><wf id="w_5" sent="0">Bern</wf>
    <wf id="w_6" sent="0">"</wf><wf id="w_7" sent="0">won</wf><wf id="w_8" sent="0" para="2">.</wf>
    <wf id="w_9" sent="2">Zij</wf><wf id="w_10" sent="2">lachte</wf><wf id="w_11" sent="2">.</wf>
  </text>
  <terms>
    <term id="t_5"><span><target id="w_3"/><target id="w_4"/><target id="w_5"/></span></term>
    <term id="t_1"><span><target id="w_2"/></span></term>
    <term id="again"><span><target id="w_5"/></span></term>
    <term id="t_7"><span><target id="w_9"/></span></term>
    <term id="t_8"><span><target id="w_10"/></span></term>
  </terms>
  <entities>
    <entity id="e1" type="ORG" source="tool">
      <references><span><target id="t_5"/></span></references>
      <references><span><target id="t_7"/></span></references>
      <externalReferences>
        <externalRef resource="b" reference="http://nl.dbpedia.org/resource/BvB" confidence="0.50" reftype="nl">
          <externalRef resource="wikipedia-db-nlEn" reference="http://dbpedia.org/BB" confidence="1" source="x">
            <externalRef resource="deep" reference="http://x.org/deep"/>
          </externalRef>
          <externalRef resource="wikipedia-db-nlEn" reference="http://dbpedia.org/resource/Bank" confidence="0,2"/>
        </externalRef>
        <externalRef resource="spotlight_v1" timestamp="1" confidence=".9" reference="http://dbpedia.org/Bern"/>
        <externalRef resource="spotlight_v1" reference="http://dbpedia.org/resource/None" confidence="high"/>
        <externalRef resource="spotlight_v1"/>
      </externalReferences>
    </entity>
    <entity id="e2"><references><span><target id="again"/></span></references></entity>
  </entities>
  <coreferences>
    <coref id="co1" type="x" status="auto">
      <span><target id="t_7"/></span><span><target id="t_8"/><target id="w_11"/></span><span><target id="t_5"/></span>
      <span><target id="t_8"/></span>
    </coref>
  </coreferences>
</NAF>
"""


def read(path: Path, **options: str) -> Document:
    (document,) = formats.read(path, "naf", options=options)
    document.source = ""
    return document


def document_of(text: str, folder: Path, **options: str) -> Document:
    path = folder / "d.naf"
    path.write_text(text, "utf-8")
    return read(path, **options)


def back(document: Document, folder: Path) -> Document:
    formats.write([document], folder / "back", "naf")
    return read(folder / "back" / f"{document.id}.naf")


def extracted(folder: str) -> list[object]:
    """Return what every extraction program says of a folder, or that it fails."""
    found: list[object] = []
    for resource in RESOURCES:
        told: list[bytes] = []
        system = published.SystemExtraction(resource)
        right = corrected.Extraction(resource=resource)
        found += [
            _or_failure(lambda system=system: (system.extract(folder), system.information)),  # type: ignore[misc]
            _or_failure(lambda one=resource, told=told: published.system_not_english(folder, one, {}, told.append)),  # type: ignore[misc]
            _or_failure(lambda right=right: right.system(folder, lambda _: None)),  # type: ignore[misc]
            _or_failure(lambda right=right: right.system(folder, lambda _: None, english=False)),  # type: ignore[misc]
            [*told, right.information],
        ]
    found += [
        _or_failure(lambda: published.gold(folder)),
        _or_failure(lambda: published.system_with_redirects(folder, {})),
    ]
    return found


def _or_failure(program: Callable[[], object]) -> object:
    try:
        return program()
    except InputError as error:
        return error.message


def test_everything_that_is_read_is_written_back(tmp_path: Path) -> None:
    document = document_of(DOCUMENT, tmp_path)
    assert back(document, tmp_path) == document
    text = (tmp_path / "back" / "d.naf").read_text("utf-8")
    for piece in (
        'reftype="nl"',
        'source="x"',
        'timestamp="1"',
        'confidence="0.50"',
        'confidence="0,2"',
        'resource="deep"',
        'custom="x"',
        'status="auto"',
        '<target id="t_8"/><target id="w_11"/>',
        'lemma="Bank of Bern"><span><target id="w_3"/><target id="w_4"/><target id="w_5"/></span></term>',
        'length="1">``</wf>',
        ">De<subtoken>de</subtoken></wf>",
    ):
        assert piece in text, piece
    assert text.count("<entity ") == 2
    assert text.count("<externalRef ") == 7


def test_the_programs_see_no_difference(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    document = document_of(DOCUMENT, tmp_path / "in")
    formats.write([document], tmp_path / "back", "naf")
    before = extracted(str(tmp_path / "in"))
    assert before == extracted(str(tmp_path / "back"))
    assert b"d.naf\t_5-_7\tBern\t" in before[0][0]  # type: ignore[index]


@pytest.mark.parametrize("options", [{"resource": "spotlight_v1"}, {"nested": "only"}, {"resource": "b"}])
def test_references_that_were_chosen_are_written_alone(options: dict[str, str], tmp_path: Path) -> None:
    document = document_of(DOCUMENT, tmp_path, **options)
    assert document.mentions[0].links
    assert back(document, tmp_path) == document


def test_another_format_between_loses_nothing(tmp_path: Path) -> None:
    document = document_of(DOCUMENT, tmp_path)
    for steps in (["d.naf", "d.jsonl"], ["d.jsonl", "e"]):
        arguments = ["convert", *(str(tmp_path / step) for step in steps)]
        assert run([*arguments, *(["--to", "naf"] if steps[1] == "e" else [])]) == 0
    assert read(tmp_path / "e" / "d.naf") == document


def test_what_was_left_out_stays_out(tmp_path: Path) -> None:
    document_of(DOCUMENT, tmp_path)
    assert run(["convert", str(tmp_path / "d.naf"), str(tmp_path / "e.naf"), "--drop", "links"]) == 0
    assert "externalRef" not in (tmp_path / "e.naf").read_text("utf-8")


def test_mentions_that_were_changed_count(tmp_path: Path) -> None:
    document = document_of(DOCUMENT, tmp_path)
    changed = msgspec.structs.replace(document.mentions[0], links=(Link("http://x.org/new", 1.0),))
    document.mentions[0] = changed
    found = back(document, tmp_path)
    assert found.mentions == document.mentions
    assert found.chains == document.chains


def test_an_empty_token_is_told_about(tmp_path: Path) -> None:
    (tmp_path / "d.naf").write_text("<NAF><text><wf id='w1'/><wf id='w2'>a</wf></text></NAF>")
    problems = Problems()
    list(formats.read(tmp_path / "d.naf", problems=problems))
    assert [one.message for one in problems.found] == ["token 'w1' is empty and was left out"]


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("ENTITY", "{}", "a cell of the column ENTITY is not what is kept of NAF"),
        ("TERM", "[1]", "a cell of the column TERM is not what is kept of NAF"),
        ("COREF", "[" * 100_000, "a cell of the column COREF is not what is kept of NAF"),
        ("ENTITY", '[["e1","",[["t1"]],[[{"a b":""}]],{}]]', "NAF has no room for an attribute 'a b'"),
    ],
)
def test_raw_cells_that_nobody_read_are_refused(column: str, cell: str, reason: str, tmp_path: Path) -> None:
    document = document_of(
        "<NAF><text><wf id='w1'>a</wf></text><terms><term id='t1'><span><target id='w1'/></span></term></terms>"
        "<entities><entity id='e1'><span><target id='t1'/></span></entity></entities></NAF>",
        tmp_path,
    )
    assert document.table is not None
    document.table.columns |= {column: [cell]}
    with pytest.raises(InputError, match=reason):
        back(document, tmp_path)


def test_references_too_deep_to_be_read_back_are_refused(tmp_path: Path) -> None:
    deep = "<externalRef>" * 230 + "</externalRef>" * 230
    document = document_of(
        "<NAF><text><wf id='w1'>a</wf></text><entities><entity id='e1'><span><target id='w1'/></span>"
        f"<externalReferences>{deep}</externalReferences></entity></entities></NAF>",
        tmp_path,
    )
    with pytest.raises(InputError, match="more than 200 deep inside of each other"):
        back(document, tmp_path)


def test_a_long_term_that_is_named_very_often_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.formats.naf.assembly.MAX_COVERED", 200_000)
    words = "".join(f"<wf id='w{number}'>a</wf>" for number in range(1_000))
    term = "".join(f"<target id='w{number}'/>" for number in range(1_000))
    entities = "".join(f"<entity id='e{number}'><span><target id='t'/></span></entity>" for number in range(201))
    layers = (
        f"<text>{words}</text><terms><term id='t'><span>{term}</span></term></terms><entities>{entities}</entities>"
    )
    with pytest.raises(InputError, match="its spans cover more than 200,000 tokens, again and again"):
        document_of(f"<NAF>{layers}</NAF>", tmp_path)


def test_mentions_that_cover_too_much_are_refused(tmp_path: Path) -> None:
    text = "a " * 1_001
    mentions = [Mention(f"m{number}", ((0, 2_001),)) for number in range(2_000)]
    with pytest.raises(InputError, match="its mentions cover more than 2,000,000 tokens; split the document"):
        back(Document("d", text, mentions), tmp_path)


NAMES = st.sampled_from(["t1", "t2", "t_3", "1", "2", "w1", "w2", "x 1", "", "%", "t9"])
VALUES = st.sampled_from(
    ["", "a", "spotlight_v1", "0.5", "1", "0,5", "nan", "http://dbpedia.org/resource/B", "dbpedia/ü", "<&\"'\n\t"]
)


def element(name: str, inside: str, **attributes: str | None) -> str:
    known = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if value is not None)
    return f"<{name}{known}>{inside}</{name}>"


@st.composite
def references(draw: st.DrawFn, depth: int = 0) -> str:
    keys = ("reference", "resource", "confidence", "reftype", "source")
    inner = "".join(draw(st.lists(references(depth + 1), max_size=2))) if depth < 2 else ""
    return element("externalRef", inner, **{key: draw(st.none() | VALUES) for key in keys})


@st.composite
def naf_texts(draw: st.DrawFn) -> str:
    """Return a NAF document that may have odd ids, terms of many tokens, spans of many terms, and nested references."""
    ids = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    forms = draw(st.lists(st.sampled_from(["Bern", "ü", "a b", "<", " ", "``"]), min_size=len(ids), max_size=len(ids)))
    sent = st.none() | st.sampled_from(["0", "1", "6", "7", "x", ""])
    words = [
        element("wf", escape(form), id=name, sent=draw(sent), para=draw(st.none() | st.just("1")))
        for name, form in zip(ids, forms, strict=True)
    ]
    terms = draw(st.dictionaries(NAMES, st.lists(st.sampled_from(ids), min_size=1, max_size=3), max_size=4))
    targets = st.lists(st.sampled_from([*ids, *terms]), min_size=1, max_size=3)

    def span(chosen: list[str]) -> str:
        return element("span", "".join(element("target", "", id=one) for one in chosen))

    entities = []
    for number in range(draw(st.integers(0, 3))):
        spans = [span(one) for one in draw(st.lists(targets, min_size=1, max_size=2))]
        linked = "".join(draw(st.lists(references(), max_size=3)))
        inside = element("references", "".join(spans)) + element("externalReferences", linked)
        entities.append(element("entity", inside, id=f"e{number}", type=draw(st.none() | VALUES), source=draw(VALUES)))
    corefs = [
        element(
            "coref", "".join(span(one) for one in draw(st.lists(targets, max_size=3))), id=name, status=draw(VALUES)
        )
        for name in draw(st.lists(st.sampled_from(["c1", "e0", "c1.1"]), max_size=2, unique=True))
    ]
    raw = element("raw", escape(draw(st.sampled_from(["", " ".join(forms), "".join(forms)]))))
    term_lines = "".join(element("term", span(names), id=name) for name, names in terms.items())
    layers = {
        "text": "".join(words),
        "terms": term_lines,
        "entities": "".join(entities),
        "coreferences": "".join(corefs),
    }
    return element("NAF", raw + "".join(element(name, inside) for name, inside in layers.items() if inside))


@given(naf_texts())
def test_any_naf_that_is_read_comes_back(text: str) -> None:
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        (folder / "in").mkdir()
        try:
            document = document_of(text, folder / "in")
        except InputError:
            return
        assert back(document, folder) == document
        assert extracted(str(folder / "in")) == extracted(str(folder / "back"))


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public NewsReader data are not beside the repository")
@pytest.mark.parametrize("name", FOLDERS)
def test_public_documents_come_back(name: str, tmp_path: Path) -> None:
    files = sorted(path for path in (PUBLIC / name).iterdir() if path.is_file())
    source = tmp_path / "some"
    source.mkdir()
    for file in files[:: 1 + len(files) // 8]:
        shutil.copy(file, source)
    documents = list(formats.read(source, "naf"))
    assert documents
    formats.write(documents, tmp_path / "back", "naf")
    found = list(formats.read(tmp_path / "back", "naf"))
    for one in (*documents, *found):
        one.source = ""
    assert found == documents
    assert extracted(str(tmp_path / "back")) == extracted(str(source))


def test_what_has_not_changed_is_written_as_before(tmp_path: Path) -> None:
    """References have a resource, a type and others inside of them, none of which a link has."""
    source = tmp_path / "a.naf"
    source.write_text(
        '<NAF version="v3" xml:lang="en"><text><wf id="w1" sent="1">we</wf><wf id="w2" sent="1">met</wf></text>'
        '<terms><term id="t7"><span><target id="w1"/><target id="w2"/></span></term></terms>'
        '<entities><entity id="e1" type="PER"><references><span><target id="t7"/></span></references>'
        '<externalReferences><externalRef resource="spotlight" reference="http://x/B" reftype="en">'
        '<externalRef resource="wikidata" reference="Q70"/></externalRef></externalReferences></entity></entities>'
        '<coreferences><coref id="co1"><span><target id="t7"/></span></coref></coreferences></NAF>',
        "utf-8",
    )
    dropped = tmp_path / "dropped.naf"
    assert run(["convert", str(source), str(dropped), "--drop", "chains"]) == 0
    (document,) = formats.read(source)
    mention = msgspec.structs.replace(document.mentions[0], labels=("ORG",))
    edited = tmp_path / "edited.naf"
    formats.write([msgspec.structs.replace(document, mentions=[mention])], edited, "naf")
    for path, label in ((dropped, "PER"), (edited, "ORG")):
        written = path.read_text("utf-8")
        assert f'<entity id="e1" type="{label}">' in written
        assert 'resource="spotlight" reference="http://x/B" reftype="en"' in written
        assert '<externalRef resource="wikidata" reference="Q70"/>' in written
        assert '<span><target id="t7"/></span></references>' in written
    assert "<coref " not in dropped.read_text("utf-8")
    assert "<coref " in edited.read_text("utf-8")
