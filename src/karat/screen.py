"""The terminal that is written to: how wide it is, and whether it shows colours, and more than ASCII."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from karat.terminal import Guarded, toned

NARROWEST, UNKNOWN = 80, 100
"""Columns that are drawn for at least, and where no terminal says how many it has."""
_ASCII = str.maketrans(
    {
        **dict.fromkeys("─━┄", "-"),
        **dict.fromkeys("├┤│┊", "|"),
        **dict.fromkeys("╞╡", "|"),
        "═": "=",
        "╌": "~",
        "·": ".",
        "▔": "^",
        "●": "o",
        "█": "#",
        "░": ".",
        "✓": "+",
        "◐": "~",
        "✕": "x",
        "→": ">",
        "…": "...",
    }
)


class Screen(NamedTuple):
    """What is drawn on; where nothing is known, there are no colours, and all characters.

    ``plain`` shows nothing but ASCII; a ``terminal`` breaks lines that are too long wherever they reach its end.
    """

    width: int = UNKNOWN
    coloured: bool = False
    plain: bool = False
    terminal: bool = False

    def tone(self, name: str, text: str) -> str:
        """Return a text in a tone, where that can be seen."""
        return toned(name, text) if self.coloured and name and text.strip() else text

    def drawn(self, picture: str) -> str:
        """Return what we draw, in ASCII where nothing else can be shown; never for words of the data.

        >>> Screen(plain=True).drawn("├──●──┤")
        '|--o--|'
        """
        return picture.translate(_ASCII) if self.plain else picture


def screen() -> Screen:
    """Return what standard output is: a terminal as it describes itself, or a screen of which nothing is known."""
    if not sys.stdout.isatty():
        return Screen()
    import shutil

    guarded = isinstance(getattr(sys.stdout, "buffer", None), Guarded)
    coloured = guarded and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    return Screen(width, coloured, not _shows_unicode(), terminal=True)


def _shows_unicode() -> bool:
    """Say whether the locale speaks of UTF-8; where it says nothing, terminals of today are taken to show it."""
    locale = next((name for key in ("LC_ALL", "LC_CTYPE", "LANG") if (name := os.environ.get(key))), "UTF-8")
    return "utf" in locale.lower()
