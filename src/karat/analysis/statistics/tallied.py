"""The numbers of a system as functions of sums, from its tallies: what each unit adds, and the formula of the sums."""

from __future__ import annotations

from functools import partial
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.analysis.statistics.estimands import Estimand, ratios_of
from karat.evaluation.scores import ZeroRule, by_zero_rule
from karat.evaluation.tally import Group, Tallies
from karat.measures.formulas import FMeasure, summing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.evaluation.protocol import Bound, Figure
    from karat.evaluation.scores import Row
    from karat.measures.formulas import Formula
    from karat.measures.ratios import Computation, Ratio

    Array = NDArray[np.float64]


class TalliedSystem:
    """The tallies of one system, unit by unit or, where units are not independent, cluster by cluster."""

    def __init__(
        self,
        bound: Bound,
        tallies: Tallies,
        clusters: Sequence[int] | None = None,
        *,
        positions: NDArray[np.intp] | None = None,
        units: int | None = None,
    ) -> None:
        """Take the counts of a table.

        Args:
            bound: the protocol that counted, with its options
            tallies: the table
            clusters: for each of all units, the cluster that it belongs to
            positions: where each unit of the table stands among all units that are drawn, if not as in the table
            units: the number of all units that are drawn, if there are more than in the table

        """
        self.bound = bound
        self.clusters = None if clusters is None else np.asarray(clusters)
        self.units = len(tallies) if units is None else units
        self._figures: dict[tuple[str, str, str], Figure]
        self._figures = {(figure.measure, figure.regime, figure.average): figure for figure in bound.figures}
        self._last: tuple[Any, Any] = (None, None)
        unit, code, self._counts = tallies.arrays()
        self._unit = unit if positions is None else positions[unit]
        order = np.argsort(code, kind="stable")
        edges = np.searchsorted(code[order], np.arange(len(tallies.groups) + 1))
        self._entries = {group: order[edges[index] : edges[index + 1]] for index, group in enumerate(tallies.groups)}
        """The entries of each group in the table."""

    def groups(self, row: Row) -> list[Group]:
        """Return the groups that a row is about: its own or, for an average over labels, one for each label."""
        if row.average not in ("macro-label", "weighted-label"):
            return [Group(row.layer, row.slice, row.label)]
        about = row.layer, row.slice
        labels = sorted(group.label for group in self._entries if group[:2] == about and group.label is not None)
        return [Group(*about, label) for label in labels]

    def estimand(
        self, row: Row, zero: ZeroRule = "undefined", groups: Sequence[Group] | None = None, centre: float | None = None
    ) -> Estimand:
        """Return a row as a function of sums, of all units if groups are given.

        ``centre`` is about where its values lie, if that is not to be found here.
        """
        figure = self._figures[row.measure, row.regime, row.average]
        chosen = self.groups(row) if groups is None else groups
        if figure.weight is not None:
            chosen = chosen or [Group(row.layer, row.slice)]  # without any label it is the number of everything
        counts, present, places = self._stacked(chosen, dense=groups is not None)
        is_ruled = figure.average in ("micro", "macro-label")
        ruled = by_zero_rule(None, zero) if is_ruled else None
        if figure.weight is None:
            formula_of_groups = figure.formula_of(chosen[0].label if chosen else None)
            columns, formula = _columns(figure, formula_of_groups, self.bound.counts, counts, present)
        else:
            formula = partial(_weighed, figure, self.bound.counts, len(chosen), zero)
            columns, present = counts.reshape(-1, 1, counts.shape[2]), present.max(axis=0, initial=0, keepdims=True)
        units = self.units
        if self.clusters is not None:
            units = int(self.clusters.max()) + 1
            columns, present = (self._by_cluster(summands, places, units) for summands in (columns, present))
            places = np.arange(units)
        deviations, centres = columns, np.zeros((len(present), 1))
        if formula is None:
            above, below = (column.sum(axis=-1, keepdims=True) for column in columns)
            centres = np.divide(above, below, out=centres, where=below != 0) if centre is None else centres + centre
            deviations = np.array([columns[0] - centres * columns[1], columns[1]])
        items = inf
        if formula is None and figure.average == "micro":
            f_measure = figure.formula if isinstance(figure.formula, FMeasure) else None
            items = float(columns[1].sum()) / (1 + f_measure.square if f_measure else 1)
        undefined = nan if ruled is None else ruled
        return Estimand(columns, present, deviations, centres, formula, undefined, items, places, units)

    def _stacked(self, groups: Sequence[Group], *, dense: bool) -> tuple[Array, Array, NDArray[np.intp]]:
        """Return the counts of groups (count × group × unit), which unit has which group, and which units these are.

        The last are held: the numbers of a group follow one another.
        """
        if (tuple(groups), dense) != self._last[0]:
            self._last = (tuple(groups), dense), self._counted(groups, dense=dense)
        return self._last[1]  # type: ignore[no-any-return]

    def _counted(self, groups: Sequence[Group], *, dense: bool) -> tuple[Array, Array, NDArray[np.intp]]:
        entries = [self._entries[group] for group in groups if group in self._entries]
        having = np.unique(self._unit[np.concatenate([np.zeros(0, np.intp), *entries])])
        places = np.arange(self.units) if dense else having
        counts = np.zeros((len(self.bound.counts), len(groups), len(places)))
        present = np.zeros((len(groups), len(places)))
        for row, group in enumerate(groups):
            if group in self._entries:
                own = np.searchsorted(places, self._unit[self._entries[group]])
                counts[:, row, own] = self._counts[self._entries[group]].T
                present[row, own] = 1
        return counts, present, places

    def _by_cluster(self, summands: Array, places: NDArray[np.intp], clusters: int) -> Array:
        assert self.clusters is not None  # noqa: S101 - asked for only if there are any
        added = np.zeros((*summands.shape[:-1], clusters))
        for unit, cluster in enumerate(self.clusters[places].tolist()):
            added[..., cluster] += summands[..., unit]
        return added


def _columns(
    figure: Figure, formula: Formula, names: Sequence[str], counts: Array, present: Array
) -> tuple[Array, Computation | None]:
    """Return what is summed for a figure, and the formula of the sums; none for a ratio of two columns."""
    if figure.average == "macro-unit":
        values = np.where(present > 0, ratios_of(formula.over(names), counts), np.nan)
        defined = ~np.isnan(values)
        return np.array([np.where(defined, values, 0.0), defined.astype(np.float64)]), None
    factors = formula.factors(names)
    if factors is not None:
        return np.array([(np.array(own)[:, None, None] * counts).sum(axis=0) for own in factors]), None
    used = [index for index, name in enumerate(names) if name in formula.counts]
    return counts[used], formula.over([names[index] for index in used])


def _weighed(figure: Figure, names: Sequence[str], labels: int, zero: ZeroRule, columns: Sequence[Array]) -> Ratio:
    """Return the mean of the ratios of labels, each as often as it weighs, from all counts of all labels."""
    assert figure.weight is not None  # noqa: S101 - it has one, or the mean would be a plain one
    counts = np.array(columns).reshape(-1, labels, *columns[0].shape)
    ruled = by_zero_rule(None, zero)
    quotients = ratios_of(figure.formula_of("").over(names), counts)
    quotients = quotients if ruled is None else np.where(np.isnan(quotients), ruled, quotients)
    weights = np.where(np.isnan(quotients), 0.0, summing(figure.weight, names)(tuple(counts)))
    return (np.where(weights > 0, quotients, 0.0) * weights).sum(axis=0), weights.sum(axis=0)
