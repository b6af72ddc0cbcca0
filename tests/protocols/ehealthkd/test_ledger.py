"""The ledger: every item with its verdict, its partner and the reason in words."""

from __future__ import annotations

from tests.protocols.ehealthkd.files import Sketch, sketch

import karat

TEXT = "La gripe, o influenza, da fiebre muy alta."
PLACES = ("T1 Concept 3 8", "T2 Concept 12 21", "T3 Concept 26 32")


def reasons(gold: Sketch, system: Sketch, part: str = "entities", **options: str) -> list[tuple[str, str]]:
    entries = karat.explain(f"ehealthkd2021-{part}", [gold.document()], [system.document()], **options)
    return [(entry.case, entry.reason) for entry in entries]


def entity(gold: str, system: str, **options: str) -> list[tuple[str, str]]:
    return reasons(
        sketch(TEXT, *filter(None, gold.split("|"))), sketch(TEXT, *filter(None, system.split("|"))), **options
    )


def relation(gold: tuple[str, ...], system: tuple[str, ...], **options: str) -> list[tuple[str, str]]:
    return reasons(sketch(TEXT, *PLACES, *gold), sketch(TEXT, *PLACES, *system), "relations", **options)


def test_entities_with_a_partner() -> None:
    assert entity("T1 Concept 3 8", "T1 Concept 3 8") == [("correct", "same label and same span")]
    assert entity("T1 Concept 3 8", "T1 Action 3 8") == [("incorrect", "same span, but Action for Concept")]
    partial = entity("T1 Concept 26 41", "T1 Concept 26 32")
    assert partial == [("partial", "same label, but 'fiebre' for 'fiebre muy alta'")]
    partial = entity("T1 Concept 26 41", "T1 Action 26 32", edition="2019")
    assert partial == [("partial", "Action for Concept, but 'fiebre' for 'fiebre muy alta'")]
    fragments = entity("T1 Concept 26 41", "T1 Concept 26 36;37 41")
    assert fragments == [("partial", "same label and same words, but in other fragments")]


def test_entities_without_a_partner() -> None:
    assert entity("T1 Concept 3 8", "T1 Concept 12 21") == [
        ("spurious", "no gold mention shares a part with it"),
        ("missed", "no system mention shares a part with it"),
    ]
    assert entity("T1 Concept 26 41", "T1 Action 26 32") == [
        ("spurious", "the gold has a part of it only as Concept"),
        ("missed", "the system has a part of it only as Action"),
    ]
    assert entity("T1 Concept 3 8", "T1 Action 3 8", skip_incorrect="yes") == [
        ("spurious", "the gold has the same span only as Concept"),
        ("missed", "the system has the same span only as Action"),
    ]
    twice = entity("T1 Concept 3 8", "T1 Concept 3 8|T2 Concept 3 8")
    assert twice[1] == ("spurious", "the gold has 'gripe' there, but that is paired with another")


def test_relations_with_a_partner() -> None:
    assert relation(("R1 causes T1 T3",), ("R1 causes T1 T3",)) == [("correct", "same label and same ends")]
    swapped = relation(("* same-as T1 T2",), ("* same-as T2 T1",))
    assert swapped == [("correct", "same ends in the other direction, and same-as has none")]
    equivalent = relation(("R1 causes T1 T3", "* same-as T1 T2"), ("R1 causes T2 T3",))
    assert equivalent[0] == ("correct", "same label, and ends that are same-as the gold ones")
    both = relation(("* same-as T1 T2", "* same-as T2 T3"), ("* same-as T3 T1",))
    assert both[0] == ("correct", "same label, and ends that are same-as the gold ones")


def test_a_relation_with_a_partial_end() -> None:
    gold = sketch(TEXT, "T1 Concept 3 8", "T2 Concept 26 41", "R1 causes T1 T2")
    system = sketch(TEXT, "T1 Concept 3 8", "T2 Concept 26 32", "R1 causes T1 T2")
    assert reasons(gold, system, "relations") == [
        ("correct", "same label and same ends; an end is only a partial match")
    ]
    assert reasons(gold, system, "relations", profile="documented") == [
        ("spurious", "its target 'fiebre' is partial"),
        ("missed", "its target 'fiebre muy alta' is partial"),
    ]


def test_relations_without_a_partner() -> None:
    assert relation(("R1 causes T1 T3",), ("R1 is-a T1 T3",)) == [
        ("spurious", "between these ends the gold has causes"),
        ("missed", "between these ends the system has is-a"),
    ]
    assert relation(("R1 causes T1 T3",), ("R1 causes T3 T1",)) == [
        ("spurious", "the gold has it in the other direction"),
        ("missed", "the system has it in the other direction"),
    ]
    assert relation(("R1 causes T1 T3",), ()) == [("missed", "the system has no relation between these ends")]
    again = relation(("R1 causes T1 T3",), ("R1 causes T1 T3", "R2 causes T1 T3"), profile="corrected")
    assert again[1] == ("spurious", "the gold has it, but that is paired with another")
    lost = reasons(
        sketch(TEXT, *PLACES, "R1 causes T1 T3"),
        sketch(TEXT, "T1 Action 3 8", "T3 Concept 33 36", "R1 causes T1 T3"),
        "relations",
    )
    assert lost == [
        ("spurious", "its source 'gripe' is incorrect and its target 'muy' is spurious"),
        ("missed", "its source 'gripe' is incorrect and its target 'fiebre' is missed"),
    ]


def test_items_know_where_they_are() -> None:
    text = "Sí.\nLa tos seca."
    gold = sketch(text, "T1 C 7 10", "T2 C 11 15", "R1 is T2 T1").document()
    gold.source = "gold.ann"
    entries = list(karat.explain("ehealthkd2021-main", [gold], [gold]))
    assert [entry.unit for entry in entries] == ["d:2"] * 3
    items = [(entry.gold.text, entry.gold.span, entry.gold.place) for entry in entries if entry.gold is not None]
    assert items == [("tos", (7, 10), "gold.ann"), ("seca", (11, 15), "gold.ann"), ("seca → tos", (7, 15), "gold.ann")]
