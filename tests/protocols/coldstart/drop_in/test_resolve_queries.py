from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coldstart.kb_files import KB_TEXT, QUERIES_TEXT, contents

from karat.cli import run
from karat.protocols.coldstart.drop_in.kb.resolve import PROGRAM
from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.query_ids import follow_up_digits


def resolve(folder: Path, kb: str, queries: str = QUERIES_TEXT, profile: str = "2015") -> tuple[list[str], str]:
    (folder / "kb.valid").write_text(kb, "utf-8")
    (folder / "queries.xml").write_text(queries, "utf-8")
    outlets = Outlets()
    options = {
        "queryfile": str(folder / "queries.xml"),
        "runfile": str(folder / "kb.valid"),
        "output_file": "stdout",
        "error_file": "stderr",
    }
    PROGRAM(options | {"profile": profile}, outlets)
    out, err = contents(outlets)
    return out.splitlines(), err


def test_two_hops(tmp_path):
    lines, log = resolve(tmp_path, KB_TEXT)
    first = "CSSF15_ENG_0123456789"
    second = f"{first}_{follow_up_digits(first, 'Bob', 'd1:10-12')}"
    assert lines == [
        f"{first}\tper:children\trun1\td1:0-12\tBob\tPER\td1:10-12\t0.8",
        f"{second}\tper:age\trun1\td1:10-20\t4\tSTRING\td1:10-20\t0.9",
    ]
    assert log.splitlines()[1] == "run1\t1\t2\t1\t4\t1\t2\t1\tRESOLUTION_STATISTICS"


def windows(folder: Path, kb: str, profile: str = "2015") -> tuple[int, bytes]:
    """Answer the queries from a knowledge base in Windows-1252, and return the status and the answers."""
    (folder / "kb.valid").write_bytes(kb.encode("cp1252"))
    (folder / "queries.xml").write_text(QUERIES_TEXT, "utf-8")
    paths = [str(folder / name) for name in ("queries.xml", "kb.valid", "answers")]
    status = run(["coldstart", "resolve-queries", "-profile", profile, *paths])
    answers = folder / "answers"
    return status, answers.read_bytes() if answers.exists() else b""


def test_bytes_that_are_not_utf_8_are_taken_as_they_are(tmp_path, capfd):
    status, answers = windows(tmp_path, KB_TEXT.replace('"Ada"', '"Zoë Müller"'))
    assert (status, answers.decode().splitlines()) == (0, resolve(tmp_path, KB_TEXT)[0])
    warning = f"WARNING: {tmp_path / 'kb.valid'} is not UTF-8; its bytes are taken as they are"
    assert capfd.readouterr().err.splitlines()[0] == warning


def test_a_value_is_answered_with_its_bytes(tmp_path):
    status, answers = windows(tmp_path, KB_TEXT.replace('"4"', '"fünfzehn"'))
    assert status == 0
    assert b"\tf\xfcnfzehn\tSTRING\t" in answers


@pytest.mark.parametrize(("value", "answers"), [('"Zoë"', 0), ('"Zoë Müll"', 0), ('"Zoë Miller"', 1)])
def test_bytes_that_end_too_early_or_lead_to_a_query_stop_the_program(value, answers, tmp_path, capfd):
    status, written = windows(tmp_path, KB_TEXT.replace('"Bob"', value))
    assert (status, written.count(b"\n")) == (255, answers)
    assert capfd.readouterr().err.splitlines()[-1] == "DIE: Malformed UTF-8 character (fatal)"


def test_corrected_bytes_that_are_not_utf_8_are_refused(tmp_path, capfd):
    assert windows(tmp_path, KB_TEXT.replace('"Ada"', '"Zoë Müller"'), "corrected") == (3, b"")
    assert "kb.valid:3: byte 0xeb is not UTF-8; convert the file to UTF-8 first" in capfd.readouterr().err


def test_links_stop_the_published_program_only(tmp_path):
    kb = KB_TEXT + ":A\tlink\tFB:m.1\t\t1.0\n"
    with pytest.raises(Stop, match="Wrong number of arguments for predicate link"):
        resolve(tmp_path, kb)
    assert resolve(tmp_path, kb, profile="corrected")[0] == resolve(tmp_path, KB_TEXT)[0]


def test_the_type_of_an_entry_point_counts_where_it_is_corrected(tmp_path):
    queries = QUERIES_TEXT.replace("<enttype>per", "<enttype>org")
    assert len(resolve(tmp_path, KB_TEXT, queries)[0]) == 2
    assert resolve(tmp_path, KB_TEXT, queries, "corrected")[0] == []


def test_several_entry_points_stop_the_published_program_only(tmp_path):
    queries = QUERIES_TEXT.replace("<enttype>", "<name>A</name><docid>d9</docid><beg>5</beg><end>6</end><enttype>")
    with pytest.raises(Stop, match="which has multiple entrypoints"):
        resolve(tmp_path, KB_TEXT, queries)
    assert len(resolve(tmp_path, KB_TEXT, queries, "corrected")[0]) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (':A\tper:age\t"4"\td1\t0.9', "illegal offset specification: d1"),
        (':A\tper:age\t"4"\t0.9', "Wrong number of arguments for predicate per:age"),
    ],
)
def test_lines_that_are_not_validated_stop_it(line, message, tmp_path):
    with pytest.raises(Stop, match=message):
        resolve(tmp_path, f"{KB_TEXT}{line}\n")


def rounds(lines: list[list[str]]) -> list[str]:
    """Play the published way for the query above: read the lines in circles, with tasks that live for one circle."""
    found: list[str] = []
    entry = next((row[0] for row in lines if row[1] == "mention" and row[3] == "d1:0-2"), None)
    tasks = [] if entry is None else [["fill", "per:children", entry, 0, None]]
    time = 0
    while any(time < task[3] + len(lines) for task in tasks):
        row = lines[time % len(lines)]
        for task in [task for task in tasks if task[3] <= time < task[3] + len(lines)]:
            kind, slot, entity, _, value = task
            if row[0] != entity:
                continue
            if kind == "fill" and row[1] == slot:
                if row[2].startswith(":"):
                    tasks.append(["name", slot, row[2], time + 1, row[2]])
                else:
                    found.append(f"{slot} {row[2]}")
            elif kind == "name" and row[1] == "canonical_mention":
                found.append(f"{slot} {row[2]}")
                tasks.remove(task)
                if slot == "per:children":
                    tasks.append(["fill", "per:age", value, time + 1, None])
        time += 1
    return found


names = st.sampled_from([":A", ":B", ":C"])
offsets = st.integers(0, 5).map(lambda start: f"d1:{start}-{start + 2}")
rows = st.one_of(
    st.tuples(names, st.just("per:children"), names, offsets),
    st.tuples(names, st.just("per:age"), st.sampled_from(['"1"', '"2"']), offsets),
    st.tuples(names, st.just("canonical_mention"), st.sampled_from(['"x"', '"y"', '"z"']), offsets),
)


@given(st.lists(rows, min_size=1, max_size=14))
def test_answers_come_in_the_order_of_reading_round_and_round(rows):
    lines = [[":A", "mention", '"Ada"', "d1:0-2"], *map(list, rows)]
    kb = "run1\n" + "".join("\t".join(line) + "\t1.0\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        answers, _ = resolve(Path(folder), kb)
    columns = [answer.split("\t") for answer in answers]
    assert [f'{column[1]} "{column[4]}"' for column in columns] == rounds(lines)
