"""The number unit by unit: how the units are spread, as bars where there are many, and by name where there are few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from karat.errors import plural
from karat.report.charts import Chart, Dot, bars_chart
from karat.report.numbers import MOST_DETAILED, ShownSystem, of_units, points, three
from karat.report.summary import SIDES, ChartLine, ChartTable, chart_of

if TYPE_CHECKING:
    from karat.protocols.base import Protocol
    from karat.scores import Row

_BINS = 10
"""How many bars there are, and from how many units on they say more than the units one by one."""


def by_unit(protocol: Protocol, systems: Sequence[ShownSystem], wanted: Row) -> dict[str, list[float | None]]:
    """Return the number of each unit alone, for every system."""
    return of_units(protocol, [system.scores for system in systems], wanted)


def spread(values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem]) -> list[dict[str, Any]]:
    """Return for each system how its documents are spread: how many are perfect, at nothing, and in the middle."""
    told = []
    for index, system in enumerate(systems):
        own = [row[index] for row in values.values()]
        defined = sorted(value for value in own if value is not None)
        told.append(
            {
                "letter": system.letter,
                "name": system.name,
                "defined": len(defined),
                "undefined": len(own) - len(defined),
                "median": three(median(defined)) if defined else "–",
                "low": three(defined[0]) if defined else "–",
                "high": three(defined[-1]) if defined else "–",
                "values": defined,
            }
        )
    return told


def unit_table(values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem]) -> ChartTable | None:
    """Return the number of each unit by its name, of one system or of two side by side, if there are only a few."""
    shown = systems[:MOST_DETAILED]
    if not 2 <= len(values) < _BINS:
        return None
    lines, dots = [], []
    for place, (unit, row) in enumerate(values.items()):
        own = row[: len(shown)]
        for value, (shape, shift) in zip(own, SIDES[len(shown)], strict=True):
            if value is not None:
                dots.append(Dot(place, value, shape=shape, shift=shift))
        told = "; ".join(f"{system.letter} {three(value)}" for system, value in zip(shown, own, strict=True))
        first, last = own[0], own[-1]
        difference = None if first is None or last is None else last - first
        cells = [*map(three, own), *([points(difference)] if len(own) > 1 else [])]
        lines.append(ChartLine("", unit, cells, f"{unit}: {told}"))
    letters = [system.letter for system in shown]
    heads = letters if len(shown) == 1 else [f"□ {letters[0]}", f"● {letters[1]}", f"{letters[1]} − {letters[0]}"]
    return ChartTable(heads, lines, chart_of("units", dots, len(lines)))


def unit_figures(
    values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem], unit: str
) -> list[dict[str, Any]]:
    """Return for the first two systems how many units have which score, if there are enough to be drawn."""
    figures = []
    for index, system in enumerate(systems[:2]):
        defined = [row[index] for row in values.values() if row[index] is not None]
        if len(defined) < _BINS:
            continue
        counts = [0] * _BINS
        for value in defined:
            counts[min(_BINS - 1, max(0, int((value or 0.0) * _BINS)))] += 1
        bins = [(place / _BINS, (place + 1) / _BINS, number_in) for place, number_in in enumerate(counts)]
        chart: Chart = bars_chart(f"units-{system.letter}", bins, f"{plural(unit)}, {system.letter}")
        told = ", ".join(f"{low:.1f} to {high:.1f}: {number_in}" for low, high, number_in in bins if number_in)
        figures.append({"chart": chart, "alt": f"{system.name}, {plural(unit)} by score. {told}"})
    return figures
