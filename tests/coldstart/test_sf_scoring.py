"""The scorer: what is counted, and every quirk as published and corrected."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat as api
from karat.cli import run as karat
from karat.errors import InputError, UsageError
from tests.coldstart.sf_data import BOB, CY, POOL, QUERIES, RUN, Q, answer, judged, rows, target, write
from tests.conformance import packs

CORRECTED = ("-profile", "corrected")


def test_a_run_with_a_right_a_wrong_and_a_missed_answer(tmp_path):
    found = rows(tmp_path, RUN, POOL)
    assert found == {
        f"{Q} 0": ["2", "1", "1", "0", "0.5000"],
        f"{Q}:1 1": ["1", "1", "0", "0", "1.0000"],
        "ALL-Micro 0": ["2", "1", "1", "0", "0.5000"],
        "ALL-Micro 1": ["1", "1", "0", "0", "1.0000"],
        "ALL-Micro ALL": ["3", "2", "1", "0", "0.6667"],
    }
    assert rows(tmp_path, RUN, POOL, *CORRECTED) == found


def test_duplicates_by_the_wrong_field(tmp_path):
    run = [*RUN, RUN[0]]
    assert rows(tmp_path, run, POOL)[f"{Q} 0"][:4] == ["2", "1", "2", "1"]
    assert rows(tmp_path, run, POOL, *CORRECTED)[f"{Q} 0"][:4] == ["2", "1", "1", "0"]


def test_first_parent_decides(tmp_path):
    run = [answer(Q, "Bob", "d1:10-12", relation="d9:0-9"), *RUN]
    assert rows(tmp_path, run, POOL)[f"{Q}:1 1"][:4] == ["1", "0", "1", "0"]
    assert rows(tmp_path, run, POOL, *CORRECTED)[f"{Q}:1 1"][:4] == ["1", "1", "0", "0"]


def test_nameless_hop_0_rows(tmp_path):
    dan = target("Dan", "d1:20-22")
    run, pool = [*RUN, answer(dan, "9", "d1:40-40")], [*POOL, judged(dan, "9", "d1:40-40", "W", "0")]
    assert rows(tmp_path, run, pool)["0"][:4] == ["0", "0", "1", "0"]
    found = rows(tmp_path, run, pool, *CORRECTED)
    assert "0" not in found
    assert found[f"{Q}:0 1"][:4] == ["0", "0", "1", "0"]


def test_last_class_wins(tmp_path):
    pool = [*POOL, judged(Q, "Bob", "d1:10-12", "X", "3", relation="d8:0-9")]
    run = [*RUN, answer(BOB, "5", "d1:50-50")]
    assert f"{Q}:3 1" in rows(tmp_path, run, pool)
    assert f"{Q}:3 1" not in rows(tmp_path, run, pool, *CORRECTED)


def test_order_of_lines(tmp_path, capfd):
    files = write(tmp_path, RUN[::-1], POOL)
    assert karat(["coldstart", "score", *files]) == 255
    assert capfd.readouterr().err == f"FATAL: Query {BOB} not loaded\n"
    assert rows(tmp_path, RUN[::-1], POOL[::-1], *CORRECTED) == rows(tmp_path, RUN, POOL)


def test_macro_sums_means(tmp_path):
    assert rows(tmp_path, RUN, POOL, "-combo", "MACRO")["ALL-Micro ALL"][:3] == ["1", "1", "0"]
    found = rows(tmp_path, RUN, POOL, "-combo", "MACRO", *CORRECTED)
    assert found["ALL-Macro ALL"] == ["", "", "", "", "0.6667"]
    assert found["ALL-Macro 0"][-1] == "0.5000"


def test_union_takes_entry_points_together(tmp_path):
    points = "".join(f"<name>A</name><docid>d{n}</docid><beg>0</beg><end>2</end>" for n in (1, 2))
    slot = "<slot0>per:children</slot0>"
    queries = f'<query_set><query id="CS15_ENG_0001">{points}<enttype>per</enttype>{slot}</query></query_set>'
    from karat.coldstart.sf.ids import entry_point_id

    one, two = (entry_point_id("X", f"d{n}", "0", "2", ["per:children"]) for n in (1, 2))
    run = [
        f"{name}\tper:children\trun1\td1:0-9\t{value}\tPER\td1:0-2\t1.0"
        for name, value in ((one, "Bob"), (two, "Bob"), (two, "Cy"), (one, "Dan"))
    ]
    pool = [
        f"a\t{name}:per:children\td1:0-9\t{value}\td1:0-2\tC\tC\t{name}:{ec}"
        for name in (one, two)
        for value, ec in (("Bob", 1), ("Cy", 2))
    ]
    switches = ("-expand", "X", "-combo", "UNION")
    assert rows(tmp_path, run, pool, *switches, queries=queries)["ALL-Micro ALL"][:4] == ["4", "3", "1", "0"]
    found = rows(tmp_path, run, pool, *switches, *CORRECTED, queries=queries)
    assert found["CS15_ENG_0001 0"][:4] == ["2", "2", "1", "0"]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_corrected_scores_do_not_depend_on_the_order_of_lines(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("sf")
    choices = [
        (query, value, place) for query in (Q, BOB, CY) for value, place in (("Bob", "d1:10-12"), ("Cy", "d2:0-1"))
    ]
    run = [*RUN, *(answer(*one) for one in data.draw(st.lists(st.sampled_from(choices), max_size=5)))]
    judgments = data.draw(st.lists(st.tuples(st.sampled_from(choices), st.sampled_from("CXWSLI")), max_size=5))
    pool = [*POOL]
    for (query, value, place), judgment in judgments:
        ec = {Q: "", BOB: "1:", CY: "2:"}[query] + ("1" if value == "Bob" else "2")
        pool.append(judged(query, value, place, judgment, ec if judgment in "CX" else "0"))
    run.append(answer(Q, "Cy", "d2:0-1"))
    expected = rows(folder, run, pool, *CORRECTED)
    shuffled = [data.draw(st.permutations(lines)) for lines in (run, pool)]
    assert rows(folder, *shuffled, *CORRECTED) == expected


@pytest.mark.parametrize("switch", [("-combo", "SUM"), ("-discipline", "FUZZY")])
def test_unknown_ways_of_scoring_stop(tmp_path, switch, capfd):
    assert karat(["coldstart", "score", *switch, *write(tmp_path, RUN, POOL)]) == 255
    assert capfd.readouterr().out == ""


CASES = [
    case
    for case in packs.manifest("coldstart-sf")
    if case["program"] == "cs-score"
    and not case["expected_exit"]
    and case["args"] == ["q.xml", "run.tab.txt", "pool.fqec"]
]


@pytest.mark.parametrize(
    "case", [one for one in CASES if one["folder"] == "synthetic-random"], ids=lambda one: one["id"]
)
def test_the_protocol_counts_as_the_program_does(case, tmp_path):
    folder = packs.synthetic("coldstart-sf") / case["folder"]
    table = (folder / case["expected"]["stdout"]).read_text("utf-8").splitlines()
    pool, run = (folder / case["cwd"] / name for name in ("pool.fqec", "run.tab.txt"))
    runs = {line.split()[1] for line in table if line.startswith("ALL-")}
    if len(runs) > 1:
        with pytest.raises(InputError, match=f"holds {len(runs)} runs .* give each a file of its own"):
            api.score("tac2015-sf", str(pool), str(run))
    for name in runs:
        lines = [line for line in run.read_text("utf-8").splitlines() if line.split("\t")[2] == name]
        (tmp_path / "run").write_text("\n".join([*lines, ""]), "utf-8")
        scores = api.score("tac2015-sf", str(pool), str(tmp_path / "run"))
        for line in table:
            if line.startswith("ALL-Micro") and line.split()[1] == name:
                check_counts(line, scores)


def check_counts(line, scores):
    _, _, hop, gold, right, wrong, duplicate, *_ = line.split()
    layer = "all hops" if hop == "ALL" else f"hop {hop}"
    counts = next(row.counts for row in scores if row.layer == layer and row.average == "micro")
    skipped = ("right", "missed", "repeated", "unclassed", "alternative")
    assert counts["right"] + counts["missed"] == int(gold)
    assert counts["right"] == int(right)
    assert counts["duplicate"] + counts["surplus"] == int(duplicate)
    assert sum(number for key, number in counts.items() if key not in skipped) == int(wrong)


def test_the_ledger_says_why(tmp_path):
    run = [*RUN, answer(Q, "Eve", "d1:60-62"), RUN[0], answer(CY, "7", "d1:70-70")]
    pool = [*POOL, judged(CY, "7", "d1:70-70", "C", "2:1")]
    _, run_file, pool_file = write(tmp_path, run, pool, QUERIES)
    entries = list(api.explain("tac2015-sf", pool_file, run_file))
    assert [entry.case for entry in entries] == [
        *("right", "wrong", "right", "unassessed", "duplicate", "orphan", "missed", "missed")
    ]
    assert entries[5].reason.startswith(f"correct in class {Q}:2:1, but no right fill of the run led to its query")
    assert Path(entries[0].system.place).name == "run.tab.txt:1"


def test_ldc_queries_take_their_best_or_their_given_entry_point(tmp_path):
    other = Q.replace("0123456789", "00000000aa")
    lines = [f"{other}\tper:children\trun1\td1:0-99\tEve\tPER\td1:1-3\t1.0"]
    _, run, pool = write(tmp_path, [*RUN, *lines], POOL)
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text(f"{Q}\tCS1\n{other}\tCS1\n")
    mapping.write_text(f"CS1 {other}\n")
    best = api.score("tac2015-sf", pool, run, level="ldc-max", index=str(index))
    assert best.tallies.units == ["CS1"]
    assert best.value("precision", layer="all hops") == 2 / 3
    given_one = api.score("tac2015-sf", pool, run, level="ldc-random", index=str(index), mapping=str(mapping))
    assert given_one.value("precision", layer="all hops") == 0
    with pytest.raises(UsageError, match="needs --index"):
        api.score("tac2015-sf", pool, run, level="ldc-max")


def test_only_the_queries_of_a_file_are_scored(tmp_path):
    other = Q.replace("0123456789", "00000000aa")
    lines = [f"{other}\tper:children\trun1\td1:0-99\tEve\tPER\td1:1-3\t1.0"]
    queries, run, pool = write(tmp_path, [*RUN, *lines], POOL)
    scores = api.score("tac2015-sf", pool, run, queries=queries)
    assert scores.tallies.units == [Q]
    assert scores.notes == ("left out queries that the query file lacks: 1",)
