from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.coldstart.kb_files import KB_TEXT, validate

from karat.protocols.coldstart.drop_in.outlets import Outlet


def test_a_sound_kb_has_no_problems(tmp_path):
    log, output = validate(tmp_path, KB_TEXT)
    assert (log.errors, log.warnings) == (0, 0)
    assert output.splitlines()[:3] == ["run1", "", ":A\ttype\tPER\t"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('A\tper:title\t"x"\td1:0-9\t0.5', "COLON_OMITTED"),
        (":A\tper:title\tx\td1:0-9\t0.5", "UNQUOTED_STRING"),
        (':A\tper:titles\t"x"\td1:0-9\t0.5', "PREDICATE_ALIAS"),
        (":A\tper:spouse\t:B\td1:0-9\t0.5", "MISSING_INVERSE"),
        (':A\tper:age\t"x"\td1:0-9', None),
        (':B\tper:age\t"5"\td1:0-9\t0.5', "MULTIPLE_FILLS_ENTITY"),
        (':B\tper:age\t"4"\td1:0-9\t0.5', "DUPLICATE_ASSERTION"),
        (':B\tper:age\t"4"\td1:10-20\t0.1', None),
        (":A\tlink\tnowhere", "ILLEGAL_LINK_SPECIFICATION"),
        (':A\tper:title\t"x"\td2:0-9\t0.5', "UNATTESTED_RELATION_ENTITY"),
        (':A\tper:title\t"x"\td1:0-9\t1.5', "ILLEGAL_CONFIDENCE_VALUE"),
        (':A\tper:title\t"x"\td1:0-9\t1', "WRONG_NUM_ENTRIES"),
        (':A\torg:website\t"x"\td1:0-9\t0.5', "SUBJECT_PREDICATE_MISMATCH"),
        (':A\tmention\t"Ada"\td2:0-9\t0.5', "MISSING_CANONICAL"),
        (':A\tcanonical_mention\t"Ada"\td2:0-9\t0.5', "UNASSERTED_MENTION"),
        (':A\tcanonical_mention\t"Ada"\td1:5-9\t0.5', "MULTIPLE_CANONICAL"),
        (":A\ttype\tORG", "MULTITYPED_ENTITY"),
        (":C\ttype\tPER", "NO_MENTIONS"),
        (':A\tper:parents\t"Bob"\td1:0-9\t0.5', "STRING_USED_FOR_ENTITY"),
    ],
)
def test_a_line_and_its_problem(line, problem, tmp_path):
    log, _ = validate(tmp_path, f"{KB_TEXT}{line}\n")
    assert (problem in log.counts) if problem else log.counts == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (":A\tper:title\tx\td1:0-9\t0.5", "UNQUOTED_STRING"),
        (':A\tmention\t"Ada"\td1:0-400\t0.5', "TOO_MANY_CHARS"),
        (':A\tmention\t"Ada"\td1:9-2\t0.5', "ILLEGAL_OFFSET_PAIR"),
    ],
)
def test_what_is_wrong_on_two_lines_in_a_row_is_said_of_both(line, problem, tmp_path):
    log, _ = validate(tmp_path, f"{KB_TEXT}{line}\n{line}\n")
    assert log.counts[problem] == 2


def test_a_first_string_without_text_is_none_that_was_seen_before(tmp_path):
    log, output = validate(tmp_path, f"run1\n:A\tmention\t\td1:0-2\t1.0{KB_TEXT.removeprefix('run1')}")
    assert log.counts == {"UNQUOTED_STRING": 1}
    assert ':A\tmention\t""\td1:0-2\t1.0' in output.splitlines()


def test_offsets_that_are_too_large_for_a_column_are_in_order(tmp_path):
    large = ("d1:20000000000000000000-20000000000000000005", "d1:100000000000000000000-100000000000000000009")
    mentions = [f':A\tmention\t"Ada"\t{place}\t0.5' for place in ("d1:3-5", *large)]
    _, output = validate(tmp_path, KB_TEXT + "".join(f"{line}\n" for line in reversed(mentions)))
    assert [line for line in output.splitlines() if line.endswith("0.5")] == mentions


