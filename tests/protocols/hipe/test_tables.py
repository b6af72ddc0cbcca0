from __future__ import annotations

from pathlib import Path

import pytest
from tests.protocols.hipe.sheets import COARSE, document, write

import karat
from karat.errors import InputError

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
