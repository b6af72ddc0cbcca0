"""Entities in the column MISC of CoNLL-U, for which there is no standard, but some common keys."""

from __future__ import annotations

import re

KEYS = ("NER", "ner", "NE", "name")
BARE = ""
"""The key of a tag that stands alone."""

_TAG = re.compile(r"O|[BIESLU]-[^=|]+")
_COLUMNS = 10


def tags_in(misc: str) -> dict[str, str]:
    """Return the entities of a cell by key.

    >>> tags_in("NER=B-PER|SpaceAfter=No"), tags_in("B-LOC|SpaceAfter=No"), tags_in("Gloss=dog")
    ({'NER': 'B-PER'}, {'': 'B-LOC'}, {})
    """
    tags = {}
    for part in misc.split("|"):
        key, equals, value = part.partition("=")
        if equals and key in KEYS:
            tags[key] = value
        elif not equals and _TAG.fullmatch(part):
            tags[BARE] = part
    return tags


def keys_of_tags(misc: str) -> list[str]:
    """Return the keys of a cell whose values are tags, whatever the keys are called.

    >>> keys_of_tags("Ner=B-PER|SpaceAfter=No|Case=O")
    ['Ner']
    """
    parts = (part.partition("=") for part in misc.split("|"))
    return [key for key, equals, value in parts if equals and value != "O" and _TAG.fullmatch(value)]


def unblanked(misc: str) -> str:
    """Return a cell with bars between its parts instead of blanks.

    >>> unblanked("name=B-LOC SpaceAfter=No"), unblanked("Gloss=a dog")
    ('name=B-LOC|SpaceAfter=No', 'Gloss=a dog')
    """
    parts = misc.split(" ")
    whole = len(parts) > 1 and all("=" in part or _TAG.fullmatch(part) for part in parts)
    return "|".join(parts) if whole and tags_in(parts[0]) else misc


def has_tags(head: str) -> bool:
    """Tell whether a row of ten columns in the first lines of a file has an entity in MISC."""
    rows = (line.split("\t") for line in head.replace("\r\n", "\n").split("\n") if not line.startswith("#"))
    return any(len(row) == _COLUMNS and row[0][:1].isdecimal() and tags_in(unblanked(row[-1])) for row in rows)
