"""Parts of an XML file: read one after the other, none held longer than the next takes to come."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.base import NoOptions, Problems, Want
from karat.formats.biocjson import BiocOptions
from karat.formats.biocxml import read as read_bioc
from karat.formats.parts import xml
from karat.formats.parts.xml import Checker, XmlParts
from karat.formats.tei import read as read_tei

FAULTY = (
    *(b"", b" ", b"a", b"<a>", b"<a", b"</a>", b"<a></b>", b"<a/><b/>", b"<a b='1' b='2'/>", b"<a>&unknown;</a>"),
    *(b"<a b='&unknown;'/>", b"<x:a/>", b"<a>\xff</a>", b"<a>\x01</a>", b"<a>]]></a>"),
    b'<?xml version="1.0" encoding="no-such"?><a/>',
)
"""Documents that a parser has something against."""


def _written(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_all_before_a_part_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(xml, "_BLOCK", block)
    parts = "".join(f"<junk/><wrap><part><a>{number}</a></part></wrap> and\n" for number in range(20))
    read = XmlParts(_written(tmp_path / "a.xml", f"<all><head/>{parts}<tail/></all>"), "part")
    texts, held = [], []
    for part in read:
        texts.append(part.findtext("a"))
        if block == 1:
            held.append(sum(1 for _ in read.root.iter()))
    assert texts == [str(number) for number in range(20)]
    assert read.root.tag == "all"
    assert read.outside == {"all": 1, "head": 1, "junk": 20, "wrap": 20, "tail": 1}
    assert not held or max(held) <= 4


def test_a_part_stays_whole_when_the_next_is_there(tmp_path: Path) -> None:
    first, second = XmlParts(_written(tmp_path / "a.xml", "<x><p><a>1</a></p>\n<p><a>2</a></p></x>"), "p")
    assert (first.findtext("a"), second.findtext("a")) == ("1", "2")


def test_limits_are_those_of_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "_BLOCK", 64)
    monkeypatch.setattr(xml, "MAX_TAGS", 40)
    many = _written(tmp_path / "many.xml", f"<x>{'<p><a/></p>' * 500}</x>")
    assert sum(1 for _ in XmlParts(many, "p")) == 500
    for name, content in {
        "large.xml": f"<x><p/><p>{'<a/>' * 100}</p></x>",
        "between.xml": f"<x><p/>{'<a/>' * 100}<p/></x>",
        "none.xml": f"<x>{'<a/>' * 100}</x>",
    }.items():
        with pytest.raises(InputError, match=r"has more than 40 tags; split the document"):
            list(XmlParts(_written(tmp_path / name, content), "p"))


@pytest.mark.parametrize(
    "content",
    ["<x><p>&e;</p></x>", "<x>&e;<p/></x>", "<x><p/>&e;</x>", '<x><p a="&e;"/></x>', '<x><p/><q a="&e;"/></x>'],
)
def test_entities_that_nothing_declares_are_refused_wherever_they_are(tmp_path: Path, content: str) -> None:
    path = _written(tmp_path / "a.xml", f'<!DOCTYPE x SYSTEM "x.dtd">{content}')
    with pytest.raises(InputError, match=r"declared nowhere|not defined"):
        list(XmlParts(path, "p"))


def test_what_is_cut_off_is_refused_after_the_parts_before(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.xml", "<x>\n<p/>\n<p>")
    parts = iter(XmlParts(path, "p"))
    assert next(parts).tag == "p"
    with pytest.raises(InputError, match=r"a\.xml:3: is not well-formed XML"):
        next(parts)


def test_bioc_counts_what_is_not_read_in_documents_and_outside(tmp_path: Path) -> None:
    document = "<document><id>{}</id><passage><offset>0</offset><text>a</text><odd/></passage></document>"
    content = f"<collection><odd/>{document.format(1)}<odd/>{document.format(2)}<odd/></collection>"
    problems = Problems()
    path = _written(tmp_path / "a.xml", content)
    documents = list(read_bioc(path, problems=problems, want=Want(), options=BiocOptions()))
    assert [document.id for document in documents] == ["1", "2"]
    assert problems.dropped == {"the element 'odd'": 5}


def test_a_single_document_of_a_corpus_is_called_as_its_file(tmp_path: Path) -> None:
    document = "<TEI><text><p>Bern</p></text></TEI>"
    for number, names in ((1, ["a"]), (3, ["1", "2", "3"])):
        corpus = f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>{document * number}</teiCorpus>'
        path = _written(tmp_path / "a.xml", corpus)
        read = read_tei(path, problems=Problems(), want=Want(), options=NoOptions())
        assert [(one.id, one.text) for one in read] == [(name, "Bern") for name in names]


@given(st.lists(st.sampled_from([b"<a/>", b"<a b='1'>\xc3\xa9</a>", *FAULTY]), max_size=8))
def test_a_checker_says_of_each_document_what_it_would_say_of_it_alone(documents: list[bytes]) -> None:
    checker = Checker()
    assert [checker.is_well_formed(data) for data in documents] == [data not in FAULTY for data in documents]
