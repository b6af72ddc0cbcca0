"""The scorer: what is counted, and every quirk as published and corrected."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.cli import run as karat
from tests.coldstart.sf_data import BOB, CY, POOL, QUERIES, RUN, Q, answer, judged, rows, target, write

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


def test_second_round_counts_twice(tmp_path):
    again = f'<query id="{BOB}"><name>B</name><docid>d1</docid><beg>10</beg><end>12</end><slot0>per:age</slot0></query>'
    queries = QUERIES.replace("</query_set>", again + "</query_set>")
    (tmp_path / "index").write_text(f"{Q}\tCS1\n")
    found = {}
    for profile in ("2015", "corrected"):
        rows(tmp_path, RUN, POOL, "-profile", profile, queries=queries)
        out = tmp_path / profile
        switches = ["-tabs", "-output_file", str(out)]
        assert karat(["coldstart", "project-scores", *switches, str(tmp_path / "index"), str(tmp_path / "scores")]) == 0
        found[profile] = next(line.split() for line in out.read_text().splitlines() if line.startswith("ALL-Micro"))
    assert found["2015"][3:7] == ["4", "2", "2", "0"]
    assert found["corrected"][3:7] == ["2", "1", "1", "0"]


@pytest.mark.parametrize("switch", [("-combo", "SUM"), ("-discipline", "FUZZY")])
def test_unknown_ways_of_scoring_stop(tmp_path, switch, capfd):
    assert karat(["coldstart", "score", *switch, *write(tmp_path, RUN, POOL)]) == 255
    assert capfd.readouterr().out == ""
