"""Run files: the head says what was scored, and arrays hold the table of tallies.

``docs/run-files.md`` describes the layout; :mod:`karat.evaluation.run_container` is the archive that both are in.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import isfinite
from typing import Annotated, Any

import msgspec

from karat.errors import InputError, UsageError
from karat.evaluation.plain_keys import PlainFacts
from karat.evaluation.registry import find
from karat.evaluation.run import DIGESTS, Run, Shard
from karat.evaluation.run_container import (
    LAYOUT,
    MISFITS,
    Arrays,
    Head,
    StoredArray,
    indices_in,
    misfit,
    narrowest,
    sealed,
    unsealed,
)
from karat.evaluation.scores import Scores
from karat.evaluation.tally import Group, NumberColumn, Tallies
from karat.settings import recover_settings

_MOST = 1 << 64
"""No float that is counted is larger, so no sum is too large."""
_EXACT = 1 << 53
"""Whole numbers up to this one are floats without loss."""
_SLICES = "slices/"


class RunHead(Head, frozen=True, kw_only=True, omit_defaults=True):
    """What is said once for all units, and of each unit beside its counts."""

    karat: str
    protocol: str
    unit: str
    system: str
    options: dict[str, str]
    digests: dict[str, str]
    counts: list[str]
    groups: list[tuple[str, str, str | None]]
    units: list[str]
    documents: list[str] | None = None
    words: list[Annotated[int, msgspec.Meta(ge=0)]] | None = None
    metadata: dict[str, list[str | None]] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)
    read: str = ""
    plug_ins: str = ""
    shards: list[Shard] = msgspec.field(default_factory=list)
    told: PlainFacts = msgspec.field(default_factory=list)


def packed(run: Run) -> bytes:
    """Return the bytes of a run file: the same for the same run."""
    groups = groups_of(run)
    fits = sum(shard.units for shard in run.shards) == len(run.tallies)
    shards: dict[str, Any] = {"shards": list(run.shards), "told": list(run.told)} if fits else {}
    try:
        msgspec.json.encode(shards)
    except (UnicodeEncodeError, TypeError, OverflowError):  # notes or facts that no file can keep
        shards = {}
    return sealed("run", RunHead(**head_of(run, groups), **shards), arrays_of(run, groups))


def load(path: str | os.PathLike[str]) -> Run:
    """Return the run of a file that ``karat score --save`` or :meth:`karat.Scores.save` has written.

    One that is no run file, of another layout, cut off or damaged is refused.
    """
    head, arrays = unsealed(path, "run", RunHead)
    try:
        return run_in(head, arrays)
    except MISFITS as error:
        raise misfit("run", error, path) from error


def groups_of(run: Run) -> dict[Group, int]:
    """Return the groups of the run and of its slices, numbered as they are first seen."""
    every = [group for table in (run.tallies, *run.slices.values()) for group in table.groups]
    return {group: index for index, group in enumerate(dict.fromkeys(every))}


def head_of(run: Run, groups: Mapping[Group, int]) -> dict[str, Any]:
    """Return the head of a run, by the names of its fields."""
    return {
        "layout": LAYOUT,
        "karat": run.version,
        "protocol": run.protocol,
        "unit": run.unit,
        "system": run.system,
        "options": dict(run.options),
        "digests": run.digests,
        "counts": list(run.counts),
        "groups": [tuple(group) for group in groups],
        "units": run.tallies.units,
        "documents": None if run.documents == run.tallies.units else run.documents,
        "words": run.words if any(run.words) else None,
        "metadata": dict(sorted(run.metadata.items())),
        "notes": list(run.notes),
        "read": run.read_as,
        "plug_ins": run.plug_ins,
    }


def arrays_of(run: Run, groups: Mapping[Group, int]) -> dict[str, StoredArray]:
    """Return the arrays of the tallies of a run, and of those of its slices."""
    arrays = dict(_table("", run.tallies, groups, len(run.counts)))
    for feature, sliced in run.slices.items():
        arrays |= _table(f"{_SLICES}{feature}/", sliced, groups, len(run.counts))
    return arrays


def _table(prefix: str, tallies: Tallies, groups: Mapping[Group, int], width: int) -> Iterator[tuple[str, StoredArray]]:
    """Yield the arrays of a table: the unit, the group and the counts of each entry."""
    codes = [groups[group] for group in tallies.groups]
    yield f"{prefix}unit", StoredArray(narrowest(array("q", tallies.unit_numbers)))
    yield f"{prefix}group", StoredArray(narrowest(array("q", map(codes.__getitem__, tallies.codes))))
    columns = tallies.columns
    if not any(column.is_float for column in columns):
        together = array("q", [number for column in columns for number in column.numbers])
        yield f"{prefix}counts", StoredArray(narrowest(together), width)
        return
    together = array("d")
    for column in columns:
        if column.numbers.typecode == "q" and not -_EXACT <= min(column.numbers) <= max(column.numbers) <= _EXACT:
            raise InputError("the run file cannot be saved: a count is too large to be kept beside fractions")
        together.extend(array("d", column.numbers))
    yield f"{prefix}counts", StoredArray(together, width)
    is_float = b"".join(bytes(column.is_float or bytes(len(column))) for column in columns)
    yield f"{prefix}is_float", StoredArray(array("b", is_float), width)


def run_in(head: RunHead, arrays: Arrays) -> Run:
    """Return the run of a head and its arrays; what does not fit together is a ``ValueError`` or the like."""
    units, documents = head.units, head.units if head.documents is None else head.documents
    words = [0] * len(units) if head.words is None else head.words
    sizes = {len(documents), len(words), *map(len, head.metadata.values())}
    if sizes != {len(units)}:
        raise ValueError("a unit lacks its document, its words or its metadata")
    if head.shards and (total := sum(shard.units for shard in head.shards)) != len(units):
        raise ValueError(f"its shards have {total} units, and it has {len(units)}")
    groups = [Group(*group) for group in head.groups]
    if len(set(groups)) < len(groups):
        raise ValueError("a group is there twice")
    protocol = find(head.protocol)
    if protocol is not None:
        expected = protocol.with_options(recover_settings(protocol.options, head.options)).counts
        if tuple(head.counts) != tuple(expected):
            raise ValueError(f"its counts are {', '.join(head.counts)}; expected {', '.join(expected)}")
    features = dict.fromkeys(name.split("/")[1] for name in arrays if name.startswith(_SLICES))
    return Run(
        protocol=head.protocol,
        unit=head.unit,
        system=head.system,
        options=head.options,
        counts=tuple(head.counts),
        tallies=_tallies(arrays, "", units, groups, len(head.counts)),
        documents=documents,
        metadata=head.metadata,
        words=words,
        slices={name: _tallies(arrays, f"{_SLICES}{name}/", units, groups, len(head.counts)) for name in features},
        notes=tuple(head.notes),
        read_as=head.read,
        plug_ins=head.plug_ins,
        version=head.karat,
        shards=tuple(head.shards),
        told=tuple(head.told),
        **{name: head.digests[name] for name in DIGESTS},
    )


def _tallies(arrays: Arrays, prefix: str, units: list[str], groups: Sequence[Group], width: int) -> Tallies:
    """Return the table whose arrays have names with a prefix."""
    unit = indices_in(arrays[f"{prefix}unit"], len(units)).tolist()
    group = indices_in(arrays[f"{prefix}group"], len(groups)).tolist()
    if unit != sorted(unit) or len(set(zip(unit, group, strict=True))) < len(unit):
        raise ValueError("a unit is not in its place, or has a group twice")
    columns = _columns(arrays[f"{prefix}counts"], arrays.get(f"{prefix}is_float"), width)
    if any(len(column) != len(unit) for column in columns):
        raise ValueError("an entry lacks its counts")
    sizes = Counter(unit)
    ends = accumulate(sizes[index] for index in range(len(units)))
    return Tallies.of_entries(units, ends, map(groups.__getitem__, group), columns if unit else ())


def _columns(counts: StoredArray, is_float: StoredArray | None, width: int) -> list[NumberColumn]:
    """Return the columns of counts; which of their floats are whole numbers is said beside them."""
    if counts.width != width:
        raise ValueError(f"it has {counts.width} counts; expected {width}")
    if counts.values.typecode != "d":
        return [NumberColumn(column) for column in counts.columns]
    if not all(isfinite(number) and -_MOST <= number <= _MOST for number in counts.values):
        raise ValueError("a count is no number that can be added up")
    if is_float is None or is_float.width != width or set(is_float.values) - {0, 1}:
        raise ValueError("it does not say which counts are whole numbers")
    return [
        NumberColumn([number if flag else _whole(number) for number, flag in zip(numbers, flags, strict=True)])
        for numbers, flags in zip(counts.columns, is_float.columns, strict=True)
    ]


def _whole(number: float) -> int:
    if not number.is_integer():
        raise ValueError(f"a count that is said to be a whole number is {number}")
    return int(number)


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
