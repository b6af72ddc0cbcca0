"""Checks of file names that come from data: they stay in their folder, work on every system and do not collide."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MAX_PART = 255
"""Bytes in a part of a name, as on most file systems."""
MAX_NAME = 1000
"""Characters in a name with all its folders."""

_CONTROL = ("Cc", "Cs")
"""Control characters, and halves of surrogate pairs, which are not UTF-8."""
_DEVICE = r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ ]*(?:\..*)?"


def leading_fault(name: str) -> str | None:
    """Return why a name would lead out of its folder, or None if it stays inside.

    >>> leading_fault("1798/nzz-01"), leading_fault("../nzz-01")
    (None, "has the part '..'; a part of a file name may not be empty or begin with a dot")
    """
    if any(unicodedata.category(character) in _CONTROL for character in name):
        return "has a control character or one that is not UTF-8"
    if "\\" in name or re.match("[A-Za-z]:", name):
        return "has a backslash or a drive letter, which would lead elsewhere on some systems"
    for part in name.split("/"):
        if not part or part.startswith("."):
            return f"has the part {part!r}; a part of a file name may not be empty or begin with a dot"
    return None


def name_fault(name: str) -> str | None:
    """Return why a name cannot be written to, or None: it leads out of its folder or is invalid on some system.

    >>> name_fault("nzz-01.txt"), name_fault("con.txt")
    (None, "has the part 'con.txt', which is a device on some systems")
    """
    fault = leading_fault(name)
    if fault is not None:
        return fault
    if len(name) > MAX_NAME:
        return f"has {len(name):,} characters; a file name has at most {MAX_NAME:,}"
    for part in name.split("/"):
        if len(part.encode()) > MAX_PART:
            return f"has a part of {len(part.encode())} bytes; a part of a file name has at most {MAX_PART}"
        if part.endswith((".", " ")):
            return f"has the part {part!r}; some systems drop a dot or a blank at the end"
        if re.fullmatch(_DEVICE, part, re.IGNORECASE):
            return f"has the part {part!r}, which is a device on some systems"
    return None


def clash(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that some file systems do not distinguish (by case or Unicode form), or None.

    >>> clash(["a.txt", "b.txt", "A.txt"])
    ('a.txt', 'A.txt')
    """
    known: dict[str, tuple[str, str]] = {}
    for name in names:
        prefix = ""
        for part in name.split("/"):
            prefix = f"{prefix}/{part}" if prefix else part
            key = prefix if prefix.isascii() and prefix.islower() else _folded(prefix)
            spelling, other = known.setdefault(key, (prefix, name))
            if spelling != prefix:
                return other, name
    return None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
