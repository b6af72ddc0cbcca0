"""Options that can correct a single rule of a published program, so that the cost of each quirk can be measured.

The ``quirks.toml`` of an evaluation says which quirk belongs to which rule.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, Self

CORRECTED, PUBLISHED = "corrected", "published"


@dataclass(frozen=True)
class CorrectableOptions:
    """Options of a protocol with quirks; ``singly`` lists the profiles whose rules can be corrected one at a time."""

    singly: ClassVar[Collection[str]] = (PUBLISHED,)
    mended: ClassVar[str] = ""
    """The single corrected rule, empty if there is none; only :meth:`mending` sets it, as users cannot ask for it."""

    def mends(self, rule: str) -> bool:
        """Return whether a rule is corrected, by itself or together with all others."""
        return self.mended == rule or getattr(self, "profile", PUBLISHED) == CORRECTED

    def mending(self, rule: str) -> Self:
        """Return a copy of the options in which only this rule is corrected."""
        options = replace(self)
        # A frozen dataclass refuses assignment, and a field would show up as an option of the protocol.
        object.__setattr__(options, "mended", rule)
        return options
