"""Tables of redirects, as Perl reads them and in UTF-8."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.protocols.newsreader.drop_in.documents import read_redirects, read_redirects_as_perl


def write(folder: Path, data: bytes) -> str:
    path = folder / "mappings_sys.csv"
    path.write_bytes(data)
    return str(path)


def test_the_last_of_repeated_names_counts_even_if_it_says_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, b"A x\nB y z\nA w\r\nC\nB\n lead\nD 0\nE  v\n")
    assert read_redirects(path) == {"A": "w", "": "lead"}
    assert read_redirects_as_perl(path, "utf-8") == read_redirects_as_perl(path, "latin-1") == {"A": "w", "": "lead"}


def test_bytes_are_characters_unless_told_otherwise(tmp_path: Path) -> None:
    path = write(tmp_path, "Zürich Turicum\nBern à\n".encode())
    assert read_redirects(path) == {"Zürich": "Turicum", "Bern": "à"}
    assert read_redirects_as_perl(path, "latin-1") == {"ZÃ¼rich": "Turicum", "Bern": "Ã"}


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = write(tmp_path, b"Z\xfcrich a\xe9\nA \xe2\x82")
    assert read_redirects_as_perl(path, "utf-8") == {r"Z\xFCrich": r"a\xE9"}
    with pytest.raises(InputError, match="byte 0xfc is not UTF-8"):
        read_redirects(path)


def test_an_empty_table_and_one_that_is_not_there(tmp_path: Path) -> None:
    assert read_redirects_as_perl(write(tmp_path, b""), "latin-1") == {}
    with pytest.raises(InputError, match="cannot be read"):
        read_redirects_as_perl(str(tmp_path / "none-mappings_sys.csv"), "utf-8")
