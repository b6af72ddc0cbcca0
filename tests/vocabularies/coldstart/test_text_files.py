"""The lines of Cold Start files, in whatever blocks they are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from karat.errors import InputError
from karat.io import whole_lines
from karat.vocabularies.coldstart.text_files import lines_of


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_blocks_of_any_size_give_the_same_lines(size: int) -> None:
    content = b"a\r\n\nbc\nd"
    found = list(whole_lines((content[start : start + size] for start in range(0, len(content), size)), "kb"))
    assert b"".join(raw for _, raw in found) == content
    assert all(raw.endswith(b"\n") for _, raw in found[:-1])
    assert all(line == 1 + content[: content.index(raw)].count(b"\n") for line, raw in found if raw != b"\n")


def test_a_line_without_an_end_is_refused_with_its_number() -> None:
    with pytest.raises(InputError, match=r"kb:2: the line is longer than 8 bytes"):
        list(whole_lines([b"a\n", *[b"bcd"] * 3], "kb", 8))


@pytest.mark.parametrize(("ending", "pack"), [("xz", lzma.compress), ("gz", gzip.compress), ("bz2", bz2.compress)])
def test_a_damaged_archive_is_a_sentence(ending: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    packed = bytearray(pack(b":e1\ttype\tPER\n" * 1000))
    packed[len(packed) // 2 :] = bytes(len(packed) - len(packed) // 2)
    path = tmp_path / f"kb.tac.{ending}"
    path.write_bytes(packed)
    with pytest.raises(InputError, match=rf"kb\.tac\.{ending}: cannot be read: "):
        list(lines_of(str(path)))
