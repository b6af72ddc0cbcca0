from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.ontology.provider import Likeness, Service
from karat.ontology.tables import TableProvider, read_pairs

TABLE = "q1,q2,class,jc\nQ1,Q2,0.25,0.5\nQ1,Q2,0.9,0.9\nQ3,Q4,-1,-1\nQ5,Q6,,0.12345678901234\n"


def test_a_table_answers_for_its_pairs(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    table = TableProvider(str(tmp_path / "scores.csv"))
    pairs = [("Q1", "Q2"), ("Q2", "Q1"), ("Q3", "Q4"), ("Q5", "Q6")]
    assert table.similarity(pairs) == [Likeness(0.25, 0.5), None, None, Likeness(None, 0.12345678901234)]
    assert Service(table).similarity(pairs)[3] == Likeness(None, 0.123456789)
    assert Service(table, max_pairs=3, digits=None).similarity([*pairs, pairs[0]])[3:] == [None, Likeness(0.25, 0.5)]
    assert Service(table, max_pairs=0).similarity(pairs) == [None] * 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1,q2\nQ1,Q2\n", "scores.csv:1: the header is 'q1,q2'; expected the columns q1, q2, class, jc"),
        ("", "scores.csv:1: the header is ''"),
        ("q1,q2,class,jc\nQ1,Q2,high,0\n", "scores.csv:2: class is 'high'; expected a number"),
        ("q1,q2,class,jc\n\nQ1,Q2,1,inf\n", "scores.csv:3: jc is 'inf'; expected a number"),
        ("q1,q2,class,jc\nQ1,Q2,1\n", "scores.csv:2: there are 3 columns, but the header has 4"),
        ("q1,q2,class,jc\nQ1," + "x" * 200_000 + ",1,1\n", "scores.csv:2: cannot be read: field larger"),
    ],
)
def test_bad_tables(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(content)
    with pytest.raises(InputError) as error:
        TableProvider(str(tmp_path / "scores.csv"))
    assert message in str(error.value)


def test_pairs_by_tabs_or_commas_in_any_columns(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("note\tq2\tq1\nx\tQ2\tQ1\n\ny\t\tQ3\n")
    (tmp_path / "pairs.csv").write_text('\ufeffq1,"q2"\n"Q1",Q2\n')
    assert read_pairs(str(tmp_path / "pairs.tsv")) == [("Q1", "Q2"), ("Q3", "")]
    assert read_pairs(str(tmp_path / "pairs.csv")) == [("Q1", "Q2")]
