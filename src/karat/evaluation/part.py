"""Parts of a run: the tallies of some pairs of documents, and how all parts become the run that one process makes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError, UsageError, many
from karat.evaluation.notices import Noted, Notices, lacks, remarks_on, unlike, with_lacks
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import find
from karat.evaluation.run import Run, at, joined, not_installed
from karat.settings import shown
from karat.signature import sum_of_contents


class PartNumber(NamedTuple):
    """Which part of how many: part 3 of 16 has the third pair of documents, the nineteenth, and so on.

    >>> PartNumber(3, 16).has(2), PartNumber(3, 16).has(3), str(PartNumber(3, 16))
    (True, False, '3/16')
    """

    number: int
    of: int

    def has(self, pair: int) -> bool:
        """Say whether the pair of that number, from 0, belongs to the part."""
        return pair % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> PartNumber:
        """Return the number that a text such as ``3/16`` stands for."""
        number, slash, of = text.partition("/")
        words = (number, of)
        if not slash or not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in words):
            raise UsageError(f"{text!r} is no part; expected one such as 3/16, the third of sixteen")
        if not 1 <= int(number) <= int(of):
            raise UsageError(f"there is no part {text}; parts of {of} go from 1/{of} to {of}/{of}")
        return cls(int(number), int(of))


class PartPairs(msgspec.Struct, frozen=True):
    """Which pairs of documents a part has, of so many in all, and how many units each of them gave."""

    total: int
    pairs: Sequence[int]
    sizes: Sequence[int]


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Some pairs of documents under a protocol, scored alone.

    ``run`` has their tallies, and no notes: what was noticed adds up over the parts, and is worded for all of them.
    ``said`` is what was said when all documents were paired, ``noticed`` what was noticed while those of the gold and
    of the system were read, ``paths`` where these are. ``facts`` are those of the whole corpus. ``given`` are the
    options of the protocol, as they were given. ``apart`` says whether its documents were read apart from all others;
    if not, the first part says what was noticed while all were read.
    """

    run: Run
    number: PartNumber
    origins: PartPairs
    noted: Sequence[Noted] = ()
    said: Sequence[str] = ()
    noticed: tuple[Notices, Notices] = (Notices(), Notices())
    names: tuple[str, str] = ("", "")
    paths: tuple[str | None, str | None] = (None, None)
    facts: Mapping[Hashable, int] = {}
    given: Mapping[str, Any] = {}
    apart: bool = False

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the part to a file, whole or not at all."""
        from karat.evaluation.part_file import packed
        from karat.io.outputs import write_whole

        write_whole({os.fspath(path): packed(self)})


def merge(parts: Iterable[Part | str | os.PathLike[str]]) -> Run:
    """Return the run of all its parts, in any order: to the last digit what one process would have made.

    Parts are files of ``karat score --part``, or what :func:`karat.evaluation.score_part` returns. What does not belong
    together is refused.
    Where the same data have different names or paths, they are called as in the first part.
    """
    from karat.evaluation.part_file import load

    loaded = [(part, "") if isinstance(part, Part) else (load(part), os.fspath(part)) for part in parts]
    if not loaded:
        raise UsageError("there is nothing to merge; expected the parts of a run")
    (first, path), *others = sorted(loaded, key=lambda part_and_path: part_and_path[0].number)
    for other, other_path in others:
        _check_alike((first, path), (other, other_path))
    read_parts = [first, *(part for part, _ in others)]
    _check_complete(read_parts)
    protocol = find(first.run.protocol)
    if protocol is None:
        raise UsageError(f"the parts are of {not_installed(first.run.protocol, first.run.plug_ins)}")
    bound = protocol.with_options(first.given)
    if shown(bound.options) != dict(first.run.options):
        raise InputError("the options of the parts mean something else here; merge them by the Karat that scored them")
    whole = combined(read_parts)
    try:
        return worded(whole, bound, bound.settle(Counter(first.facts)))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"the parts have facts or notes that are none of {bound.name} ({error})"
        raise InputError(f"{message}; score them again") from error


def combined(parts: Sequence[Part]) -> Part:
    """Return several parts of a run as one, with their pairs of documents in order."""
    first, order = parts[0], _in_order(parts)
    runs = [part.run for part in parts]
    units = [pair_units.units for pair_units in order]
    whole = at(joined(runs), [unit for own in units for unit in own])
    run = msgspec.structs.replace(
        whole,
        gold_content=sum_of_contents(run.gold_content for run in runs),
        system_content=sum_of_contents(run.system_content for run in runs),
    )
    sizes = list(map(len, units))
    noticed = [sum((part.noticed[side] for part in parts), Notices()) for side in (0, 1)]
    return msgspec.structs.replace(
        first,
        run=run,
        origins=PartPairs(first.origins.total, [pair_units.pair for pair_units in order], sizes),
        noted=_counted(noted for part in parts for noted in part.noted),
        noticed=(noticed[0], noticed[1]),
    )


def worded(part: Part, bound: Bound, known: Any) -> Run:
    """Return the run of a part that has all pairs of documents, with what was noticed in words."""
    read = [part.noticed[side].worded(part.names[side], part.paths[side]) for side in (0, 1)]
    remarks = remarks_on(part.noted, part.said, part.names[1], bound, known)
    told = with_lacks((*read[0], *read[1], *remarks), lacks(bound, part.noticed, part.run.tallies))
    return msgspec.structs.replace(part.run, notes=(*told, *unlike(bound, part.noticed, part.noted)))


class _PairUnits(NamedTuple):
    """Which units a pair of documents gave, counted through all parts."""

    pair: int
    units: range


def _in_order(parts: Sequence[Part]) -> list[_PairUnits]:
    """Return which units every pair of documents gave, in the order of the pairs."""
    sizes = [size for part in parts for size in part.origins.sizes]
    pairs = [pair for part in parts for pair in part.origins.pairs]
    starts = accumulate(sizes, initial=0)
    ranges = [range(start, start + size) for start, size in zip(starts, sizes, strict=False)]
    return sorted(map(_PairUnits, pairs, ranges), key=lambda pair_units: pair_units.pair)


def _counted(noted: Iterable[Noted]) -> list[Noted]:
    """Return what was noted, each thing once, in the order of the pairs at which it was noted first."""
    counted: dict[Hashable, Noted] = {}
    for entry in sorted(noted, key=lambda entry: entry.pair):
        earlier = counted.get(entry.note)
        counted[entry.note] = entry if earlier is None else earlier._replace(times=earlier.times + entry.times)
    return list(counted.values())


_TOLD = {
    "protocol": "protocols",
    "version": "versions of Karat",
    "plug_ins": "plug-ins",
    "options": "options",
    "read_as": "ways of reading",
    "gold_digest": "gold data",
    "system_digest": "system data",
}


def _check_alike(first: tuple[Part, str], other: tuple[Part, str]) -> None:
    """Refuse two parts that are not of the same run."""
    (left, left_path), (right, right_path) = first, other
    where = f"{left_path or 'one part'} and {right_path or 'another part'} do not belong together"
    for name, what in _TOLD.items():
        values = getattr(left.run, name), getattr(right.run, name)
        if values[0] != values[1]:
            told = [_brief(value) for value in values]
            raise InputError(f"{where}: they are of different {what}, {told[0]} and {told[1]}")
    if left.run.slices.keys() != right.run.slices.keys():
        told = [", ".join(part.run.slices) or "none" for part in (left, right)]
        raise InputError(f"{where}: they have different slices, {told[0]} and {told[1]}; score both with the same --by")
    if left.number.of != right.number.of:
        raise InputError(f"{where}: one is {_part(left)}, the other {_part(right)}; cut all parts alike")
    if left.facts != right.facts:
        raise InputError(f"{where}: they were told different facts; score both with the same facts")
    paired = [(part.said, part.origins.total, part.apart) for part in (left, right)]
    if paired[0] != paired[1]:
        raise InputError(f"{where}: their documents were read or paired differently; score both again")


def _brief(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text}" for name, text in value.items()) or "none"
    return str(value) or "none"


def _part(part: Part) -> str:
    return f"part {part.number.number} of {part.number.of}"


def _check_complete(parts: Sequence[Part]) -> None:
    """Refuse parts of which one is there twice or missing."""
    of = parts[0].number.of
    times = Counter(part.number.number for part in parts)
    twice = [part_number for part_number, count in sorted(times.items()) if count > 1]
    if twice:
        raise InputError(f"part {twice[0]} of {of} is there twice; give each part once")
    if lacking := of - len(times):
        first = list(islice((part_number for part_number in range(1, of + 1) if part_number not in times), 5))
        names = ", ".join(map(str, first)) + (", …" if lacking > len(first) else "")
        verb = "is" if lacking == 1 else "are"
        raise InputError(f"{lacking} of {many(of, 'part')} {verb} missing: {names}; score the rest, and give all")
    pairs = sorted(pair for part in parts for pair in part.origins.pairs)
    if len(pairs) != parts[0].origins.total or pairs != list(range(len(pairs))):
        raise InputError("the parts do not have every pair of documents once; score them again")
