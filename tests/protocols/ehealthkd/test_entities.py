from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.protocols.ehealthkd.entities import EntityMatches, SideEntities, match_entities, neighbours, touch
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import EntityPlace, Sentences

RULES = [
    Rules(edition=edition, corrected=corrected, skip_incorrect=skip)
    for edition in ("2019", "2021")
    for corrected in (False, True)
    for skip in (False, True)
]


@st.composite
def places(draw: st.DrawFn) -> EntityPlace:
    cuts = sorted(draw(st.lists(st.integers(0, 12), min_size=2, max_size=4, unique=True)))
    cuts = cuts[: len(cuts) // 2 * 2]
    return draw(st.integers(0, 1)), *cuts[0::2], *cuts[1::2]


@st.composite
def sides(draw: st.DrawFn) -> SideEntities:
    found = sorted(draw(st.lists(places(), max_size=12)))
    return SideEntities([draw(st.sampled_from("AB")) for _ in found], found)


def one(gold: list[tuple[str, EntityPlace]], system: list[tuple[str, EntityPlace]], rules: Rules) -> EntityMatches:
    two = [SideEntities([label for label, _ in side], [place for _, place in side]) for side in (gold, system)]
    return match_entities(two[0], two[1], rules)


def test_correct_before_incorrect_before_partial() -> None:
    gold = [("A", (0, 0, 4)), ("B", (0, 5, 9)), ("A", (0, 10, 14))]
    system = [("A", (0, 0, 4)), ("A", (0, 5, 9)), ("A", (0, 9, 12))]
    found = one(gold, system, Rules())
    assert (found.correct, found.incorrect, found.partial) == ([(0, 0)], [(1, 1)], [(2, 2)])
    skipped = one(gold, system, Rules(skip_incorrect=True))
    assert (skipped.incorrect, skipped.spurious, skipped.missed) == ([], [1], [1])


def test_several_labels_of_one_span() -> None:
    gold, system = [("A", (0, 0, 4)), ("B", (0, 0, 4))], [("B", (0, 0, 4)), ("A", (0, 0, 4))]
    found = one(gold, system, Rules())
    assert found.clashes == [(0, 1)]
    assert sorted(found.correct) == [(0, 1), (1, 0)]
    assert one(gold, system[:1], Rules()).incorrect == [(0, 0)]
    assert one(gold, system[:1], Rules(corrected=True)).correct == [(0, 1)]


def test_touching_is_by_starts_in_fragments() -> None:
    assert not touch((0, 0, 4), (0, 4, 8))
    assert touch((0, 0, 8, 4, 12), (0, 9, 10))
    assert not touch((0, 0, 8, 4, 12), (0, 5, 7))
    words = (0, *range(0, 90, 3), *range(2, 92, 3))
    assert touch(words, (0, *range(1, 91, 3), *range(2, 92, 3)))
    assert not touch(words, (0, *range(2, 92, 3), *range(3, 93, 3)))


@given(sides(), sides(), st.sampled_from(RULES))
def test_every_entity_has_one_verdict(gold: SideEntities, system: SideEntities, rules: Rules) -> None:
    found = match_entities(gold, system, rules)
    pairs = [*found.correct, *found.incorrect, *found.partial]
    assert sorted([*(here for here, _ in pairs), *found.spurious]) == list(range(len(system.places)))
    assert sorted([*(there for _, there in pairs), *found.missed]) == list(range(len(gold.places)))
    for here, there in pairs:
        assert system.places[here][0] == gold.places[there][0]
    assert all(system.labels[here] == gold.labels[there] for here, there in found.correct)
    assert all(touch(system.places[here], gold.places[there]) for here, there in found.partial)


@given(sides(), st.sampled_from(RULES))
def test_a_side_matches_itself(side: SideEntities, rules: Rules) -> None:
    assert sorted(match_entities(side, side, rules).correct) == [(at, at) for at in range(len(side.places))]


@given(sides(), sides())
def test_no_neighbour_is_overlooked(gold: SideEntities, system: SideEntities) -> None:
    golds = [at for at, place in enumerate(gold.places) if place[0] == 0]
    systems = [at for at, place in enumerate(system.places) if place[0] == 0]
    near = neighbours(gold, system, golds, systems)
    for here in systems:
        touched = {there for there in golds if touch(system.places[here], gold.places[there])}
        assert touched <= near.get(here, set())


def test_entities_that_all_cover_much_meet_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.protocols.ehealthkd.entities.MOST_MEETINGS", 100)
    side = [(0, start, start + 40) for start in range(20)]
    gold, system = (
        SideEntities(["C"] * 20, side),
        SideEntities(["C"] * 20, [(0, start + 20, end) for _, start, end in side]),
    )
    with pytest.raises(InputError, match="meet more than 100 times in one sentence"):
        match_entities(gold, system, Rules())
    monkeypatch.setattr("karat.protocols.ehealthkd.sentences.MOST_WORDS", 5)
    sentences = Sentences("uno dos tres cuatro", Rules())
    assert sentences.place([(0, 12)]) == (0, 0, 4, 8, 3, 7, 12)
    with pytest.raises(InputError, match="cover more than 5 words"):
        sentences.place([(0, 12)])
