"""Profiles in which one quirk is corrected and all others are kept, so that what each of them costs can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

CORRECTED, PUBLISHED = "corrected", "published"
_WITH = "+"
"""Stands between the published profile and the quirk that is corrected in it."""


@dataclass(frozen=True)
class Mendable:
    """Options with a profile, of which some quirks can be corrected by themselves; those of one rule are one group."""

    mendable: ClassVar[Sequence[Sequence[str]]] = ()

    @property
    def mended(self) -> Sequence[str]:
        """The quirks that are corrected alone, if any are."""
        name = self._profile.partition(_WITH)[2]
        return next((group for group in self.mendable if name and name == group[0]), ())

    def mends(self, quirk: str) -> bool:
        """Say whether a quirk is corrected."""
        return self._profile == CORRECTED or quirk in self.mended

    def corrections(self) -> Iterator[tuple[tuple[str, ...], Self]]:
        """Yield the quirks of the published profile, and options with nothing but these put right."""
        if self._profile == PUBLISHED:
            for group in self.mendable:
                yield tuple(group), replace(self, profile=f"{PUBLISHED}{_WITH}{group[0]}")  # type: ignore[call-arg]

    @property
    def _profile(self) -> str:
        profile: str = self.profile  # type: ignore[attr-defined]
        return profile
