from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.coreference import chain_pairs
from tests.protocols.corefud.build import document
from tests.protocols.corefud.recount import recounted

from karat.ledger import Item
from karat.model import Document
from karat.protocols import protocol
from karat.scoring import explain, score


@settings(max_examples=40, deadline=None)
@given(chain_pairs(), st.sampled_from(["head", "partial", "exact"]), st.sampled_from(["keep", "remove"]))
def test_the_ledger_adds_up_to_the_tally(pair: tuple[list[Document], list[Document]], match: str, singles: str) -> None:
    chosen = protocol("corefud")
    options = chosen.configure({"match": match, "singletons": singles})
    for case in chosen.prepare(*pair, options).cases:
        found = {group: counts for group, counts in chosen.tally(case).items() if any(counts)}
        assert found == recounted(chosen.ledger(case), chosen.counts)


def test_every_mention_stands_once_with_its_partner_and_the_reason() -> None:
    gold = document("the|(e1-2 mayor|e1) saw Bo|(e1) and _|(e1)|3:obj Cy|(e1)")
    system = document("the mayor|(e7) saw|(e7) Bo|(e7) _|(e8)|3:obj and Cy|(e8)")
    found = list(explain("corefud", [gold], [system]))
    assert [(one.case, one.verdicts["mentions"], one.reason) for one in found] == [
        ("head", "correct", "same head, other words"),
        ("same", "correct", "same words"),
        ("zero", "correct", "zeros that depend on the same words"),
        ("same", "correct", "same words"),
        ("invented", "spurious", "it matches no gold mention"),
    ]
    assert found[0].gold == Item("e1", "the mayor", (0, 9), place="x.conllu:4")
    assert found[0].system == Item("e7", "mayor", (4, 9), place="x.conllu:5")
    assert {one.layer for one in found} == {"mentions"}


def test_a_mention_in_two_chains_has_two_entries() -> None:
    gold = document("Ada|(e1) saw herself|(e1)(e2) and Bo|(e2)")
    system = document("Ada|(e1) saw herself|(e1) and Bo")
    found = list(explain("corefud", [gold], [system]))
    assert [(one.case, one.gold.label if one.gold else "") for one in found] == [
        ("same", "e1"),
        ("same", "e1"),
        ("repeated", "e2"),
        ("missed", "e2"),
    ]
    turned = list(explain("corefud", [system], [gold]))
    assert [(one.case, one.system.label if one.system else "") for one in turned] == [
        ("same", "e1"),
        ("same", "e2"),
        ("repeated", "e1"),
        ("invented", "e2"),
    ]
    assert score("corefud", [gold], [system]).value("recall", regime="mentions") == 2 / 3
