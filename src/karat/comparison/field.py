"""The field on which systems are compared: the units that they share, in one order, and how these are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.runs.run import keys_of
from karat.statistics.bootstrap import Design, design
from karat.statistics.estimands import Estimand
from karat.statistics.tallied import TalliedSystem
from karat.tally import Tallies, Tally

if TYPE_CHECKING:
    from karat.comparison.systems import System
    from karat.protocols.base import Protocol
    from karat.runs.run import Run
    from karat.scores import Row, ZeroRule
    from karat.statistics.intervals import Bootstrap
    from karat.tally import Group

_CENTRE = 0.5
"""About where scores lie: one for all, so that what is said of a system does not depend on the others."""
Place = tuple[str, int]
"""A unit by its name, and which of those that share it."""


class Field(NamedTuple):
    """The units of all systems in the order of their names; a unit that a run lacks has nothing to count in it.

    ``samples`` are the tallies of each run of each system, unit by unit or, where units belong together, cluster by
    cluster, which ``plan`` says.
    """

    protocol: Protocol
    places: Sequence[Place]
    samples: Sequence[Sequence[TalliedSystem]]
    plan: Design

    @classmethod
    def of(
        cls, protocol: Protocol, systems: Sequence[System], tallies: Sequence[Tallies], bootstrap: Bootstrap
    ) -> Field:
        """Bring the units of all runs into one order; ``tallies`` are those of the runs, with what is asked of them."""
        runs = [run for system in systems for run in system.runs]
        held = [dict(zip(_places(run), own.rows, strict=True)) for run, own in zip(runs, tallies, strict=True)]
        places = sorted({place for rows in held for place in rows})
        keys = [_keys(runs, places, key) if key else None for key in (bootstrap.clusters, bootstrap.strata)]
        plan = design([name for name, _ in places], *keys)
        nothing: Tally = {}
        samples = iter(
            TalliedSystem(protocol, Tallies([], [rows.get(place, nothing) for place in places]), plan.clusters)
            for rows in held
        )
        return cls(protocol, places, [[next(samples) for _ in system.runs] for system in systems], plan)

    def estimands(self, row: Row, zero: ZeroRule) -> list[list[Estimand]]:
        """Return one number of every run of every system as a function of the same sums over the units."""
        groups = _groups([sample for runs in self.samples for sample in runs], row)
        return [[sample.estimand(row, zero, groups, _CENTRE) for sample in runs] for runs in self.samples]

    def alone(self, row: Row, zero: ZeroRule) -> Estimand:
        """Return one number of the only run, as a function of sums over all units."""
        sample = self.samples[0][0]
        return sample.estimand(row, zero, sample.groups(row), _CENTRE)


def _places(run: Run) -> list[Place]:
    seen: Counter[str] = Counter()
    places = []
    for unit in run.tallies.units:
        places.append((unit, seen[unit]))
        seen[unit] += 1
    return places


def _keys(runs: Sequence[Run], places: Sequence[Place], key: str) -> list[str]:
    """Return what every unit has under a key, as the first run says that has the unit."""
    known: dict[Place, str] = {}
    for run in runs:
        for place, value in zip(_places(run), keys_of(run, key), strict=True):
            known.setdefault(place, value)
    return [known[place] for place in places]


def _groups(samples: Sequence[TalliedSystem], row: Row) -> list[Group]:
    """Return the groups that a row is about in any of the samples: for an average over labels all labels there are."""
    return sorted({group for sample in samples for group in sample.groups(row)}, key=lambda group: group.label or "")
