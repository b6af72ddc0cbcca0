"""Each surprise of the CorefUD scorer, and what is counted where it is not wanted."""

from __future__ import annotations

import pytest
from tests.protocols.coreference.corefud.build import counts, document, documents

import karat


def test_singletons_removed() -> None:
    gold, system = "Ada|(e1) saw Bo|(e1) and Cy|(e2)", "Ada|(e1) saw Bo|(e2) and Cy|(e1)"
    assert counts(gold, system, "mentions") == (1, 2, 1, 2)
    assert counts(gold, system, "mentions", singletons="keep") == (3, 3, 3, 3)


def test_head_is_identity() -> None:
    gold, system = "the|(e1-2 mayor|e1) left|(e1)", "the|(e1-1 mayor|e1) left|(e1)"
    assert counts(gold, system, "mentions") == (1, 2, 1, 2)
    assert counts(gold, system, "mentions", match="exact") == (2, 2, 2, 2)


def test_partial_is_one_sided() -> None:
    long, short = "the|(e1-2 mayor|e1) left|(e1)", "the mayor|(e1) left|(e1)"
    assert counts(long, short, "mentions", match="partial") == (2, 2, 2, 2)
    assert counts(short, long, "mentions", match="partial") == (1, 2, 1, 2)


def test_zeros_move() -> None:
    gold, system = "Ada|(e1) came _|(e1)|2:nsubj", "Ada|(e1) _|(e1)|2:nsubj came"
    assert counts(gold, system, "muc") == (1, 1, 1, 1)
    assert counts(gold, system, "muc", zeros="linear") == (0, 1, 0, 1)


def test_zeros_without_dependencies() -> None:
    gold = "Ada|(e1) came _|(e1)"
    assert counts(gold, gold, "zero") == (1, 1, 1, 1)
    assert counts(gold, "Ada|(e1) _|(e1) came", "zero") == (0, 1, 0, 1)


SHIFTED = (
    "Ada|(e1) came _|(e1)|1:obj _|(e1)|2:nsubj _",
    "Ada|(e1) came _ _|(e1)|1:obj _|(e1)|2:nsubj",
)
"""Two zeros that are one place further on in the system, so that one of them equals the wrong one."""


def test_names_go_both_ways() -> None:
    assert counts(*SHIFTED, "mentions") == (3, 3, 3, 3)
    assert counts(*SHIFTED, "muc") == (1, 2, 2, 2)


def test_equal_before_matched() -> None:
    assert counts(*SHIFTED, "zero") == (2, 2, 2, 3)


def test_repeated_within_a_chain() -> None:
    assert counts("Ada|(e1)(e1) saw Bo|(e1)", "Ada|(e1) saw Bo|(e1)", "b3") == (2, 2, 2, 2)


def test_repeated_in_two_chains_belongs_to_the_last() -> None:
    system = "Ada|(e1) saw Bo|(e1)(e2) and Cy|(e2)"
    assert counts("Ada|(e1) saw Bo|(e1) and Cy", system, "muc")[:2] == (0, 1)
    assert counts("Ada saw Bo|(e1) and Cy|(e1)", system, "muc")[:2] == (1, 1)


@pytest.mark.parametrize(("repeats", "precision"), [("chains", 2.0), ("once", 1.0)])
def test_ratios_above_one_where_mentions_stand_in_several_chains(repeats: str, precision: float) -> None:
    gold, system = document("Ada|(e1)(e2)(e3)(e4) Bo|(e1)(e2)(e3)(e4)"), document("Ada|(e1) Bo|(e1)")
    scores = karat.score("corefud", [gold], [system], repeats=repeats)
    assert scores.value("precision", regime="blanc") == precision
    assert scores.notes == (("left out 6 repeated gold mentions",) if repeats == "once" else ())


def test_repeats_once_leave_no_empty_chain() -> None:
    gold = "Ada|(e1)(e2) saw Bo|(e1)"
    assert counts(gold, gold, "ceafe", singletons="keep") == (2, 2, 2, 2)
    assert counts(gold, gold, "ceafe", singletons="keep", repeats="once") == (1, 1, 1, 1)


def test_a_name_of_an_earlier_document_comes_first() -> None:
    def corpus(first: str) -> list[karat.Document]:
        return documents({"a": first, "b": "Ada|(e1) saw Bo|(e1)(e2) and Cy|(e2)"})

    gold = [document("x", name="a"), document("Ada|(e1) saw Bo|(e1) and Cy", name="b")]
    assert counts(gold, corpus("x"), "muc")[:2] == (0, 1)
    assert counts(gold, corpus("x|(e2)"), "muc")[:2] == (1, 1)


@pytest.mark.parametrize(("name", "f1"), [("corefud", 0.5), ("coref", 1.0)])
def test_blanc_either(name: str, f1: float) -> None:
    gold = document("Ada|(e1) saw Bo|(e1)")
    system = document("Ada|(e1) saw|(e2) Bo|(e1)")
    options = {"singletons": "keep"}
    assert karat.score(name, [gold], [system], **options).value("f1", regime="blanc") == pytest.approx(f1)


def test_overlap_ignores_chains_and_matching() -> None:
    gold, system = "the|(e1-2 mayor|e1) left|(e1)", "the|(e1-1 mayor|e1) left|(e1)"
    for match in ("head", "partial", "exact"):
        assert counts(gold, system, "mor", match=match) == (3, 3, 3, 3)


def test_ties_by_solver() -> None:
    gold, system = document("a|(e1-2 b|e1)(e2-1 c|e2) d|(e1) e|(e2)"), document("a b|(e1) c d|(e1) e")
    ledger = [one for one in karat.explain("corefud", [gold], [system]) if one.layer == "mentions"]
    found = {one.gold.text: one.case for one in ledger if one.gold}
    assert found == {"a b": "head", "b c": "missed", "d": "same", "e": "missed"}


def test_surplus_unchecked() -> None:
    scores = karat.score("corefud", [document("Ada|(e1) saw Bo|(e1)")], [document("Ada|(e1) saw Bo|(e1) again")])
    assert scores.value("f1", regime="conll") == 1
    assert scores.notes[0] == "x.conllu:4: the sentence has 4 words instead of 3; only those of both are compared"


def test_mentions_in_no_chain() -> None:
    gold = document("Ada|(e1) saw Bo|(e1)")
    gold.mentions.append(karat.Mention("m9", ((0, 3),), attributes={"rows": "1", "head": "1"}))
    assert counts([gold], [gold], "mentions", singletons="keep") == (2, 2, 2, 2)
