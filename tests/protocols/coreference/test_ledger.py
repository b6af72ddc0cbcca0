"""The ledger of coreference: what became of mentions and chains, and that every mention is in it once."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coreference.chains import document

import karat
from karat.ledger import Entry

CHAINS = st.lists(st.integers(-1, 3), max_size=9).map(
    lambda places: [
        "".join("abcdefghi"[at] for at, chain in enumerate(places) if chain == one) for one in sorted({*places} - {-1})
    ]
)


def entries(gold: list[str], system: list[str], layer: str, protocol: str = "coref") -> list[Entry]:
    found = karat.explain(protocol, [document(*gold)], [document(*system)])
    return [entry for entry in found if entry.layer == layer]


@pytest.mark.parametrize(
    ("gold", "system", "cases"),
    [
        (["abc"], ["abc"], ["exact"]),
        (["a"], ["a"], ["exact"]),
        (["abc"], ["ab"], ["incomplete"]),
        (["ab"], ["abx"], ["extended"]),
        (["abcd"], ["abc", "d"], ["split", "surplus"]),
        (["abcd", "ef"], ["abce", "d"], ["split-and-merged", "unaligned", "surplus"]),
        (["abc", "de"], ["abcde"], ["merged", "unaligned"]),
        (["ab"], ["xy"], ["missed", "invented"]),
        ([], [], []),
    ],
)
def test_what_becomes_of_chains(gold: list[str], system: list[str], cases: list[str]) -> None:
    assert [entry.case for entry in entries(gold, system, "chains")] == cases


@given(CHAINS, CHAINS)
def test_every_mention_is_listed_once(gold: list[str], system: list[str]) -> None:
    found = entries(gold, system, "mentions")
    assert Counter(entry.gold.text for entry in found if entry.gold) == Counter("".join(gold))
    assert Counter(entry.system.text for entry in found if entry.system) == Counter("".join(system))


@given(CHAINS, CHAINS)
def test_verdicts_add_up_to_counts(gold: list[str], system: list[str]) -> None:
    found = entries(gold, system, "mentions")
    rows = karat.score("coref", [document(*gold)], [document(*system)]).rows
    counts = {(row.regime, row.measure): row.counts for row in rows}
    correct = sum(entry.verdicts["mentions"] == "correct" for entry in found)
    assert correct == counts["mentions", "f1"].get("found", 0)
    chains = entries(gold, system, "chains")
    assert sum(entry.gold is not None for entry in chains) == len(gold)
    assert sum(entry.system is not None for entry in chains) == len(system)


def test_reasons_name_the_company_of_a_mention() -> None:
    found = {entry.gold.text: entry for entry in entries(["abc", "de"], ["ab", "cde"], "mentions") if entry.gold}
    assert (found["a"].case, found["c"].case) == ("right-chain", "wrong-chain")
    assert found["a"].reason == "with 1 of the 2 other mentions of its chain"
    assert found["c"].reason.startswith("with 0 of the 2 other mentions of its chain, and 2 ")


def test_a_repeated_mention_has_an_entry_of_its_own() -> None:
    found = entries(["ab"], ["ab", "ac"], "mentions", "coval")
    assert [entry.case for entry in found].count("repeated") == 1
    assert not any(entry.case == "repeated" for entry in entries(["ab"], ["ab", "ac"], "mentions"))
