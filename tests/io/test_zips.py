from __future__ import annotations

import io
import struct
import zipfile
import zlib

import pytest

from karat.io.zips import opened_part, read_part


def archive(content: bytes, said: bytes) -> zipfile.ZipFile:
    """Return an archive with one part that says to be shorter than it is, and has the checksum of that."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("part", content)
    data = bytearray(file.getvalue())
    listed = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, listed + 16, zlib.crc32(said))
    struct.pack_into("<I", data, listed + 24, len(said))
    return zipfile.ZipFile(io.BytesIO(data))


def test_no_part_unpacks_to_more_than_it_says() -> None:
    bomb = archive(b"a" * 100_000_000, b"a" * 100)
    assert read_part(bomb, "part") == b"a" * 100


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_at_once_is_refused(packing: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as made:
        made.writestr("part", b"a" * 1000)
    with zipfile.ZipFile(file) as bomb, pytest.raises(zipfile.BadZipFile, match="neither stored nor deflated"):
        opened_part(bomb, "part")
