"""ASP: the log of an evaluation, four lines a document (key, pieces, predicted chains, gold), or recorded CSV files.

Chains are tuples of pairs of words, counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from karat.errors import InputError
from karat.files import lines
from karat.formats._literals import NotALiteralError, parse_list
from karat.formats.base import Problems
from karat.formats.tools.base import checked, plain_key
from karat.formats.tools.chains import ChainOptions as Options
from karat.formats.tools.chains import TokenFile
from karat.formats.tools.draft import Origin
from karat.formats.tools.words import chain_document
from karat.model import Document

_RUNNER = re.compile(r".{0,40} - INFO - util\.runner - (.*)")
_KEY = re.compile(r"[^\s\[\](),']+/[^\s\[\](),']+_[0-9]+")
_LINES = 4


def native(path: str, problems: Problems, options: Options) -> Iterator[Document]:
    """Yield the documents of native output."""
    tokens = TokenFile(options.tokens)
    for line, (key, _, chains, _) in _blocks(path):
        name = plain_key(key)
        with problems.catching(path, line):
            yield chain_document(name, _pairs(chains), tokens.words(name), Origin(path, line, problems))


def _blocks(path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the messages about each document with the number of the line in which its chains stand."""
    block: list[str] = []
    for line_number, line in enumerate(lines(path), start=1):
        match = _RUNNER.fullmatch(line)
        if match is None or (not block and not _KEY.fullmatch(match[1])):
            continue
        if block and _KEY.fullmatch(match[1]):
            message = f"the document {block[0][:60]!r} has {len(block)} lines; expected key, pieces, chains and gold"
            raise InputError(message, path=path, line=line_number)
        block.append(match[1])
        if len(block) == _LINES:
            yield line_number - 1, block
            block = []
    if block:
        raise InputError(
            f"the log ends within the document {block[0][:60]!r}; expected {_LINES} lines for each", path=path
        )


def _pairs(chains: str) -> list[list[tuple[int, int]]]:
    """Return chains of words counted from 0.

    >>> _pairs("[((7, 10), (17, 17))]")
    [[(6, 9), (16, 16)]]
    """
    try:
        pairs: Any = checked(parse_list(chains), list[list[tuple[int, int]]], "the chains")
    except NotALiteralError as error:
        raise InputError(f"the chains cannot be read: {error}; expected [((7, 10), (17, 17))]") from error
    return [[(first - 1, last - 1) for first, last in chain] for chain in pairs]


def sniff(head: str) -> bool:
    """Say whether a file begins as the output of the tool does."""
    return " - INFO - util.runner - " in head
