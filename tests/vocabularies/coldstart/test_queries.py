from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coldstart.kb_files import QUERIES_TEXT

from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.queries import QuerySet, encode, query_file, read_queries
from karat.vocabularies.coldstart.query_ids import ID_RULES, IdRules, Rules2015, Rules201511


def read(tmp_path, text: str, profile: str = "2015") -> tuple[QuerySet, ProblemLog]:
    path = tmp_path / "queries.xml"
    path.write_text(text, "utf-8", newline="")
    log = ProblemLog()
    return read_queries(str(path), ID_RULES[profile], log), log


def test_the_prefix_is_doubled_in_2015_only():
    text = "CSSF15_ENG_0123456789"
    assert Rules2015().parse(text).written == f"CSSF15_ENG_{text}"
    assert Rules201511().parse(text).written == text
    assert IdRules().parse(text).written == text


def test_only_the_last_part_of_a_deep_id_is_kept_in_2015():
    rules = Rules2015()
    first = rules.follow_up(rules.parse("Q_0123456789"), "a" * 12)
    second = rules.follow_up(first, "b" * 12)
    assert second.key == "Q_0123456789_" + "b" * 12
    corrected = IdRules()
    deep = corrected.follow_up(corrected.follow_up(corrected.parse("Q_0123456789"), "a" * 12), "b" * 12)
    assert deep.key == "Q_0123456789_" + "a" * 12 + "_" + "b" * 12


@pytest.mark.parametrize(
    ("profile", "expected"),
    [("2015", "Q_ENG_aaaaaaaaaaaa"), ("2015.11", "Q_ENG_aaaaaaaaaaaa"), ("corrected", "Q_ENG_0123456789_aaaaaaaaaaaa")],
)
def test_the_published_bug_of_the_second_round(profile, expected):
    rules = ID_RULES[profile]
    assert rules.second_round(rules.parse("Q_ENG_0123456789"), "a" * 12).written == expected


def test_release_2015_11_stops_at_ids_that_it_does_not_know():
    with pytest.raises(Stop, match="unexpected argument"):
        Rules201511().parse("QUERY")


def test_a_query_of_several_entry_points_adds_one_of_each(tmp_path):
    text = QUERIES_TEXT.replace("CSSF15_ENG_0123456789", "CS15_ENG_0001").replace(
        "<enttype>", "<name>A</name><docid>d2</docid><beg>5</beg><end>6</end><enttype>"
    )
    queries, _ = read(tmp_path, text)
    assert [len(query.entry_points) for query in queries] == [2, 1, 1]
    assert all(len(query.id.key) == 10 for query in list(queries)[1:])
    assert len(read(tmp_path, text, "corrected")[0]) == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("</beg>", "</begin>", "MISMATCHED_TAGS"),
        ("<beg>0", "<beg>x", "ILLEGAL_OFFSET"),
        ("<end>2", "<end>-1", "ILLEGAL_OFFSET"),
        ("<beg>0", "<beg>9", "ILLEGAL_OFFSET_PAIR"),
        ("<enttype>", "<age>4</age><enttype>", "UNKNOWN_QUERY_FIELD"),
        ("<enttype>", "<enttype>org</enttype><enttype>", "DUPLICATE_QUERY_FIELD"),
        ("per:children", "per:kids", "UNKNOWN_SLOT_NAME"),
        ('id="', 'name="', "MALFORMED_QUERY"),
        ("slot0", "slot7", "UNKNOWN_QUERY_FIELD"),
    ],
)
def test_what_can_be_wrong_with_a_query(old, new, problem, tmp_path):
    _, log = read(tmp_path, QUERIES_TEXT.replace(old, new))
    assert problem in log.counts


def test_what_is_written_is_what_was_read(tmp_path):
    queries, _ = read(tmp_path, QUERIES_TEXT, "corrected")
    for query in queries:
        query.slot = query.slots[0]
    expected = QUERIES_TEXT.replace("    <slot0>", "    <slot>per:children</slot>\n    <slot0>")
    assert query_file(queries) == expected


def test_a_query_without_a_required_field_cannot_be_written(tmp_path):
    queries, _ = read(tmp_path, QUERIES_TEXT.replace("<name>Ada</name>", ""))
    with pytest.raises(Stop, match="Missing query field: <NAME>"):
        query_file(queries)


@given(st.text())
def test_names_survive_escaping(name):
    assert html.unescape(encode(name)) == html.unescape(html.escape(name))
    assert not set("<>\"'") & set(encode(name))


@given(st.text(alphabet=st.sampled_from('<>/query id="ab\n')))
def test_any_text_is_read(tmp_path_factory, text):
    queries, log = read(tmp_path_factory.mktemp("q"), text)
    assert len(queries) == 0
    assert log.counts["NO_QUERIES_LOADED"] == 1
