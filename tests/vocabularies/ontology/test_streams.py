from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest

from karat.errors import InputError
from karat.vocabularies.ontology import streams


def test_blocks_are_whole_lines_with_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BLOCK", 7)
    (tmp_path / "a.txt").write_bytes("one\r\ntwo\nthrée\nfour and more\nend".encode())
    found = list(streams.blocks(str(tmp_path / "a.txt")))
    assert "".join(block.text for block in found) == "one\ntwo\nthrée\nfour and more\nend\n"
    lines = "".join(block.text for block in found).split("\n")
    for block in found:
        assert lines[block.line - 1] == block.text.split("\n")[0]


def test_zstandard_frames_have_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zstandard = pytest.importorskip("zstandard")
    monkeypatch.setattr("karat.vocabularies.ontology.streams._STEP", 5)
    lines = [f"line {number**7}\n" for number in range(40)]
    compress = zstandard.ZstdCompressor().compress
    frames = [compress("".join(some).encode()) for some in (lines[:20], [], lines[20:])]
    skippable = b"\x53\x2a\x4d\x18" + (9).to_bytes(4, "little") + b"no text: "
    archive = tmp_path / "a.zst"
    parts = [skippable, frames[0], skippable, *frames[1:], skippable]
    archive.write_bytes(b"".join(parts))
    assert "".join(block.text for block in streams.blocks(str(archive))) == "".join(lines)
    ends = set(accumulate(map(len, parts)))
    for end in set(range(1, max(ends))) - ends:
        archive.write_bytes(b"".join(parts)[:end])
        with pytest.raises(InputError, match=r"a\.zst: cannot be read: the archive ends in the middle of a frame"):
            list(streams.blocks(str(archive)))


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BLOCK", 10)
    monkeypatch.setattr(streams, "MAX_LINE", 50)
    (tmp_path / "a.txt").write_bytes(b"short\n" + b"x" * 100)
    with pytest.raises(InputError, match=r"a\.txt:2: the line is longer than 50 bytes"):
        list(streams.blocks(str(tmp_path / "a.txt")))


def test_addresses_are_not_opened() -> None:
    with pytest.raises(InputError, match="only where that is asked for"):
        list(streams.blocks("https://example.org/latest-all.json.gz"))
