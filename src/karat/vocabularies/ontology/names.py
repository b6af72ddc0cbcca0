"""Names of nodes as integer keys: ``Q35120`` is a letter and a number; only irregular names are kept as text.

A key has the letter in the upper byte and the number below it. Irregular names are numbered, and their keys are
negative.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMBER_BITS = 56
LONGEST_NUMBER = 16
"""Digits of the longest number that fits into a key."""

_USUAL = re.compile(r"[A-Z](?:0|[1-9][0-9]{0,15})", re.ASCII)
_LETTERS = {letter: (index + 1) << NUMBER_BITS for index, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}


def usual_key(name: str) -> int | None:
    """Return the key of a name such as Q42, or None for an irregular one.

    >>> usual_name(usual_key("Q35120")), usual_key("Q007"), usual_key("somevalue")
    ('Q35120', None, None)
    """
    return _LETTERS[name[0]] | int(name[1:]) if _USUAL.fullmatch(name) else None


def usual_name(key: int) -> str:
    """Return the name of a non-negative key."""
    return f"{chr(64 + (key >> NUMBER_BITS))}{key & ((1 << NUMBER_BITS) - 1)}"


class NameKeys:
    """Assigns keys to names, and keeps the irregular ones."""

    def __init__(self) -> None:
        self.others: dict[str, int] = {}

    def key(self, name: str) -> int:
        """Return the key of a name; a new irregular one gets the next negative number."""
        digits = name[1:]
        if (
            digits.isdecimal()
            and digits.isascii()
            and digits[0] != "0"
            and len(digits) <= LONGEST_NUMBER
            and name[0] in _LETTERS
        ):
            return _LETTERS[name[0]] | int(digits)
        known = usual_key(name)
        return self.others.setdefault(name, -len(self.others) - 1) if known is None else known

    def in_order(self) -> tuple[list[str], NDArray[np.int64]]:
        """Return the irregular names sorted, and their final keys in the order in which they were added.

        The final key of the first of the sorted names is -1, that of the next -2, and so on.
        """
        ranked = sorted(self.others)
        final = np.empty(len(ranked), np.int64)
        for rank, name in enumerate(ranked):
            final[-self.others[name] - 1] = -rank - 1
        return ranked, final


def settled(keys: NDArray[np.int64], final: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys with those of irregular names replaced by their final keys.

    >>> names = NameKeys()
    >>> keys = np.array([names.key(one) for one in ("zoo", "Q1", "ant")])
    >>> ranked, final = names.in_order()
    >>> ranked, settled(keys, final).tolist()[::2]
    (['ant', 'zoo'], [-2, -1])
    """
    odd = keys < 0
    if odd.any():
        keys[odd] = final[-keys[odd] - 1]
    return keys


class StoredNames:
    """The sorted irregular names of an index, decoded on access."""

    def __init__(self, offsets: NDArray[Any], text: NDArray[Any]) -> None:
        self.offsets, self.text = offsets, text

    def __len__(self) -> int:
        return max(len(self.offsets) - 1, 0)

    def __getitem__(self, index: int) -> str:
        return self.text[self.offsets[index] : self.offsets[index + 1]].tobytes().decode("utf-8", "replace")


def keys_of(names: Sequence[str], others: StoredNames | Sequence[str]) -> NDArray[np.int64]:
    """Return the keys of names, given the sorted irregular ones; an unknown name has the key 0."""
    keys = np.zeros(len(names), np.int64)
    for index, name in enumerate(names):
        key = usual_key(name)
        if key is None:
            rank = bisect_left(others, name)
            key = -rank - 1 if rank < len(others) and others[rank] == name else 0
        keys[index] = key
    return keys
