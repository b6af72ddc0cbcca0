"""Run files: the head says what was scored, the columns what every unit counts.

Which columns there are stands in ``docs/run-files.md``; :mod:`karat.evaluation.run_container` lays them out as bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

import msgspec

from karat.compact import Alike, Names, Packed
from karat.errors import UsageError
from karat.evaluation.registry import find
from karat.evaluation.run import DIGESTS, Run
from karat.evaluation.run_container import (
    MISFITS,
    Columns,
    Head,
    counts_in,
    misfit,
    places_in,
    sealed,
    texts_in,
    unsealed,
)
from karat.evaluation.scores import Scores
from karat.evaluation.tally import Counts, Group, Rows, Tallies, Tally
from karat.settings import said


class RunHead(Head, frozen=True, kw_only=True, omit_defaults=True):
    """What is said once for all units."""

    karat: str
    protocol: str
    unit: str
    system: str
    options: dict[str, str]
    digests: dict[str, str]
    groups: list[tuple[str, str, str | None]]
    notes: list[str] = msgspec.field(default_factory=list)
    read: str = ""
    plug_ins: str = ""


def packed(run: Run) -> bytes:
    """Return the bytes of a run file: the same for the same run."""
    groups = groups_of(run)
    return sealed("run", RunHead(**head_of(run, groups)), columns_of(run, groups))


def load(path: str | os.PathLike[str]) -> Run:
    """Return the run of a file that ``karat score --save`` or :meth:`karat.Scores.save` has written.

    One that is no run file, of another layout, cut off or damaged is refused.
    """
    head, columns = unsealed(path, "run", RunHead)
    try:
        return run_in(head, columns)
    except MISFITS as error:
        raise misfit("run", error, path) from error


def groups_of(run: Run) -> dict[Group, int]:
    """Return the groups that are counted, numbered as they are met."""
    groups: dict[Group, int] = {}
    for rows in (run.tallies.rows, *run.slices.values()):
        for tally in rows:
            for group in tally:
                groups.setdefault(group, len(groups))
    return groups


def head_of(run: Run, groups: Mapping[Group, int]) -> dict[str, Any]:
    """Return the head of a run."""
    return {
        "karat": run.version,
        "protocol": run.protocol,
        "unit": run.unit,
        "system": run.system,
        "options": dict(run.options),
        "digests": run.digests,
        "groups": [(group.layer, group.slice, group.label) for group in groups],
        "notes": list(run.notes),
        "read": run.read_as,
        "plug_ins": run.plug_ins,
    }


def columns_of(run: Run, groups: Mapping[Group, int]) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the columns: of the units, then of the groups that each unit has, in its order."""
    units, rows = run.tallies.units, run.tallies.rows
    yield "unit", units
    if list(run.documents) != list(units):
        yield "document", run.documents
    for key in sorted({key for metadata in run.metadata for key in metadata}):
        values: dict[str | None, int] = {None: 0}
        places = [values.setdefault(metadata.get(key), len(values)) for metadata in run.metadata]
        yield f"metadata values:{key}", list(values)[1:]
        yield f"metadata:{key}", places
    if any(run.words):
        yield "words", run.words
    yield from _counted("", rows, groups)
    for feature, sliced in run.slices.items():
        yield from _counted(f":{feature}", sliced, groups)


def _counted(ending: str, rows: Sequence[Tally], groups: Mapping[Group, int]) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the columns of tallies, whose names have an ending."""
    yield f"groups{ending}", list(map(len, rows))
    yield f"group{ending}", [groups[group] for tally in rows for group in tally]
    counts = [vector for tally in rows for vector in tally.values()]
    for index, values_of_count in enumerate(zip(*counts, strict=True)):
        yield f"count {index}{ending}", values_of_count


def run_in(head: RunHead, columns: Columns) -> Run:
    """Return the run of a head and its columns; what does not fit together is a ``ValueError`` or the like."""
    units = Names(texts_in(columns["unit"]))
    documents = Names(texts_in(columns["document"])) if "document" in columns else units
    words = places_in(columns.get("words", [0] * len(units)))
    if len(documents) != len(units) or len(words) != len(units):
        raise ValueError("a unit lacks its document")
    groups = [Group(*group) for group in head.groups]
    if len(set(groups)) < len(groups):
        raise ValueError("a group is there twice")
    protocol = find(head.protocol)
    width = None if protocol is None else len(protocol.with_options(said(protocol.options, head.options)).counts)
    features = [name.removeprefix("groups:") for name in columns if name.startswith("groups:")]
    return Run(
        protocol=head.protocol,
        unit=head.unit,
        system=head.system,
        options=head.options,
        tallies=Tallies(units, Rows(_rows(columns, groups, width))),
        documents=documents,
        metadata=_metadata(columns, len(units)),
        words=words,
        slices={feature: Rows(_rows(columns, groups, width, f":{feature}")) for feature in features},
        notes=tuple(head.notes),
        read_as=head.read,
        plug_ins=head.plug_ins,
        version=head.karat,
        **{name: head.digests[name] for name in DIGESTS},
    )


def _rows(columns: Columns, groups: Sequence[Group], width: int | None, ending: str = "") -> Iterator[Tally]:
    """Yield the tallies: each unit has so many of the groups and vectors of counts that follow.

    A vector is of that width, if it is known.
    """
    sizes, places = places_in(columns[f"groups{ending}"]), places_in(columns[f"group{ending}"], len(groups))
    if len(sizes) != len(columns["unit"]) or sum(sizes) != len(places):
        raise ValueError("a unit lacks its counts")
    names = [name for index in range(len(columns)) if (name := f"count {index}{ending}") in columns]
    if places and width is not None and len(names) != width:
        raise ValueError(f"it has {len(names)} counts; expected {width}")
    vectors: Iterator[Counts] = zip(*(counts_in(columns[name]) for name in names), strict=True)
    entries = zip((groups[index] for index in places), vectors, strict=True)
    for size in sizes:
        tally = dict(islice(entries, size))
        if len(tally) != size:
            raise ValueError("a unit has a group twice")
        yield tally


def _metadata(columns: Columns, units: int) -> Sequence[Mapping[str, str]]:
    """Return what the document of each unit says of itself."""
    keys = [name.partition(":")[2] for name in columns if name.startswith("metadata:")]
    values = [["", *texts_in(columns[f"metadata values:{key}"])] for key in keys]
    places = [places_in(columns[f"metadata:{key}"], len(known)) for key, known in zip(keys, values, strict=True)]
    if any(len(column) != units for column in places):
        raise ValueError("a unit lacks its metadata")
    metadata = Alike[Mapping[str, str]](Packed[Mapping[str, str]](dict))
    for own in zip(*places, strict=True) if keys else repeat((), units):
        metadata.append({key: known[index] for key, known, index in zip(keys, values, own, strict=True) if index}, own)
    return metadata


OneRun = Run | Scores | str | os.PathLike[str]
"""A run, scores that come from one, or the path of a run file."""


def run_behind(given: OneRun) -> Run:
    """Return the run that stands for a system: itself, that of scores, or that of a file."""
    if isinstance(given, Run):
        return given
    if isinstance(given, Scores):
        if given.run is None:
            raise UsageError(f"the scores of {given.system} come from no run")
        return given.run
    return load(given)
