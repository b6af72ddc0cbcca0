from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.coreference import chain_pairs
from tests.protocols.coreference.corefud.build import document
from tests.protocols.coreference.corefud.recount import recounted

from karat.api import explain, score
from karat.evaluation.ledger import Entry, Item
from karat.model import Document


@settings(max_examples=15, deadline=None)
@given(chain_pairs(), st.sampled_from(["head", "partial", "exact"]), st.sampled_from(["keep", "remove"]))
def test_the_ledger_adds_up_to_the_tally(pair: tuple[list[Document], list[Document]], match: str, singles: str) -> None:
    options = {"match": match, "singletons": singles}
    entries: dict[str, list[Entry]] = {}
    for entry in explain("corefud", *pair, **options):
        entries.setdefault(entry.unit, []).append(entry)
    tallies = score("corefud", *pair, **options).tallies
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        found = {group: counts for group, counts in tally.items() if any(counts)}
        assert found == recounted(entries.get(unit, []), ())


def mentions(gold: Document, system: Document, **options: str) -> list[Entry]:
    return [one for one in explain("corefud", [gold], [system], **options) if one.layer == "mentions"]


GOLD = document("the|(e1-2 mayor|e1) saw Bo|(e1) and _|(e1)|3:obj Cy|(e1)")
SYSTEM = document("the mayor|(e7) saw|(e7) Bo|(e7) _|(e8)|3:obj and Cy|(e8)")


def test_every_mention_stands_once_with_its_partner_and_the_reason() -> None:
    found = mentions(GOLD, SYSTEM)
    there = "with 1 of the 3 other mentions of its chain"
    assert [(one.case, one.verdicts["mentions"], one.reason) for one in found] == [
        ("head", "correct", f"same head, other words; {there}, and 1 foreign mention"),
        ("invented", "spurious", "it matches no gold mention"),
        ("same", "correct", f"same words; {there}, and 1 foreign mention"),
        ("zero", "correct", f"zeros that depend on the same words; {there}"),
        ("same", "correct", f"same words; {there}"),
    ]
    assert found[0].gold == Item("e1", "the mayor", (0, 9), place="x.conllu:4", ends=(((0, 9),),))
    assert found[0].system == Item("e7", "mayor", (4, 9), place="x.conllu:5", ends=(((4, 9),),))


def test_chains_have_their_fates_and_verdicts() -> None:
    ledger = list(explain("corefud", [GOLD], [SYSTEM]))
    split, surplus = (one for one in ledger if one.layer == "chains")
    assert (split.case, split.verdicts) == ("split", {"ceafe": "partial", "lea": "partial"})
    assert split.reason == "split over 2 system chains (e7: 2, e8: 2)"
    assert split.gold == Item("e1", "the mayor", (0, 9), place="x.conllu:4", ends=(((0, 9),),))
    assert (surplus.case, surplus.verdicts) == ("surplus", {"ceafe": "spurious", "lea": "partial"})
    assert {split.system and split.system.label, surplus.system and surplus.system.label} == {"e7", "e8"}
    kept = [one.verdicts["ceafm"] for one in ledger if one.layer == "mentions"]
    assert sorted(kept) == ["correct", "correct", "incorrect", "incorrect", "spurious"]


def test_chains_are_merged_missed_and_invented() -> None:
    gold = document("Ada|(e1) saw|(e1) Bo|(e2) and|(e2) Cy|(e3) went|(e3)")
    merged = document("Ada|(e1) saw|(e1) Bo|(e1) and|(e1) Cy went there|(e4) too|(e4)")
    found = [one.case for one in explain("corefud", [gold], [merged]) if one.layer == "chains"]
    assert found == ["merged", "unaligned", "missed", "invented"]


def test_a_mention_in_two_chains_has_two_entries() -> None:
    gold = document("Ada|(e1) saw herself|(e1)(e2) and Bo|(e2)")
    system = document("Ada|(e1) saw herself|(e1) and Bo")
    found = mentions(gold, system)
    assert [(one.case, one.gold.label if one.gold else "") for one in found] == [
        ("same", "e1"),
        ("repeated", "e1"),
        ("same", "e2"),
        ("missed", "e2"),
    ]
    turned = mentions(system, gold)
    assert [(one.case, one.system.label if one.system else "") for one in turned] == [
        ("same", "e1"),
        ("same", "e2"),
        ("repeated", "e1"),
        ("invented", "e2"),
    ]
    assert "mentions" not in found[1].verdicts
    assert score("corefud", [gold], [system]).value("recall", regime="mentions") == 2 / 3
