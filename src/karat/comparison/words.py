"""A comparison in words: one sentence that can be quoted, and a tie that is called one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.errors import many
from karat.views.numbers import in_brackets, points

if TYPE_CHECKING:
    from karat.comparison.contest import Contest
    from karat.comparison.contrasts import Contrast

_NONE = 0.05
"""Points below which a difference is shown as none."""


def sentence(contrast: Contrast, contest: Contest, items: tuple[int, int] | None = None) -> str:
    """Return what the comparison of two systems says, seen from the better one.

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
    elif contest.parts_of:
        return f"{_result(contrast, contest)}."
    elif differs:
        said = _units(contrast, contest)
    else:
        return f"{first} and {second} do the same in every {_each(contest)}."
    return f"{_result(contrast, contest)}; {said}."


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
        needed = f"; with {units} {points(contrast.detectable)} would have been needed"
    return f"{ahead} and {behind} cannot be told apart: {nobody}{needed}"


def _items(contrast: Contrast, items: tuple[int, int]) -> str:
    decide = sum(items)
    turned = (contrast.difference or 0.0) < 0
    ahead, own = (contrast.second, items[1]) if turned else (contrast.first, items[0])
    verb = "decides" if decide == 1 else "decide"
    if not decide:
        return "no item decides"
    return f"{many(decide, 'item')} {verb}, {own} of them for {ahead}"


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
