"""The token file of the later OMIn evaluation of named entities: one block per document, one line per token."""

from __future__ import annotations

import os

from karat.errors import InputError
from karat.io import read_text

_BEGIN = "#begin document "
_ID_LENGTH = 15
_TOKEN_FIELD = 3
_KNOWN_FAULT = "19980620030289I"
_KNOWN_TEXT = (
    "MR. KADERA THEN ATTEMPTED TO LAND IN A FIELD BUT WAS FORCED TO LAND ON HIGHWAY 93 . "
    "THREE MILES EAST OF SUNMER , IOWA"
)
"""The tokens of a document that the file has wrong, as the program replaces them."""


def read_tokens(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Return the tokens of each document in upper case, by the document's id.

    Only blocks that begin with ``(faa/`` are read; the id is the fifteen characters after the first underscore, and the
    tokens are the fourth fields of the lines that contain ``faa``.
    """
    documents: dict[str, list[str]] = {}
    line = 1
    for index, block in enumerate(read_text(path).split(_BEGIN)):
        if index and block.startswith("(faa/"):
            documents[_id(block, path, line)] = [
                _token(row, path, line + offset)
                for offset, row in enumerate(block.split("\n"))
                if offset and "faa" in row
            ]
        line += block.count("\n")
    documents[_KNOWN_FAULT] = _KNOWN_TEXT.split()
    return documents


def _id(block: str, path: object, line: int) -> str:
    _, underscore, name = block.partition("_")
    if not underscore:
        message = f"the block begins with {block[:40]!r}; expected (faa/NUMBER_ID)"
        raise InputError(message, path=path, line=line)
    return name.partition("_")[0][:_ID_LENGTH]


def _token(row: str, path: object, line: int) -> str:
    fields = row.split(None, _TOKEN_FIELD + 1)
    if len(fields) <= _TOKEN_FIELD:
        message = f"{row[:40]!r} has {len(fields)} fields; expected at least four, of which the fourth is the token"
        raise InputError(message, path=path, line=line)
    return fields[_TOKEN_FIELD].upper()
