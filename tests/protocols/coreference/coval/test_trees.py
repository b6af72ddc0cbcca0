"""Trees from cells, and minimum spans of them: nothing is lost, whatever part of a sentence a mention takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.protocols.coreference.coval.trees import TreeToken, leaves, minimum, tree, well_formed

LABELS = st.sampled_from(["NP", "VP", "PP", "S", "QP", "NX", "NML", "NP-SBJ"])
CELLS = st.builds(
    lambda begun, ends: "".join(f"({label}" for label in begun) + "*" + ")" * ends,
    st.lists(LABELS, max_size=3),
    st.integers(0, 3),
)
TOKENS = st.lists(st.builds(TreeToken, st.sampled_from(["Ada", "saw", "it"]), st.sampled_from(["NN", "DT"]), CELLS))


def parsed(*rows: str) -> list[TreeToken]:
    return [TreeToken(*row.split()) for row in rows]


@given(TOKENS)
def test_every_word_is_in_the_tree(tokens: list[TreeToken]) -> None:
    root = tree(tokens)
    assert (root is None) == (not tokens)
    if root:
        waiting = [root]
        held: list[TreeToken] = []
        while waiting:
            node = waiting.pop()
            held += node.tokens
            waiting += node.children
        assert sorted(held) == sorted(tokens)


@given(TOKENS, st.integers(0, 50))
def test_minimum_spans_move_with_the_mention(tokens: list[TreeToken], by: int) -> None:
    here, there = tree(tokens), tree(tokens, by)
    if here and there:
        assert {(text, index + by) for text, index in minimum(here)} == minimum(there)


def test_leaves_stand_in_order() -> None:
    root = tree(parsed("the DT (NP(NP*", "king NN *)", "of IN (PP*", "Norway NNP (NP*)))"))
    assert root is not None
    assert [leaf.label for leaf in leaves(root)] == ["the king", "of", "Norway"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["she PRP (NP*)"], {("she", 0)}),
        (["tea NN (NP(NP*)", "and CC *", "milk NN (NP*))"], {("tea", 0), ("milk", 2)}),
        (["one CD (TOP(S(NP(NP*)", "of IN (PP*", "us PRP (NP*)))))"], {("one", 0)}),
        (["in IN (PP*", "May NNP (NP*))"], {("May", 1)}),
        (["was VBD (VP*", "seen VBN (VP*))"], {("was", 1)}),
        (["this DT (NP*)"], set()),
        (["-LRB- -LRB- (PRN*", ", , *)"], set()),
        (["5 CD (NP(QP*", "% NN *))"], {("5 %", 1)}),
    ],
)
def test_minimum_spans(rows: list[str], expected: set[tuple[str, int]]) -> None:
    root = tree(parsed(*rows))
    assert root is not None
    assert minimum(root) == expected


def test_deep_trees() -> None:
    cell = "(NP" * 50_000 + "*" + ")" * 50_000
    assert well_formed(cell)
    root = tree([TreeToken("Ada", "NNP", cell)])
    assert root is not None
    assert minimum(root) == {("Ada", 0)}
    assert [leaf.label for leaf in leaves(root)] == ["Ada"]
