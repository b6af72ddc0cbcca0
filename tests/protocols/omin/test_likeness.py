"""Likeness beside precision and recall: the protocols on links with an ontology or a table of scores."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.protocols.omin.files import omin, put, row

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.tally import Group
from karat.io import digest
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in.files import FileCache
from karat.protocols.omin.drop_in.nel import LinkRequest, evaluate, read
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.store import digest_of

GOLD = (
    "id,sample,entity,qid\n"
    "A,THE CARGO DOOR,\"['CARGO DOOR', 'DOOR', None]\",\"['Q1', 'Q2', None]\"\n"
    "A,THE CARGO DOOR,\"['LEFT WING', 'WING', None]\",\"[None, 'Q3', None]\"\n"
    "B,AN ENGINE,\"['ENGINE', None, None]\",\"['Q4', None, None]\"\n"
)
RESULTS = "c5_id,mentions,qids\nA,door,Q5\nA,WING,Q9\nB,ENGINE,Q4\n"
TABLE = "q1,q2,class,jc\nQ1,Q5,0.75,0.25\nQ2,Q5,0.5,0.333333333333\nQ4,Q4,1,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files() -> tuple[str, str]:
    put("s.csv", TABLE)
    return put("g.csv", GOLD), put("t/r.csv", RESULTS)


def test_without_a_source_there_is_no_likeness(files: tuple[str, str]) -> None:
    scores = karat.score("omin-head-nel", *files)
    assert not {"jc", "class"} & {one.measure for one in scores}
    assert scores.value("f1", regime="flexible") == 0.5


def test_the_best_of_the_levels_counts_as_first_described(files: tuple[str, str]) -> None:
    scores = karat.score("omin-seed-nel", *files, similarity_table="s.csv")
    assert scores.value("jc") == pytest.approx((0.333333333333 + 1) / 2, abs=1e-15)
    assert scores.value("class") == (0.75 + 1) / 2
    (found,) = [one for one in scores if one.measure == "jc"]
    assert found.counts == {"pairs": 4, "scored": 3}
    published = karat.score("omin-head-nel", *files, similarity_table="s.csv")
    assert published.value("class", regime="flexible") == (0.5 + 1) / 2
    corrected = karat.score("omin-head-nel", *files, similarity_table="s.csv", profile="corrected")
    assert corrected.value("class", regime="flexible") == scores.value("class")


def test_the_limits_of_the_web_service(files: tuple[str, str]) -> None:
    rounded = karat.score("omin-seed-nel", *files, similarity_table="s.csv", max_pairs=2, rounding="service")
    assert rounded.value("jc") == 0.3333333333
    (found,) = [one for one in rounded if one.measure == "class"]
    assert found.counts == {"pairs": 4, "scored": 2}
    assert f"|similarity_table:{digest('s.csv')}|max_pairs:2|rounding:service|" in rounded.signature
    with pytest.raises(UsageError, match="max_pairs is -1; expected a whole number from 0 to 1,000,000,000"):
        karat.score("omin-seed-nel", *files, max_pairs=-1)
    with pytest.raises(UsageError, match="max_pairs limits the likeness of links, but there is none"):
        karat.score("omin-head-nel", *files, max_pairs=25)
    with pytest.raises(UsageError, match="a table of similarities cannot be standard input here; name a file"):
        karat.score("omin-seed-nel", *files, similarity_table="-")


def test_each_entity_has_the_likeness_of_its_links(files: tuple[str, str]) -> None:
    scores = karat.score("omin-seed-nel", *files, similarity_table="s.csv", by="label")
    assert [scores.value("class", label=label) for label in ("Q1", "Q3", "Q4")] == [0.75, None, 1.0]
    assert scores.tallies.total()[Group("", "", "Q3")][3:] == (1, 0, 0, 0, 0, 0)


def test_the_ledger_says_how_close_a_wrong_link_is(files: tuple[str, str]) -> None:
    entries = list(karat.explain("omin-seed-nel", *files, similarity_table="s.csv"))
    assert [entry.reason for entry in entries] == [
        "Q5 for 'door', not Q1; Q5 and Q2: jc 0.333; Q5 and Q1: class 0.750",
        "Q9 for 'WING', not Q3; likeness unknown",
        "Q4",
    ]
    entries = list(karat.explain("omin-head-nel", *files, similarity_table="s.csv"))
    assert (
        entries[0].reason == "Q5 for 'door', not Q1; jc 0.250, class 0.750"
    )  # weak decides, and takes the first level
    put("t/r.csv", "c5_id,mentions,qids\nA,Door,Q5\n")
    put("g.csv", GOLD.replace("'CARGO DOOR'", "'CARGO HATCH'"))
    entries = list(karat.explain("omin-head-nel", *files, similarity_table="s.csv"))
    assert entries[0].reason == "Q5 for 'Door', not Q1; Q5 and Q2: jc 0.333, class 0.500"


def test_an_ontology_answers_too(files: tuple[str, str]) -> None:
    claims = "Q10\tP279\tQ35120\nQ11\tP279\tQ10\nQ1\tP31\tQ11\nQ2\tP31\tQ10\nQ5\tP31\tQ11\nQ4\tP31\tQ11\n"
    build("world.index", [put("claims.tsv", f"node1\tlabel\tnode2\n{claims}")])
    scores = karat.score("omin-seed-nel", *files, ontology="world.index", ci=True)
    (found,) = [one for one in scores if one.measure == "jc"]
    assert found.counts == {"pairs": 4, "scored": 3}
    of_doors = log(3 / 6) / log(1 / 6)  # three members of the class they share, of six of the root
    assert found.value == pytest.approx((of_doors + 1) / 2)
    assert found.value is not None
    assert found.interval is not None
    assert 0 < found.interval.low < found.value < found.interval.high == 1
    assert f"|ontology:{digest_of('world.index')}|" in scores.signature
    with pytest.raises(UsageError, match="both an ontology and a table of similarities; name one of them"):
        karat.score("omin-head-nel", *files, ontology="world.index", similarity_table="s.csv")
    with pytest.raises(InputError, match=r"other\.index: is no ontology index; make one with"):
        karat.score("omin-head-nel", *files, ontology="other.index")


def test_processes_make_no_difference(files: tuple[str, str]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        spread = karat.score("omin-head-nel", *files, similarity_table="s.csv", executor=executor)
    assert spread == karat.score("omin-head-nel", *files, similarity_table="s.csv")


phrases = st.sampled_from(["CART", "BAGGAGE CART", "DOOR"])
targets = st.sampled_from(["Q1", "Q2", "Q3"])
numbers = st.none() | st.floats(0, 1)
golds = st.lists(st.tuples(st.sampled_from("AB"), phrases, targets, phrases, targets | st.none()), min_size=1)
results = st.lists(st.tuples(st.sampled_from("AB"), phrases, targets), min_size=1)
tables = st.dictionaries(st.tuples(targets, targets), st.tuples(numbers, numbers))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(golds, results, tables, st.sampled_from(["head", "corrected", "seed"]))
def test_protocols_and_program_agree(
    gold: list[tuple[str, str, str, str, str | None]],
    result: list[tuple[str, str, str]],
    table: dict[tuple[str, str], tuple[float | None, float | None]],
    profile: str,
) -> None:
    rows = (f'{name},T,"{[one, two, None]}","{[first, second, None]}"' for name, one, first, two, second in gold)
    put("g.csv", "\n".join(["id,sample,entity,qid", *rows, ""]))
    put("t/r.csv", "\n".join(["c5_id,mentions,qids", *map(",".join, result), ""]))
    cells = (",".join([*pair, *("" if one is None else repr(one) for one in found)]) for pair, found in table.items())
    put("s.csv", "\n".join(["q1,q2,class,jc", *cells, ""]))
    request = LinkRequest("t/r.csv", "g.csv", source=LikenessOptions(similarity_table="s.csv"), profile=profile)
    name = "omin-seed-nel" if profile == "seed" else "omin-head-nel"
    options: dict[str, Any] = (
        {} if profile == "seed" else {"profile": "published" if profile == "head" else "corrected"}
    )
    scores = karat.score(name, "g.csv", "t/r.csv", similarity_table="s.csv", **options)
    for regime, expected in zip(
        ("strong", "weak", "flexible") if name != "omin-seed-nel" else ("best",),
        evaluate(read(request, FileCache())).values(),
        strict=True,
    ):
        found = {one.measure: one for one in scores if one.regime == regime and one.measure in ("jc", "class")}
        assert bool(found) == bool(expected.likeness.pairs)
        for measure, value in zip(("jc", "class"), expected.likeness.means(), strict=True) if found else ():
            assert found[measure].value == pytest.approx(value, abs=1e-12)
            assert found[measure].counts == {"pairs": expected.likeness.pairs, "scored": expected.likeness.scored}
    alone = karat.score(name, "g.csv", "t/r.csv", **options)
    kept = [one for one in scores if one.measure not in ("jc", "class")]
    assert kept == [one for one in alone if one.measure not in ("jc", "class")]


def test_the_program_prints_the_same(files: tuple[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    printed = row(
        omin(capfd, "nel", "-g", files[0], "-d", files[1], "--similarity-table", "s.csv", "--profile", "seed")
    )
    assert printed[3:] == ["0.67", "0.88"]
    exact = ["--rounding", "none", "--max-pairs", "1"]
    words = ["nel", "-g", files[0], "-d", files[1], "--similarity-table", "s.csv", "--profile", "seed", *exact]
    assert row(omin(capfd, *words))[3:] == ["0.25", "0.75"]
