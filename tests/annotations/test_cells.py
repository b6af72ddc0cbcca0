"""Sparse columns and tokens in pieces behave like lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.cells import SparseColumn, TokenPieces, distinct, marked, texts_of

PIECES = st.lists(st.lists(st.sampled_from(["O", "B-a", "I-a", ""]), max_size=5), max_size=4)
SLICES = st.tuples(st.integers(-3, 12), st.integers(-3, 12)).map(lambda pair: slice(*pair))


@given(PIECES, SLICES)
def test_a_sparse_column_is_the_list_of_its_cells(pieces: list[list[str]], part: slice) -> None:
    column = SparseColumn("O")
    for number, piece in enumerate(pieces):
        other = SparseColumn("O")
        other += piece
        column += other if number % 2 else piece
    cells = [cell for piece in pieces for cell in piece]
    assert column == cells
    assert list(column) == cells
    assert [column[index] for index in range(len(column))] == cells
    assert column[part] == cells[part]
    assert list(marked(column, "O")) == marked(cells, "O")
    assert list(marked(column, "x")) == list(enumerate(cells))
    assert distinct(column) == set(cells)


@given(st.lists(st.lists(st.text("aé東", min_size=1, max_size=3), max_size=4), max_size=4), SLICES)
def test_forms_in_pieces_are_the_list_of_their_tokens(pieces: list[list[str]], part: slice) -> None:
    forms = TokenPieces()
    for number, piece in enumerate(pieces):
        forms += tuple(piece) if number % 2 else piece
    tokens = [form for piece in pieces for form in piece]
    assert forms == tokens
    assert list(forms) == tokens
    assert [forms[index] for index in range(len(forms))] == tokens
    assert forms[part] == tokens[part]
    spans = [(start, start + 1) for start in range(0, len(tokens), 2)]
    assert [forms[start:end] for start, end in spans] == [tokens[start:end] for start, end in spans]
    assert texts_of(forms, spans) == texts_of(tokens, spans)
