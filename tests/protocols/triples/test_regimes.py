from __future__ import annotations

from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.triples.corpora import Parts, document, has_words

import karat
from karat.errors import InputError
from karat.model import Argument, Document, Mention, Relation
from karat.protocols.triples.agreement import agreement
from karat.protocols.triples.judge import PLAIN
from karat.protocols.triples.likeness import by_words, pairs_by
from karat.protocols.triples.triples import Triple, TripleEnd


def correct(gold: list[Parts], system: list[Parts], **options: Any) -> dict[str, float]:
    """Return what is correct under each regime."""
    scores = karat.score("triples", [document(gold)], [document(system)], **options)
    return {row.regime: row.counts["correct"] for row in scores if row.measure == "recall" and row.average == "micro"}


def of(found: dict[str, float], *regimes: str) -> bool:
    """Say whether the one triple is correct under these regimes and under no others, apart from graded ones."""
    return {regime for regime in PLAIN if found[regime]} == set(regimes)


def test_each_regime_forgives_something_else() -> None:
    gold: list[Parts] = [("The wing", "part of", "AIRCRAFT")]
    every = PLAIN
    assert of(correct(gold, [("The wing", "part of", "AIRCRAFT")]), *every)
    assert of(correct(gold, [("WING.", "Part-Of", "an aircraft")]), *every[1:])
    assert of(correct(gold, [("wing", "attached to", "aircraft")]), "arguments", "undirected", "overlap")
    assert of(correct(gold, [("aircraft", "part of", "wing")]), "undirected")
    assert of(correct(gold, [("left wing", "part of", "aircraft")]), "overlap", "mapped", "graph")
    assert of(correct(gold, [("left wing", "attached to", "aircraft")]), "overlap")
    assert of(correct(gold, [("aircraft", "has part", "left wing")]))
    assert of(correct(gold, [("aircraft", "has part", "left wing")], mapping="wikidata"), "mapped", "graph")


def test_soft_worked_example() -> None:
    gold: list[Parts] = [("WING FUEL TANK SUMPS", "were not drained during", "PREFLIGHT")]
    found = correct(gold, [("FUEL TANK SUMPS", "not drained", "PREFLIGHT")])
    assert found["soft"] == pytest.approx((6 / 7 + 4 / 6 + 1) / 3)


def test_soft_counts_words_whoever_carries_the_text() -> None:
    text = "THE WING FUEL TANK SUMPS WERE NOT DRAINED DURING PREFLIGHT"
    tail = (49, 58)
    gold = [document([((4, 24), "were not drained during", tail)], text=text)]
    system = [document([((9, 24), "not drained", tail)], text=text)]
    scores = karat.score("triples", gold, system)
    assert scores.value("recall", regime="soft") == pytest.approx((6 / 7 + 4 / 6 + 1) / 3)
    assert scores.value("recall", regime="overlap") == 1.0


def test_soft_knows_an_entity_by_its_chain() -> None:
    text = "Ada left. She ran. The mill burned."
    gold = [document([((0, 3), "left", (19, 27))], text=text, chains=[[(0, 3), (10, 13)]])]
    system = [document([((10, 13), "left", (19, 27))], text=text)]
    assert karat.score("triples", gold, system).value("recall", regime="soft") == 1.0


def test_pairs_are_one_to_one_and_as_many_as_possible() -> None:
    gold: list[Parts] = [("left wing", "part of", "aircraft"), ("wing", "part of", "aircraft")]
    assert correct(gold, [("wing", "part of", "aircraft")])["overlap"] == 1
    crossed = correct(gold, [("wing", "part of", "aircraft"), ("right wing", "part of", "aircraft")])
    assert crossed["overlap"] == 2


def test_predicates_that_the_table_lacks_never_agree() -> None:
    same: list[Parts] = [("pilot", "flew", "aircraft")]
    assert of(correct(same, same), *PLAIN)
    without = correct(same, same, mapping={"hit": "collides with"})
    assert of(without, "exact", "normalised", "arguments", "undirected", "overlap")


