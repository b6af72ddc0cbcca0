"""Values as the published Perl programs see them: numbers in texts, captures that outlive a failed match, bytes out."""

from __future__ import annotations

import math
import re
from functools import lru_cache

_NUMBER = re.compile(
    r"[ \t\n\r\f\v]*([+-]?)(?:([0-9]+)(?![0-9.eE])|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))"
)
_SPECIAL = re.compile(r"[ \t\n\r\f\v]*([+-]?)(inf|[qs]?nan|1\.?#inf|1\.?#ind)", re.IGNORECASE)
_DIGITS_BEHIND_OTHERS = re.compile(r"(?<=[^0-9])[0-9]+")

_FEW = 19
"""Characters of a number that is no larger than a machine word."""
_IDS = 1 << 14
"""Ids whose parts are remembered: every document numbers its tokens and terms from 1 on."""


def number(text: str | None) -> float:
    """Return the number at the beginning of a text, 0 if there is none.

    >>> [number(text) for text in ("12", " 1.5x", "7_a", "1e-3", "0x9", "w3", None)]
    [12, 1.5, 7, 0.001, 0, 0, 0]
    """
    text = text or ""
    if text.isascii() and len(text) < _FEW:
        if text.isdecimal():
            return int(text)
        whole, _, fraction = text.partition(".")
        if whole.isdecimal() and fraction.isdecimal():
            return float(text)
    special = _SPECIAL.match(text)
    if special:
        value = math.inf if special[2].lower().endswith("inf") else math.nan
        return -value if special[1] == "-" else value
    plain = _NUMBER.match(text)
    if not plain:
        return 0
    sign, digits, fraction = plain.groups()
    return int(sign + digits) if digits and len(digits) < 20 else float(sign + (digits or fraction))


def at_most(text: str | None, limit: float) -> bool:
    """Return whether the number of an id or a sentence is within a limit; False for other texts."""
    return _known_number(text) <= limit


_known_number = lru_cache(maxsize=_IDS)(number)


def is_true(text: str | None) -> bool:
    """Return whether a text is true in Perl: neither None, empty nor ``0``."""
    return text not in (None, "", "0")


@lru_cache(maxsize=_IDS)
def behind(letter: str, text: str | None) -> str | None:
    r"""Return the rest of the line after the first such letter, or None without the letter.

    >>> behind("w", "w12"), behind("w", "12"), behind("t", "at\n5")
    ('12', None, '')
    """
    _, separator, rest = (text or "").partition(letter)
    return rest.partition("\n")[0] if separator else None


def digits(text: str | None) -> str | None:
    """Return the first run of digits that follows something else, or ``None``.

    >>> digits("t1.5"), digits("12"), digits("12t7")
    ('1', None, '7')
    """
    run = _DIGITS_BEHIND_OTHERS.search(text or "")
    return run[0] if run else None


def entity_name(reference: str | None) -> str | None:
    """Return what follows the last slash of a DBpedia reference (nothing if there is none); ``None`` for others.

    >>> entity_name("http://dbpedia.org/resource/AC/DC"), entity_name("dbpedia"), entity_name("http://x.org/y")
    ('DC', '', None)
    """
    if reference is None or "dbpedia" not in reference:
        return None
    line = reference.removesuffix("\n").rpartition("\n")[2]
    return line.rpartition("/")[2] if "/" in line else ""


def written(line: str) -> bytes:
    """Return a line as Perl writes it to a file without an encoding: Latin-1 if that suffices, else all UTF-8.

    >>> written("Société"), written("Société Łódź")[:9]
    (b'Soci\\xe9t\\xe9', b'Soci\\xc3\\xa9t\\xc3\\xa9')
    """
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8")
