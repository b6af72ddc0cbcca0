"""ZIP archives: every part unpacked to no more than it says, whatever it holds."""

from __future__ import annotations

import zipfile
import zlib
from typing import IO

UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)
"""What is raised where an archive is damaged, encrypted, or packed in a way that nobody knows."""


def opened_part(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Return a part of an archive, to be read step by step; packed in a way that unpacks at once, it is refused."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"{name} is neither stored nor deflated")
    return archive.open(name)


def read_part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a part of an archive, unpacked to no more than the size that the archive says it has."""
    with opened_part(archive, name) as part:
        return part.read(archive.getinfo(name).file_size + 1)  # without a size, it would be unpacked to its end
