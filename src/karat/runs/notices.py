"""What was noticed while documents were read, and while they were judged: counts that add up, worded once."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from karat.annotations.tagging import ColumnForm, repairs_of
from karat.errors import many
from karat.files import STDIN
from karat.formats.base import Problem, Problems
from karat.protocols.base import SYSTEM_FILE, Protocol, Side

HELD = ("mentions", "labels", "links", "chains", "relations")
"""The kinds of annotation that are counted."""
WITHOUT = {
    "unlabelled mentions": ("mentions", "label"),
    "unlinked mentions": ("mentions", "link"),
    "unlabelled relations": ("relations", "label"),
}
"""Annotations that are counted again if they lack something: of which kind they are, and what it is."""
_MOST_NAMES = 8
"""Names of what was not read that a note lists."""


class Notices(msgspec.Struct, frozen=True):
    """What was noticed while some documents of a side were read.

    ``repairs`` are those in a line; ``of_file`` those that are made once for a whole file, by what they are: such a
    repair is one, whichever ranges of the file were read. ``counted`` is what readers count, and ``linked`` how many
    mentions took the links of their chain. ``tags`` says how tags are formed, where repairs are told from that;
    ``documents`` says how many there are, ``holds`` how many annotations of
    each kind these have, unless cells were read instead, and ``parts`` what of a file is there that it may lack.
    ``dropped`` has the keys, elements and layers that were not read. ``first`` is the first repair of what is no file,
    as nobody can look at it there.
    """

    repairs: int = 0
    of_file: Mapping[str, int] = {}
    counted: Mapping[str, int] = {}
    linked: int = 0
    documents: int = 0
    holds: Mapping[str, int] = {}
    parts: list[tuple[str, str]] = []
    tags: list[tuple[ColumnForm, int]] = []
    dropped: Mapping[str, int] = {}
    first: str = ""

    @classmethod
    def of(
        cls,
        problems: Problems,
        linked: int,
        folder: str | None,
        *,
        documents: int = 0,
        holds: Mapping[str, int] | None = None,
    ) -> Notices:
        """Return what readers reported, with files named as they are called within the folder."""
        placed = 0
        of_file: Counter[str] = Counter()
        for problem in problems.found:
            if _is_repair(problem) and problem.once:
                name = os.path.relpath(problem.path, folder) if folder else ""
                of_file[f"{name}: {problem.once}"] += 1
            elif _is_repair(problem):
                placed += 1
        return cls(
            repairs=placed,
            of_file=dict(of_file),
            counted=dict(problems.counted),
            linked=linked,
            documents=documents,
            holds=holds or {},
            parts=sorted(problems.parts),
            tags=_in_order(problems.tags),
            dropped=dict(problems.dropped),
            first="" if folder else next(map(_in_words, filter(_is_repair, problems.found)), ""),
        )

    def __add__(self, other: Notices) -> Notices:
        return Notices(
            self.repairs + other.repairs,
            dict(Counter(self.of_file) | Counter(other.of_file)),
            dict(Counter(self.counted) + Counter(other.counted)),
            self.linked + other.linked,
            self.documents + other.documents,
            {kind: self.holds.get(kind, 0) + other.holds.get(kind, 0) for kind in {**self.holds, **other.holds}},
            sorted({*self.parts, *other.parts}),
            _in_order(Counter(dict(self.tags)) + Counter(dict(other.tags))),
            dict(Counter(self.dropped) + Counter(other.dropped)),
            self.first or other.first,
        )

    def worded(self, name: str, path: str | None) -> tuple[str, ...]:
        """Return what was noticed in words, for a side of that name and path."""
        notes = []
        if repairs := self.repairs + sum(self.of_file.values()) + repairs_of(self.tags):
            see = "; see karat validate" if path is not None else f", the first: {self.first}" if self.first else ""
            notes.append(f"{many(repairs, 'repair')} while reading {path or name}{see}")
        if self.dropped:
            notes.append(f"{name}: not read: {self._not_read()}")
        if self.counted:
            told = [many(times, what.split(" ")[0]) + what[what.find(" ") :] for what, times in self.counted.items()]
            notes.append(f"{name}: {', '.join(told)}")
        if self.linked:
            notes.append(f"{many(self.linked, 'mention')} of {name} took the links of the chain")
        return tuple(notes)

    def _not_read(self) -> str:
        """Return what was not read and how often, the first names of many."""
        told = [f"{what} ({many(times, 'time')})" for what, times in sorted(self.dropped.items())]
        more = [f"{len(told) - _MOST_NAMES} more"] if len(told) > _MOST_NAMES else []
        return ", ".join(told[:_MOST_NAMES] + more)


def _is_repair(problem: Problem) -> bool:
    return problem.severity == "repair"


def _in_words(problem: Problem) -> str:
    """Return what was repaired and where: a line of standard input, or an item of a list."""
    unit = "line" if problem.path == STDIN else "item"
    return problem.message if problem.line is None else f"{unit} {problem.line}: {problem.message}"


def _in_order(tags: Counter[ColumnForm]) -> list[tuple[ColumnForm, int]]:
    """Return counts in an order that does not depend on that of the documents."""
    return sorted(tags.items(), key=repr)


class Noted(NamedTuple):
    """Something that was noticed while sheets were drafted: how often, and at which pair of documents first."""

    note: Hashable
    times: int
    pair: int


class Unlike(NamedTuple):
    """Is noted of a pair of documents, whatever the protocol: ids or texts differ, or one side lacks its text."""

    what: Literal["id", "text"]
    lacking: Side | Literal[""] = ""


def remarks_on(
    noted: Iterable[Noted], said: Sequence[str], system: str, protocol: Protocol, settings: Any, known: Any
) -> Iterator[str]:
    """Yield what the protocol says: when documents were paired, and of what was noted, in the order of the pairs."""
    counted: Counter[Hashable] = Counter()
    for entry in noted:
        if not isinstance(entry.note, Unlike):
            counted[entry.note] = entry.times
    remarks = protocol.remarks(counted, known, settings)
    yield from (note.replace(SYSTEM_FILE, system) for note in (*said, *remarks))
