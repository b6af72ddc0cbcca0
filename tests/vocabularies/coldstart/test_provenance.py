from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.coldstart.problems import ProblemLog
from karat.vocabularies.coldstart.provenance import normal, parse, read_lengths, triples

part = st.builds("{}:{}-{}".format, st.sampled_from("abc"), st.integers(0, 99), st.integers(0, 99))
provenances = st.lists(part, min_size=1, max_size=4).map(",".join)


@given(provenances, st.randoms())
def test_the_normal_form_does_not_depend_on_the_order(text, random):
    parts = text.split(",")
    random.shuffle(parts)
    assert normal(",".join(parts)) == normal(text) == normal(normal(text))


@given(provenances)
def test_what_was_repaired_needs_no_repair(text):
    once = parse(text, None, ProblemLog(), "")
    log = ProblemLog()
    assert parse(once, None, log, "") == once
    assert log.errors == log.warnings == 0
    assert ",".join(map(str, triples(once))) == once


@pytest.mark.parametrize(
    ("text", "kept", "names"),
    [
        ("d1:0-9", "d1:0-9", set()),
        ("d1:0-149", "d1:0-149", set()),
        ("d1:0-150", "d1:0-149", {"TOO_MANY_CHARS"}),
        ("d1:9-3,d2:1-2", "d2:1-2", {"ILLEGAL_OFFSET_PAIR"}),
        ("d1:1-2,", "d1:1-2", set()),
        (",d1:1-2", "d1:1-2", {"ILLEGAL_OFFSET_TRIPLE_STRING"}),
        ("a:1-2,b:1-2,c:1-2,d:1-2,e:1-2", "a:1-2,b:1-2,c:1-2,d:1-2", {"TOO_MANY_PROVENANCE_TRIPLES"}),
        ("NO_DOCUMENT:1-2", "", set()),
        ("", "", set()),
    ],
)
def test_repairs(text, kept, names):
    log = ProblemLog()
    assert parse(text, None, log, "") == kept
    assert set(log.counts) == names


def test_lengths(tmp_path):
    path = tmp_path / "docs.txt"
    path.write_text("d1\t20\textra\nd2\t0\nd3\n")
    lengths = read_lengths(str(path))
    log = ProblemLog()
    assert parse("d1:3-20,d1:3-21,d2:1-2,d9:1-2", lengths, log, "") == "d1:3-20"
    assert log.counts == {"ILLEGAL_OFFSET_IN_DOC": 1, "ILLEGAL_DOCID": 2}
    path.write_text("")
    assert read_lengths(str(path)) is None
