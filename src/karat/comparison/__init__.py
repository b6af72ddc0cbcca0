"""Whether one system is better than another, and on what; all of it from runs."""

from __future__ import annotations

from karat.comparison.board import Leaderboard, Standing, leaderboard
from karat.comparison.comparing import compare
from karat.comparison.contest import Contest
from karat.comparison.contrasts import TESTS, Contrast, Test
from karat.comparison.field import System
from karat.comparison.items import Changes, item_changes

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
