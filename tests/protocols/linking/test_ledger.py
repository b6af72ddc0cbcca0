"""The ledger says of every mention what is wrong with its link, its place and its type."""

from __future__ import annotations

import pytest
from tests.protocols.linking.build import documents

import karat


@pytest.mark.parametrize(
    ("gold", "system", "case", "reason"),
    [
        ("0 12 Q1 PER", "0 12 Q1 PER", "exact", "same place, link and type"),
        ("0 12 NIL1 PER", "0 12 NIL2 PER", "exact", "same place, NIL and type"),
        ("0 12 Q1 PER", "0 12 Q2 PER", "wrong-id", "same place and type, but Q2 for Q1"),
        ("0 12 Q1 PER", "0 12 NIL3 PER", "nil-for-link", "same place and type, but NIL3 for Q1"),
        ("0 12 Q1 PER", "0 12 - PER", "nil-for-link", "same place and type, but NIL for Q1"),
        ("0 12 NIL1 PER", "0 12 Q1 PER", "link-for-nil", "same place and type, but Q1 for NIL1"),
        ("0 12 Q1 PER", "0 12 Q1 LOC", "wrong-type", "same place and link, but type LOC for PER"),
        ("0 12 Q1 PER", "0 3 Q1 PER", "wrong-boundary", "same link and type, but too short (0-3 for 0-12)"),
        ("4 12 Q1", "0 12 Q1", "wrong-boundary", "same link, but too long (0-12 for 4-12)"),
        ("0 12 Q1 PER", "4 16 Q2 LOC", "wrong-several", "shifted (4-16 for 0-12), Q2 for Q1, type LOC for PER"),
        ("0 12 Q7 PER", "0 12 Q1 PER", "exact", "same place, link and type; Q7 is read as Q1 (redirect)"),
        ("0 12 Q1 PER", "0 12 Q7 PER", "exact", "same place, link and type; Q7 is read as Q1 (redirect)"),
    ],
)
def test_pairs(gold: str, system: str, case: str, reason: str) -> None:
    sides = documents(f"d {gold}"), documents(f"d {system}")
    (entry, *others) = karat.explain("gerbil-a2kb", *sides, redirects={"Q7": "Q1"})
    assert [(entry.case, entry.reason)] == [(case, reason)]
    assert not others


def test_mentions_without_a_partner() -> None:
    gold, system = documents("d 0 12 Q1 PER\nd 23 27 Q70"), documents("d 23 27 Q70\nd 35 39 NIL LOC")
    found = [(entry.case, entry.reason) for entry in karat.explain("gerbil-a2kb", gold, system)]
    assert found == [
        ("missed", "no system mention overlaps it"),
        ("exact", "same place and link"),
        ("spurious", "no gold mention overlaps it"),
    ]


def test_the_same_entity_elsewhere() -> None:
    gold, system = documents("d 0 12 Q1 PER"), documents("d 17 19 Q1 PER")
    verdicts = {entry.case: entry.verdicts for entry in karat.explain("tac-edl", gold, system)}
    assert verdicts["wrong-place"] == {"entity-match": "correct"}
    assert verdicts["missed"]["strong-link-match"] == "missed"
    assert "entity-match" not in verdicts["missed"]


def test_verdicts_of_every_kind() -> None:
    gold, system = documents("d 0 12 Q1 PER"), documents("d 0 12 Q2 PER")
    (entry,) = karat.explain("tac-edl", gold, system)
    found = {name: entry.verdicts[name] for name in ("strong-typed-mention-match", "weak-link-match", "mention-ceaf")}
    assert found == {
        "strong-typed-mention-match": "correct",
        "weak-link-match": "incorrect",
        "mention-ceaf": "correct",
    }
    assert entry.gold is not None
    assert (entry.gold.label, entry.gold.alternatives, entry.gold.text) == ("PER", ("Q1",), "Ada Lovelace")
