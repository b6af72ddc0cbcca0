from __future__ import annotations

import pytest
from tests.protocols.hipe.sheets import document

from karat.errors import InputError
from karat.model import Document, TokenTable
from karat.pairing import Note
from karat.protocols.hipe.tables import by_position

NOTES: list[str] = []


def words(text: str, *segments: int, id: str = "d", lines: bool = False) -> Document:  # noqa: A002
    forms = text.split()
    table = TokenTable(forms, {"X": list(forms)}, list(segments or (0,)), lines=[(0, 5)] if lines else [])
    return Document(id, table=table, source="run.tsv")


def align(gold: list[Document], system: list[Document], note: Note) -> list[Document]:
    """Return the system's documents, one for each gold document."""
    return [right for _, right in by_position(gold, system, (len(gold), len(system)), 20, note)]


def forms_of(documents: list[Document]) -> list[list[str]]:
    return [list(one.table.forms) for one in documents if one.table]


def test_documents_of_equal_shape_are_taken_in_order_whatever_their_tokens() -> None:
    system = [words("x y"), words("z")]
    assert align([words("a b", id="1"), words("c", id="2")], system, NOTES.append) == system


def test_a_system_without_documents_is_cut_as_the_gold_is() -> None:
    notes: list[str] = []
    gold = [words("a b c", 0, 2, id="1"), words("d", id="2")]
    found = align(gold, [words("a X c d surplus")], notes.append)
    assert forms_of(found) == [["a", "X", "c"], ["d"]]
    assert [one.id for one in found] == ["1", "2"]
    assert [one.table.segments for one in found if one.table] == [[0, 2], [0]]
    assert notes[-1] == "Patched 1 tokens: Counter({('X', 'b'): 1})"


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([words("a b", 0, 1)], "in document '1': 2 segments instead of 1"),
        ([words("a b c", lines=True)], r"run\.tsv:5: .* segment 1 has 3 tokens instead of 2"),
        ([words("a"), words("b")], "it has 2 documents, the gold 1"),
        ([], "it has 0 documents, the gold 1"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(system: list[Document], message: str) -> None:
    with pytest.raises(InputError, match=message):
        align([words("a b", id="1")], system, NOTES.append)


def test_too_short_or_too_different_a_system_is_not_rebuilt() -> None:
    gold = [words("a b", id="1"), words("c", id="2")]
    with pytest.raises(InputError, match="its first segment ends after 0 of 1 tokens of a segment in gold document 2"):
        align(gold, [words("a b")], NOTES.append)
    many = " ".join(f"w{index}" for index in range(21))
    with pytest.raises(InputError, match="more than 20 kinds of tokens differ"):
        align([words(many, id="1"), words("c", id="2")], [words(f"{many.upper()} c")], NOTES.append)


def test_a_table_without_segments_is_one_segment() -> None:
    bare = Document("d", table=TokenTable(["a", "b", "c"]))
    assert forms_of(align([words("a b", id="1"), words("c", id="2")], [bare], NOTES.append)) == [["a", "b"], ["c"]]


def test_no_segments_and_one_segment_are_the_same_shape() -> None:
    bare = Document("d", table=TokenTable(["a", "b"]))
    assert align([words("a b", id="1")], [bare], NOTES.append) == [bare]


def test_the_gold_is_left_as_it_is() -> None:
    gold = [document("B-loc O", id="1"), document("O", id="2")]
    before = repr(gold)
    align(gold, [document("O B-loc O")], NOTES.append)
    assert repr(gold) == before
