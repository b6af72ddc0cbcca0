"""NAF and CAT: reading layers, writing them back or refusing, and what hostile XML comes to."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import documents

import karat
from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.naf.assembly import rank
from karat.formats.parts import xml
from karat.model import Chain, Document, Link, Mention, Relation, TokenTable

DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE NAF SYSTEM "naf.dtd">
<NAF xml:lang="es" version="v3">
  <nafHeader>
    <fileDesc title="Bodas" creationtime="2004-11-24"/>
    <public publicId="7"/>
  </nafHeader>
  <raw>Ada visitó la General Motors. Ella sonrió.</raw>
  <text>
    <wf id="w1" sent="1" para="1" offset="0" length="3">Ada</wf>
    <wf id="w2" sent="1" para="1" offset="4" length="6"><![CDATA[visitó]]></wf>
    <wf id="w3" sent="1" para="1" offset="11" length="2">la</wf>
    <wf id="w4" sent="1" para="1" offset="14" length="7">General</wf>
    <wf id="w5" sent="1" para="1" offset="22" length="6">Motors</wf>
    <wf id="w6" sent="1" para="1" offset="28" length="1">.</wf>
    <wf id="w7" sent="2" para="1" offset="30" length="4">Ella</wf>
    <wf id="w8" sent="2" para="1" offset="35" length="6">sonrió</wf>
    <wf id="w9" sent="2" para="1" offset="41" length="1">.</wf>
  </text>
  <terms>
    <term id="t1"><span><target id="w1"/></span></term>
    <term id="t2"><span><target id="w2"/></span></term>
    <term id="t3"><span><target id="w4"/><target id="w5"/></span></term>
    <term id="t4"><span><target id="w7"/></span></term>
  </terms>
  <entities>
    <entity id="e1" type="ORG" source="tool">
      <references><span><!--General Motors--><target id="t3"/></span></references>
      <externalReferences>
        <externalRef resource="a" reference="http://es.dbpedia.org/resource/GMC" confidence="0.4"/>
        <externalRef resource="b" reference="http://es.dbpedia.org/resource/General_Motors" confidence="0.9">
          <externalRef resource="esEn" reference="http://dbpedia.org/resource/General_Motors" confidence="1.0"/>
        </externalRef>
        <externalRef resource="a" reference="http://es.dbpedia.org/resource/GM"/>
      </externalReferences>
    </entity>
    <entity id="e2" type="PER">
      <references><span><target id="t1"/></span></references>
      <references><span><target id="t4"/></span></references>
    </entity>
  </entities>
  <coreferences>
    <coref id="co1" type="entity">
      <span><target id="t1"/></span><span><target id="t4"/></span><span><target id="t2"/></span>
    </coref>
  </coreferences>
</NAF>
"""


def read(text: str, folder: Path, **options: str) -> Document:
    path = folder / "d.naf"
    path.write_text(text, "utf-8")
    (document,) = formats.read(path, options=options)
    return document


def test_all_layers(tmp_path: Path) -> None:
    document = read(DOCUMENT, tmp_path)
    assert (document.id, document.text) == ("d", "Ada visitó la General Motors. Ella sonrió.")
    assert document.metadata == {
        "lang": "es",
        "version": "v3",
        "title": "Bodas",
        "creationtime": "2004-11-24",
        "publicId": "7",
    }
    first, second, third, bare = document.mentions
    links = (
        Link("http://es.dbpedia.org/resource/General_Motors", 0.9),
        Link("http://es.dbpedia.org/resource/GMC", 0.4),
        Link("http://es.dbpedia.org/resource/GM"),
    )
    assert first == Mention("e1", ((14, 28),), ("ORG",), "General Motors", links=links, attributes={"source": "tool"})
    assert [(one.id, one.text, one.labels) for one in (second, third, bare)] == [
        ("e2", "Ada", ("PER",)),
        ("e2.2", "Ella", ("PER",)),
        ("co1.3", "visitó", ()),
    ]
    assert document.chains == [Chain("co1", ("e2", "e2.2", "co1.3"), "entity")]
    table = document.table
    assert table is not None
    assert (table.forms[:2], table.segments, table.starts[-1]) == (["Ada", "visitó"], [0, 6], 41)
    assert list(table.columns["ID"][:2]) == ["w1", "w2"]


