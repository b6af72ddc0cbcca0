from __future__ import annotations

import bz2
import gzip
import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import io as files
from karat.errors import InputError


def put(folder: Path, data: bytes, name: str = "a.txt") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@given(st.text(st.sampled_from("aé\n\r\U0001f600"), max_size=40), st.integers(1, 7))
def test_blocks_hold_whole_lines_whatever_their_size(text: str, block: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_BLOCK", block)
        blocks = list(files.text_blocks(put(Path(folder), text.encode())))
    assert "".join(blocks) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert all(one.endswith("\n") for one in blocks[:-1])


PACKERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".BZ2": bz2.compress}


@pytest.mark.parametrize("suffix", PACKERS)
def test_compressed_files_are_recognised_by_their_name(suffix: str, tmp_path: Path) -> None:
    path = put(tmp_path, PACKERS[suffix]("Zürich\nBern\n".encode()), f"a.txt{suffix}")
    assert list(files.lines(path)) == ["Zürich", "Bern"]
    assert files.peek(path, 3) == "Zü"


@pytest.mark.parametrize("block", [1, 5, 1 << 20])
def test_a_byte_that_is_not_utf8_is_reported_with_its_line(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_BLOCK", block)
    path = put(tmp_path, b"one\ntwo\nth\xffee\n")
    with pytest.raises(InputError, match=r"a\.txt:3: byte 0xff is not UTF-8; convert the file to UTF-8 first"):
        files.read_text(path)
    assert files.peek(path) == "one\ntwo\nth\ufffdee\n"


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BLOCK", 4)
    monkeypatch.setattr(files, "MAX_LINE", 10)
    with pytest.raises(InputError, match=r"a\.txt:2: the line is longer than 10 characters"):
        files.read_text(put(tmp_path, b"short\n" + b"x" * 20))


@pytest.mark.parametrize("name", ["a.gz", "a.bz2"])
def test_damaged_archives_are_refused(name: str, tmp_path: Path) -> None:
    whole = {"a.gz": gzip.compress, "a.bz2": bz2.compress}[name](os.urandom(2000))
    for data in (whole[:-9], b"no archive", whole[:40] + b"\0" * 40 + whole[80:]):
        with pytest.raises(InputError, match="cannot be read"):
            files.read_text(put(tmp_path, data, name))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name, message in {
        "absent": "no such file",
        "loop": "symbolic links",
        ".": "is a directory",
        "x" * 5000: "name too long",
        "a\0b": "null byte",
    }.items():
        with pytest.raises(InputError, match=message):
            files.read_text(f"{tmp_path}/{name}")
    assert not any(map(files.is_folder, ["x" * 5000, "", "-"]))


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BufferedReader(io.BytesIO(b"one\ntwo\n"))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stream))
    assert files.peek("-") == "one\ntwo\n"
    assert files.read_text("-") == "one\ntwo\n"
    for again in (files.read_text, files.peek):
        with pytest.raises(InputError, match="standard input can be read only once"):
            again("-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="must be open"):
        files.read_text("-")


def test_a_digest_depends_on_contents_and_names_inside(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        (folder / "sub").mkdir(parents=True)
        put(folder / "sub", b"x")
    assert files.digest(one) == files.digest(two)
    put(two, b"x", "b.txt")
    assert files.digest(one) != files.digest(two)
    assert files.digest(put(tmp_path, b"x")) == "2d711642b726"
