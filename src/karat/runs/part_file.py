"""Files that keep a part of a run: a run file with what is needed to merge it, as ``docs/run-files.md`` lays out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec

from karat.errors import InputError, UsageError
from karat.protocols import find
from karat.protocols.base import Protocol
from karat.runs.columns import places_in
from karat.runs.container import MISFITS, Columns, misfit, sealed, unsealed
from karat.runs.file import RunHead, columns_of, groups_of, head_of, run_in
from karat.runs.keys import plain, restored
from karat.runs.notices import Noted, Notices
from karat.runs.part import Part, PartNumber, PartPairs
from karat.runs.run import not_installed


class PartHead(RunHead, frozen=True, kw_only=True, omit_defaults=True):
    """What is said once of a part."""

    number: tuple[int, int]
    total: int
    names: tuple[str, str]
    paths: tuple[str | None, str | None]
    noticed: tuple[Notices, Notices]
    apart: bool = False
    given: dict[str, str | int | float | bool | None] = msgspec.field(default_factory=dict)
    said: list[str] = msgspec.field(default_factory=list)
    noted: list[tuple[Any, int, int]] = msgspec.field(default_factory=list)
    facts: list[tuple[Any, int]] = msgspec.field(default_factory=list)


def packed(part: Part) -> bytes:
    """Return the bytes of the file: the same for the same part."""
    groups = groups_of(part.run)
    for name, value in part.given.items():
        if not isinstance(value, str | int | float | bool | None):
            message = f"the option {name} is a {type(value).__name__}, which cannot be kept in a part"
            raise UsageError(f"{message}; give it as on the command line")
    head = PartHead(
        **head_of(part.run, groups),
        number=part.number,
        total=part.origins.total,
        names=part.names,
        paths=part.paths,
        noticed=part.noticed,
        given=dict(part.given),
        apart=part.apart,
        said=list(part.said),
        noted=[(plain(noted.note), noted.times, noted.pair) for noted in part.noted],
        facts=plain_facts(part.facts),
    )
    columns = [("pair", part.origins.pairs), ("units", part.origins.sizes), *columns_of(part.run, groups)]
    return sealed("part", head, columns)


def load(path: str | os.PathLike[str]) -> Part:
    """Return the part of a file; what is no part, of another layout, cut off or damaged is refused."""
    head, columns = unsealed(path, "part", PartHead)
    protocol = find(head.protocol)
    if protocol is None:
        raise InputError(f"is of {not_installed(head.protocol, head.plug_ins)}", path=path)
    try:
        return _part(head, columns, protocol)
    except MISFITS as error:
        raise misfit("part", error, path) from error


def _part(head: PartHead, columns: Columns, protocol: Protocol) -> Part:
    run = run_in(head, columns)
    origins = PartPairs(head.total, places_in(columns["pair"], head.total), places_in(columns["units"]))
    if len(origins.pairs) != len(origins.sizes) or sum(origins.sizes) != len(run.tallies.units):
        raise ValueError("a unit lacks its pair of documents")
    if not 1 <= head.number[0] <= head.number[1]:
        raise ValueError(f"there is no part {head.number[0]} of {head.number[1]}")
    return Part(
        run=run,
        number=PartNumber(*head.number),
        origins=origins,
        noted=[Noted(restored(note, protocol), times, pair) for note, times, pair in head.noted],
        said=tuple(head.said),
        noticed=head.noticed,
        names=head.names,
        paths=head.paths,
        facts=facts_in(head.facts, protocol),
        given=head.given,
        apart=head.apart,
    )


def plain_facts(facts: Mapping[Hashable, int]) -> list[tuple[Any, int]]:
    """Return facts as they are kept, in an order that does not depend on that of the documents."""
    return sorted(((plain(fact), times) for fact, times in facts.items()), key=repr)


def facts_in(kept: list[tuple[Any, int]], protocol: Protocol) -> Counter[Hashable]:
    """Return the facts that were kept so."""
    return Counter({restored(fact, protocol): times for fact, times in kept})