def test_references_by_resource_and_those_inside_of_others(tmp_path: Path) -> None:
    def targets(**options: str) -> list[str]:
        return [link.target.rpartition("/")[2] for link in read(DOCUMENT, tmp_path, **options).mentions[0].links]

    assert targets(resource="a") == ["GMC", "GM"]
    assert targets(resource="a,b") == ["General_Motors", "GMC", "GM"]
    assert targets(nested="only") == ["General_Motors"]
    assert read(DOCUMENT, tmp_path, nested="only").metadata["resource"] == "esEn"


def test_a_folder_is_read_lazily_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.naf", "sub/a.naf", ".hidden.naf", "c.txt"):
        (tmp_path / name).write_text("<NAF/>" if name != "sub/a.naf" else "<NAF")
    found = formats.read(tmp_path)
    assert next(found).id == "b"
    with pytest.raises(InputError, match=r"sub/a\.naf:1: is not well-formed XML"):
        next(found)
    problems = Problems(collect=True)
    assert [one.id for one in formats.read(tmp_path, problems=problems)] == ["b"]
    assert len(problems.found) == 1


WORDS = '<wf id="w1" sent="1" {0}>Bern</wf><wf id="w2" sent="1" {1}>und</wf><wf id="w3" sent="2" {2}>Genf</wf>'


@pytest.mark.parametrize(
    ("offsets", "text"),
    [
        (("", "", ""), "Bern und Genf"),
        (('offset="0"', 'offset="6"', 'offset="10"'), "Bern  und Genf"),
        (('offset="0"', 'offset="4"', 'offset="7"'), "Bern und Genf"),
        (('offset="5"', 'offset="2"', 'offset="7"'), "Bern und Genf"),
        (('offset="0"', 'offset="5"', 'offset="999999999"'), "Bern und Genf"),
        (('offset="x"', 'offset="5"', 'offset="9"'), "Bern und Genf"),
    ],
)
def test_without_raw_text_it_is_made_from_the_tokens(offsets: tuple[str, ...], text: str, tmp_path: Path) -> None:
    assert read(f"<NAF><text>{WORDS.format(*offsets)}</text></NAF>", tmp_path).text == text


def test_tokens_are_looked_for_in_the_raw_text(tmp_path: Path) -> None:
    wrong = WORDS.format('offset="3"', 'offset="0"', "")
    document = read(f"<NAF><raw>Bern  und\nGenf</raw><text>{wrong}</text></NAF>", tmp_path)
    assert document.table is not None
    assert (document.text, document.table.starts) == ("Bern  und\nGenf", [0, 6, 10])


def test_a_token_that_the_raw_text_spells_otherwise(tmp_path: Path) -> None:
    quoted = "<wf id='w1' offset='0' length='2'>``</wf><wf id='w2' offset='1' length='2'>No</wf>"
    path = tmp_path / "d.naf"
    path.write_text(f'<NAF><raw>"No</raw><text>{quoted}</text></NAF>')
    problems = Problems()
    (document,) = formats.read(path, problems=problems)
    assert document.table is not None
    assert (document.table.forms, document.table.starts) == (['"', "No"], [0, 1])
    assert [one.message for one in problems.found] == ["token 'w1' is '``', read as '\"' of the raw text"]