def test_entities_of_which_nothing_is_written_do_not_end_the_output():
    outlet = Outlet()
    outlet.write_all([":A\n", *[""] * 2000, ":B\n"])
    assert outlet.content() == b":A\n:B\n"


def test_the_higher_confidence_is_kept_and_ties_go_to_the_earlier_line(tmp_path):
    more = ':B\tper:age\t"5"\td1:0-9\t0.95\n:B\tper:age\t"6"\td1:1-9\t0.95\n'
    assert [line for line in validate(tmp_path, KB_TEXT + more).output.splitlines() if "per:age" in line] == [
        ':B\tper:age\t"5"\td1:0-9\t0.95'
    ]


def test_without_a_run_id_every_line_counts_as_one_more(tmp_path):
    log, _ = validate(tmp_path, KB_TEXT.removeprefix("run1\n") + ":A\tbogus\t:B\td1:1-2\n")
    assert "(%s line 11)" % (tmp_path / "kb.tac") in log.report()


def test_only_what_is_known_so_far_helps_to_find_a_predicate(tmp_path):
    line = ":A\tparents\t:B\td1:0-9\t0.5\n"
    assert "AMBIGUOUS_PREDICATE" in validate(tmp_path, "run1\n" + line + KB_TEXT.removeprefix("run1\n")).log.counts
    assert "AMBIGUOUS_PREDICATE" not in validate(tmp_path, KB_TEXT + line).log.counts


def test_what_a_task_does_not_ask_for_is_left_out(tmp_path):
    log, output = validate(tmp_path, KB_TEXT, task="CSED")
    assert log.counts == {"OFF_TASK_SLOT": 5}
    assert "canonical" not in output


values = st.sampled_from(['"x"', '"a # b"', "bare", 'q"t', "é", '"\\""'])
places = st.builds("d{}:{}-{}".format, st.integers(1, 2), st.integers(0, 9), st.integers(10, 20))
entity = st.sampled_from([":A", ":B", "C"])
numbers = st.sampled_from(["1.0", "0.5", "0.25"])
assertions = st.one_of(
    st.tuples(entity, st.sampled_from(["mention", "canonical_mention", "per:age", "title", "per:titles"]), values),
    st.tuples(entity, st.sampled_from(["per:children", "spouse", "per:siblings"]), entity),
)
lines = st.builds(lambda one, place, number: "\t".join([*one, place, number]), assertions, places, numbers)


@given(st.lists(lines, max_size=15))
def test_what_was_written_repaired_is_sound(extra):
    """Validating the output finds no error, and settles: an omitted relation may take its inverse along, once."""
    types = ":A\ttype\tPER\n:B\ttype\tper\n:C\ttype\tPER\n"
    mentions = "".join(
        f':{name}\t{verb}\t"{name}"\td{doc}:0-0\t1.0\n'
        for name in "ABC"
        for doc in (1, 2)
        for verb in ("mention", "canonical_mention")
    )
    with tempfile.TemporaryDirectory() as folder:
        log, once = validate(Path(folder), "run1\n" + types + mentions + "".join(f"{line}\n" for line in extra))
        if log.errors:
            return
        again = validate(Path(folder), once)
        assert again.log.errors == 0
        assert validate(Path(folder), again.output).output == again.output


@settings(max_examples=20, deadline=None)
@given(st.lists(lines, max_size=12), st.sampled_from(["ONE", "ONEPERDOC", "MANY"]))
def test_repetition_is_never_stricter_for_more(extra, multiple):
    """Each way to count repetitions omits at most what the stricter one omits."""
    text = KB_TEXT + "".join(f"{line}\n" for line in extra if not line.startswith("C"))
    order = ["MANY", "ONEPERDOC", "ONE"]
    with tempfile.TemporaryDirectory() as folder:
        found = validate(Path(folder), text, multiple=multiple).log.counts.get("DUPLICATE_ASSERTION", 0)
        looser = order[max(order.index(multiple) - 1, 0)]
        assert validate(Path(folder), text, multiple=looser).log.counts.get("DUPLICATE_ASSERTION", 0) <= found