def test_places_and_chains_let_ends_agree() -> None:
    text = "Ada owns the mill. She lives in it."
    gold = [document([((0, 3), "owner of", (9, 17))], text=text, chains=[[(0, 3), (19, 22)], [(9, 17), (32, 34)]])]
    for ends in (((19, 22), (32, 34)), ((0, 3), (13, 17)), ((0, 8), (32, 34))):
        system = [document([(ends[0], "owner of", ends[1])], text=text)]
        scores = karat.score("triples", gold, system)
        assert [scores.value("f1", regime=regime) for regime in ("overlap", "mapped", "graph")] == [1.0, 1.0, 1.0]
    other = [document([((19, 22), "owner of", (32, 34))], text="Ada owns the mill. She lives in Rome.")]
    scores = karat.score("triples", gold, other)
    assert scores.value("f1", regime="overlap") == 0.0
    assert "the texts of 1 document differ, so only words are compared there" in scores.notes


def test_a_system_chain_leads_to_the_gold_entity() -> None:
    text = "Ada left. She ran. The mill burned."
    gold = [document([((0, 3), "left", (19, 27))], text=text)]
    system = [document([((10, 13), "left", (19, 27))], text=text, chains=[[(0, 3), (10, 13)]])]
    assert karat.score("triples", gold, system).value("f1", regime="overlap") == 1.0


def test_hallucinations_are_counted_apart() -> None:
    text = "THE WING STRUCK A TREE"
    gold = [document([("wing", "struck", "tree"), ("Aircraft", "struck", "tree")], text=text)]
    system = [document([("wing", "struck", "pole"), ("aircraft", "struck", "tree"), ("rotor", "hit", "pole")])]
    scores = karat.score("triples", gold, system)
    assert scores.value("precision", regime="head-in-text") == pytest.approx(2 / 3)
    assert scores.value("precision", regime="tail-in-text") == pytest.approx(1 / 3)
    assert "hallucinated, not in the text: 2 tails of 3 system triples: pole" in scores.notes


def test_documents_without_gold_triples_count_only_if_asked() -> None:
    gold = [document([("a1", "r", "b1")]), document([], "e")]
    system = [document([("a1", "r", "b1")]), document([("x", "r", "y")], "e")]
    assert karat.score("triples", gold, system).value("precision", regime="exact") == 1.0
    assert karat.score("triples", gold, system, documents="all").value("precision", regime="exact") == 0.5


def test_relations_that_are_no_triples_are_left_out_and_dangling_ones_refused() -> None:
    mention = Mention("m1", ((0, 3),))
    event = Relation("r1", "met", (Argument("who", "m1"),), trigger="m1")
    one = [Document("d", "Ada", [mention], [], [event])]
    assert "left out 1 gold relation that do not join two mentions" in karat.score("triples", one, one).notes
    broken = Relation("r1", "met", (Argument("who", "m1"), Argument("whom", "m9")))
    with pytest.raises(InputError, match="relation 'r1' refers to 'm9'"):
        karat.score("triples", [Document("d", "Ada", [mention], [], [broken])], one)


def test_cases_of_the_ledger(tmp_path: Path) -> None:
    text = "THE LEFT WING OF THE AIRCRAFT STRUCK A TREE AND THE PILOT LEFT THE FIELD BY ROAD IN THE RAIN"
    gold: list[Parts] = [
        ("WING", "part of", "AIRCRAFT"),
        ("AIRCRAFT", "struck", "TREE"),
        ("PILOT", "left", "FIELD"),
        ("FIELD", "near", "ROAD"),
        ("RAIN", "wetted", "WING"),
    ]
    system: list[Parts] = [
        ("aircraft", "has part", "left wing"),
        ("TREE", "struck", "AIRCRAFT"),
        ("CAPTAIN", "left", "FIELD"),
        ("FIELD", "far from", "ROAD"),
        ("SNOW", "covers", "ICE"),
    ]
    sides = [document(gold, text=text)], [document(system)]
    entries = list(karat.explain("triples", *sides, mapping="wikidata"))
    cases = {(entry.system or entry.gold).text: entry.case for entry in entries}  # type: ignore[union-attr]
    assert cases == {
        "aircraft → left wing": "other-name",
        "TREE → AIRCRAFT": "reversed",
        "CAPTAIN → FIELD": "hallucinated-head",
        "FIELD → ROAD": "wrong-label",
        "RAIN → WING": "missed",
        "SNOW → ICE": "hallucinated-both",
    }
    assert "CAPTAIN" in next(entry.reason for entry in entries if entry.case == "hallucinated-head")


