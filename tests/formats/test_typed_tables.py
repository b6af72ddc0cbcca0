from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.typed_tables import MISSING, read_table, typed


def table(tmp_path: Path, text: str | bytes) -> list[list[object]]:
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_table(path)
    return [found.column(name) for name in found.names]


def test_missing_numbers_and_truths(tmp_path: Path) -> None:
    text = "a,b,c,d,e\n1,1.5,True,NA,x\n2,,FALSE,null,1\n"
    assert table(tmp_path, text) == [[1, 2], [1.5, None], [True, False], [None, None], ["x", "1"]]
    assert typed(["12345678901234567890123"]) == ["12345678901234567890123"]
    assert typed(["inf", "-2e3", " 4 "]) == [float("inf"), -2000.0, 4.0]


def test_layout(tmp_path: Path) -> None:
    text = '\ufeffa,b\r\n\r\n"x, ""y""\nz",1 \n   \nshort\n'
    assert table(tmp_path, text) == [['x, "y"\nz', "short"], [1.0, None]]
    found = read_table(tmp_path / "a.csv")
    assert (found.places, found.is_complete(0), found.is_complete(1)) == ([3, 6], True, False)
    (tmp_path / "b.csv").write_text("a,a,\n1,2,3\n")
    assert read_table(tmp_path / "b.csv").names == ["a", "a.1", "Unnamed: 2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; expected a CSV file with a header"),
        ("a,b\n1,2,3\n", ":2: the row has 3 cells, but the header 2; quote cells that hold commas"),
        ('a,b\n1,"2\n3,4\n', ":2: the quotation mark of a cell that begins in this line is never closed"),
        (b"a,b\n1,\xe9\n", ":2: byte 0xe9 is not UTF-8; convert the file to UTF-8 first"),
        ("a" + "," * 2000 + "\n", "the header has 2,001 columns; expected at most 1,000"),
        ("a,b\n" + "," * 1_000_000 + "\n", ":2: the row has 1,000,001 cells, but the header 2"),
        ("a,b\n" + "," * 2_000_000 + "\n", ":2: the line has 2,000,000 characters; at most 1,048,576 are read"),
        ("a,b\n1," + "x" * 200_000 + "\n", ":2: a cell is longer than 131,072 characters"),
        ('a,b\n1,"' + "x\n" * 200_000, ":2: a cell is longer than 131,072 characters"),
    ],
    ids=range(9),
)
def test_refused(text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        table(tmp_path, text)
    assert message in str(error.value)


def test_a_cell_of_a_hundred_megabytes_is_refused_early(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with path.open("wb") as stream:
        stream.write(b"a,b\n1,")
        stream.truncate(100_000_000)
    with pytest.raises(InputError, match=r"a\.csv:2: the line is longer than 16,777,216 characters"):
        read_table(path)


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("c5_id,entity\n")
    with pytest.raises(InputError, match=r"a\.csv:1: there is no column 'entities', only 'c5_id', 'entity'; try -e"):
        read_table(tmp_path / "a.csv").column("entities", "try -e")


def test_long_digits_take_no_time() -> None:
    assert typed(["1" * 100_000 + "x"]) == ["1" * 100_000 + "x"]


CELLS = st.text(st.characters(exclude_characters="\r\0", exclude_categories=("Cs",)), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_what_the_standard_library_writes_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:
    stream = io.StringIO()
    csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("a", "b"), *rows])
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_bytes(stream.getvalue().encode())
    found = read_table(path)
    assert found.rows == [list(row) for row in rows]
    assert [found.is_complete(row) for row in range(len(found))] == [MISSING.isdisjoint(row) for row in rows]
