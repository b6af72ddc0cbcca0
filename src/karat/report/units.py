"""The headline number by unit: as a histogram if there are many units, by name if there are few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

import msgspec

from karat.errors import plural
from karat.evaluation.tally import Group
from karat.measures.ratios import value as value_of
from karat.report.charts import Chart, bars_chart
from karat.report.numbers import MOST_DETAILED, ShownSystem, three
from karat.report.summary import ChartTable, beside

if TYPE_CHECKING:
    from karat.evaluation.protocol import Bound, Figure
    from karat.evaluation.scores import Row

_BINS = 10
"""The number of bars, and the number of units from which a histogram is shown."""


def by_unit(bound: Bound, systems: Sequence[ShownSystem], wanted: Row) -> dict[str, list[float | None]]:
    """Return the number of each unit by name, for every system; for an average over units it is the unit's ratio.

    Units with the same name are numbered in order.
    """
    figure = _figure(bound, wanted)
    group = Group(wanted.layer, wanted.slice, wanted.label)
    divide = figure.formula_of(wanted.label).over(bound.counts)
    values: dict[str, list[float | None]] = {}
    for index, system in enumerate(systems):
        tallies = system.scores.tallies
        seen: dict[str, int] = {}
        for number, unit in enumerate(tallies.units):
            tally = tallies.row(number)
            seen[unit] = seen.get(unit, 0) + 1
            name = unit if seen[unit] == 1 else f"{unit} ({seen[unit]})"
            row = values.setdefault(name, [None] * len(systems))
            if group in tally:
                row[index] = value_of(divide(tally[group]))
    return values


def _figure(bound: Bound, wanted: Row) -> Figure:
    named = [figure for figure in bound.figures if (figure.measure, figure.regime) == (wanted.measure, wanted.regime)]
    return next((figure for figure in named if figure.average == "micro"), named[0])


def spread(values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem]) -> list[dict[str, Any]]:
    """Return the distribution of each system's units: how many score 1 and 0, and the median."""
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
            }
        )
    return told


def unit_table(
    values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem], wanted: Row
) -> ChartTable | None:
    """Return the table of the number by unit, for one system or two side by side, or None if there are many units."""
    shown = systems[:MOST_DETAILED]
    if not 2 <= len(values) < _BINS:
        return None
    parts = [
        (unit, [msgspec.structs.replace(wanted, value=value, interval=None) for value in row[: len(shown)]])
        for unit, row in values.items()
    ]
    return beside("units", shown, parts, intervals=False)


def unit_figures(
    values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem], unit: str
) -> list[dict[str, Any]]:
    """Return the histograms of the first two systems by score, or none if there are too few units."""
    figures = []
    for index, system in enumerate(systems[:2]):
        defined = [row[index] for row in values.values() if row[index] is not None]
        if len(defined) < _BINS:
            continue
        counts = [0] * _BINS
        for value in defined:
            counts[min(_BINS - 1, max(0, int((value or 0.0) * _BINS)))] += 1
        bins = [(index / _BINS, (index + 1) / _BINS, number_in) for index, number_in in enumerate(counts)]
        chart: Chart = bars_chart(f"units-{system.letter}", bins, f"{plural(unit)}, {system.letter}")
        told = ", ".join(f"{low:.1f} to {high:.1f}: {number_in}" for low, high, number_in in bins if number_in)
        figures.append({"chart": chart, "alt": f"{system.name}, {plural(unit)} by score. {told}"})
    return figures
