"""ZIP archives, whose members are decompressed to no more than their declared size."""

from __future__ import annotations

import zipfile
import zlib
from typing import IO

UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)
"""What is raised where an archive is damaged, encrypted, or packed in a way that nobody knows."""


def opened_part(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Open a member for reading in pieces; refuses compression methods that decompress all at once."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"{name} is neither stored nor deflated")
    return archive.open(name)


def read_part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return the content of a member, which may not exceed the size that the archive declares."""
    with opened_part(archive, name) as part:
        return part.read(archive.getinfo(name).file_size + 1)  # without a size, it would be unpacked to its end
