"""Options of which one rule is corrected and all others are kept, so that what each quirk costs can be told.

Which quirks are of which rule stands in the ``quirks.toml`` of the evaluation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, Self

CORRECTED, PUBLISHED = "corrected", "published"


@dataclass(frozen=True)
class Mendable:
    """Options of a protocol with quirks; ``singly`` are the profiles of which rules can be corrected by themselves."""

    singly: ClassVar[Collection[str]] = (PUBLISHED,)
    mended: ClassVar[str] = ""
    """The rule that is corrected alone, which nobody can set but :meth:`mending`."""

    def mends(self, rule: str) -> bool:
        """Say whether a rule is corrected: alone, or with all others."""
        return self.mended == rule or getattr(self, "profile", PUBLISHED) == CORRECTED

    def mending(self, rule: str) -> Self:
        """Return the same options with nothing but this rule put right."""
        options = replace(self)
        object.__setattr__(options, "mended", rule)
        return options
