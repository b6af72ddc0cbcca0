"""How long spans may be compared: as patterns, or as runs of each other."""

from __future__ import annotations

from karat.errors import InputError

MAX_STEPS = 10_000_000
"""How many steps the spans of an evaluation may take together, unless more are allowed."""


class StepsLeft:
    """How many steps through the states of patterns, or from span to span, may still be taken."""

    def __init__(self, most: int = MAX_STEPS) -> None:
        self.most = self.left = most

    def take(self, steps: int) -> None:
        """Take some steps, unless these are too many."""
        self.left -= steps
        if self.left < 0:
            message = f"comparing these spans as the published program does takes more than {self.most:,} steps"
            raise InputError(f"{message}; allow more with --pattern-steps, or choose --profile corrected")
