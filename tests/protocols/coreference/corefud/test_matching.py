from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.coreference.corefud.build import counts, document

from karat.api import explain
from karat.errors import InputError
from karat.evaluation.ledger import Entry
from karat.protocols.coreference.corefud import matching
from karat.protocols.coreference.corefud.matching import assigned

REST = "and Ada|(e1) left"
LONG = f"the|(e1-2 mayor|e1) {REST}"
SHORT = f"the mayor|(e1-1) {REST}"
OTHER_HEAD = f"the|(e1-1 mayor|e1) {REST}"
LONGER = "the|(e1-2 mayor and|e1) Ada|(e1) left"


def entries(gold: str, system: str, **options: str) -> list[Entry]:
    """Return the entries of mentions, those of the gold first."""
    found = explain("corefud", [document(gold)], [document(system)], **options)
    return sorted((one for one in found if one.layer == "mentions"), key=lambda one: one.gold is None)


def cases(gold: str, system: str, **options: str) -> list[str]:
    return [entry.case for entry in entries(gold, system, **options)]


@pytest.mark.parametrize(
    ("system", "match", "expected"),
    [
        (LONG, "head", ["same", "same"]),
        (SHORT, "head", ["head", "same"]),
        (SHORT, "partial", ["partial", "same"]),
        (SHORT, "exact", ["missed", "same", "invented"]),
        (OTHER_HEAD, "head", ["missed", "same", "invented"]),
        (OTHER_HEAD, "partial", ["same", "same"]),
        (OTHER_HEAD, "exact", ["same", "same"]),
        (LONGER, "head", ["head", "same"]),
        (LONGER, "partial", ["missed", "same", "invented"]),
    ],
)
def test_which_mentions_match(system: str, match: str, expected: list[str]) -> None:
    assert cases(LONG, system, match=match) == expected


def test_a_part_without_the_head_does_not_match() -> None:
    assert cases(LONG, f"the|(e1-1) mayor {REST}", match="partial") == ["missed", "same", "invented"]


def test_the_best_candidate_wins() -> None:
    gold = "a|(e1-3 b c|e1) and|(e1)"
    system = "a b|(e1-2 c|(e1-1)e1) and|(e1)"
    found = entries(gold, system)
    assert [(one.case, one.system.text if one.system else "") for one in found] == [
        ("head", "b c"),
        ("same", "and"),
        ("invented", "c"),
    ]


def test_a_discontinuous_mention_is_not_the_one_that_fills_its_gap() -> None:
    gold, system = "a|(e1[1/2]-1) b c|(e1[2/2]-1) d|(e1)", "a|(e1-1 b c|e1) d|(e1)"
    assert cases(gold, gold, match="exact") == ["same", "same"]
    assert cases(gold, system, match="exact") == ["missed", "same", "invented"]
    assert cases(gold, system, match="head") == ["head", "same"]
    assert cases(system, gold, match="partial") == ["partial", "same"]


ZERO = "Ada|(e1) came _|(e1)|2:nsubj and went"


def test_zeros_match_by_what_they_depend_on_wherever_they_stand() -> None:
    moved = "Ada|(e1) _|(e1)|2:nsubj came and went"
    assert cases(ZERO, moved) == ["same", "zero"]
    assert cases(ZERO, moved, zeros="linear") == ["same", "missed", "invented"]
    assert counts(ZERO, moved, "zero") == (1, 1, 1, 1)
    assert counts(ZERO, moved, "zero", zeros="linear") == (0, 1, 0, 1)


def test_a_zero_with_another_parent_does_not_match() -> None:
    assert cases(ZERO, "Ada|(e1) _|(e1)|4:nsubj came and went") == ["same", "missed", "invented"]


def test_zeros_prefer_the_same_label() -> None:
    gold = "Ada|(e1) came _|(e1)|2:nsubj"
    system = "Ada|(e1) _|(e1)|2:obj came _|(e1)|2:obl _|(e1)|2:nsubj"
    ids = [entry.system.place for entry in entries(gold, system) if entry.case == "zero" and entry.system]
    assert ids == ["x.conllu:8"]


def test_too_many_comparisons_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_COMPARISONS", 0)
    for match in ("head", "partial"):
        with pytest.raises(InputError, match=r"^x\.conllu: document 'd': 1 pairs of mentions overlap"):
            counts(LONG, SHORT, "mentions", match=match)


tables = st.lists(st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=4, max_size=4), max_size=4)


def solve(table: list[list[int]]) -> dict[int, int]:
    candidates = [[gold for gold, worth in enumerate(row) if worth] for row in table]
    return assigned(candidates, lambda system, gold: float(table[system][gold]), 4)


def best(table: list[list[int]]) -> int:
    return max(sum(row[gold] for row, gold in zip(table, order, strict=False)) for order in permutations(range(4)))


@settings(deadline=None)  # SciPy is loaded on the way
@given(tables)
def test_nothing_is_better(table: list[list[int]]) -> None:
    pairs = solve(table)
    assert len(set(pairs.values())) == len(pairs)
    assert all(table[system][gold] for system, gold in pairs.items())
    assert sum(table[system][gold] for system, gold in pairs.items()) == best(table)


@settings(deadline=None)  # SciPy is loaded on the way
@given(tables)
def test_large_tables_are_solved_as_well(table: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "LARGEST_TABLE", 0)
        assert sum(table[system][gold] for system, gold in solve(table).items()) == best(table)


@pytest.mark.parametrize(
    ("table", "decided"),
    [
        ([[1, 0, 0, 0], [0, 2, 0, 0]], True),
        ([[1, 2, 0, 0]], True),
        ([[2, 2, 0, 0]], False),
        ([[1, 0, 0, 0], [2, 0, 0, 0]], True),
        ([[1, 0, 0, 0], [1, 0, 0, 0]], False),
        ([[1, 2, 0, 0], [1, 0, 0, 0]], False),
    ],
)
def test_the_published_solver_is_asked_only_where_it_may_matter(
    table: list[list[int]], decided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(matching, "_as_published", lambda candidates, weight, golds: asked.append(golds) or {})
    solve(table)
    assert bool(asked) != decided


def test_ties_go_where_the_published_solver_puts_them() -> None:
    # the first row has no candidates, and takes the place of the first column in the solver's table
    assert assigned([[1], [1]], lambda system, gold: 1.0, 2) == {1: 1}
    assert assigned([[0], [0]], lambda system, gold: 1.0, 1) == {0: 0}
