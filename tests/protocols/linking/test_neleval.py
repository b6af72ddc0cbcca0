"""The numbers of ``tac-edl`` are those of neleval (commit 68f6841), recorded from invented documents.

The table below was printed by ``neleval evaluate`` for the same mentions: how many there are in the gold and the
system data, how many are correct, and F1.
"""

from __future__ import annotations

import pytest
from tests.protocols.linking.build import documents

import karat
from karat.protocols.linking.tac import NAMES

GOLD = """
berlin  0  6 Q64 LOC
berlin 10 15 NIL1 PER
berlin 20 25 NIL1 PER
berlin 30 34 Q70 LOC
berlin 36 40 Q80 ORG
aare    0  4 Q70 LOC
aare    5  9 Q14 LOC
aare   12 18 NIL1 PER
aare   20 26 NIL2 ORG
aare   28 33 NIL2 ORG
ada     0 12 Q7259 PER
ada    14 18 Q7259 PER
ada    20 26 Q46633 PER
ada    30 36 NIL3 ORG
"""
SYSTEM = """
berlin  0  6 Q64 LOC
berlin 10 15 NIL5 PER
berlin 20 25 NIL6 PER
berlin 30 34 Q71 LOC
berlin 35 40 Q80 ORG
berlin 42 46 Q99 LOC
aare    0  4 Q70 ORG
aare    5  9 NIL7 LOC
aare   12 18 NIL5 PER
aare   20 26 NIL7 ORG
aare   28 33 Q80 ORG
ada     0  3 Q7259 PER
ada    14 18 Q7259 PER
ada    20 26 Q7259 PER
ada    30 36 NIL3 LOC
"""
RECORDED = {
    "entity-match": (7, 7, 4, 0.5714285714285714),
    "mention-ceaf": (14, 15, 8, 0.5517241379310344),
    "mention-ceaf-plus": (14, 15, 7, 0.4827586206896552),
    "strong-all-match": (14, 15, 8, 0.5517241379310344),
    "strong-link-match": (8, 9, 3, 0.35294117647058826),
    "strong-linked-mention-match": (8, 9, 5, 0.5882352941176471),
    "strong-mention-match": (14, 15, 12, 0.8275862068965518),
    "strong-nil-match": (6, 6, 5, 0.8333333333333334),
    "strong-typed-all-match": (14, 15, 6, 0.4137931034482759),
    "strong-typed-link-match": (8, 9, 2, 0.23529411764705882),
    "strong-typed-mention-match": (14, 15, 10, 0.689655172413793),
    "strong-typed-nil-match": (6, 6, 4, 0.6666666666666666),
    "typed-mention-ceaf": (14, 15, 7, 0.4827586206896552),
    "typed-mention-ceaf-plus": (14, 15, 5, 0.3448275862068965),
}
BY_DOCUMENT = {
    "mention-ceaf": (14, 15, 9),
    "mention-ceaf-plus": (14, 15, 7),
    "typed-mention-ceaf": (14, 15, 7),
    "typed-mention-ceaf-plus": (14, 15, 5),
}
"""The counts of CEAF with ``--by-doc``, added up."""


def counts(scores: karat.Scores, regime: str) -> tuple[tuple[float, ...], float | None]:
    (row,) = (one for one in scores if (one.measure, one.regime, one.average) == ("f1", regime, "micro"))
    return tuple(row.counts[part] for part in ("gold", "system", "correct")), row.value


def test_every_measure_of_neleval_is_recorded() -> None:
    assert {name for name in NAMES if not name.startswith("weak-")} == set(RECORDED)


@pytest.mark.parametrize("regime", RECORDED)
def test_the_whole_corpus(regime: str) -> None:
    scores = karat.score("tac-edl", documents(GOLD), documents(SYSTEM), clusters="corpus")
    found, value = counts(scores, regime)
    assert found == RECORDED[regime][:3]
    assert value == pytest.approx(RECORDED[regime][3], abs=1e-12)


@pytest.mark.parametrize("regime", RECORDED)
def test_document_by_document(regime: str) -> None:
    scores = karat.score("tac-edl", documents(GOLD), documents(SYSTEM))
    assert counts(scores, regime)[0] == BY_DOCUMENT.get(regime, RECORDED[regime][:3])


def test_by_type() -> None:
    scores = karat.score("tac-edl", documents(GOLD), documents(SYSTEM), by="label")
    found = {
        row.label: tuple(row.counts.values())
        for row in scores
        if (row.measure, row.regime, row.average) == ("f1", "strong-mention-match", "micro") and row.label
    }
    assert found == {"LOC": (4, 5, 3), "ORG": (4, 4, 2), "PER": (6, 6, 5)}