TWICE = "<entity id='e'><span><target id='t1'/></span></entity>"


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("<text><wf id='w1'>a</wf><wf id='w1'>b</wf></text>", "two tokens have the id 'w1'"),
        ("<entities><entity id='e1'><span><target id='t9'/></span></entity></entities>", "'e1' refers to 't9'"),
        ("<entities><entity id='e1'><span/></entity></entities>", "a span of 'e1' has no target"),
        (
            f"<text><wf id='w1'>a</wf></text><entities>{2 * TWICE}</entities>",
            "the id 'e' is used twice",
        ),
    ],
)
def test_faults(inside: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(f"<NAF>{inside}</NAF>", tmp_path)
    problems = Problems(collect=True)
    assert list(formats.read(tmp_path / "d.naf", problems=problems)) == []


def test_another_root(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its root is <KAF>; expected <NAF>"):
        list(formats.read(_written(tmp_path, b"<KAF/>"), "naf"))


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "x.naf"
    path.write_bytes(data)
    return path


def test_a_confidence_that_is_no_number(tmp_path: Path) -> None:
    text = DOCUMENT.replace('confidence="0.9"', 'confidence="high"').replace('confidence="0.4"', 'confidence="nan"')
    problems = Problems()
    (document,) = formats.read(_written(tmp_path, text.encode()), problems=problems)
    assert [link.score for link in document.mentions[0].links] == [None, None, None]
    assert problems.repairs == 2


def back(document: Document) -> Document:
    with tempfile.TemporaryDirectory() as folder:
        formats.write([document], folder, "naf")
        (found,) = formats.read(folder)
    return found


@settings(deadline=None)
@given(documents())
def test_written_documents_are_read_back_or_refused(document: Document) -> None:
    document = suited(document)
    if not can_be_written(document):
        return
    found = back(document)
    assert found.text == document.text
    assert found.mentions == document.mentions
    assert found.chains == document.chains


def suited(document: Document) -> Document:
    """Return the document without most of what NAF has no room for."""
    mentions = [
        msgspec.structs.replace(
            mention,
            labels=tuple(filter(None, mention.labels))[:1],
            links=tuple(sorted(mention.links, key=rank)),
            attributes={f"a{number}": value for number, value in enumerate(mention.attributes.values())},
        )
        for mention in document.mentions
    ]
    return msgspec.structs.replace(document, mentions=mentions, relations=[], notes=[], metadata={}, table=None)


def can_be_written(document: Document) -> bool:
    try:
        formats.render([document], "naf")
    except InputError:
        return False
    return True


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=3, unique=True).map(lambda scores: sorted(scores, reverse=True)))
def test_scores_keep_every_digit(scores: list[float]) -> None:
    links = tuple(Link(f"http://x.org/{number}", score) for number, score in enumerate(scores))
    document = Document("d", "Bern", [Mention("e1", ((0, 4),), ("LOC",), "Bern", links=links)])
    assert back(document).mentions == document.mentions


