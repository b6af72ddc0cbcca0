"""What is read of a document without a tree is what its tree says, and a document that is not plain is left to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.naf.plain import PlainDocument, PlainReader
from karat.protocols.newsreader.drop_in import documents, published_extraction

TERMS = b"<terms>\n<term id='t1'><span/></term>\n</terms>"
ENTITY = (
    b'<entity id="e">\n<references><span>\n<target id="t1"/>\n<target id="t2" head="yes"/></span></references>'
    b'<externalReferences><externalRef resource="r" reference="http://dbpedia.org/resource/A"/></externalReferences>'
    b"</entity>"
)
PLAIN = b'<NAF a="1"><text>%s</text>' + TERMS + b"<entities>" + ENTITY + b"</entities></NAF>"
TOKENS = b"".join(b'<wf id="w%d" para="1" sent="%d">x</wf>' % (number, number // 2) for number in range(30))


def read(data: bytes) -> PlainDocument | None:
    return PlainReader(6).read(data)


def test_tokens_are_read_up_to_the_first_behind_the_last_sentence() -> None:
    document = read(PLAIN % TOKENS)
    assert document is not None
    assert document.tokens == [(f"w{number}", str(number // 2), "x") for number in range(15)]
    (entity,) = document.entities
    assert entity.targets() == ["t1", "t2"]
    assert list(entity.references()) == [{"resource": "r", "reference": "http://dbpedia.org/resource/A"}]


@pytest.mark.parametrize(
    "odd",
    [
        b"<!-- a comment -->" + PLAIN % TOKENS,
        (PLAIN % TOKENS).replace(b"<term ", b"<!-- </terms> --><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<![CDATA[</terms>]]><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<?p </terms>?><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<terms></terms><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<termss></termss><term ", 1),
        (PLAIN % TOKENS).replace(b"<terms>", b"<terms></terms >").replace(b"</NAF>", b"<terms></terms></NAF>"),
        (PLAIN % TOKENS).replace(b"<terms>", b"<NAF><NAF></NAF></NAF><terms>"),
        (PLAIN % TOKENS).replace(b"<span/>", b"<span>"),
        (PLAIN % TOKENS).replace(b"<span/>", b"<x:span/>"),
        (PLAIN % TOKENS).replace(b"<span/>", b"&unknown;"),
        (PLAIN % TOKENS).replace(b"<span/>", b"\xff"),
        (PLAIN % TOKENS).replace(b' a="1"', b' xmlns="urn:x"'),
        (PLAIN % TOKENS).replace(b"<entities>", b'<entities xmlns="urn:x">'),
        (PLAIN % TOKENS).replace(b'<entity id="e"', b'<entity id="e" xmlns="urn:x"'),
        (PLAIN % TOKENS).replace(b'<target id="t1"/>', b'<target id="t&amp;1"/>'),
        (PLAIN % TOKENS)
        .replace(b"<references>", b"<other><references>")
        .replace(b"</references>", b"</references></other>"),
        b'<?xml version="1.0" encoding="ISO-8859-1"?>' + PLAIN % TOKENS,
        b"<!DOCTYPE NAF>" + PLAIN % TOKENS,
        (PLAIN % TOKENS).replace(b"NAF", b"KAF"),
    ],
)
def test_a_document_that_is_not_plain_is_left_to_the_tree(odd: bytes) -> None:
    assert read(odd) is None


@pytest.mark.parametrize(
    "text",
    [
        TOKENS.replace(b'sent="7"', b"sent='7'").replace(b'sent="8"', b"sent='8'")[: TOKENS.index(b'<wf id="w18"')],
        b"<x>" + TOKENS + b"</x>",
        b"<wf>" + TOKENS + b"</wf>",
        b'<wf id="w1" other=" sent=" sent="7">x</wf>',
        b'<wf id="w1" sent="1"> sent="7"</wf>' + TOKENS,
        b' sent="7"',
    ],
)
def test_tokens_that_are_not_plain_are_left_to_the_tree(text: bytes) -> None:
    found = read(PLAIN % text)
    assert found is None or found.tokens == [("w1", "7", "x")]


pieces = st.sampled_from(
    [
        *('<wf id="w1" sent="1">a</wf>', '<wf id="w2" sent="7">b</wf>', "<wf sent='8' id='3'>c</wf>", '<wf sent="9"/>'),
        *('<wf id=" sent=&quot;9&quot;" sent="2">&amp;</wf>', '<x><wf id="w5" sent="12">d</wf></x>', "<!-- <text> -->"),
        *(
            '<wf id="w8" x=" sent=" sent="8">g</wf>',
            '<wf id="w9" sent="1"> sent="7"</wf>',
            '<wf id="w1" xmlns="u" sent="1"/>',
        ),
        *('<wf id="w6" sent="6"><wf id="w7" sent="77">e</wf></wf>', "<text/>", "\n", '<wf id=">" sent="3">f\n</wf>'),
    ]
)
references = st.sampled_from(
    [
        *("", "<externalReferences/>", "<externalReferences><externalRef reference='dbpedia/A'/></externalReferences>"),
        (
            '<externalReferences>\n<externalRef resource="r" reference="dbpedia/B" confidence="0.5"/>\n'
            '<externalRef x=" resource=" resource="r" reference = "dbpedia/C" confidence="0.7" /></externalReferences>'
        ),
        (
            '<externalReferences><externalRef reference="dbpedia/D"><externalRef resource="r" reference="dbpedia/E" '
            'confidence="1"/></externalRef></externalReferences>'
        ),
        '<externalReferences><externalRef reference="dbpedia/F&amp;G"/></externalReferences>',
        '<externalReferences><externalRef\tresource="r"\n reference="dbpedia/H\n\tI"/></externalReferences>',
        '<externalReferences><externalRef resource="r/>" reference="dbpedia/>J" confidence="1"/></externalReferences>',
        '<externalReferences><externalRef resource="r" reference="dbpedia/K\r\nL"/></externalReferences>',
    ]
)
entity_forms = st.sampled_from(
    [
        *('<entity id="e1"><references><span><target id="t1"/></span></references>%s</entity>', "<entity/>", "\n"),
        '<entity><references><span><target id="w2"/><target id="t9"/></span></references></entity>',
        '<entity x=" id=" id="e"><references><span><target id="t1" x=">"/></span></references>%s</entity>',
        '<entity x="/>"><references><span><target id="t1" x="/>"/><target id="t>2"/></span></references>%s</entity>',
        '<entity\nx="/"\n><references><span><target id="t1"/><target\n id="t\n2"/></span></references>%s</entity>',
        "<x><entity><references><span><target id='t1'/></span></references></entity></x>",
    ]
)
entities = st.builds(lambda form, found: form.replace("%s", found), entity_forms, references)
layers = st.one_of(
    st.lists(pieces, max_size=8).map(lambda tokens: f"<text>{''.join(tokens)}</text>"),
    st.lists(entities, max_size=4).map(lambda found: f"<entities>{''.join(found)}</entities>"),
    st.sampled_from(
        ["<terms><term/></terms>", "<raw>a > b</raw>\n", "<deps/>", "<t><text>x</text></t>", "<raw>]]></raw>"]
    ),
)


def _around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Elements around others, of the same name or another, and end tags with blanks."""
    return st.builds(
        lambda name, found, blank: f"<{name}>{''.join(found)}</{name}{blank}>",
        st.sampled_from(["terms", "t", "NAF", "text", "entities"]),
        st.lists(inner, max_size=3),
        st.sampled_from(["", "", " ", "\n"]),
    )


content = st.lists(st.recursive(layers, _around, max_leaves=6), max_size=5)


@given(content.map(lambda found: f"<NAF>{''.join(found)}</NAF>".encode()))
def test_extraction_is_that_of_the_whole_document(document: bytes) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder, "a.naf").write_bytes(document)
        made = [_result(extract, folder) for extract in EXTRACTIONS]
        patch.setattr(documents, "_plain", lambda *_: None)
        assert made == [_result(extract, folder) for extract in EXTRACTIONS]


def _result(extract: Callable[[str], bytes], folder: str) -> bytes | str:
    try:
        return extract(folder)
    except InputError as error:
        return str(error)


EXTRACTIONS: list[Callable[[str], bytes]] = [
    published_extraction.gold,
    lambda folder: published_extraction.gold(folder, {}),
    lambda folder: published_extraction.SystemExtraction("r").extract(folder),
    lambda folder: published_extraction.system_with_redirects(folder, {}),
    lambda folder: published_extraction.system_not_english(folder, "r", {}, lambda _: None),
]
