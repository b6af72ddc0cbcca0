"""The ledger of relations: for each kind of miss its word, its partner and its reason."""

from __future__ import annotations

from typing import Any

import pytest
from tests.protocols.relations.build import document

import karat
from karat.evaluation.ledger import Entry
from karat.model import Relation

WORDS = "PER:Ada Lovelace; PER:Charles Babbage; LOC:London; PER:She; PER:him; EVT:met"


def entries(gold: str, system: str, words: str = WORDS, chains: str = "", **options: Any) -> list[Entry]:
    return list(karat.explain("relations", [document(WORDS, gold, chains)], [document(words, system)], **options))


@pytest.mark.parametrize(
    ("words", "system", "case", "reason"),
    [
        (WORDS, "met(1,2)", "exact", "same label, ends and entity types"),
        (
            "ORG:Ada Lovelace; PER:Charles Babbage",
            "met(1,2)",
            "wrong-type",
            "same label and boundaries, but the head 'Ada Lovelace' is ORG for PER",
        ),
        (
            "PER:Ada Lovelace; PER:Babbage in London",
            "met(1,2)",
            "wrong-boundary",
            "same label, but the tail is 'Babbage in London' for 'Charles Babbage'",
        ),
        (
            WORDS,
            "met(4,2)",
            "other-mention",
            "other mentions of the same entities: the head is 'She' for 'Ada Lovelace'",
        ),
        (WORDS, "saw(1,2)", "wrong-label", "same ends, but saw for met"),
        (WORDS, "saw(2,4)", "wrong-label", "the ends are exchanged, and saw for met"),
        (WORDS, "met(2,1)", "reversed", "same label and ends, but in the opposite direction"),
        (WORDS, "met(3,2)", "wrong-head", "same label, but the head is 'London' for 'Ada Lovelace'"),
        (WORDS, "met(1,3)", "wrong-tail", "same label, but the tail is 'London' for 'Charles Babbage'"),
        (
            "PER:Ada Lovelace; LOC:London",
            "met(1,2)",
            "wrong-tail",
            "same label, but the tail is 'London' for 'Charles Babbage', where the system has no mention",
        ),
        (
            WORDS,
            "met(Arg1=1,Arg2=2,Arg3=3)",
            "wrong-argument",
            "same label, but Arg3 'London' is too much",
        ),
        (WORDS, "met(Arg1=1)", "wrong-argument", "same label, but the tail 'Charles Babbage' is missing"),
        (
            WORDS,
            "met(Arg1=1,Arg2=3,trigger=6)",
            "wrong-argument",
            "same label, but the tail is 'London' for 'Charles Babbage', the trigger 'met' is too much",
        ),
    ],
)
def test_a_pair_says_what_is_different(words: str, system: str, case: str, reason: str) -> None:
    (entry,) = entries("met(1,2)", system, words, "1,4")
    assert (entry.case, entry.reason) == (case, reason)
    assert entry.gold is not None
    assert entry.system is not None
    wrong = {regime for regime, outcome in entry.verdicts.items() if outcome != "correct"}
    assert wrong <= {"strict", "boundaries", "last-token", "relaxed", "entity"}
    assert all(entry.verdicts[regime] == "incorrect" for regime in wrong)


def test_ends_of_undirected_relations_have_no_head() -> None:
    (entry,) = entries("met(1,2)", "met(1,3)", direction="undirected")
    assert (entry.case, entry.reason) == ("wrong-argument", "same label, but an end is 'London' for 'Charles Babbage'")
    assert entry.gold is not None
    assert entry.gold.text == "Ada Lovelace – Charles Babbage"


def test_what_has_no_partner_says_whether_the_mentions_are_there() -> None:
    missed, spurious = entries("met(1,2)", "saw(1,2)", "LOC:London; PER:She; PER:Charles")
    assert (missed.case, missed.gold.text) == ("missing-mention", "Ada Lovelace → Charles Babbage")  # type: ignore[union-attr]
    assert missed.reason == "the system has no mention where the head 'Ada Lovelace' stands"
    assert set(missed.verdicts.values()) == {"missed"}
    assert spurious.case == "spurious"
    assert spurious.reason == "the gold has a mention at every end, but joins them by no such relation"
    assert set(spurious.verdicts.values()) == {"spurious"}
    (invented,) = entries("", "in(1,2)", "PER:admired; LOC:London")
    assert invented.case == "spurious-mention"
    assert invented.reason == "the gold has no mention where the head 'admired' stands"


def test_places_name_the_relations_and_repeated_ones_together() -> None:
    (entry,) = entries("met(1,2)", "met(1,2) met(1,2)")
    assert entry.gold is not None
    assert entry.system is not None
    assert (entry.gold.place, entry.system.place) == ("R1", "R1,R2")
    assert (entry.gold.span, entry.gold.label, entry.label) == ((0, 32), "met", "met")


def test_an_event_shows_its_trigger_first() -> None:
    (entry,) = entries("Meet(Who=1,Where=3,trigger=6)", "Meet(Who=1,Where=3,trigger=6)")
    assert entry.gold is not None
    assert entry.gold.text == "met, Who=Ada Lovelace, Where=London"


def test_a_fact_is_booked_once() -> None:
    one, two = entries("met(1,2) met(4,5)", "met(1,2) met(4,5)", chains="1,4 2,5")
    assert one.verdicts["entity"] == "correct"
    assert "entity" not in two.verdicts
    assert two.verdicts["strict"] == "correct"


def test_partners_that_change_with_the_regime_are_told_apart() -> None:
    gold = document("PER:Ada Lovelace; PER:Lovelace met; PER:him", "met(1,3) met(2,3)")
    system = document("PER:Ada Lovelace; PER:Ada; PER:him", "met(1,3) met(2,3)")
    found = list(karat.explain("relations", [gold], [system]))
    assert all(entry.gold is None or entry.system is None for entry in found)
    assert [entry.verdicts["relaxed"] for entry in found] == ["correct"] * 4
    assert sorted(entry.verdicts["strict"] for entry in found) == ["correct", "correct", "missed", "spurious"]
    assert {entry.reason for entry in found} == {"correct, but not with the same partner under every regime"}


def test_a_relation_without_ends_says_so() -> None:
    gold = document(WORDS, "")
    gold.relations = [Relation("r1", "met", ())]
    (entry,) = karat.explain("relations", [gold], [document(WORDS, "")])
    assert (entry.case, entry.reason) == ("missed", "it has no ends, and the system has no such relation")