def reasons(gold: list[Parts], system: list[Parts], **options: Any) -> dict[str, str]:
    """Return the reasons of the ledger by what the system says or, if it says nothing, the gold."""
    entries = karat.explain("triples", [document(gold)], [document(system)], **options)
    return {(entry.system or entry.gold).text: entry.reason for entry in entries}  # type: ignore[union-attr]


def test_the_ledger_names_the_partner_of_a_graded_pair() -> None:
    gold: list[Parts] = [("PILOT", "landed in", "FIELD")]
    reversed_one: Parts = ("FIELD", "landed in", "PILOT")
    alone = reasons(gold, [reversed_one])
    assert alone["FIELD → PILOT"] == "same relation, but head and tail are exchanged; soft 0.333333"
    both = reasons(gold, [("PILOT", "landed in", "Paris"), reversed_one])
    expected = "soft 0.666667 with (PILOT, landed in, Paris), 0.333333 here"
    assert both["FIELD → PILOT"] == f"same relation, but head and tail are exchanged; {expected}"
    assert both["PILOT → Paris"].endswith("soft 0.666667 with (PILOT, landed in, FIELD)")


def test_the_ledger_shows_what_a_pair_is_worth_that_soft_does_not_make() -> None:
    gold: list[Parts] = [("ENGINE", "part of", "ACFT"), ("WING", "seen by", "ACFT")]
    system: list[Parts] = [("acft", "has part", "engine")]
    found = reasons(gold, system, mapping="wikidata")["acft → engine"]
    assert found == "the table says that HAS PART means what PART OF means; soft 0.166667"
    crossed = reasons([*gold, ("ACFT", "has", "OIL")], system, mapping="wikidata")["acft → engine"]
    assert crossed == "the table says that HAS PART means what PART OF means; soft 0.000000, 0.166667 here"


def test_a_triple_that_repeats_another_says_so() -> None:
    gold: list[Parts] = [("A1", "parent", "B1")]
    system: list[Parts] = [("A1", "parent", "B1"), ("B1", "child", "A1"), ("B1", "child", "C1"), ("C1", "parent", "B1")]
    found = reasons(gold, system, mapping="wikidata")
    assert found["B1 → A1"].startswith("it says the same as (A1, parent, B1)")
    assert found["C1 → B1"].startswith("it says the same as (B1, child, C1)")
    assert "same as" not in found["B1 → C1"]


def test_documents_beyond_the_bounds_are_named() -> None:
    many: list[Parts] = [(f"a{at}", "r", "b") for at in range(4)]
    others: list[Parts] = [(f"c{at}", "r", "b") for at in range(4)]
    sides = [document(many), document(many[:1], "e")], [document(others), document(many[:1], "e")]
    assert not any("optimum" in note for note in karat.score("triples", *sides).notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.matching.weighted.MOST_CELLS", 1)
        patch.setattr("karat.matching.weighted.MOST_CANDIDATES", 1)
        patch.setattr(import_module("karat.protocols.triples.judge"), "MOST_CANDIDATES", 1)
        notes = karat.score("triples", *sides).notes
    expected = "1 document is too large for the exact optimum, so pairs may be fewer or worth less than possible there"
    assert expected in notes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("karat.protocols.triples.judge"), "MOST_CANDIDATES", 1)
        crossed: tuple[list[Parts], list[Parts]] = (
            [("k b", "r", "x"), ("k", "r", "x")],
            [("k", "r", "x y"), ("k b c", "r", "x")],
        )
        assert any("optimum" in note for note in karat.score("triples", *([document(one)] for one in crossed)).notes)


def test_large_documents_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = import_module("karat.protocols.triples.judge")
    looks: list[int] = []

    def counted(*arguments: Any) -> Any:
        looks.append(1)
        return agreement(*arguments)

    monkeypatch.setattr(judge, "agreement", counted)
    monkeypatch.setattr(judge, "MOST_CANDIDATES", 1)
    triples: list[Parts] = [(f"a{index}", "r", "b") for index in range(4)]
    karat.score("triples", [document(triples)], [document(triples[::-1])])
    assert len(looks) == 1


