"""What is said about pools, runs and query files that cannot be scored: where, what, and in words of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.coldstart.slot_files import BOB, POOL, QUERIES, RUN, Q, answer, judged, target, write

import karat as api
from karat.errors import InputError

NAME = "tac2015-sf"
REPAIR = "karat coldstart correct-query-ids"
FIVE = ",".join(f"d1:{start}-{start + 1}" for start in range(0, 50, 10))
FOUR = FIVE.rpartition(",")[0]


def refused(folder, run=RUN, pool=POOL, queries=QUERIES):
    """Return what is said about the files, without their folder."""
    query_file, run_file, pool_file = write(folder, run, pool, queries)
    with pytest.raises(InputError) as caught:
        api.score(NAME, pool_file, run_file, queries=query_file)
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (judged(Q, "Eve", "d1:60-62", "W", "2"), f"'Eve' for {Q} is judged W, but is in class {Q}:2; expected class 0"),
        (
            judged(Q, "Eve", "d1:60-62", "C", "0"),
            f"'Eve' for {Q} is judged C, but is in no class; expected one as {Q}:1",
        ),
        (
            judged(BOB, "5", "d1:60-62", "C", "7:1"),
            f"'5' for {BOB} is in class {Q}:7:1, but no line that is judged C or X is in class {Q}:7",
        ),
        (
            judged(target("No", "d1:1-2"), "5", "d1:60-62", "C", "1:2"),
            f"query {target('No', 'd1:1-2')} is asked by no answer of the run or pool; repair the ids with {REPAIR}",
        ),
        (judged(Q, "Eve", "d1:60-62", "Y", "0"), "judgment 'Y' is none of C W X I S L"),
    ],
)
def test_lines_of_the_pool(tmp_path, line, said):
    assert refused(tmp_path, pool=[*POOL, line]) == f"pool.fqec:5: {said}"


def test_lines_of_the_run(tmp_path):
    child = answer(target("No", "d1:1-2"), "5", "d1:60-62")
    said = refused(tmp_path, run=[child, *RUN])
    assert said.startswith(f"run.tab.txt:1: query {target('No', 'd1:1-2')} is asked by no answer of the run or pool;")
    said = refused(tmp_path, run=[*RUN, RUN[0].replace("run1", "run2")])
    assert said == "run.tab.txt:4: holds 2 runs (run1, run2), and one is scored at a time; give each a file of its own"


def test_a_run_for_a_pool(tmp_path):
    assert refused(tmp_path, pool=RUN) == "pool.fqec:1: has answers without judgments; the gold must be assessments"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("<beg>0", "<beg>x"), f"q.xml:2: query {Q}: 'x' is not a valid offset; write offsets as whole numbers"),
        (
            ("<beg>0", "\n<beg>7"),
            f"q.xml:2: query {Q}: '(7, 2)' is not a valid offset pair; write the first offset before the last",
        ),
        (
            ("slot1>per:age", "slot1>per:edge"),
            "q.xml:3: unknown slot name 'per:edge'; use a slot of the schema, as type:name in lower case",
        ),
        (("<beg>0</beg>", ""), f"q.xml:2: query {Q}: '' is not a valid offset; write offsets as whole numbers"),
        (
            ("<slot1>per:age", "<slot1>\n"),
            "q.xml:3: unknown slot name '\\n'; use a slot of the schema, as type:name in lower case",
        ),
        (
            (f'id="{Q}"', f'lang="en" id="{Q}"'),
            'q.xml:2: a query is malformed; begin a query with <query id="..."> and nothing else in the tag',
        ),
    ],
)
def test_query_files(tmp_path, change, said):
    other = QUERIES.replace("<query_set>\n", "").replace("</query_set>\n", "").replace("0123456789", "00000000aa")
    queries = QUERIES.replace(*change).replace("</query_set>\n", other + "</query_set>\n")
    assert refused(tmp_path, queries=queries) == said


def test_files_that_are_not_there(tmp_path):
    queries, run, pool = write(tmp_path, RUN, POOL)
    missing = tmp_path / "no"
    for option in ("queries", "index", "mapping"):
        with pytest.raises(InputError) as caught:
            api.score(NAME, pool, run, **({"queries": queries} | {option: missing}))
        assert str(caught.value) == f"{missing}: cannot be read: no such file or directory"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            RUN[0].removesuffix("\t1.0"),
            "column 6, VALUE_PROVENANCE_TRIPLES, has 'STRING'; expected the columns of a run",
        ),
        (
            POOL[0].replace("C\tC", "C\tY"),
            "column 7, PROVENANCE_ASSESSMENT, has 'Y'; expected the columns of assessments",
        ),
        (RUN[0].replace("STRING", "THING"), "column 6, VALUE_TYPE, has 'THING'"),
        (RUN[0].replace("d1:0-99", "d1:0"), "column 4, RELATION_PROVENANCE_TRIPLES, has 'd1:0'"),
        (RUN[0] + "\tx\ty", "it has 10 columns; expected 8 separated by tabs, or 7 for a run of 2014"),
    ],
)
def test_first_lines_that_are_nothing(tmp_path, line, said):
    path = Path(write(tmp_path, [line], POOL)[1])
    with pytest.raises(InputError) as caught:
        list(api.read(path, "coldstart"))
    found = str(caught.value).replace(f"{tmp_path}/", "")
    assert found.startswith(f"run.tab.txt:1: {line[:60]!r} is not Cold Start slot filling: {said}")


def test_a_provenance_of_five_stretches_is_cut_on_the_first_line_as_on_any(tmp_path):
    run = [answer(Q, "Bob", "d1:10-12", relation=FIVE), *RUN[1:]]
    pool = [judged(Q, "Bob", "d1:10-12", "C", "1", relation=FOUR), *POOL[1:]]
    queries, run_file, pool_file = write(tmp_path, run, pool)
    first = api.score(NAME, pool_file, run_file, queries=queries)
    Path(run_file).write_text("\n".join([*run[1:], run[0]]) + "\n")
    last = api.score(NAME, pool_file, run_file, queries=queries)
    assert first.value() == last.value() == 2 * 2 / (3 + 3)


def test_the_message_does_not_depend_on_the_order_of_the_other_lines(tmp_path):
    line = judged(BOB, "5", "d1:60-62", "C", "7:1")
    for at in range(len(POOL) + 1):
        pool = [*POOL[:at], line, *POOL[at:]]
        assert refused(tmp_path, pool=pool).startswith(f"pool.fqec:{at + 1}: '5' for {BOB} is in class")
