from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.hipe.sheets import COARSE, document, write

import karat
from karat.errors import InputError
from karat.evaluation.pairing import TakeNote
from karat.model import Document, TokenTable
from karat.protocols.hipe.tables import by_position

FINE = "hipe2020-nerc-fine"
HEADER = "TOKEN NE-COARSE-LIT NE-FINE-LIT NE-FINE-METO NE-FINE-COMP NE-NESTED MISC"


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    with pytest.raises(InputError, match=r"sheet:1: column NE-FINE-LIT is missing; .*there are: NE-COARSE-LIT, MISC"):
        karat.score(FINE, [document("O")], [document("O")])


def test_glue_puts_one_label_in_front_of_another(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc O O B-name O _", header=HEADER)
    scores = karat.score(FINE, gold, gold, by="label", glue="NE-COARSE-LIT+NE-FINE-COMP")
    assert scores.value(layer="NE-FINE-COMP", label="LOC.NAME") == 1


def test_glue_leaves_the_documents_as_they_are(tmp_path: Path) -> None:
    """The gold is read once for several systems, so it must not be glued once for each."""
    gold = karat.read(write(tmp_path / "gold.tsv", "Bern B-loc O O B-name O _", header=HEADER))
    for _ in range(2):
        scores = karat.score(FINE, gold, gold, by="label", glue="NE-COARSE-LIT+NE-FINE-COMP")
        assert scores.value(layer="NE-FINE-COMP", label="LOC.NAME") == 1


def test_what_cannot_be_glued_is_refused_with_its_line(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "# x", "Bern O O O B-name O _", header=HEADER)
    with pytest.raises(InputError, match=r"gold\.tsv:3: cannot glue 'O' \(NE-COARSE-LIT\) and 'B-name'"):
        karat.score(FINE, gold, gold, glue="NE-COARSE-LIT+NE-FINE-COMP")


def test_a_token_without_a_date_is_in_no_period(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc _ _", "# date = 1798-01-20", "Genf B-loc _ _")
    with pytest.raises(InputError, match=r"gold\.tsv:2: document '1' has no date; add a line such as"):
        karat.score(COARSE, gold, gold, time_period="1790-1800")


def test_a_date_may_change_inside_of_a_document(tmp_path: Path) -> None:
    lines = ("# date = 1798-01-20", "Bern B-loc _ _", "# date = 1898-01-20", "Genf B-loc _ _", "Chur O _ _")
    gold = write(tmp_path / "gold.tsv", *lines)
    scores = karat.score(COARSE, gold, gold, time_period="1790-1800")
    assert [scores.rows[0].counts["exact"], scores.rows[len(scores) // 2].counts["exact"]] == [2, 1]


def test_places_are_lines_of_the_files(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc _ _", "Genf O _ _", "# segment_iiif_link = _", "Chur B-loc _ _")
    places = [entry.gold.place for entry in karat.explain(COARSE, gold, gold) if entry.gold]
    assert places == [f"{gold}:2", f"{gold}:5"]


NOTES: list[str] = []


def words(text: str, *segments: int, id: str = "d", lines: bool = False) -> Document:  # noqa: A002
    forms = text.split()
    table = TokenTable(forms, {"X": list(forms)}, list(segments or (0,)), lines=[(0, 5)] if lines else [])
    return Document(id, table=table, source="run.tsv")


def align(gold: list[Document], system: list[Document], note: TakeNote) -> list[Document]:
    """Return the system's documents, one for each gold document."""
    is_one = len(system) == 1 and len(gold) > 1
    return [right for _, right in by_position(gold, system, 20, note, cut=is_one)]


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
