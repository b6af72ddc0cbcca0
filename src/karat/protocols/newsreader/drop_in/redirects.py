"""The tables of redirects, ``mappings_gold.csv`` and ``mappings_sys.csv``: names of entities, and their main ones."""

from __future__ import annotations

import codecs
import re
from typing import Literal

from karat.files import read_text, read_whole
from karat.protocols.newsreader.drop_in.perl import is_true

Redirects = dict[str, str]

MAX_SIZE = 256 * 1024 * 1024
_BLANK = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
"""White space as Perl sees it; cut at every single one."""
_BAD_BYTE = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as Python's ``surrogateescape`` keeps it."""


def read_redirects(path: str) -> Redirects:
    """Read a table in UTF-8: a name, one blank, the main name; of repeated names the last counts."""
    return _table(read_text(path))


def read_redirects_as_perl(path: str, encoding: Literal["latin-1", "utf-8"]) -> Redirects:
    r"""Read a table as the published programs do: those that give no encoding take bytes for characters (Latin-1).

    Where UTF-8 is asked for, bytes that are none stand as ``\xE9``, and a character that the file ends within is lost.
    """
    data = read_whole(path, MAX_SIZE)
    return _table(data.decode("latin-1") if encoding == "latin-1" else _decoded(data))


def _decoded(data: bytes) -> str:
    r"""Return UTF-8 as text, each byte that is none as ``\xE9``, without a character that is cut off at the end.

    >>> _decoded(b"Z\xfcrich \xe2\x82")
    'Z\\xFCrich '
    """
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(data)
    return _BAD_BYTE.sub(lambda byte: f"\\x{ord(byte[0]) - 0xDC00:02X}", text)


def _table(text: str) -> Redirects:
    table: dict[str, str] = {}
    for line in text.removesuffix("\n").split("\n") if text else []:
        fields = _BLANK.split(line, maxsplit=2)
        table[fields[0]] = fields[1] if len(fields) > 1 else ""
    return {name: main for name, main in table.items() if is_true(main)}
