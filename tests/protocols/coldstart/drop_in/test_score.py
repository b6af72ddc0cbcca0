"""The scorer: what is counted, and every quirk as published and corrected."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.coldstart.slot_files import BOB, CY, POOL, QUERIES, RUN, Q, answer, judged, rows, target, write

from karat.cli import run as karat

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


@settings(max_examples=15, deadline=None)
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


def test_a_bin_below_a_class_comes_after_what_is_asked_above(tmp_path):
    pool = [judged(BOB, "4", "d1:30-30", "W", "0"), *POOL[:2]]
    run = [RUN[0], answer(Q, "Cy", "d2:0-1"), RUN[2]]
    assert rows(tmp_path, run, pool)[f"{Q} 0"] == ["2", "2", "0", "0", "1.0000"]


@pytest.mark.parametrize("bare", ["5", Q])
def test_below_a_class_without_a_number_nothing_has_a_name(tmp_path, bare):
    pool = [
        judged(Q, "Bob", "d1:10-12", "C", "1").replace(f"{Q}:1", bare),
        POOL[1],
        judged(BOB, "4", "d1:30-30", "W", "0"),
    ]
    run = [RUN[0], answer(Q, "Cy", "d2:0-1"), RUN[2]]
    found = rows(tmp_path, run, pool)
    assert found["0"][:4] == ["0", "0", "1", "0"]
    assert found[f"{Q} 0"][:4] == ["1", "1", "0", "0"]


def test_what_follows_from_a_slot_that_nobody_asked_for_is_left_out(tmp_path, capfd):
    run = [RUN[0].replace("per:children", "per:spouse"), RUN[2]]
    assert karat(["coldstart", "score", *write(tmp_path, run, POOL[1:2])]) == 255
    assert capfd.readouterr().err.endswith("FATAL: queryid undefined in QuerySet->get()\n")
    found = rows(tmp_path, run, POOL[1:2], *CORRECTED)
    assert found[f"{Q} 0"][:4] == ["1", "0", "0", "0"]
    assert f"WARNING: Response for illegal query {BOB} skipped\n" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("switches", "same_as"),
    [
        (("-runids", ""), ()),
        (("-runids", "0"), ()),
        (("-expand", ""), ()),
        (("-error_file", ""), ()),
        (("-queries", ""), ("-queries", "::")),
    ],
)
def test_empty_switches(tmp_path, switches, same_as):
    assert rows(tmp_path, RUN, POOL, *switches) == rows(tmp_path, RUN, POOL, *same_as)


def test_queries_that_are_no_file_of_ids(tmp_path, capfd):
    (tmp_path / "none").write_text("")
    assert rows(tmp_path, RUN, POOL, "-queries", str(tmp_path / "none")) == {}
    assert capfd.readouterr().err == ""
    assert rows(tmp_path, RUN, POOL, "-queries", str(tmp_path)) == {}
    assert capfd.readouterr().err == f"WARNING: Unknown query:  ({tmp_path})\n"


@pytest.mark.parametrize(("profile", "sums"), [("2015", ["3", "6"]), ("corrected", ["3", "3"])])
@pytest.mark.parametrize("combo", ["MICRO", "MACRO"])
def test_a_run_that_is_asked_for_twice(tmp_path, profile, sums, combo):
    files = write(tmp_path, RUN, POOL)
    out = tmp_path / "out"
    switches = ["-tabs", "-profile", profile, "-combo", combo, "-runids", "run1:run1", "-output_file", str(out)]
    assert karat(["coldstart", "score", *switches, *files]) == 0
    lines = [line.split("\t") for line in out.read_text().splitlines() if line.startswith("ALL-")]
    if combo == "MICRO":
        assert [line[3].strip() for line in lines if line[2] == "ALL"] == sums
    elif profile == "2015":
        assert [line[3].strip() for line in lines if line[2] == "ALL"] == ["1", "3"]


def test_a_malformed_query_is_its_own_place(tmp_path, capfd):
    extra = '<query lang="en" id="Z"><slot0>per:age</slot0></query></query_set>'
    files = write(tmp_path, RUN, POOL, QUERIES.replace("</query_set>", extra))
    start = '<query lang="en" id="Z"><'
    expected = f'ERROR: Malformed query  (Query starting with "{start}" in text beginning <<{start}>>)\n'
    for words in (["score", *files], ["validate-sf", *files[:2]]):
        assert karat(["coldstart", *words]) == 255
        assert expected in capfd.readouterr().err


def test_assessments_without_a_slot_stop(tmp_path, capfd):
    assert (
        karat(["coldstart", "score", *write(tmp_path, RUN, [*POOL, POOL[2].replace(f"{Q}:per:children", "x")])]) == 255
    )
    assert capfd.readouterr().err == "FATAL: Can't create SLOT_TYPE\n"


def test_a_repeated_assessment_belongs_to_no_bin(tmp_path):
    dan, ed = target("Dan", "d1:20-22"), target("Ed", "d1:24-25")
    above = [("Dan", "d1:20-22"), ("Ed", "d1:24-25")]
    run = [answer(Q, *one) for one in above]
    pool = [judged(Q, *one, "W", "0") for one in above]
    run += [answer(query, "9", "d1:40-40", relation="d1:40-40") for query in (dan, ed)]
    pool += [judged(query, "9", "d1:40-40", "W", "0", relation="d1:40-40") for query in (dan, ed)]
    found = rows(tmp_path, run, pool)
    assert found["0"][:4] == found[f"{Q}:0 1"][:4] == ["0", "0", "1", "0"]
    assert rows(tmp_path, run, pool, *CORRECTED)[f"{Q}:0 1"][:4] == ["0", "0", "2", "0"]
