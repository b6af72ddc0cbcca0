"""The systems that are compared: each a run, or several runs of it, all of one protocol on one gold."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.errors import InputError, UsageError
from karat.runs.file import load
from karat.runs.run import Run
from karat.scores import Scores

OneRun = Run | Scores | str | os.PathLike[str]
"""A run, scores that come from one, or the path of a run file."""
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


def run_behind(given: OneRun) -> Run:
    """Return the run that stands for a system."""
    if isinstance(given, Run):
        return given
    if isinstance(given, Scores):
        if given.run is None:
            raise UsageError(f"the scores of {given.system} come from no run")
        return given.run
    return load(given)


def contents_of(systems: Sequence[System]) -> dict[str, str]:
    """Return what a signature says of the data: digests of the content of the gold and of every run."""
    runs = ("+".join(run.system_content for run in system.runs) for system in systems)
    return {"gold": systems[0].runs[0].gold_content, "systems": ",".join(runs)}


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
    others = [
        f"{name} {'; '.join(faults)}"
        for name, run in zip(named, runs, strict=True)
        if (faults := list(_faults(runs[0], run)))
    ]
    if others:
        more = f", and {len(others) - 3} more" if len(others) > 3 else ""
        told = ", ".join(others[:3]) + more
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
        ours, theirs = (options.get(key, "nothing") for options in (first.options, run.options))
        if ours != theirs:
            yield f"has {key}:{theirs}, not {ours}"
    if run.gold_content != first.gold_content:
        yield f"has a gold of other content ({run.gold_content}, not {first.gold_content})"
