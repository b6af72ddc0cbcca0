"""The content of a report: the results of all systems, and the units that the reader shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.evaluation.scores import Row
from karat.report.contests import ContestSummary, standing
from karat.report.costs import Costs
from karat.report.numbers import ShownSystem

if TYPE_CHECKING:
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.protocol import Bound
    from karat.report.collection import ReaderUnits


class Report(NamedTuple):
    """The content of a report.

    Args:
        bound: the protocol with its options.
        systems: the systems with their scores.
        wanted: the number that the summary is about.
        units: the units with their items; None for a report on saved runs.
        flags: the options of the protocol as the command line has them.
        costs: what quirks cost, if the protocol has a corrected variant.
        standing: how the systems compare, if there are several.

    """

    bound: Bound
    systems: Sequence[ShownSystem]
    wanted: Row
    units: ReaderUnits | None
    flags: str = ""
    costs: Costs | None = None
    standing: ContestSummary | None = None


def report_of(
    bound: Bound,
    scored: tuple[Sequence[ShownSystem], Row],
    bootstrap: Bootstrap | bool,
    units: ReaderUnits | None = None,
    *,
    flags: str = "",
    costs: Costs | None = None,
) -> Report:
    """Return the report on systems and the number it is about (``scored``), after comparing the systems."""
    systems, wanted = scored
    compared = standing(systems, wanted, units, None if isinstance(bootstrap, bool) else bootstrap)
    return Report(bound, systems, wanted, units, flags, costs, compared)
