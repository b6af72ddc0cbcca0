"""Reading and writing annotations from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from karat import formats
from karat.formats.base import Format
from karat.model import Document
from karat.wording import spoken_in_python


def read(path: str | os.PathLike[str], format: str | Format | None = None, **options: Any) -> list[Document]:  # noqa: A002
    """Return the documents of a file or folder, in the given or named format, or the one it is recognised as.

    ``options`` are those of the format; :func:`karat.formats.read` does the same lazily.
    """
    with spoken_in_python("read"):
        return list(formats.read(path, format, options=options))


def write(
    documents: Iterable[Document],
    path: str | os.PathLike[str],
    format: str | Format,  # noqa: A002 - the word users know
    **options: Any,
) -> None:
    """Write documents to a file, or to a folder if the given or named format lives in one; losslessly or not at all."""
    with spoken_in_python("read"):
        formats.write(documents, path, format, options)
