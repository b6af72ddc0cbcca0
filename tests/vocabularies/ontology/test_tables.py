from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.vocabularies.ontology.provider import Likeness, Service
from karat.vocabularies.ontology.tables import TableProvider, read_pairs

TABLE = "q1,q2,class,jc\nQ1,Q2,0.25,0.5\nQ1,Q2, .25,5e-1\nQ3,Q4,-1,-1\nQ5,Q6,,0.12345678901234\n"
ONE_LINE = "; expected one line, and quotation marks in pairs"


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
        ("q1,q2,class,jc\nQ1,Q2,7,0\n", "scores.csv:2: class is '7'; expected a number from 0 to 1"),
        ("q1,q2,class,jc\nQ1,Q2,1,-3\n", "scores.csv:2: jc is '-3'; expected a number from 0 to 1"),
        ("q1,q2,class,jc\nQ1,Q2,1_0,0\n", "scores.csv:2: class is '1_0'; expected a number"),
        ("q1,q2,class,jc\nQ1,Q2,1,١\n", "scores.csv:2: jc is '١'; expected a number"),
        (
            "q1,q2,class,jc\nQ1,Q2,1,1\nQ2,Q1,0,0\nQ1,Q2,1,0\n",
            "scores.csv:4: Q1 and Q2 have other scores than on line 2",
        ),
        ("q1,q2,class,jc\nQ1,Q2,-1,-1\n\nQ1,Q2,1,1\n", "scores.csv:4: Q1 and Q2 have other scores than on line 2"),
        ('q1,q2,class,jc\nQ1,"Q2,1,1\nQ3,Q4,1,1\n', "scores.csv:2: cannot be read: unexpected end of data; is a quot"),
        ('q1,q2,class,jc\n\nQ1,"Q2,1,1\nQ3,"Q4",1,1\n', "scores.csv:3: cannot be read: ',' expected after '\"'"),
        ('q1,q2,class,jc\nQ1,"Q2\nQ3",1,1\n', f"scores.csv:2: q2 is 'Q2\\nQ3'{ONE_LINE}"),
        ('q1\tq2\tclass\tjc\nQ1\t"Q2\t1\t1\n', f"scores.csv:2: q2 is '\"Q2'{ONE_LINE}"),
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


def test_a_row_begins_where_its_first_line_is(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text('note,q1,q2,class,jc\n"two\nlines",Q1,Q2,1,1\n"two\nlines",Q3,Q4,9,1\n')
    with pytest.raises(InputError, match=r"scores\.csv:4: class is '9'"):
        TableProvider(str(tmp_path / "scores.csv"))
    assert read_pairs(str(tmp_path / "scores.csv")) == [("Q1", "Q2"), ("Q3", "Q4")]


def test_with_tabs_quotation_marks_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text('q1\tq2\tq1_label\nQ1\tQ2\t"Heroes" (song)\n"Q3"\t"Q4"\t"5\nQ5\tQ6\t6"\n')
    assert read_pairs(str(tmp_path / "pairs.tsv")) == [("Q1", "Q2"), ("Q3", "Q4"), ("Q5", "Q6")]
    (tmp_path / "pairs.tsv").write_text('q1\tq2\tq2_label\nQ6\t"Q7\tfoo\nQ6\tQ5\tx\n')
    with pytest.raises(InputError, match=r"pairs\.tsv:2: q2 is '\"Q7'; expected one line"):
        read_pairs(str(tmp_path / "pairs.tsv"))
