"""The numbers of ``gerbil-a2kb`` and ``gerbil-d2kb`` are those of GERBIL (commit 358e5e4e), recorded.

The tables were printed by the program's own classes (matching searchers, counter and F-measure calculator, compiled
with stand-ins for the libraries they use) for the same mentions, listed in the order of the text: precision, recall and
F1, micro and then macro.
"""

from __future__ import annotations

import pytest
from tests.protocols.linking.build import documents

import karat

GOLD = """
a  0 12 Q7259
a 17 19 NIL
a 23 27 Q70
a 31 39 Q14
b  0  3 NIL
b  4 12 NIL
c 23 27 Q70
c 24 26 Q70
c 45 49 Q14
empty
"""
SYSTEM = """
a  0  3 Q7259
a 17 19 Q5
a 23 27 Q71
a 35 39 Q14
a 45 49 Q9
b  0  3 NIL
b  4 12 Q7259
c 22 25 Q70
c 23 24 Q70
c 40 49 NIL
empty
"""
A2KB = {
    ("strong", ""): (1 / 10, 1 / 9, 0.10526315789473685, 0.375, 0.375, 0.375),
    ("strong", "InKB"): (0.0, 0.0, 0.0, 0.25, 0.25, 0.25),
    ("strong", "EE"): (0.5, 1 / 3, 0.4, 0.5, 0.375, 0.41666666666666663),
    ("weak", ""): (0.4, 4 / 9, 0.4210526315789474, 0.5583333333333333, 0.5833333333333333, 0.5694444444444444),
    ("weak", "InKB"): (0.375, 0.5, 0.42857142857142855, 0.475, 0.5, 0.475),
    ("weak", "EE"): (0.5, 1 / 3, 0.4, 0.5, 0.375, 0.41666666666666663),
}
D2KB = {
    ("strong", ""): (0.25, 1 / 9, 0.15384615384615383, 0.375, 0.375, 0.375),
    ("strong", "InKB"): (0.0, 0.0, 0.0, 0.25, 0.25, 0.25),
    ("strong", "EE"): (1.0, 1 / 3, 0.5, 0.75, 0.625, 0.6666666666666666),
}
NUMBERS = [(average, measure) for average in ("micro", "macro-unit") for measure in ("precision", "recall", "f1")]


@pytest.mark.parametrize(
    ("protocol", "regime", "part", "expected"),
    [
        (protocol, *key, expected)
        for protocol, table in (("gerbil-a2kb", A2KB), ("gerbil-d2kb", D2KB))
        for key, expected in table.items()
    ],
)
def test_recorded(protocol: str, regime: str, part: str, expected: tuple[float, ...]) -> None:
    scores = karat.score(protocol, documents(GOLD), documents(SYSTEM))
    found = [scores.value(measure, regime=regime, average=average, slice=part) for average, measure in NUMBERS]
    assert found == pytest.approx(list(expected), abs=1e-12)


def test_whatever_is_in_the_place_of_a_gold_link() -> None:
    scores = karat.score("gerbil-d2kb", documents(GOLD), documents(SYSTEM))
    (row,) = (one for one in scores if one.slice == "GSInKB" and (one.measure, one.average) == ("f1", "micro"))
    assert row.counts == {"gold": 6, "system": 1, "correct": 0}


def test_a_slice_that_the_corpus_lacks_is_not_shown() -> None:
    linked = documents("a 0 3 Q1\nb 4 12 Q2")
    assert {row.slice for row in karat.score("gerbil-a2kb", linked, linked)} == {"", "InKB"}
    nil = documents("a 0 3 NIL")
    assert {row.slice for row in karat.score("gerbil-d2kb", nil, nil)} == {"", "EE"}
