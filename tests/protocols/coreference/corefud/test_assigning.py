from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.protocols.coreference.corefud import matching
from karat.protocols.coreference.corefud.matching import assigned

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
