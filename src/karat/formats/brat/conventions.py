"""Conventions for the fields of BRAT lines, under which documents survive writing and reading.

- An attribute ``Layer`` of a text-bound annotation is the mention's layer; the value of a binary attribute
  is ``""``.
- A normalisation is a link. Its target is ``RESOURCE:ID`` as written, except that ``Wikidata:Q42`` reads as
  ``Q42``, ``Wikidata:NIL`` as ``NIL``, and ``KB:anything`` as ``anything``. Its last field, a name for people
  to read, is not kept.
- A role that an event repeats is numbered in BRAT (``Theme``, ``Theme2``); the number is not part of it.
- Each ``*`` line is one chain; ``Equiv`` and ``AnnotatorNotes`` stand for "no label".
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LAYER = "Layer"
REFERENCE = "Reference"
NO_CHAIN_LABEL = "Equiv"
NO_NOTE_LABEL = "AnnotatorNotes"

_WIKIDATA = "Wikidata:"
_ANY_KB = "KB:"
_WIKIDATA_ID = re.compile(r"Q[0-9]+|NIL")


def read_reference(reference: str) -> str:
    """Return the link target that a normalisation names.

    >>> [read_reference(one) for one in ("Wikidata:Q42", "Wikipedia:534366", "KB:x")]
    ['Q42', 'Wikipedia:534366', 'x']
    """
    if reference.startswith(_ANY_KB):
        return reference.removeprefix(_ANY_KB)
    plain = reference.removeprefix(_WIKIDATA)
    return plain if _WIKIDATA_ID.fullmatch(plain) else reference


def write_reference(target: str) -> str:
    """Return the normalisation that :func:`read_reference` turns into the target.

    >>> [write_reference(one) for one in ("Q42", "Wikipedia:534366", "x", "KB:x")]
    ['Wikidata:Q42', 'Wikipedia:534366', 'KB:x', 'KB:KB:x']
    """
    if _WIKIDATA_ID.fullmatch(target):
        return _WIKIDATA + target
    resource, _, name = target.partition(":")
    return target if resource and name and read_reference(target) == target else _ANY_KB + target


def read_roles(written: Sequence[str]) -> list[str]:
    """Return the roles of an event without the numbers that distinguish repeated ones.

    >>> read_roles(["Theme", "Arg1", "Theme2"])
    ['Theme', 'Arg1', 'Theme']
    """
    seen: Counter[str] = Counter()
    repeated: dict[str, str] = {}
    roles: list[str] = []
    for role in written:
        plain = repeated.get(role, role)
        seen[plain] += 1
        repeated[f"{plain}{seen[plain] + 1}"] = plain
        roles.append(plain)
    return roles


def write_roles(roles: Sequence[str]) -> list[str]:
    """Return the roles of an event with repeated ones numbered.

    >>> write_roles(["Theme", "Arg1", "Theme"])
    ['Theme', 'Arg1', 'Theme2']
    """
    seen: Counter[str] = Counter()
    written: list[str] = []
    for role in roles:
        seen[role] += 1
        written.append(role if seen[role] == 1 else f"{role}{seen[role]}")
    return written