def test_what_came_from_naf_goes_back_whole(tmp_path: Path) -> None:
    document = read(DOCUMENT.replace('resource="a"', 'resource="b"'), tmp_path)
    document.source = ""
    found = back(document)
    found.source = ""
    assert found == document


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"relations": [Relation("r", "x", ())]}, "lose 1 relation"),
        ({"text": "Bern\x00"}, r"the character '\\x00'"),
        ({"mentions": [Mention("m", ((0, 4),), ("A", "B"))]}, "NAF has room for one"),
        ({"mentions": [Mention("m", ((0, 4),), attributes={"a b": ""})]}, "no room for an attribute 'a b'"),
        ({"mentions": [Mention("m", ((0, 4),), links=(Link("x", 0.1), Link("y", 0.9)))]}, "the order of their scores"),
        (
            {"mentions": [Mention("m", ((0, 2),))], "table": TokenTable(["Bern"], starts=[0])},
            "begin and end with a token",
        ),
        (
            {"mentions": [Mention("m", ((0, 4),)), Mention("n", ((0, 4),))], "chains": [Chain("c", ("n",))]},
            "tell apart mentions of the same span",
        ),
        ({"id": "../d"}, "its id has the part"),
    ],
)
def test_refusals(change: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        formats.render([msgspec.structs.replace(Document("d", "Bern"), **change)], "naf")


def test_a_single_document_may_be_a_file(tmp_path: Path) -> None:
    document = Document("d", "Bern")
    formats.write([document], tmp_path / "x.naf", "naf")
    assert (tmp_path / "x.naf").is_file()
    formats.write([document], tmp_path / "x", "naf")
    assert (tmp_path / "x" / "d.naf").is_file()


CAT = """<Document doc_name="a">
  <token t_id="1" sentence="0">New</token><token t_id="2" sentence="0">York</token>
  <token t_id="3" sentence="1">It</token><token t_id="4" sentence="1">rains</token>
  <Markables>
    <ENTITY_MENTION m_id="10" syntactic_type="NAM"><token_anchor t_id="1"/><token_anchor t_id="2"/></ENTITY_MENTION>
    <ENTITY_MENTION m_id="11" syntactic_type="PRO"><token_anchor t_id="3"/></ENTITY_MENTION>
    <ENTITY_MENTION m_id="12" syntactic_type="PRE.NAM"><token_anchor t_id="1"/></ENTITY_MENTION>
    <ENTITY_MENTION m_id="13" syntactic_type="NAM"><token_anchor t_id="4"/></ENTITY_MENTION>
    <ENTITY m_id="20" ent_type="LOC" external_ref="http://dbpedia.org/resource/New_York"/>
    <ENTITY m_id="21" ent_type="ORG"/>
  </Markables>
  <Relations>
    <COREFERENCE><source m_id="10"/><source m_id="12"/><target m_id="21"/></COREFERENCE>
    <REFERS_TO><source m_id="10"/><source m_id="11"/><target m_id="20"/></REFERS_TO>
  </Relations>
</Document>
"""


def test_cat_becomes_the_gold_of_newsreader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt.xml").write_text(CAT)
    assert run(["convert", "a.txt.xml", "docs/a.naf", "--from", "cat", "--to", "naf"]) == 3  # no such folder
    Path("docs").mkdir()
    assert run(["convert", "a.txt.xml", "docs/a.naf", "--from", "cat", "--to", "naf"]) == 0
    (document,) = karat.read("docs/a.naf")
    assert [
        (mention.id, mention.labels, mention.text, [link.target for link in mention.links])
        for mention in document.mentions
    ] == [
        ("10", ("LOC",), "New York", ["http://dbpedia.org/resource/New_York"]),
        ("12", ("ORG",), "New", []),
    ]
    assert document.metadata == {"lang": "en", "version": "v3", "resource": "byCROMER"}
    assert run(["newsreader", "gold", "docs", "gold.tsv"]) == 0
    assert Path("gold.tsv").read_text() == "a.naf\t1-2\tNew_York\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<target m_id="20"/>', "", "a REFERS_TO has sources but no target"),
        ('<target m_id="20"/>', '<target m_id="99"/>', "refers to the entity '99' that is not there"),
        ('<token_anchor t_id="2"/>', '<token_anchor t_id="7"/>', "refers to a token that is not there"),
        ('sentence="1">It', 'sentence="one">It', "a sentence that is not an integer"),
        ("Document", "collection", "the root element is 'collection'; expected 'Document'"),
    ],
)
def test_faults_of_cat(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(CAT.replace(old, new))
    with pytest.raises(InputError, match=message):
        list(formats.read(path, "cat"))


BOMB = b'<!DOCTYPE NAF [<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + number, b"&%c;" % (97 + number) * 10) for number in range(20)
)
HOSTILE: dict[str, tuple[str, Iterator[bytes]]] = {
    "bomb": ("declares entities", iter([BOMB, b"]><NAF><raw>&u;</raw></NAF>"])),
    "bomb-in-attribute": ("declares entities", iter([BOMB, b']><NAF a="&u;"/>'])),
    "bomb-in-utf16": ("declares entities", iter([(BOMB + b"]><NAF>&u;</NAF>").decode().encode("utf-16")])),
    "bomb-behind-comment": ("declares entities", iter([b"<!--x-->\n<?x y?>", BOMB, b"]><NAF>&u;</NAF>"])),
    "external-entity": (
        "declares entities",
        iter([b'<!DOCTYPE NAF [<!ENTITY x SYSTEM "file:///etc/hostname">]><NAF><raw>&x;</raw></NAF>']),
    ),
    "parameter-entity": (
        "declares entities",
        iter([b'<!DOCTYPE NAF [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]><NAF/>']),
    ),
    "dtd-in-utf7": (
        "is in an encoding that Karat does not read in XML",
        iter([b'<?xml version="1.0" encoding="UTF-7"?>+ADw-!DOCTYPE NAF +AFs-+ADw-!ENTITY x "y"+AD4-+AF0-+AD4-<NAF/>']),
    ),
    "dtd": ("declares entities", iter([b"<!DOCTYPE NAF [<!ELEMENT NAF ANY>]><NAF/>"])),
    "text-of-200-MB": (
        "a text in it is longer than ten million bytes",
        (b"<NAF><raw>" if not n else b"x" * 1_000_000 for n in range(201)),
    ),
    "value-of-200-MB": (
        "its first tag is not over after 16,777,216 bytes",
        (b'<NAF a="' if not n else b"x" * 1_000_000 for n in range(201)),
    ),
    "comment-of-200-MB": (
        "its first tag is not over after 16,777,216 bytes",
        (b"<!--" if not n else b"x" * 1_000_000 for n in range(201)),
    ),
    "comments-of-200-MB": (
        "unpacks to more than",
        (b"<!--" + b"x" * 1_000_000 + b"-->" if n else b"<NAF>" for n in range(201)),
    ),
    "depth-of-100000": (
        "its elements stand more than 256 deep inside of each other",
        iter([b"<NAF>", b"<a>" * 100_000, b"</a>" * 100_000, b"</NAF>"]),
    ),
    "six-million-elements": (
        "has more than 5,000,000 tags",
        (b"<a/>" * 300_000 if n else b"<NAF>" for n in range(21)),
    ),
    "three-million-attributes": (
        "has more than 2,500,000 signs '=', which stand for attributes",
        (b'<a b="" c=\'\' d = "" e="" f="" g=""/>' * 10_000 if n else b"<NAF>" for n in range(51)),
    ),
    "default-behind-long-comment": (
        "declares entities",
        iter([b"<!--", b"x" * 1_500_000, b'--><!DOCTYPE NAF [<!ATTLIST NAF version CDATA "9">]><NAF/>']),
    ),
    "default-behind-false-end-of-comment": (
        "declares entities",
        iter(['<!--\u2d2d><NAF>--><!DOCTYPE NAF [<!ATTLIST NAF version CDATA "9">]><NAF/>'.encode("utf-16")]),
    ),
    "empty-subset": ("declares entities", iter([b"<!DOCTYPE NAF SYSTEM 'naf.dtd' []><NAF/>"])),
}
MEMORY = 1 << 30
COUNTING = """
import io, json, os, sys
from contextlib import redirect_stderr
from karat.cli import run
from karat.formats.parts import xml
read, fed = xml.read_bytes, 0
def counted(*words):
    global fed
    block = read(*words)
    fed += len(block)
    return block
xml.read_bytes = counted
with redirect_stderr(io.StringIO()):
    run(["convert", os.devnull, os.devnull + ".jsonl", "--from", "naf"])  # imports what all need
for path in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    fed = 0
    with redirect_stderr(io.StringIO()) as told:
        status = run(["convert", path, path + ".jsonl", "--from", "naf"])
    print(json.dumps([path, [status, told.getvalue(), fed]]), flush=True)
    os._exit(0)
"""
"""The command line for each file: how it ended, what it told, and how many bytes were read of XML."""
_packed = lru_cache(partial(gzip.compress, compresslevel=1))


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, int]]:
    """Call the command line for all hostile files, with little memory."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = {name: folder / f"{name}.naf.gz" for name in HOSTILE}
    for name, (_, blocks) in HOSTILE.items():
        with paths[name].open("wb") as stream:
            stream.writelines(map(_packed, blocks))
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, *map(str, paths.values())],
        env=os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert {path.name for path in folder.iterdir()} == {path.name for path in paths.values()}
    found = dict(map(json.loads, done.stdout.splitlines()))
    return {name: found[str(path)] for name, path in paths.items() if str(path) in found}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_xml_is_refused_before_much_is_read_or_held(
    name: str, refused: dict[str, tuple[int, str, int]]
) -> None:
    status, told, fed = refused[name]
    assert status == 3, told
    assert HOSTILE[name][0] in told
    assert len(told) < 1_000
    assert fed <= xml.MAX_SIZE + xml._BLOCK


def test_a_document_type_that_names_a_dtd_never_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dtd = tmp_path / "naf.dtd"
    dtd.write_text('<!ENTITY secret "leaked"><!ATTLIST wf sent CDATA "9">')
    for name in ("naf.dtd", dtd, dtd.as_uri()):
        begin = f"<!DOCTYPE NAF SYSTEM '{name}'><NAF>"
        document = read(f"{begin}<raw>a</raw><text><wf id='w1'>a</wf></text></NAF>", tmp_path)
        assert document.table is not None
        assert "SENT" not in document.table.columns
        with pytest.raises(InputError, match=r"d\.naf:1: the entity '&secret;' is declared nowhere that Karat reads"):
            read(f"{begin}<raw>a&secret;b</raw><text><wf id='w1'>a</wf></text></NAF>", tmp_path)
        with pytest.raises(InputError, match=r"d\.naf:1: an entity in the value of an attribute is declared nowhere"):
            read(f"{begin}<text><wf id='w1' para='&secret;'>a</wf></text></NAF>", tmp_path)


def test_an_entity_without_a_document_type_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"d\.naf:2: is not well-formed XML: Entity 'foo' not defined$"):
        read("<NAF>\n<raw>a&foo;b</raw></NAF>", tmp_path)


def test_limits_are_told_in_plain_words(tmp_path: Path) -> None:
    for inside in (f"<raw>{'x' * 11_000_000}</raw>", f"<raw><![CDATA[{'x' * 11_000_000}]]></raw>"):
        with pytest.raises(InputError, match=r"a text in it is longer than ten million bytes; split the document$"):
            read(f"<NAF>{inside}</NAF>", tmp_path)


def test_an_entity_without_an_id_is_given_one(tmp_path: Path) -> None:
    path = tmp_path / "d.naf"
    entities = "".join(f"<entity{name}><span><target id='w1'/></span></entity>" for name in (" id='e1'", "", ""))
    coref = "<coref><span><target id='w1'/></span></coref>"
    path.write_text(
        f"<NAF><text><wf id='w1'>a</wf></text><entities>{entities}</entities><coreferences>{coref}</coreferences></NAF>"
    )
    problems = Problems(collect=True)
    (document,) = formats.read(path, problems=problems)
    assert [mention.id for mention in document.mentions] == ["e1", "entity-2", "entity-3"]
    assert [chain.id for chain in document.chains] == ["coref-1"]
    assert [one.message for one in problems.found] == [
        f"there is no id, and '{name}' was given for it" for name in ("entity-2", "entity-3", "coref-1")
    ]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_document_without_the_ending(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    expected = read(DOCUMENT, tmp_path)
    packed = pack(DOCUMENT.encode())
    (tmp_path / "d.naf").write_bytes(packed)
    (found,) = formats.read(tmp_path / "d.naf")
    assert found == expected
    assert run(["newsreader", "gold", str(tmp_path), str(tmp_path / "g.tsv")]) == 0
    (tmp_path / "d.naf").write_bytes(packed[:90] + b"\x5a" * 20 + packed[110:])
    with pytest.raises(InputError, match=r"d\.naf(:1)?: (cannot be read|is not well-formed XML)"):
        list(formats.read(tmp_path / "d.naf"))
    (tmp_path / "d.naf").write_bytes(packed[:90])
    with pytest.raises(InputError, match=r"d\.naf: cannot be read: Compressed file ended"):
        list(formats.read(tmp_path / "d.naf"))


def test_a_bomb_without_the_ending_is_refused(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "d.naf.gz", "wb", compresslevel=1) as stream:
        stream.write(b"<NAF>")
        stream.writelines(b"<!--" + b"x" * 1_000_000 + b"-->" for _ in range(140))
    (tmp_path / "d.naf.gz").rename(tmp_path / "d.naf")
    with pytest.raises(InputError, match="unpacks to more than"):
        list(formats.read(tmp_path / "d.naf"))


def test_a_pipe_in_a_folder_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.naf")
    with pytest.raises(InputError, match=r"'a\.naf' is that of no regular file"):
        list(formats.read(tmp_path, "naf"))
