"""Small HIPE documents and files for the tests, written down as words and cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from karat.model import Document, TokenTable

COARSE = "hipe2022-nerc-coarse"
LINKING = "hipe2022-nel"


def document(tags: str, links: str = "", *, words: str = "", id: str = "d") -> Document:  # noqa: A002
    """Return a document with a cell of NE-COARSE-LIT for each word, and of NEL-LIT if there are links."""
    cells = tags.split()
    columns: dict[str, Sequence[str]] = {"NE-COARSE-LIT": cells, "MISC": ["_"] * len(cells)}
    if links:
        columns["NEL-LIT"] = links.split()
    forms = words.split() or [f"w{index}" for index in range(len(cells))]
    return Document(id, table=TokenTable(forms, columns, [0], dialect="hipe"), source="sheet")


def write(path: Path, *lines: str, header: str = "TOKEN NE-COARSE-LIT NEL-LIT MISC") -> str:
    """Write a HIPE file: a header, then lines whose words are cells (an empty cell is ``''``); comments stay."""
    rows = [line if line.startswith("#") else line.replace(" ", "\t").replace("''", "") for line in lines]
    path.write_text("\n".join([header.replace(" ", "\t"), *rows, ""]), encoding="utf-8")
    return str(path)
