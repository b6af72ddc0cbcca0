"""Systems that were compared: their numbers, every pair of them in each, and sentences about it that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from karat.analysis.comparison.contrasts import Contrast
from karat.display.views.numbers import in_brackets, points
from karat.errors import many, needing
from karat.evaluation.scores import Row, row_named


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
        """Return what can be quoted of a pair, seen from the better one; a tie is called one.

        ``items`` are those whose verdict differs, if they are known: how many speak for the first system, and for the
        second. Where none does, though units differ, as in coreference, those are told.
        """
        first, second = contrast.first, contrast.second
        if contrast.difference is None:
            lacking = [name for name, value in zip((first, second), contrast.values, strict=True) if value is None]
            return f"{first} and {second} cannot be compared: the number is undefined for {' and '.join(lacking)}."
        differs = bool(contrast.won or contrast.lost)
        if items is not None and (any(items) or not differs):
            said = _items(contrast, items)
        elif self.parts_of:
            return f"{_result(contrast, self)}."
        elif differs:
            said = _units(contrast, self)
        else:
            return f"{first} and {second} do the same in every {_each(self)}."
        return f"{_result(contrast, self)}; {said}."

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        fields = {
            name: getattr(self, name) for name in ("protocol", "unit", "units", "systems", "headline", "level", "test")
        }
        fields |= {"rows": self.rows, "contrasts": self.contrasts, "sentences": self.sentences}
        return msgspec.to_builtins(fields | {"notes": self.notes, "signature": self.signature})  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the contrasts as a data frame (needs ``karat[frames]``)."""
        with needing("Contest.to_pandas", "frames"):
            import pandas
        return pandas.DataFrame(self.to_dict()["contrasts"])

    def __str__(self) -> str:
        from karat.display.views.contest import render

        return render(self).removesuffix("\n")

    def _repr_html_(self) -> str:
        from karat.display.drawing.pages import fragment
        from karat.display.views.contest import markup

        return fragment(markup(self))


_NONE = 0.05
"""Points below which a difference is shown as none."""


def _result(contrast: Contrast, contest: Contest) -> str:
    turned = (contrast.difference or 0.0) < 0
    ahead, behind = (contrast.second, contrast.first) if turned else (contrast.first, contrast.second)
    size = abs(contrast.difference or 0.0)
    by = f"{points(size)} points {in_brackets(contrast.interval, turned=turned)}".rstrip()
    if contrast.is_told_apart(contest.level):
        return f"{ahead} is ahead of {behind} by {by}" if contest.parts_of else f"{ahead} beats {behind} by {by}"
    nobody = f"{by} between them" if 100 * size < _NONE else f"{by} for {ahead}"
    if contrast.p_value is None:
        few = contest.counted(contrast.units) + (" is" if contrast.units == 1 else " are")
        return f"{few} too few to tell {ahead} and {behind} apart: {nobody}"
    needed = ""
    if contrast.detectable is not None:
        units = contest.counted(contrast.units)
        needed = f"; with {units} only differences above about {points(contrast.detectable)} points are detectable"
    return f"{ahead} and {behind} are statistically tied: {nobody}{needed}"


def _items(contrast: Contrast, items: tuple[int, int]) -> str:
    decide = sum(items)
    if not decide:
        return "the systems do not differ on any item"
    turned = (contrast.difference or 0.0) < 0
    ahead, own = (contrast.second, items[1]) if turned else (contrast.first, items[0])
    return f"the systems differ on {many(decide, 'item')}; {ahead} is better on {own}"


def _units(contrast: Contrast, contest: Contest) -> str:
    """Return in how many units which of the two is better: told of the one that beats the other, else of both."""
    turned = (contrast.difference or 0.0) < 0
    ahead, behind = (contrast.second, contrast.first) if turned else (contrast.first, contrast.second)
    won, lost = (contrast.lost, contrast.won) if turned else (contrast.won, contrast.lost)
    is_told_apart = contrast.is_told_apart(contest.level)
    better = "better in" if is_told_apart else f"{ahead} is better in"
    if not lost and not contrast.tied:
        return f"{better} every {_each(contest)}"
    worse = f"worse in {lost}" if is_told_apart else f"{behind} in {lost}"
    counts = ((won, f"{better} {contest.counted(won)}"), (lost, worse))
    said = [text for count, text in counts if count or not is_told_apart]
    return ", ".join([*said, f"the same in {contrast.tied}"] if contrast.tied else said)


def _each(contest: Contest) -> str:
    return f"group by {contest.clusters}" if contest.clusters else contest.unit
