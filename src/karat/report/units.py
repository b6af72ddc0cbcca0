"""The number unit by unit: how the units are spread, as bars where there are many, and by name where there are few."""

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
"""How many bars there are, and from how many units on they say more than the units one by one."""


def by_unit(bound: Bound, systems: Sequence[ShownSystem], wanted: Row) -> dict[str, list[float | None]]:
    """Return the number for each unit alone, by its name, for every system; an average over units has its ratio there.

    Units that are named alike come in their order, so they are told apart by a number behind the name.
    """
    figure = _figure(bound, wanted)
    group = Group(wanted.layer, wanted.slice, wanted.label)
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
                row[index] = value_of(figure.formula(tally[group]))
    return values


def _figure(bound: Bound, wanted: Row) -> Figure:
    named = [figure for figure in bound.figures if (figure.measure, figure.regime) == (wanted.measure, wanted.regime)]
    return next((figure for figure in named if figure.average == "micro"), named[0])


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
            }
        )
    return told


def unit_table(
    values: Mapping[str, Sequence[float | None]], systems: Sequence[ShownSystem], wanted: Row
) -> ChartTable | None:
    """Return the number of each unit by its name, of one system or of two side by side, if there are only a few."""
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
    """Return for the first two systems how many units have which score, if there are enough to be drawn."""
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
