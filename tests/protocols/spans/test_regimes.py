"""What each regime counts, on plain, nested, discontinuous and multi-label entities."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.spans.build import document, outcomes, scored

import karat
from karat.errors import InputError, UsageError
from karat.evaluation.registry import protocol
from karat.matching import sweep
from karat.matching.sweep import candidates, meets
from karat.protocols.spans.items import Entity, entity, in_order
from karat.protocols.spans.judge import SEMEVAL_GAINS, overlap_gains
from karat.protocols.spans.options import OverlapOptions
from karat.protocols.spans.pairing import Gain, pairings

SEMEVAL = ("strict", "exact", "partial", "type")


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ((0, 10, "LOC"), ("correct", "correct", "correct", "correct")),
        ((0, 10, "PER"), ("incorrect", "correct", "correct", "incorrect")),
        ((0, 9, "LOC"), ("incorrect", "incorrect", "partial", "correct")),
        ((5, 12, "PER"), ("incorrect", "incorrect", "partial", "incorrect")),
    ],
)
def test_semeval_pairs(system: tuple[int, int, str], expected: tuple[str, ...]) -> None:
    (entry,) = karat.explain("semeval2013", [document((0, 10, "LOC"))], [document(system)])
    assert tuple(entry.verdicts[regime] for regime in SEMEVAL) == expected


def test_partial_counts_a_half() -> None:
    scores = scored("semeval2013", [(0, 10, "LOC"), (20, 30, "LOC")], [(0, 9, "LOC")])
    found = [scores.value(one, regime="partial") for one in ("precision", "recall", "f1")]
    assert found == pytest.approx([0.5, 0.25, 1 / 3])


def test_each_regime_has_its_own_best_pairing() -> None:
    gold, system = [(0, 4, "PER"), (0, 10, "LOC")], [(0, 4, "LOC"), (4, 10, "PER")]
    scores = scored("semeval2013", gold, system)
    assert outcomes(scores, "exact")[0] == 1
    assert outcomes(scores, "type")[0] == 1
    entries = list(karat.explain("semeval2013", [document(*gold)], [document(*system)]))
    for regime in SEMEVAL:  # one verdict for each entity
        judged = [entry for entry in entries if regime in entry.verdicts]
        assert sum(entry.gold is not None for entry in judged) == 2
        assert sum(entry.system is not None for entry in judged) == 2


def test_fragments_are_compared_one_by_one() -> None:
    gold = [([(0, 4), (10, 14)], "LOC")]
    assert scored("conll2003", gold, [([(0, 4), (10, 14)], "LOC")]).value("f1") == 1
    assert scored("conll2003", gold, [(0, 14, "LOC")]).value("f1") == 0
    assert outcomes(scored("semeval2013", gold, [(5, 9, "LOC")]), "partial") == [0, 0, 0, 1, 1]
    assert outcomes(scored("semeval2013", gold, [(5, 11, "LOC")]), "partial") == [0, 0, 1, 0, 0]
    touching = scored("conll2003", [([(0, 2), (2, 4)], "LOC")], [(0, 4, "LOC")])
    assert touching.value("f1") == 1


def test_several_labels_are_several_entities() -> None:
    scores = scored("conll2003", [(0, 4, "LOC", "ORG")], [(0, 4, "ORG")], by="label")
    assert (scores.value("precision"), scores.value("recall")) == (1, 0.5)
    assert scores.value("recall", label="LOC") == 0


def test_layers() -> None:
    gold, system = document((0, 4, "LOC")), document((0, 4, "LOC"))
    system.mentions[:] = [type(one)(one.id, one.spans, one.labels, layer="NE") for one in system.mentions]
    apart = karat.score("conll2003", [gold], [system])
    assert apart.value("f1", layer="NE") == 0
    assert any('layers="ignore"' in note for note in apart.notes)
    assert karat.score("conll2003", [gold], [system], layers="ignore").value("f1") == 1


def test_texts_must_agree() -> None:
    with pytest.raises(InputError, match="the texts differ from character 3 on"):
        karat.score("conll2003", [document(size=3)], [document(size=4)])


def test_mentions_that_cover_nothing_are_left_out() -> None:
    gold = [(0, 4, "LOC"), ([], "LOC"), (7, 7, "LOC")]
    scores = scored("conll2003", gold, [(0, 4, "LOC")])
    assert (scores.value("precision"), scores.value("recall")) == (1, 1 / 2)
    empty = "left out 1 mention of the gold that covers no character"
    assert scores.notes == (empty, "1 gold mention does not occur in the text (counted as missed)")
    scores = scored("conll2003", gold, [(0, 4, "LOC")], invented="skip")
    assert scores.value("f1") == 1
    assert scores.notes == (empty, "1 gold mention does not occur in the text (left out)")


def test_thresholds_are_met_exactly() -> None:
    gold, system = [(0, 10, "LOC")], [(0, 3, "LOC")]
    assert scored("overlap", gold, system, min_iou=0.3).value("f1", regime="typed") == 1
    assert scored("overlap", gold, system, min_iou=0.31).value("f1", regime="typed") == 0
    assert scored("overlap", gold, system, min_iou=0, min_overlap=4).value("f1", regime="typed") == 0
    assert scored("overlap", gold, system, min_iou=0, min_overlap=3).value("f1", regime="typed-graded") == 0.3
    other = scored("overlap", gold, [(0, 8, "PER")])
    assert [other.value("f1", regime=one) for one in protocol("overlap").with_options().regimes()] == pytest.approx(
        [0, 1, 0, 0.8]
    )


@pytest.mark.parametrize("settings", [{"min_iou": 2}, {"min_iou": "x"}, {"min_overlap": 0}, {"min_overlap": "1.5"}])
def test_thresholds_that_make_no_sense(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="expected a"):
        scored("overlap", [], [], **settings)


PLACES = st.builds(lambda start, size: (start, start + size), st.integers(0, 8), st.integers(1, 6))
SPANS = st.lists(PLACES, min_size=1, max_size=2).map(tuple)
ENTITIES = st.lists(st.builds(entity, SPANS, st.sampled_from(["LOC", "PER"])), max_size=4).map(in_order)
ALL = [*SEMEVAL_GAINS.values(), *overlap_gains(OverlapOptions(min_iou=0.2)).values()]


def best(gold: list[Entity], system: list[Entity], gain: Gain[Entity]) -> int:
    """Return the greatest gain of any one-to-one pairing of entities that share a character, by trying all."""
    if len(gold) > len(system):
        return best(system, gold, gain)  # every gain is the same in both directions
    gains = []
    for chosen in permutations(system, len(gold)):
        pairs = [pair for pair in zip(gold, chosen, strict=True) if meets(*pair)]
        gains.append(sum(gain(*pair) for pair in pairs))
    return max(gains)


@given(ENTITIES, ENTITIES)
def test_no_pairing_gains_more(gold: list[Entity], system: list[Entity]) -> None:
    rows = candidates(gold, system)
    for gain, pairs in zip(ALL, pairings(gold, system, rows, ALL), strict=True):
        assert sum(gain(gold[at], system[index]) for index, at in pairs.items()) == best(gold, system, gain)


@given(ENTITIES, ENTITIES)
def test_strict_finds_what_conll2003_finds(gold: list[Entity], system: list[Entity]) -> None:
    sides = [[document(*(([*one.spans], one.label) for one in side))] for side in (gold, system)]
    exact, strict = (list(karat.explain(name, *sides)) for name in ("conll2003", "semeval2013"))
    pairs = [(one.gold, one.system, one.verdicts["strict"]) for one in exact]
    assert pairs == [(one.gold, one.system, one.verdicts["strict"]) for one in strict if "strict" in one.verdicts]


def test_a_crowd_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "MOST_CANDIDATES", 100)
    gold = [(at, at + 100, "LOC") for at in range(50)]
    assert scored("semeval2013", gold, gold).value("f1", regime="strict") == 1
