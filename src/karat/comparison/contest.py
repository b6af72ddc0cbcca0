"""Systems that were compared: their numbers, and every pair of them in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from karat.comparison.contrasts import Contrast
from karat.errors import many
from karat.scores import Row, row_named


class Contest(msgspec.Struct, frozen=True):
    """Systems that were compared under one protocol: their numbers, and every pair of them in each.

    ``rows`` are the numbers of each system, with intervals, by its name; ``numbers`` are the names of those that were
    compared, and ``headline`` is the one that is spoken of. Where ``parts_of`` names a system, its parts, as its
    labels, were compared with each other as systems are. ``clusters`` is the key by which units were drawn together, if
    they were; then contrasts count such groups, and not units.
    """

    protocol: str
    unit: str
    units: int
    systems: tuple[str, ...]
    headline: str
    numbers: tuple[str, ...]
    rows: Mapping[str, tuple[Row, ...]]
    contrasts: tuple[Contrast, ...]
    level: float
    test: str
    signature: str
    notes: tuple[str, ...] = ()
    parts_of: str = ""
    clusters: str = ""

    def counted(self, units: int) -> str:
        """Return so many of what was drawn, in words: units or groups of them."""
        return f"{many(units, 'group')} by {self.clusters}" if self.clusters else many(units, self.unit)

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.contrasts)

    def __len__(self) -> int:
        return len(self.contrasts)

    def of(self, number: str | None = None) -> list[Contrast]:
        """Return the contrasts of all pairs in one number, by default the headline."""
        chosen = self.headline if number is None else row_named(self.named_rows(), number).name
        return [contrast for contrast in self.contrasts if contrast.number == chosen]

    def named_rows(self) -> list[Row]:
        """Return every number that some system has, once."""
        return list({row.name: row for rows in self.rows.values() for row in rows}.values())

    def row(self, system: str, number: str) -> Row:
        """Return a number of a system."""
        return next(row for row in self.rows[system] if row.name == number)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What can be quoted of each pair: the headline, in words."""
        return tuple(self.sentence(contrast) for contrast in self.of())

    def sentence(self, contrast: Contrast, items: tuple[int, int] | None = None) -> str:
        """Return what can be quoted of a pair; ``items`` are those that speak for either, if they are known."""
        from karat.comparison.words import sentence

        return sentence(contrast, self, items)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        fields = {
            name: getattr(self, name) for name in ("protocol", "unit", "units", "systems", "headline", "level", "test")
        }
        fields |= {"rows": self.rows, "contrasts": self.contrasts, "sentences": self.sentences}
        return msgspec.to_builtins(fields | {"notes": self.notes, "signature": self.signature})  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the contrasts as a data frame (needs ``karat[frames]``)."""
        from karat.errors import needing

        with needing("Contest.to_pandas", "frames"):
            import pandas
        return pandas.DataFrame(self.to_dict()["contrasts"])

    def __str__(self) -> str:
        from karat.views.contest import render

        return render(self).removesuffix("\n")

    def _repr_html_(self) -> str:
        from karat.drawing.pages import fragment
        from karat.views.contest import markup

        return fragment(markup(self))
