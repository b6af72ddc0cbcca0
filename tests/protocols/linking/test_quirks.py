"""Every quirk of neleval and GERBIL, shown: the value of the program, and that of another convention."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from tests.protocols.linking.build import documents

import karat
from karat.protocols.linking.declaration import PROTOCOLS

Test = TypeVar("Test", bound=Callable[..., None])
SHOWN: set[tuple[str, str]] = set()


def shows(name: str, *protocols: str) -> Callable[[Test], Test]:
    """Mark the test that shows a quirk."""

    def note(test: Test) -> Test:
        SHOWN.update((protocol, name) for protocol in protocols)
        return test

    return note


def test_every_quirk_is_shown() -> None:
    assert {(protocol.name, quirk.name) for protocol in PROTOCOLS for quirk in protocol.quirks} == SHOWN


@shows("same-counts-once", "tac-edl")
def test_same_counts_once() -> None:
    gold, system = documents("d 0 3 Q1\nd 0 3 Q2\nd 17 19 Q3"), documents("d 0 3 Q1")
    assert karat.score("tac-edl", gold, system).value("recall", regime="strong-mention-match") == 1 / 2
    assert karat.score("gerbil-a2kb", gold, system).value("recall") == 1 / 3


@shows("nil-by-prefix", "tac-edl")
def test_nil_by_prefix() -> None:
    gold, system = documents("d 0 3 NILE"), documents("d 0 3 NIL")
    assert karat.score("tac-edl", gold, system).value(regime="strong-all-match") == 1
    assert karat.score("tac-edl", gold, system, nil="NIL").value(regime="strong-all-match") == 0


@shows("nil-without-number", "tac-edl")
def test_nil_without_number() -> None:
    gold, system = documents("d 0 3 NIL1\nd 17 19 NIL2"), documents("d 0 3 NIL\nd 17 19 NIL")
    assert karat.score("tac-edl", gold, system).value(regime="mention-ceaf") == 1 / 2
    note = "2 mentions of the system are NIL without a number, which makes them one cluster"
    assert karat.score("tac-edl", gold, system).notes == (note,)


@shows("two-links-garble-ceaf", "tac-edl")
def test_two_links_garble_ceaf() -> None:
    gold = documents("d 0 3 Q1\nd 0 3 Q2\nd 5 8 Q2")
    of_neleval = 0.5714285714285715
    assert karat.score("tac-edl", gold, gold).value(regime="mention-ceaf") == 1 != of_neleval


@shows("clusters-across-documents", "tac-edl")
def test_clusters_across_documents() -> None:
    gold, system = documents("a 0 3 NIL1\nb 0 3 NIL1"), documents("a 0 3 NIL1\nb 0 3 NIL2")
    found = [
        karat.score("tac-edl", gold, system, clusters=clusters).value(regime="mention-ceaf")
        for clusters in ("document", "corpus")
    ]
    assert found == [1, 1 / 2]


@shows("weak-by-characters", "tac-edl")
def test_weak_by_characters() -> None:
    gold, system = documents("d 0 12 Q1\nd 23 27 Q70"), documents("d 0 3 Q1\nd 4 12 Q1\nd 23 27 Q70")
    scores = karat.score("tac-edl", gold, system)
    assert scores.value("precision", regime="weak-link-match") == 2 / 3
    by_characters = (3 + 8 + 4) / (3 + 8 + 4)
    assert scores.value("precision", regime="weak-link-match") != by_characters


@shows("unlinked-is-neither", "tac-edl")
def test_unlinked_is_neither() -> None:
    gold, system = documents("d 0 3 NIL\nd 4 6 NIL"), documents("d 0 3 -\nd 4 6 NIL")
    scores = karat.score("tac-edl", gold, system)
    of_neleval = {"strong-nil-match": 0.5, "strong-all-match": 1.0}
    assert {name: scores.value("recall", regime=name) for name in of_neleval} == dict.fromkeys(of_neleval, 1.0)


@shows("undefined-is-zero", "tac-edl")
def test_undefined_is_zero() -> None:
    gold, system = documents("d 0 3 Q1"), documents("d")
    assert karat.score("tac-edl", gold, system).value("precision", regime="strong-all-match") is None
    assert karat.score("tac-edl", gold, system, zero="zero").value("precision", regime="strong-all-match") == 0


@shows("nothing-to-find-is-perfect", "gerbil-a2kb", "gerbil-d2kb")
@pytest.mark.parametrize("name", ["gerbil-a2kb", "gerbil-d2kb"])
def test_nothing_to_find_is_perfect(name: str) -> None:
    gold, system = documents("a 0 3 Q1\nb 0 3 Q1\nempty"), documents("a 0 3 Q1\nb\nempty")
    found = {
        measure: karat.score(name, gold, system).value(measure, average="macro-unit")
        for measure in ("precision", "recall", "f1")
    }
    assert found == dict.fromkeys(("precision", "recall", "f1"), (1 + 0 + 1) / 3)
    scores = karat.score("tac-edl", gold, system)
    assert scores.value("precision", regime="strong-all-match", average="macro-unit") == 1


@shows("classes-by-own-link", "gerbil-a2kb", "gerbil-d2kb")
def test_classes_by_own_link() -> None:
    gold, system = documents("d 0 3 Q1\nd 17 19 Q2"), documents("d 0 3 Q1\nd 17 19 NIL")
    scores = karat.score("gerbil-d2kb", gold, system)
    assert [scores.value("precision", slice=part) for part in ("", "InKB", "GSInKB")] == [1 / 2, 1, 1 / 2]
    assert [scores.value("recall", slice=part) for part in ("", "InKB", "GSInKB")] == [1 / 2, 1 / 2, 1 / 2]


@shows("no-confidence-threshold", "gerbil-a2kb", "gerbil-d2kb")
def test_no_confidence_threshold() -> None:
    gold = documents("d 0 3 Q1")
    mentions = [
        {"id": "1", "spans": [[0, 3]], "links": [{"target": "Q1", "score": 0.9}]},
        {"id": "2", "spans": [[17, 19]], "links": [{"target": "Q2", "score": 0.1}]},
    ]
    system = [{"id": "d", "text": gold[0].text, "mentions": mentions}]
    above_the_best_threshold = 1.0
    assert karat.score("gerbil-a2kb", gold, system).value("precision") == 0.5 != above_the_best_threshold


@shows("unasked-is-forgiven", "gerbil-d2kb")
def test_unasked_is_forgiven() -> None:
    gold, system = documents("d 0 3 Q1"), documents("d 0 3 Q1\nd 4 12 Q1")
    assert [karat.score(name, gold, system).value("precision") for name in ("gerbil-d2kb", "gerbil-a2kb")] == [1, 1 / 2]


@shows("right-nil-beside-a-link", "gerbil-d2kb")
def test_right_nil_beside_a_link() -> None:
    gold = documents("d 0 3 Q1\nd 0 3 NIL")
    of_gerbil = 1 / 2
    assert karat.score("gerbil-d2kb", gold, gold).value("precision", slice="GSInKB") == 1 != of_gerbil


@shows("first-overlap-wins", "gerbil-a2kb")
def test_first_overlap_wins() -> None:
    gold, system = documents("d 23 27 Q70\nd 24 26 Q70"), documents("d 22 25 Q70\nd 23 24 Q70")
    found = [
        karat.score("gerbil-a2kb", gold, system, profile=profile).value("recall", regime="weak")
        for profile in ("published", "corrected")
    ]
    assert found == [1 / 2, 1]