def test_documents_with_too_many_places_are_named() -> None:
    text = "the left wing broke off"
    gold, system = (
        [document([((4, 13), "broke", (14, 19))], text=text)],
        [document([((0, 6), "broke", (14, 19))], text=text)],
    )
    assert karat.score("triples", gold, system).value("f1", regime="overlap") == 1.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.protocols.triples.places.MOST_SWEPT", 1)
        scores = karat.score("triples", gold, system)
    assert scores.value("f1", regime="overlap") == 0.0
    assert (
        "1 document has too many mentions to see which overlap, so only words and equal places count there"
        in scores.notes
    )


def test_of_an_article_alone_nothing_is_left() -> None:
    gold, system = [document([("A", "is", "B")])], [document([("The", "is", "B")])]
    same = karat.score("triples", gold, gold)
    assert [same.value("f1", regime=regime) for regime in ("exact", "normalised", "overlap", "mapped")] == [1, 1, 0, 0]
    assert karat.score("triples", gold, system).value("f1", regime="normalised") == 1


@given(st.lists(st.tuples(*[st.text(min_size=1, max_size=6).filter(has_words)] * 3), min_size=1, max_size=4))
def test_a_system_equal_to_the_gold_is_perfect_whatever_the_strings(triples: list[Any]) -> None:
    gold = [document(triples)]
    rows = [row for row in karat.score("triples", gold, gold) if row.regime in (*PLAIN, "soft")]
    assert {row.value for row in rows} == {1.0}


ends = st.lists(st.sampled_from("ABC"), min_size=1, max_size=3).map(" ".join)
triples = st.lists(st.tuples(ends, st.sampled_from(["R", "S T"]), ends), min_size=1, max_size=5, unique=True)


def made(parts: tuple[str, str, str]) -> Triple:
    head, tail = (TripleEnd(text, tuple(text.split()), text) for text in parts[::2])
    return Triple(head, parts[1], tail, parts[1], parts[1], False, tuple(parts[1].split()), (parts,), ("r",))


@given(triples, triples)
def test_soft_is_the_best_of_all_pairings(gold: list[Any], system: list[Any]) -> None:
    golds, systems = [made(parts) for parts in gold], [made(parts) for parts in system]
    likeness = by_words(golds)
    matrix = [likeness.row(triple).tolist() + [0.0] * len(systems) for triple in systems]
    columns = range(len(golds) + len(systems))
    best = max(
        sum(row[at] for row, at in zip(matrix, permutation, strict=True))
        for permutation in permutations(columns, len(systems))
    )
    assert pairs_by(by_words, golds, systems).total == pytest.approx(best)


@given(triples, triples)
def test_large_documents_are_scored_as_small_ones_or_a_little_less(gold: list[Any], system: list[Any]) -> None:
    golds, systems = [made(parts) for parts in gold], [made(parts) for parts in system]
    exact = pairs_by(by_words, golds, systems).total
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.matching.weighted.MOST_CELLS", 0)
        assert pairs_by(by_words, golds, systems).total == pytest.approx(exact)
        patch.setattr("karat.matching.weighted.MOST_CANDIDATES", -1)
        assert exact / 2 - 1e-9 <= pairs_by(by_words, golds, systems).total <= exact + 1e-9


@given(triples, triples, st.randoms())
@settings(deadline=None, max_examples=15)
def test_the_order_of_triples_makes_no_difference(gold: list[Any], system: list[Any], random: Any) -> None:
    expected = karat.score("triples", [document(gold)], [document(system)], by="label").rows
    random.shuffle(gold)
    random.shuffle(system)
    assert karat.score("triples", [document(gold)], [document(system)], by="label").rows == expected


def test_phrases_that_share_very_many_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.protocols.triples.likeness.MOST_SHARED", 20)
    gold = document([("the left wing", "is part of", f"the plane {number}") for number in range(4)])
    system = document([("the right wing", "is part of", f"the plane {number}") for number in range(4, 8)])
    with pytest.raises(InputError, match="share words more than 20 times in one document"):
        karat.score("triples", [gold], [system])
