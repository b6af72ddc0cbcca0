"""What is left of a trimmed document is read as if it were whole, and a document that is not plain is not trimmed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.naf.trimming import trimmed
from karat.protocols.newsreader.drop_in import documents, published_extraction

LAYERS = (b"text", b"entities")
TERMS = b"<terms>\n<term id='t1'><span/></term>\n</terms>"
PLAIN = b'<NAF a="1"><text>%s</text>' + TERMS + b'<entities><entity id="e"/></entities></NAF>'
TOKENS = b"".join(b'<wf id="w%d" sent="%d">x</wf>' % (number, number // 2) for number in range(30))


def trim(data: bytes) -> bytes:
    return trimmed(data, LAYERS, 6)


def test_what_nobody_looks_at_is_left_out_but_for_its_lines() -> None:
    made = trim(PLAIN % TOKENS)
    kept = TOKENS[: TOKENS.index(b'<wf id="w15"')]
    assert made == b'<NAF a="1"><text>%s</text>\n\n<entities><entity id="e"/></entities></NAF>' % kept


@pytest.mark.parametrize(
    "odd",
    [
        b"<!-- a comment -->" + PLAIN,
        (PLAIN % TOKENS).replace(b"<term ", b"<!-- </terms> --><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<![CDATA[</terms>]]><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<?p </terms>?><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<terms></terms><term ", 1),
        (PLAIN % TOKENS).replace(b"<term ", b"<termss></termss><term ", 1),
        (PLAIN % TOKENS).replace(b"<span/>", b"<span>"),
        (PLAIN % TOKENS).replace(b"<span/>", b"<x:span/>"),
        (PLAIN % TOKENS).replace(b"<span/>", b"&unknown;"),
        (PLAIN % TOKENS).replace(b"<span/>", b"\xff"),
        b'<?xml version="1.0" encoding="ISO-8859-1"?>' + PLAIN,
        b"<!DOCTYPE NAF>" + PLAIN,
        PLAIN.replace(b"NAF", b"KAF"),
    ],
)
def test_what_is_not_plain_stays_as_it_is(odd: bytes) -> None:
    assert trim(odd) == odd


@pytest.mark.parametrize(
    "text",
    [
        TOKENS.replace(b'sent="7"', b"sent='7'").replace(b'sent="8"', b"sent='8'")[: TOKENS.index(b'<wf id="w18"')],
        b"<x>" + TOKENS + b"</x>",
        b"<wf>" + TOKENS + b"</wf>",
        TOKENS.replace(b'<wf id="w14" sent="7"', b'<wf id="w14" other=\' sent="7"\' sent="1"')[:400],
    ],
)
def test_tokens_that_are_not_plain_stay(text: bytes) -> None:
    assert text in trim(PLAIN % text)


pieces = st.sampled_from(
    [
        *('<wf id="w1" sent="1">a</wf>', '<wf id="w2" sent="7">b</wf>', "<wf sent='8' id='3'>c</wf>", '<wf sent="9"/>'),
        *('<wf id=" sent=&quot;9&quot;" sent="2">&amp;</wf>', '<x><wf id="w5" sent="12">d</wf></x>', "<!-- <text> -->"),
        *('<wf id="w6" sent="6"><wf id="w7" sent="77">e</wf></wf>', "<text/>", "\n", '<wf id=">" sent="3">f\n</wf>'),
    ]
)
entities = st.sampled_from(
    [
        *('<entity id="e1"><references><span><target id="t1"/></span></references>%s</entity>', "<entity/>", "\n"),
        '<entity><references><span><target id="w2"/><target id="t9"/></span></references></entity>',
    ]
).map(
    lambda entity: entity.replace("%s", "<externalReferences><externalRef reference='dbpedia/A'/></externalReferences>")
)
layers = st.one_of(
    st.lists(pieces, max_size=8).map(lambda tokens: f"<text>{''.join(tokens)}</text>"),
    st.lists(entities, max_size=4).map(lambda found: f"<entities>{''.join(found)}</entities>"),
    st.sampled_from(
        ["<terms><term/></terms>", "<raw>a > b</raw>\n", "<deps/>", "<t><text>x</text></t>", "<raw>]]></raw>"]
    ),
)


@given(st.lists(layers, max_size=5).map(lambda found: f"<NAF>{''.join(found)}</NAF>".encode()))
def test_extraction_is_that_of_the_whole_document(document: bytes) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder, "a.naf").write_bytes(document)
        made = [_result(extract, folder) for extract in EXTRACTIONS]
        patch.setattr(documents, "_layers_that_are_read", bytes)
        assert made == [_result(extract, folder) for extract in EXTRACTIONS]


def _result(extract: Callable[[str], bytes], folder: str) -> bytes | str:
    try:
        return extract(folder)
    except InputError as error:
        return str(error)


EXTRACTIONS: list[Callable[[str], bytes]] = [
    published_extraction.gold,
    lambda folder: published_extraction.gold_with_redirects(folder, {}),
    lambda folder: published_extraction.System("r").extract(folder),
    lambda folder: published_extraction.system_with_redirects(folder, {}),
    lambda folder: published_extraction.system_not_english(folder, "r", {}, lambda _: None),
]
