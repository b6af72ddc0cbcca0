"""The field of a comparison: systems with their runs, the units that they share, and how these are drawn."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.summary import keys_of
from karat.errors import InputError, UsageError, plural
from karat.evaluation.run import Run, took_part
from karat.evaluation.run_file import OneRun, run_behind
from karat.evaluation.scores import Row, Scores, ZeroRule
from karat.evaluation.tally import Tallies
from karat.signature import signature

if TYPE_CHECKING:
    from karat.analysis.statistics.bootstrap import Design
    from karat.analysis.statistics.estimands import Estimand
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.analysis.statistics.tallied import TalliedSystem
    from karat.evaluation.protocol import Bound
    from karat.evaluation.tally import Group

Given = OneRun | Sequence[OneRun]
"""What stands for a system: a run of it or several, as from several seeds."""


class System(NamedTuple):
    """A system by its name, with its runs; several are of the same system, started anew."""

    name: str
    runs: tuple[Run, ...]


def systems_of(given: Mapping[str, Given] | Iterable[Given]) -> list[System]:
    """Return the systems that are meant, by the names of a mapping or their own, which must differ."""
    pairs = given.items() if isinstance(given, Mapping) else ((None, entry) for entry in given)
    systems = [_system(name, entry) for name, entry in pairs]
    twice = [name for name, times in Counter(system.name for system in systems).items() if times > 1]
    if twice:
        raise UsageError(f"two systems are called {twice[0]!r}; give each a name of its own, as NAME=FILE")
    check_alike([run for system in systems for run in system.runs], [system.name for system in systems])
    return systems


def _system(name: str | None, given: Given) -> System:
    several = [given] if isinstance(given, (Run, Scores, str, os.PathLike)) else list(given)
    runs = tuple(map(run_behind, several))
    if not runs:
        raise UsageError(f"the system {name or ''!r} has no run")
    return System(runs[0].system if name is None else name, runs)


def signature_of(
    systems: Sequence[System], zero: ZeroRule, units: int, how: Mapping[str, str], measures: Sequence[str] = ()
) -> str:
    """Return the line that says what was compared, of which data, which have the digests of their content, and how."""
    first, runs = systems[0].runs[0], [run for system in systems for run in system.runs]
    contents = ("+".join(run.system_content for run in system.runs) for system in systems)
    parts = {
        "protocol": first.protocol,
        **took_part(*runs),
        **first.options,
        "zero": zero,
        **({"measures": "+".join(measures)} if measures else {}),
        plural(first.unit): str(units),
    }
    return signature(parts | {"gold": first.gold_content, "systems": ",".join(contents), **how}, first.version)


def same_contents(systems: Sequence[System]) -> Iterator[str]:
    """Yield which systems are the gold itself, or another of them: their ranks and differences mean nothing."""
    known = {systems[0].runs[0].gold_content: "the gold"}
    for system in systems:
        contents = dict.fromkeys(run.system_content for run in system.runs)
        yield from (f"{system.name} has the same content as {known[text]}" for text in contents if text in known)
        known = dict.fromkeys(contents, system.name) | known


def check_alike(runs: Sequence[Run], names: Sequence[str] = ()) -> None:
    """Refuse runs that cannot be compared, because they differ in more than the system; say which, and in what."""
    named = list(names) if len(names) == len(runs) else [run.system for run in runs]
    unlike = [
        f"{name} {'; '.join(faults)}"
        for name, run in zip(named, runs, strict=True)
        if (faults := list(_faults(runs[0], run)))
    ]
    if unlike:
        more = f", and {len(unlike) - 3} more" if len(unlike) > 3 else ""
        told = ", ".join(unlike[:3]) + more
        raise InputError(f"only runs of one protocol on one gold can be compared, but unlike {named[0]}, {told}")


def _faults(first: Run, run: Run) -> Iterator[str]:
    """Yield in what a run differs from the first, as far as it matters."""
    if run.protocol != first.protocol:
        yield f"is scored by {run.protocol}, not {first.protocol}"
        return
    if run.version != first.version:
        yield f"is scored by version {run.version}, not {first.version}"
    packages = [
        dict(package.split("==") for package in own.plug_ins.split(",") if "==" in package) for own in (first, run)
    ]
    for name in sorted(packages[0].keys() & packages[1].keys()):
        if packages[0][name] != packages[1][name]:
            yield f"is scored with {name} {packages[1][name]}, not {packages[0][name]}"
    for key in sorted({*first.options, *run.options}):
        expected, given = (options.get(key, "nothing") for options in (first.options, run.options))
        if expected != given:
            yield f"has {key}:{given}, not {expected}"
    if run.gold_content != first.gold_content:
        yield f"has a gold of other content ({run.gold_content}, not {first.gold_content})"


def headline_of(rows: Sequence[Row]) -> Row:
    """Return the number that is spoken of: the first F1, or the first of all."""
    if not rows:
        raise InputError("there is no number to speak of, since nothing is scored: there are no documents")
    return next((row for row in rows if row.measure == "f1" and row.label is None), rows[0])


_CENTRE = 0.5
"""About where scores lie: one for all, so that what is said of a system does not depend on the others."""
UnitKey = tuple[str, int]
"""A unit by its name, and which of those that share it."""


class Field(NamedTuple):
    """The units of all systems in the order of their names; a unit that a run lacks has nothing to count in it.

    ``samples`` are the tallies of each run of each system, unit by unit or, where units belong together, cluster by
    cluster, which ``plan`` says.
    """

    bound: Bound
    places: Sequence[UnitKey]
    samples: Sequence[Sequence[TalliedSystem]]
    plan: Design

    @classmethod
    def of(cls, bound: Bound, systems: Sequence[System], tallies: Sequence[Tallies], bootstrap: Bootstrap) -> Field:
        """Bring the units of all runs into one order; ``tallies`` are those of the runs, with what is asked of them."""
        import numpy as np

        from karat.analysis.statistics.bootstrap import design
        from karat.analysis.statistics.tallied import TalliedSystem

        runs = [run for system in systems for run in system.runs]
        held = list(map(_places, runs))
        places = sorted({unit for own in held for unit in own})
        keys = [_keys(runs, places, key) if key else None for key in (bootstrap.clusters, bootstrap.strata)]
        plan = design([name for name, _ in places], *keys)
        known = {unit: index for index, unit in enumerate(places)}
        positions = (np.array([known[unit] for unit in own], np.intp) for own in held)
        samples = iter(
            TalliedSystem(bound, table, plan.clusters, positions=own, units=plan.units)
            for table, own in zip(tallies, positions, strict=True)
        )
        return cls(bound, places, [[next(samples) for _ in system.runs] for system in systems], plan)

    def estimands(self, row: Row, zero: ZeroRule) -> list[list[Estimand]]:
        """Return one number of every run of every system as a function of the same sums over the units."""
        groups = _groups([sample for runs in self.samples for sample in runs], row)
        return [[sample.estimand(row, zero, groups, _CENTRE) for sample in runs] for runs in self.samples]

    def alone(self, row: Row, zero: ZeroRule) -> Estimand:
        """Return one number of the only run, as a function of sums over all units."""
        sample = self.samples[0][0]
        return sample.estimand(row, zero, sample.groups(row), _CENTRE)


def _places(run: Run) -> list[UnitKey]:
    seen: Counter[str] = Counter()
    places = []
    for unit in run.tallies.units:
        places.append((unit, seen[unit]))
        seen[unit] += 1
    return places


def _keys(runs: Sequence[Run], places: Sequence[UnitKey], key: str) -> list[str]:
    """Return what every unit has under a key, as the first run says that has the unit."""
    known: dict[UnitKey, str] = {}
    for run in runs:
        for unit, value in zip(_places(run), keys_of(run, key), strict=True):
            known.setdefault(unit, value)
    return [known[unit] for unit in places]


def _groups(samples: Sequence[TalliedSystem], row: Row) -> list[Group]:
    """Return the groups that a row is about in any of the samples: for an average over labels all labels there are."""
    return sorted({group for sample in samples for group in sample.groups(row)}, key=lambda group: group.label or "")
