"""Slot filling by the protocol: the ledger, what the query file says, and LDC queries."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.slots import SLOTS, fill, slot_pairs, slot_summary
from tests.protocols.coldstart.slot_files import BOB, CY, POOL, QUERIES, RUN, Q, answer, judged, target, write

import karat as api
from karat.cli import run as karat
from karat.errors import InputError, UsageError
from karat.evaluation.registry import protocol
from karat.evaluation.tally import Group
from karat.protocols.coldstart.book import SUMMED
from karat.protocols.coldstart.cases import CASES, UNCOUNTED
from karat.protocols.coldstart.options import AskedQuery, IdTable

NAME = "tac2015-sf"
OTHER = Q.replace("0123456789", "00000000aa")
WRONG = f"{OTHER}\tper:children\trun1\td1:0-99\tEve\tPER\td1:1-3\t1.0"


def cases(entries):
    return [entry.case for entry in entries]


def test_the_ledger_says_why(tmp_path):
    run = [*RUN, answer(Q, "Eve", "d1:60-62"), RUN[0], answer(CY, "7", "d1:70-70")]
    pool = [*POOL, judged(CY, "7", "d1:70-70", "C", "2:1")]
    queries, run_file, pool_file = write(tmp_path, run, pool)
    entries = list(api.explain(NAME, pool_file, run_file, queries=queries))
    assert cases(entries) == [*("right", "wrong", "right", "unassessed", "duplicate", "orphan", "missed", "missed")]
    assert entries == list(api.explain(NAME, pool_file, run_file))
    assert entries[5].reason.startswith(f"correct in class {Q}:2:1, but no right fill of the run led to its query")
    assert Path(entries[0].system.place).name == "run.tab.txt:1"
    assert {regime for entry in entries for regime in entry.verdicts} == {"sf"}


def test_what_does_not_count_has_no_verdict(tmp_path):
    """Of a slot with one value, one class is to be found; a line with another slot, or once more, is nothing."""
    queries = QUERIES.replace("slot0>per:children", "slot0>per:country_of_birth")
    run = [answer(Q, "Bob", "d1:10-12", relation="d1:10-12")] * 2 + [answer(Q, "Eve", "d1:1-3")]
    pool = [judged(Q, name, f"d1:{at}0-{at}2", "C", str(at)) for at, name in enumerate(("Ann", "Cy", "Dan"), 1)]
    run, pool = ([line.replace("per:children", "per:country_of_birth") for line in side] for side in (run, pool))
    queries, run, pool = write(tmp_path, [*run, answer(Q, "Flo", "d1:70-72")], pool, queries)
    entries = list(api.explain(NAME, pool, run, queries=queries))
    assert [(entry.case, entry.verdicts) for entry in entries] == [
        ("unassessed", {"sf": "spurious"}),
        ("repeated", {}),
        ("unassessed", {"sf": "spurious"}),
        ("unasked", {}),
        ("missed", {"sf": "missed"}),
        ("alternative", {}),
        ("alternative", {}),
    ]
    row = next(row for row in api.score(NAME, pool, run, queries=queries) if row.measure == "f1")
    assert {name: number for name, number in row.counts.items() if number} == Counter(cases(entries))


def test_the_missed_that_explain_lists_are_those_that_count(tmp_path, capfd):
    run, pool = RUN[:1], [*POOL, judged(BOB, "5", "d1:31-31", "C", "1:2"), judged(BOB, "6", "d1:32-32", "C", "1:3")]
    files = write(tmp_path, run, pool)
    words = ["explain", NAME, files[0], files[2], files[1], "--outcome", "missed", "--view", "tsv"]
    assert karat(words) == 0
    shown = [line.split("\t") for line in capfd.readouterr().out.splitlines() if line.startswith(Q)]
    row = next(row for row in api.score(NAME, files[2], files[1], queries=files[0]) if row.measure == "recall")
    assert len(shown) == row.counts["missed"] == 2
    assert all("missed" in cells for cells in shown)


def test_only_the_queries_of_a_file_are_scored(tmp_path):
    queries, run, pool = write(tmp_path, [*RUN, WRONG], POOL)
    scores = api.score(NAME, pool, run, queries=queries)
    assert scores.tallies.units == [Q]
    assert scores.notes == ("left out queries that the query file lacks: 1",)
    assert "|query-file:" in scores.signature
    assert "|queries:1|" in scores.signature
    assert {row.regime for row in scores} == {"sf"}


def test_a_query_that_nobody_answered_and_nobody_judged_is_a_unit(tmp_path):
    queries, run, pool = write(tmp_path, RUN, POOL, QUERIES.replace("</query_set>", _query(OTHER) + "</query_set>"))
    scores = api.score(NAME, pool, run, queries=queries)
    assert scores.tallies.units == [Q, OTHER]
    assert scores.value(average="macro-query") == api.score(NAME, pool, run).value(average="macro-query") == 2 / 3


def _query(name, slot="per:children"):
    return f'<query id="{name}"><name>A</name><docid>d1</docid><beg>0</beg><end>2</end><slot0>{slot}</slot0></query>'


def test_what_is_not_asked_for_does_not_count(tmp_path):
    """Without the file, one line about a slot with one value makes all of the query a slot with one value."""
    run = [*RUN, answer(Q, "Cy", "d2:0-1"), f"{Q}\tper:age\trun1\td1:0-99\t9\tSTRING\td1:80-80\t1.0"]
    pool = [*POOL, f"a\t{Q}:per:age\td1:0-99\t9\td1:80-80\tW\tW\t0"]
    queries, run, pool = write(tmp_path, run, pool)
    entries = list(api.explain(NAME, pool, run, queries=queries))
    assert cases(entries) == ["right", "wrong", "right", "right", "unasked"]
    assert entries[-1].label == "per:age"
    assert "surplus" in cases(api.explain(NAME, pool, run))
    scores = api.score(NAME, pool, run, queries=queries)
    assert scores.value("precision") == 3 / 4
    assert scores.notes == ()


def test_what_follows_from_an_answer_that_nobody_asked_for_does_not_count_either(tmp_path):
    age = target("9", "d1:80-80")
    run = [*RUN, f"{Q}\tper:age\trun1\td1:0-99\t9\tSTRING\td1:80-80\t1.0", answer(age, "5", "d1:81-81")]
    queries, run, pool = write(tmp_path, run, POOL)
    entries = list(api.explain(NAME, pool, run, queries=queries))
    assert [(one.case, one.layer) for one in entries[3:5]] == [("unasked", "hop 0"), ("unasked", "hop 1")]
    assert api.score(NAME, pool, run, queries=queries).value() == 2 / 3


def test_assessments_of_what_no_query_asks_for_are_noted(tmp_path):
    pool = [*POOL, f"a\t{Q}:per:title\td1:0-99\tDr\td1:80-81\tC\tC\t{Q}:9"]
    queries, run, pool = write(tmp_path, RUN, pool)
    scores = api.score(NAME, pool, run, queries=queries)
    assert scores.notes == ("left out lines of the pool with a slot that their query does not ask for: 1",)
    assert scores.value("recall", layer="hop 0") == 1 / 2


def test_beyond_what_is_asked_there_is_nothing(tmp_path):
    queries = QUERIES.replace("<slot1>per:age</slot1>", "")
    queries, run, pool = write(tmp_path, RUN, POOL, queries)
    with pytest.raises(InputError, match=f"pool.fqec:4: query {BOB} is asked by no answer"):
        api.score(NAME, pool, run, queries=queries)


def test_wrong_query_files(tmp_path):
    queries, run, pool = write(tmp_path, RUN, POOL)
    with pytest.raises(InputError, match=r"pool.fqec: has the lines of a pool or a run, .* QUERIES, then .* POOL"):
        api.score(NAME, pool, run, queries=pool)
    with pytest.raises(InputError, match=r"no.xml: cannot be read: no such file"):
        api.score(NAME, pool, run, queries=tmp_path / "no.xml")
    with pytest.raises(InputError, match="standard input cannot be queries"):
        protocol(NAME).with_options({"index": "-"})
    Path(queries).write_text("<query_set></query_set>")
    with pytest.raises(InputError, match=r"q.xml: is no query file"):
        api.score(NAME, pool, run, queries=queries)
    Path(queries).write_text(f"<query_set>{_query(Q, 'per:child')}</query_set>")
    with pytest.raises(InputError, match=r"q.xml:1: unknown slot name .per:child"):
        api.score(NAME, pool, run, queries=queries)


def test_ldc_queries_take_their_best_or_their_given_entry_point_or_the_mean(tmp_path):
    alone = OTHER.replace("aa", "bb")
    queries = QUERIES.replace("</query_set>", _query(OTHER) + _query(alone) + "</query_set>")
    right = judged(Q, "Flo", "d1:1-3", "C", "1").replace(Q, OTHER)
    run = [*RUN, WRONG, WRONG.replace(OTHER, alone)]
    queries, run, pool = write(tmp_path, run, [*POOL, right], queries)
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text(f"{Q}\tCS1\n{OTHER}\tCS1\n")
    mapping.write_text(f"CS1 {OTHER}\n")
    options = {"queries": queries, "index": index}
    scores = api.score(NAME, pool, run, **options, mapping=mapping, by="unit")
    assert scores.tallies.units == ["CS1", alone]
    assert scores.notes == ("entry points that the index lacks, which count under sf only: 1",)
    micro = {regime: scores.value(regime=regime) for regime in ("sf", "ldc-max", "ldc-random")}
    assert micro == {"sf": 4 / 9, "ldc-max": 2 / 3, "ldc-random": 0}
    macro = {
        regime: scores.value(regime=regime, average="macro-query") for regime in protocol(NAME).with_options().regimes()
    }
    assert macro == {"sf": 1 / 3, "ldc-max": 2 / 3, "ldc-random": 0, "ldc-mean": 1 / 3}
    shown = {(row.slice, row.regime): row.average for row in scores if row.slice}
    assert shown == {
        ("query=CS1", "sf"): "micro",
        ("query=CS1", "ldc-max"): "micro",
        ("query=CS1", "ldc-random"): "micro",
        ("query=CS1", "ldc-mean"): "macro-query",
        (f"query={alone}", "sf"): "micro",
    }
    entries = list(api.explain(NAME, pool, run, **options, mapping=mapping))
    assert [list(entry.verdicts) for entry in entries if entry.system and entry.system.text == "Eve"] == [
        ["sf", "ldc-random", "ldc-mean"],
        ["sf"],
    ]
    assert [entry.reason for entry in entries if "entry point" in entry.reason] == [
        f"the pool has no such line; entry point {OTHER}"
    ]
    without = api.score(NAME, pool, run, **options)
    assert {row.regime for row in without} == {"sf", "ldc-max", "ldc-mean"}
    with pytest.raises(UsageError, match="mapping= needs index="):
        api.score(NAME, pool, run, mapping=mapping)


def test_an_ldc_query_without_an_entry_point_in_the_mapping_is_noted(tmp_path):
    queries, run, pool = write(tmp_path, RUN, POOL)
    index, mapping = tmp_path / "index", tmp_path / "mapping"
    index.write_text(f"{Q}\tCS1\n")
    mapping.write_text(f"CS2 {Q}\n")
    scores = api.score(NAME, pool, run, queries=queries, index=index, mapping=mapping)
    assert scores.notes == ("LDC queries without an entry point in the mapping, left out of ldc-random: 1",)
    assert "ldc-random" not in {row.regime for row in scores}


@settings(max_examples=12, deadline=None)
@given(slot_pairs(), st.data())
def test_the_ledger_of_ldc_queries_adds_up(pair, data):
    gold, system = pair
    indexed = data.draw(st.lists(st.sampled_from([one.id for one in gold]), unique=True))
    index = {point: data.draw(st.sampled_from(["CS1", "CS2"])) for point in indexed}
    mapping = {query: point for point, query in index.items() if data.draw(st.booleans())}
    options = {"index": IdTable(index, "x"), "mapping": IdTable(mapping, "y")}
    tallies = api.score(NAME, gold, system, **options).tallies
    entries = {}
    for entry in api.explain(NAME, gold, system, **options):
        entries.setdefault(entry.unit, []).append(entry)
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        booked = slot_summary(entries.get(unit, []), protocol(NAME).with_options().counts)
        assert {group: counts for group, counts in tally.items() if any(counts)} == booked
    alone = api.score(NAME, gold, system)
    together = {row.name: row.value for row in api.score(NAME, gold, system, **options) if row.regime == "sf"}
    assert together == pytest.approx({row.name: row.value for row in alone})


@settings(max_examples=15, deadline=None)
@given(slot_pairs(), st.data())
def test_what_does_not_count_is_in_the_tally_and_has_no_verdict(pair, data):
    gold, system = pair
    for document in system:
        again = fill(document.id, 0, 200, "again", relation="d:2000-2003")
        other = msgspec.structs.replace(fill(document.id, 0, 300, "other"), labels=("per:title",))
        document.mentions += data.draw(st.lists(st.sampled_from([again, other]), max_size=4))
    index = {one.id: data.draw(st.sampled_from(["CS1", "CS2"])) for one in gold}
    mapping = {query: point for point, query in index.items()}
    queries = IdTable(dict.fromkeys(index, AskedQuery("", SLOTS)), "z")
    options = {"queries": queries, "index": IdTable(index, "x"), "mapping": IdTable(mapping, "y")}
    tallies = api.score(NAME, gold, system, **options).tallies
    entries = list(api.explain(NAME, gold, system, **options))
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        counts = dict(zip(protocol(NAME).with_options().counts, tally[Group("all hops")], strict=True))
        own = [entry for entry in entries if entry.unit == unit]
        for regime in SUMMED:
            booked = Counter(entry.case for entry in own if regime in entry.verdicts)
            assert booked == +Counter({case: counts[f"{regime}-{case}"] for case in CASES if case not in UNCOUNTED})
        silent = Counter(entry.case for entry in own if not entry.verdicts)
        assert silent == +Counter({case: counts[f"sf-{case}"] for case in UNCOUNTED})
    outcomes = {(entry.case, outcome) for entry in entries for outcome in entry.verdicts.values()}
    assert {case for case, outcome in outcomes if outcome == "missed"} <= {"missed"}
    assert {case for case, outcome in outcomes if outcome == "correct"} <= {"right"}
