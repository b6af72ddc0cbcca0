"""Files of runs that are made in parts: each part, and the facts of all documents, as ``docs/run-files.md`` lays out.

Facts and notes are kept as plain data that comes back the same. A key is a text, a number, a truth value or nothing, a
tuple or a set of keys, or a named tuple or frozen struct whose fields are such. Named ones come back as what they were
only if their class belongs to Karat or to the package that brings the protocol, and is loaded with it: nothing is
imported because a file names it.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec

from karat.errors import InputError, UsageError
from karat.evaluation.notices import Noted, Notices
from karat.evaluation.part import Part, PartNumber, PartPairs
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import find
from karat.evaluation.run import not_installed
from karat.evaluation.run_container import (
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
from karat.evaluation.run_file import RunHead, arrays_of, groups_of, head_of, run_in


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
    own = {"pair": part.origins.pairs, "units": part.origins.sizes}
    arrays = {name: StoredArray(narrowest(array("q", numbers))) for name, numbers in own.items()}
    return sealed("part", head, arrays | arrays_of(part.run, groups))


def load(path: str | os.PathLike[str]) -> Part:
    """Return the part of a file; what is no part, of another layout, cut off or damaged is refused."""
    head, arrays = unsealed(path, "part", PartHead)
    protocol = find(head.protocol)
    if protocol is None:
        raise InputError(f"is of {not_installed(head.protocol, head.plug_ins)}", path=path)
    try:
        return _part(head, arrays, protocol)
    except MISFITS as error:
        raise misfit("part", error, path) from error


def _part(head: PartHead, arrays: Arrays, protocol: Protocol) -> Part:
    run = run_in(head, arrays)
    origins = PartPairs(head.total, indices_in(arrays["pair"], head.total), indices_in(arrays["units"]))
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


class FactsHead(Head, frozen=True, kw_only=True, omit_defaults=True):
    """Facts, and what they are about: the same words as in the head of a run."""

    karat: str
    protocol: str
    options: dict[str, str]
    digests: dict[str, str]
    read: str = ""
    plug_ins: str = ""
    facts: list[tuple[Any, int]] = msgspec.field(default_factory=list)


_TOLD = {
    "protocol": "another protocol",
    "karat": "another version of Karat",
    "plug_ins": "other plug-ins",
    "options": "other options",
    "read": "another way of reading",
    "digests": "other data",
}


def packed_facts(facts: Mapping[Hashable, int], about: FactsHead) -> bytes:
    """Return the bytes of a file of facts: the same for the same facts."""
    return sealed("facts", msgspec.structs.replace(about, facts=plain_facts(facts)), {})


def load_facts(path: str | os.PathLike[str], about: FactsHead, bound: Bound) -> Counter[Hashable]:
    """Return the facts of a file, which must be about this protocol with these options, and these data."""
    head, _ = unsealed(path, "facts", FactsHead)
    for name, what in _TOLD.items():
        if getattr(head, name) != getattr(about, name):
            raise InputError(f"has facts of {what}; gather them again with karat facts", path=path)
    try:
        facts = facts_in(head.facts, bound.protocol)
        bound.settle(facts)
    except (*MISFITS, AttributeError) as error:
        raise misfit("facts", error, path) from error
    return facts


_PLAIN = (str, int, float, bool, type(None))
_TUPLE, _SET = "(", "{"


def plain(key: Hashable) -> Any:
    """Return a key as what JSON has.

    >>> plain(("gold", 1)), plain("LOC")
    (['(', 'gold', 1], 'LOC')
    """
    if type(key) in _PLAIN:
        return key
    if type(key) is tuple:
        return [_TUPLE, *map(plain, key)]
    if isinstance(key, frozenset):
        return [_SET, *sorted(map(plain, key), key=repr)]
    kind = type(key)
    if isinstance(key, tuple) and hasattr(kind, "_fields"):
        return [f"{kind.__module__}:{kind.__qualname__}", *map(plain, key)]
    if isinstance(key, msgspec.Struct):
        return [f"{kind.__module__}:{kind.__qualname__}", *(plain(value) for value in msgspec.structs.astuple(key))]
    raise InputError(f"a fact or note of the protocol is a {kind.__name__}, which cannot be kept in a file")


def restored(value: Any, protocol: Protocol) -> Hashable:
    """Return the key of plain data; what is no key of this protocol is a ``ValueError``."""
    if not isinstance(value, list):
        return value  # type: ignore[no-any-return]
    kind, *fields = value
    members = [restored(field, protocol) for field in fields]
    if kind == _TUPLE:
        return tuple(members)
    if kind == _SET:
        return frozenset(members)
    return _class_named(kind, protocol)(*members)  # type: ignore[no-any-return]


def _class_named(name: Any, protocol: Protocol) -> Any:
    module, _, path = str(name).partition(":")
    if module.partition(".")[0] not in ("karat", protocol.options.__module__.partition(".")[0]):
        raise ValueError(f"{name!r} is nothing of the protocol {protocol.name}")
    owner: Any = sys.modules.get(module)
    for part in path.split("."):
        owner = getattr(owner, part, None)
    is_named = isinstance(owner, type) and issubclass(owner, tuple) and hasattr(owner, "_fields")
    if not is_named and not (isinstance(owner, type) and issubclass(owner, msgspec.Struct)):
        raise ValueError(f"{name!r} is nothing of the protocol {protocol.name}")
    return owner
