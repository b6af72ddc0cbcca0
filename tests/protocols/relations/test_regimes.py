"""What counts as correct under each regime and option, on documents small enough to be counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.protocols.relations.build import document

import karat
from karat.errors import InputError
from karat.evaluation.registry import protocol
from karat.evaluation.tally import Group
from karat.model import Document, Mention

GOLD = "PER:Ada Lovelace; PER:Charles Babbage; LOC:London; PER:She; PER:him"


def correct(gold: Document, system: Document, **options: Any) -> dict[str, float]:
    tally = karat.score("relations", [gold], [system], **options).tallies.rows[0][Group()]
    return dict(zip(protocol("relations").with_options().counts, tally, strict=True))


def regimes(gold: Document, system: Document, **options: Any) -> str:
    """Return the first letters of the regimes under which the only relation is correct."""
    counts = correct(gold, system, **options)
    return "".join(name[0] for name in ("strict", "boundaries", "last-token", "relaxed", "entity") if counts[name])


@pytest.mark.parametrize(
    ("system", "relations", "expected"),
    [
        ("PER:Ada Lovelace; PER:Charles Babbage", "met(1,2)", "sblre"),
        ("PER:Ada Lovelace; ORG:Charles Babbage", "met(1,2)", "blre"),
        ("PER:Lovelace; PER:Babbage", "met(1,2)", "lr"),
        ("PER:Ada; PER:Charles Babbage", "met(1,2)", "r"),
        ("PER:She; PER:him", "met(1,2)", "e"),
        ("PER:Ada Lovelace; PER:Charles Babbage", "met(2,1)", ""),
        ("PER:Ada Lovelace; PER:Charles Babbage", "saw(1,2)", ""),
        ("PER:Ada Lovelace; LOC:London", "met(1,2)", ""),
    ],
)
def test_what_each_regime_asks_for(system: str, relations: str, expected: str) -> None:
    gold = document(GOLD, "met(1,2)", "1,4 2,5")
    assert regimes(gold, document(system, relations)) == expected


def test_types_are_compared_as_sets() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(1,2)")
    for side, labels in ((gold, ("PER", "POET")), (system, ("POET", "PER"))):
        side.mentions[0] = Mention("T1", side.mentions[0].spans, labels)
    assert regimes(gold, system) == "sblre"
    system.mentions[0] = Mention("T1", system.mentions[0].spans, ("PER",))
    assert regimes(gold, system) == "blre"


def test_fragments_that_touch_are_one_and_others_are_compared_one_by_one() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(1,2)")
    system.mentions[0] = Mention("T1", ((0, 3), (3, 12)), ("PER",))
    assert regimes(gold, system) == "sblre"
    system.mentions[0] = Mention("T1", ((0, 3), (4, 12)), ("PER",))
    assert regimes(gold, system) == "lr"
    gold.mentions[0] = Mention("T1", ((0, 3), (13, 16)), ("PER",))
    system.mentions[0] = Mention("T1", ((4, 12),), ("PER",))
    assert regimes(gold, system) == ""


def test_direction() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(2,1)")
    assert regimes(gold, system) == ""
    assert regimes(gold, system, direction="undirected") == "sblre"
    assert regimes(gold, system, symmetric="met") == "sblre"
    assert regimes(gold, system, symmetric="saw, near") == ""
    halves = document("PER:Ada; PER:Babbage", "met(2,1)")
    assert regimes(gold, halves, direction="undirected") == "r"


def test_labels_can_be_ignored() -> None:
    gold, system = document(GOLD, "met(1,2) saw(1,2)"), document(GOLD, "knew(1,2)")
    assert correct(gold, system)["relaxed"] == 0
    counts = correct(gold, system, labels="ignore")
    assert (counts["gold"], counts["system"], counts["strict"], counts["entity"]) == (1, 1, 1, 1)
    scores = karat.score("relations", [gold], [system], labels="ignore", by="label")
    assert {row.label for row in scores} == {None}


def test_roles_by_name_or_by_position() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(1,2)", roles="head tail")
    scores = karat.score("relations", [gold], [system])
    assert scores.value("f1") == 0
    (note,) = scores.notes
    assert note.startswith("the system uses none of the gold's roles (head, tail instead of Arg1, Arg2); to compare")
    assert regimes(gold, system, roles="positions") == "sblre"
    listed_backwards = document(GOLD, "met(Arg2=2,Arg1=1)")
    assert regimes(gold, listed_backwards) == "sblre"
    assert regimes(gold, listed_backwards, roles="positions") == ""


def test_duplicates_count_once_or_each() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(1,2) met(1,2)")
    scores = karat.score("relations", [gold], [system])
    assert scores.value("precision") == 1
    assert scores.notes == ("left out 1 of 2 system relations, which say the same as another one",)
    scores = karat.score("relations", [gold], [system], duplicates="each")
    assert scores.value("precision") == scores.value("precision", regime="entity") == 0.5
    assert "|duplicates:each|" in scores.signature


def test_the_same_fact_about_other_mentions_counts_once_under_entity_only() -> None:
    gold = document(GOLD, "met(1,2) met(4,5)", "1,4 2,5")
    counts = correct(gold, document(GOLD, "met(1,5)"))
    assert (counts["gold"], counts["gold-facts"], counts["entity"], counts["strict"]) == (2, 1, 1, 0)
    counts = correct(gold, document(GOLD, "met(1,5)"), duplicates="each")
    assert (counts["gold-facts"], counts["entity"]) == (2, 1)


def test_overlap_is_one_to_one() -> None:
    gold = document(GOLD, "met(1,2)")
    system = document("PER:Ada; PER:Lovelace; PER:Babbage", "met(1,3) met(2,3)")
    counts = correct(gold, system)
    assert (counts["system"], counts["relaxed"], counts["last-token"]) == (2, 1, 1)


def test_overlap_finds_the_most_pairs_even_if_an_exact_one_must_be_given_up() -> None:
    gold = document("PER:Ada Lovelace; PER:Lovelace met; PER:him", "met(1,3) met(2,3)")
    system = document("PER:Ada Lovelace; PER:Ada; PER:him", "met(1,3) met(2,3)")
    assert correct(gold, system)["relaxed"] == 2


def test_system_chains_lead_to_gold_entities() -> None:
    gold = document("PER:Ada Lovelace; PER:Charles Babbage", "met(1,2)")
    words = "PER:She; PER:Charles Babbage; PER:Ada Lovelace"
    assert regimes(gold, document(words, "met(1,2)")) == ""
    assert regimes(gold, document(words, "met(1,2)", "1,3")) == "e"
    assert regimes(gold, document(words, "met(1,2)", "1,2")) == "", "most of its chain are Babbage"


def test_a_mention_in_the_right_place_outweighs_its_chain() -> None:
    gold = document(GOLD, "met(1,2)", "1,4 2,5")
    assert regimes(gold, document(GOLD, "met(4,2)", "4,2,5")) == "e"


def test_events_compare_triggers_and_roles() -> None:
    gold = document(GOLD + "; EVT:met", "Meet(trigger=6,Who=1,Who=2,Where=3)")
    assert regimes(gold, document(GOLD + "; EVT:met", "Meet(trigger=6,Who=2,Where=3,Who=1)")) == "sblre"
    assert regimes(gold, document(GOLD + "; EVT:met", "Meet(trigger=6,Who=2,Where=3)")) == ""
    assert regimes(gold, document(GOLD + "; EVT:admired", "Meet(trigger=6,Who=2,Where=3,Who=1)")) == ""
    exchanged = document(GOLD + "; EVT:met", "Meet(trigger=6,Who=3,Where=1,Who=2)")
    assert regimes(gold, exchanged) == ""
    assert regimes(gold, exchanged, direction="undirected") == "sblre"
    no_trigger = document(GOLD + "; EVT:met", "Meet(trigger=3,Who=6,Where=1,Who=2)")
    assert regimes(gold, no_trigger, direction="undirected") == "", "a trigger is never exchanged"


def test_relations_as_arguments_stand_for_their_trigger_or_their_mentions() -> None:
    gold = document(GOLD + "; EVT:met", "Meet(trigger=6,Who=1) Cause(Theme=R1,Of=2) Odd(a=R3,b=R2)")
    same = document(GOLD + "; EVT:met", "Odd(a=R1,b=R3) Meet(trigger=6,Who=1) Cause(Theme=R2,Of=2)")
    counts = correct(gold, same)
    assert [counts[name] for name in ("gold", "strict", "relaxed", "entity")] == [3, 3, 3, 3]
    other = document(GOLD + "; EVT:admired", "Meet(trigger=6,Who=1) Cause(Theme=R1,Of=2) Odd(a=R3,b=R2)")
    assert correct(gold, other)["relaxed"] == 1


def test_excluded_labels_are_left_out_on_both_sides() -> None:
    gold, system = document(GOLD, "met(1,2) none(1,3)"), document(GOLD, "met(1,2) none(2,3) none(1,3)")
    counts = correct(gold, system, exclude="none")
    assert (counts["gold"], counts["system"], counts["strict"]) == (1, 1, 1)


def test_labels_that_the_gold_lacks_are_spurious_and_named() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD, "met(1,2) knew(2,3)")
    scores = karat.score("relations", [gold], [system], by="label")
    assert scores.value("precision") == 0.5
    assert scores.value("precision", label="knew") == 0
    assert scores.notes == ("the gold never uses the labels of 1 of 2 system relations: knew",)
    assert scores.value("f1", average="macro-label") == 0.5


def test_sides_without_relations_and_unused_names_are_noted() -> None:
    gold, system = document(GOLD, "met(1,2)"), document(GOLD)
    scores = karat.score("relations", [gold], [system], symmetric="knew")
    assert scores.notes == ("the system has no relations", "no relation has a label that symmetric= names: knew")
    assert (scores.value("precision"), scores.value("recall")) == (None, 0)


def test_documents_are_paired_by_id() -> None:
    gold = [document(GOLD, "met(1,2)", name="a"), document(GOLD, "met(1,2)", name="b")]
    with pytest.raises(InputError, match="the system lacks 1 document"):
        karat.score("relations", gold, gold[1:])
    assert karat.score("relations", gold, gold[1:], missing="empty").value("recall") == 0.5
    assert karat.score("relations", gold, gold[1:], missing="skip").value("recall") == 1


def test_what_cannot_be_scored_is_said() -> None:
    gold = document(GOLD, "met(1,2)")
    with pytest.raises(
        InputError, match="the texts differ from character 0 on: 'Eva' instead of 'Ada Lovelace met Cha'"
    ):
        karat.score("relations", [gold], [Document("d", "Eva")])
    with pytest.raises(InputError, match="relation 'R1' refers to 'T9', but the document has no annotation"):
        karat.score("relations", [gold], [document(GOLD, "met(1,9)")])
    with pytest.raises(InputError, match="chain '\\*0' refers to 'T9', but the document has no annotation"):
        karat.score("relations", [gold], [document(GOLD, "met(1,2)", "1,9")])
