"""Likeness of links beside precision and recall, in every protocol on links that has a ledger of pairs in places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.properties.corpora import PAIRS, Pair, disjoint
from tests.protocols.linking.build import documents

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.registry import protocol
from karat.evaluation.scores import Interval
from karat.evaluation.tally import Group
from karat.vocabularies.ontology.builder import build
from karat.vocabularies.ontology.store import digest_of

REGIMES = {
    "tac-edl": ("strong-link-match", "weak-link-match"),
    "gerbil-a2kb": ("strong", "weak"),
    "gerbil-d2kb": ("strong",),
    "hipe2020-nel": ("strict", "fuzzy"),
    "hipe2022-nel": ("strict", "fuzzy"),
    "newsreader-ned": ("strict", "fuzzy"),
    "newsreader-ned-corrected": ("strict", "fuzzy"),
}
"""The regimes with likeness: that of mentions in the same place, then that of all that overlap."""

every_protocol = pytest.mark.parametrize("name", REGIMES)
few = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

GOLD = "a 0 12 Q1 PER\na 17 19 Q2 PER\na 23 27 Q3 LOC\nb 35 39 Q4 LOC\nb 45 49 NIL LOC"
SYSTEM = "a 0 12 Q1 PER\na 17 19 Q5 PER\na 23 30 Q6 LOC\nb 35 39 Q7 LOC\nb 45 49 Q4 LOC"
TABLE = "q1,q2,class,jc\nQ1,Q1,0.875,\nQ2,Q5,0.5,0.25\nQ3,Q6,0.75,0.333333333333\n"
CLAIMS = [("Q9", "P279", "Q35120"), ("Q1", "P31", "Q9"), ("Q2", "P31", "Q9"), ("Q3", "P31", "Q35120")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(TABLE, "utf-8")


def index(name: str = "world.index") -> str:
    rows = "".join("\t".join(row) + "\n" for row in CLAIMS)
    Path("claims.tsv").write_text(f"node1\tlabel\tnode2\n{rows}", "utf-8")
    build(name, ["claims.tsv"])
    return name


def likeness(scores: karat.Scores, regime: str) -> list[Any]:
    """Return jc, class, and the numbers of pairs and of those with a score."""
    rows = {row.measure: row for row in scores if (row.regime, row.average, row.slice) == (regime, "micro", "")}
    assert rows["jc"].counts == rows["class"].counts
    return [rows["jc"].value, rows["class"].value, *rows["jc"].counts.values()]


@every_protocol
def test_averages_stand_beside_the_other_measures(name: str) -> None:
    gold, system = documents(GOLD), documents(SYSTEM)
    scores = karat.score(name, gold, system, similarity_table="s.csv")
    strict, *fuzzy = REGIMES[name]
    assert likeness(scores, strict) == [(1 + 0.25) / 2, (1 + 0.5) / 2, 3, 2]
    for regime in fuzzy:
        expected = [(1 + 0.25 + 0.333333333333) / 3, (1 + 0.5 + 0.75) / 3, 4, 3]
        assert likeness(scores, regime) == pytest.approx(expected, abs=1e-15)
    alone = karat.score(name, gold, system)
    assert [row for row in scores if row.measure not in ("jc", "class")] == list(alone)
    assert "similarity_table" in scores.signature
    assert "similarity_table" not in alone.signature


@every_protocol
def test_the_ledger_says_how_close_a_wrong_link_is(name: str) -> None:
    entries = list(karat.explain(name, documents(GOLD), documents(SYSTEM), similarity_table="s.csv"))
    alone = list(karat.explain(name, documents(GOLD), documents(SYSTEM)))
    added = [entry.reason.removeprefix(other.reason) for entry, other in zip(entries, alone, strict=True)]
    expected = ["; jc 0.250, class 0.500", "; jc 0.333, class 0.750", "; likeness unknown"]
    assert sorted(filter(None, added)) == sorted(expected[::2] if name == "gerbil-d2kb" else expected)


@every_protocol
def test_an_ontology_answers_too(name: str) -> None:
    gold, system = documents("a 0 12 Q1 PER\na 17 19 Q2 PER"), documents("a 0 12 Q2 PER\na 17 19 Q404 PER")
    scores = karat.score(name, gold, system, ontology=index())
    jc, class_, *counts = likeness(scores, REGIMES[name][0])
    assert jc == pytest.approx(0.5)  # two members of the class they share, of four of the root
    assert 0 < class_ < 1
    assert counts == [2, 1]
    assert f"|ontology:{digest_of('world.index')}|" in scores.signature
    with pytest.raises(UsageError, match="both an ontology and a table of similarities; name one of them"):
        karat.score(name, gold, system, ontology="world.index", similarity_table="s.csv")
    with pytest.raises(InputError, match=r"s\.csv: is no ontology index; make one with"):
        karat.score(name, gold, system, ontology="s.csv")


@every_protocol
def test_the_limits_of_the_web_service(name: str) -> None:
    options: dict[str, Any] = {"similarity_table": "s.csv", "rounding": "service"}
    gold, system = documents("a 0 12 Q3 PER\nb 0 12 Q2 PER"), documents("a 0 12 Q6 PER\nb 0 12 Q5 PER")
    scores = karat.score(name, gold, system, max_pairs=1, **options)
    assert likeness(scores, REGIMES[name][0]) == [0.3333333333, 0.75, 2, 1]
    assert "|max_pairs:1|rounding:service|" in scores.signature
    for option in ({"max_pairs": 1}, {"rounding": "service"}):
        with pytest.raises(UsageError, match=f"{next(iter(option))} limits the likeness of links, but there is none"):
            karat.score(name, gold, system, **option)


def test_the_best_of_ranked_links_counts() -> None:
    gold, system = documents("a 0 12 Q2 PER\na 17 19 Q1 PER"), documents("a 0 12 Q8|Q5 PER\na 17 19 Q9|Q1 PER")
    scores = karat.score("hipe2022-nel", gold, system, similarity_table="s.csv", n_best="1,2")
    first, both = (
        next(row.counts | {"value": row.value} for row in scores if (row.measure, row.layer) == ("class", layer))
        for layer in ("NEL-LIT@1", "NEL-LIT@2")
    )
    assert first == {"pairs": 2, "scored": 0, "value": None}
    assert both == {"pairs": 4, "scored": 2, "value": 0.75}


def test_the_best_of_gold_alternatives_counts() -> None:
    gold, system = documents("a 0 12 Q8|Q2 PER"), documents("a 0 12 Q5 PER")
    any_link = karat.score("gerbil-a2kb", gold, system, similarity_table="s.csv")
    assert likeness(any_link, "strong") == [0.25, 0.5, 2, 1]
    first = karat.score("gerbil-a2kb", gold, system, similarity_table="s.csv", alternatives="first")
    assert likeness(first, "strong") == [None, None, 1, 0]


def remark(name: str, gold: str, system: str, **options: Any) -> str:
    """Return what the ledger says of a single pair of mentions, from the links on."""
    (entry,) = karat.explain(name, documents(gold), documents(system), similarity_table="s.csv", **options)
    return entry.reason.partition("but ")[2]


def test_the_likeness_is_that_of_the_links_it_is_said_of() -> None:
    for name in ("tac-edl", "gerbil-a2kb"):
        any_link = {"alternatives": "any"}
        assert (
            remark(name, "a 0 12 Q8|Q2 PER", "a 0 12 Q5 PER", **any_link)
            == "Q5 for Q8; Q5 and Q2: jc 0.250, class 0.500"
        )
        assert remark(name, "a 0 12 Q2|Q8 PER", "a 0 12 Q5 PER", **any_link) == "Q5 for Q2; jc 0.250, class 0.500"
    ranked = remark("hipe2022-nel", "a 0 12 Q2 PER", "a 0 12 Q8|Q5 PER", n_best="2")
    assert ranked == "Q8|Q5 for Q2; Q5 and Q2: jc 0.250, class 0.500"
    Path("s.csv").write_text("q1,q2,class,jc\nQ1,Q5,0.5,0.5\nQ2,Q5,0.25,0.5\nQ3,Q5,0.75,0.125\n", "utf-8")
    several = remark("tac-edl", "a 0 12 Q2|Q1|Q3 PER", "a 0 12 Q5 PER", alternatives="any")
    assert several == "Q5 for Q2; Q5 and Q2: jc 0.500; Q5 and Q3: class 0.750"


def test_each_label_has_the_likeness_of_its_links() -> None:
    scores = karat.score("tac-edl", documents(GOLD), documents(SYSTEM), similarity_table="s.csv", by="label")
    found = {label: scores.value("class", regime="weak-link-match", label=label) for label in ("PER", "LOC")}
    assert found == {"PER": 0.75, "LOC": 0.75}


def test_intervals_come_with_it() -> None:
    def interval(gold: str, system: str) -> Interval | None:
        scores = karat.score("hipe2022-nel", documents(gold), documents(system), similarity_table="s.csv", ci=True)
        return next(row for row in scores if (row.measure, row.regime) == ("class", "strict")).interval

    assert interval(GOLD, SYSTEM) is None  # all scored pairs are in one document
    two = interval(f"{GOLD}\nc 0 12 Q1 PER", f"{SYSTEM}\nc 0 12 Q1 PER")
    assert two is not None
    assert two.low <= (1 + 0.5 + 1) / 3 <= two.high


@every_protocol
def test_processes_make_no_difference(name: str, processes: ProcessPoolExecutor) -> None:
    pair = documents(GOLD), documents(SYSTEM)
    spread = karat.score(name, *pair, similarity_table="s.csv", by="label", executor=processes)
    assert spread == karat.score(name, *pair, similarity_table="s.csv", by="label")


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


def draw_pair(data: st.DataObject, name: str) -> Pair:
    pair = data.draw(PAIRS["linking"])
    if name == "newsreader-ned":  # it counts pairs, several of one link among them
        assume(disjoint(pair))
    return pair


scores_in_eighths = st.none() | st.integers(0, 8).map(lambda number: number / 8)
tables = st.dictionaries(
    st.tuples(st.sampled_from(["Q1", "Q2"]), st.sampled_from(["Q1", "Q2"])),
    st.tuples(scores_in_eighths, scores_in_eighths),
)


def links_of(item: Item, name: str) -> tuple[str, ...]:
    every = (item.label, *item.alternatives)
    if name.startswith(("tac", "gerbil")):
        every = every[-1:]
    return tuple(one for one in dict.fromkeys(every) if not one.startswith("NIL"))


def recounted(entries: Iterable[Entry], name: str, table: dict[tuple[str, str], Any]) -> dict[Any, list[float]]:
    """Return the sums of likeness that follow from a ledger, by regime and group, the slow and obvious way."""
    answers: dict[Any, dict[Item, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        if entry.gold is None or entry.system is None:
            continue
        golds = links_of(entry.gold, name)[: 1 if name.startswith("hipe") else None]
        if name.startswith("hipe") and entry.gold.label == "NIL":
            golds = ()
        for number, regime in enumerate(REGIMES[name]):
            if regime not in entry.verdicts or (number == 0 and entry.gold.span != entry.system.span):
                continue
            for pair in ((gold, other) for gold in golds for other in links_of(entry.system, name)):
                found = table.get(pair)
                known = None if found in (None, (None, None)) else (1.0, 1.0) if pair[0] == pair[1] else found
                for label in (None, entry.label):
                    answers[regime, Group(entry.layer, entry.slice, label)][entry.system].append(known)
    return {key: _sums(list(by_item.values())) for key, by_item in answers.items()}


def _sums(mentions: list[list[Any]]) -> list[float]:
    numbers: list[float] = [sum(map(len, mentions)), sum(one is not None for several in mentions for one in several)]
    for place in (1, 0):
        bests = [
            max((one[place] for one in several if one and one[place] is not None), default=None) for several in mentions
        ]
        defined = [one for one in bests if one is not None]
        numbers += [sum(defined), len(defined)]
    return numbers


@every_protocol
@few
@given(data=st.data(), table=tables)
def test_the_ledger_and_the_tallies_agree(name: str, data: st.DataObject, table: dict[tuple[str, str], Any]) -> None:
    gold, system = draw_pair(data, name)
    rows = (",".join([*pair, *("" if one is None else str(one) for one in found)]) for pair, found in table.items())
    Path("s.csv").write_text("\n".join(["q1,q2,class,jc", *rows, ""]), "utf-8")
    options: dict[str, Any] = {"similarity_table": "s.csv"}
    options |= {"alternatives": "first"} if name.startswith(("tac", "gerbil")) else {}
    options |= {"n_best": "1,2"} if name.startswith("hipe") else {}
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in karat.explain(name, gold, system, **options):
        entries[entry.unit].append(entry)
    scores = karat.score(name, gold, system, by="label", **options)
    counts = protocol(name).with_options().counts
    for unit, tally in zip(scores.tallies.units, scores.tallies.rows, strict=True):
        expected = recounted(entries[unit], name, table)
        for group, numbers in tally.items():
            for regime in REGIMES[name]:
                first = counts.index(f"{regime}-pairs")
                assert list(numbers[first : first + 6]) == expected.pop((regime, group), [0] * 6)
        assert not expected
    with ThreadPoolExecutor(2) as threads:
        assert karat.score(name, gold, system, by="label", executor=threads, **options) == scores
    alone = karat.score(name, gold, system, by="label", **{**options, "similarity_table": ""})
    assert [row for row in scores if row.measure not in ("jc", "class")] == list(alone)


@every_protocol
@few
@given(data=st.data())
def test_what_is_known_is_like_itself(name: str, data: st.DataObject) -> None:
    gold, _ = draw_pair(data, name)
    if not Path("world.index").exists():
        index()
    profiles = [{}, {"profile": "corrected"}] if name.startswith(("hipe", "gerbil-a2kb")) else [{}]
    for options in profiles:
        scores = karat.score(name, gold, gold, by="label", ontology="world.index", **options)
        assert {row.value for row in scores if row.measure in ("jc", "class")} <= {1.0}
