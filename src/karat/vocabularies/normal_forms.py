"""Normal forms of phrases and relation names, in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ARTICLES = frozenset({"A", "AN", "THE"})
_BLANKS = re.compile(r"[\s_\-]+")


@lru_cache(maxsize=1 << 16)
def normal_phrase(phrase: str) -> str:
    """Return a phrase in upper case with single blanks, without punctuation at its ends and leading articles.

    >>> normal_phrase("The  wing fuel tank."), normal_phrase("a")
    ('WING FUEL TANK', '')
    """
    words = " ".join(unicodedata.normalize("NFKC", phrase).upper().split()).strip(".,;:").split()
    first = next((index for index, word in enumerate(words) if word not in _ARTICLES), len(words))
    return " ".join(words[first:])


@lru_cache(maxsize=1 << 16)
def normal_name(name: str) -> str:
    """Return a relation name in upper case, with single blanks for blanks, underscores and hyphens.

    >>> normal_name("PART-WHOLE"), normal_name("place_of  birth")
    ('PART WHOLE', 'PLACE OF BIRTH')
    """
    return _BLANKS.sub(" ", name.upper()).strip()
