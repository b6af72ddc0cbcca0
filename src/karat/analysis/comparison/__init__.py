"""Whether one system is better than another, and on what; all of it from runs.

Everything is loaded when it is first used: plain ranks do without NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy import loader

if TYPE_CHECKING:
    from karat.analysis.comparison.board import Leaderboard, Standing, leaderboard
    from karat.analysis.comparison.comparing import compare
    from karat.analysis.comparison.contest import Contest
    from karat.analysis.comparison.contrasts import TESTS, Contrast, Test
    from karat.analysis.comparison.field import System
    from karat.analysis.comparison.items import Changes, item_changes

__all__ = [
    "TESTS",
    "Changes",
    "Contest",
    "Contrast",
    "Leaderboard",
    "Standing",
    "System",
    "Test",
    "compare",
    "item_changes",
    "leaderboard",
]

__getattr__ = loader(
    __name__,
    {
        "board": ("Leaderboard", "Standing", "leaderboard"),
        "comparing": ("compare",),
        "contest": ("Contest",),
        "contrasts": ("TESTS", "Contrast", "Test"),
        "field": ("System",),
        "items": ("Changes", "item_changes"),
    },
)


def __dir__() -> list[str]:
    return __all__
