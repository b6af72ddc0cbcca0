"""What was noticed while documents were read and judged: counts that add up, worded once; and what a side lacks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from karat.annotations.tag_schemes import ColumnForm, repairs_of
from karat.errors import many
from karat.evaluation.protocol import SYSTEM_FILE, Bound, Figure, Lack, Side
from karat.evaluation.tally import Counts, Tallies
from karat.formats.base import Problem, Problems
from karat.io import STDIN

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
    """Something that was noticed while sheets were drafted, and how often."""

    note: Hashable
    times: int


class Unlike(NamedTuple):
    """Is noted of a pair of documents, whatever the protocol: ids or texts differ, or one side lacks its text."""

    what: Literal["id", "text"]
    lacking: Side | Literal[""] = ""


def remarks_on(noted: Iterable[Noted], said: Sequence[str], system: str, bound: Bound, known: Any) -> Iterator[str]:
    """Yield what the protocol says: when documents were paired, and of what was noted, in the order of the pairs."""
    counted: Counter[Hashable] = Counter()
    for entry in noted:
        if not isinstance(entry.note, Unlike):
            counted[entry.note] = entry.times
    remarks = bound.remarks(counted, known)
    for note in (*said, *remarks):
        yield note if isinstance(note, Lack) else note.replace(SYSTEM_FILE, system)


_JUDGED = {
    "entities": "mentions",
    "linking": "links",
    "relations": "relations",
    "coreference": "chains",
    "slots": "mentions",
}
"""What the protocols of a task judge."""
SIDES: tuple[Side, Side] = ("gold", "system")
_DENOMINATORS: dict[Side, str] = {"gold": "recall", "system": "precision"}
"""The measure that divides by the items of a side."""


def lacks(bound: Bound, noticed: Sequence[Notices], tallies: Tallies | None = None) -> list[str]:
    """Return which side has nothing that the protocol judges, in words, given what was noticed when both were read.

    Where cells were read instead of mentions, or none of what is there counts, it is told from the tallies, if they
    are given.
    """
    if not any(side.documents for side in noticed):
        return ["nothing is scored: there are no documents"]
    return list(_lacks(bound, noticed, tallies))


def unlike(bound: Bound, noticed: Sequence[Notices], noted: Iterable[Noted]) -> list[str]:
    """Return what one side has and the other one lacks, labels, parts of files, ids or texts, in words."""
    times = {entry.note: entry.times for entry in noted if isinstance(entry.note, Unlike)}
    return [*_unlabelled(bound, noticed), *_parts(noticed), *_documents(noticed, times)]


def _lacks(bound: Bound, noticed: Sequence[Notices], tallies: Tallies | None) -> Iterator[str]:
    judged = _JUDGED.get(bound.task, "")
    for side, notices in zip(SIDES, noticed, strict=True):
        is_known = bool(judged) and judged in notices.holds
        if is_known and not notices.holds[judged]:
            yield Lack(side, f"{judged}{_instead(notices)}")
        elif tallies is not None and _counts_nothing(bound, tallies, side):
            yield Lack(side, f"{judged} that count") if is_known else f"nothing of the {side} is counted"


def _instead(notices: Notices) -> str:
    """Return what a side has, if anything, in words."""
    told = {kind: notices.holds.get(kind, 0) for kind in HELD if kind != "labels" and notices.holds.get(kind)}
    kinds = [many(count, kind.removesuffix("s")) for kind, count in told.items()]
    return f"; it has {' and '.join(kinds)}" if kinds else ""


def _documents(noticed: Sequence[Notices], times: Mapping[Unlike, int]) -> Iterator[str]:
    """Yield how many documents have another id or text, or no text although others of their side have one."""
    if other := times.get(Unlike("id")):
        yield f"{many(other, 'document')} with another id in the system than in the gold; they meet by their position"
    if other := times.get(Unlike("text")):
        yield f"{many(other, 'document')} with another text in the system than in the gold"
    for side, across, notices, _ in _both_ways(noticed):
        if 0 < (lacking := times.get(Unlike("text", side), 0)) < notices.documents:
            yield f"{many(lacking, 'document')} without a text in the {side}, but with one in the {across}"


def _both_ways(noticed: Sequence[Notices]) -> Iterator[tuple[Side, Side, Notices, Notices]]:
    """Yield each side and the other one, and what was noticed of both."""
    return zip(SIDES, SIDES[::-1], noticed, noticed[::-1], strict=True)


def _parts(noticed: Sequence[Notices]) -> Iterator[str]:
    """Yield which parts a side lacks that the other one has, where both are of a format that says so.

    A side without any mention lacks every layer, which is not said once more.
    """
    for side, across, notices, other in _both_ways(noticed):
        formats = {name for name, _ in notices.parts}
        absent = [part for name, part in other.parts if name in formats and (name, part) not in notices.parts]
        if notices.holds.get("mentions") == 0:
            absent = [part for part in absent if not part.startswith("layer ")]
        if absent:
            names = ", ".join("mentions without a layer" if part == "layer " else part for part in absent)
            yield f"the {side} has no {names}, which the {across} has"


def _unlabelled(bound: Bound, noticed: Sequence[Notices]) -> Iterator[str]:
    """Yield how many annotations of a side lack a label or a link, while each of the other side has one."""
    if bound.task == "coreference" or not all("labels" in notices.holds for notices in noticed):
        return
    for lacking, (kind, what) in WITHOUT.items():
        if what == "link" and bound.task != "linking":
            continue
        for side, notices, other in zip(SIDES, noticed, noticed[::-1], strict=True):
            bare, size = notices.holds[lacking], notices.holds[kind]
            if bare == size and size and other.holds[lacking] < other.holds[kind]:
                yield f"no {kind.removesuffix('s')} of the {side} has a {what}"
            elif bare * other.holds[kind] > other.holds[lacking] * size and (
                what != "link" or not other.holds[lacking]
            ):
                yield f"{bare} of {many(size, kind.removesuffix('s'))} of the {side} have no {what}"


def _counts_nothing(bound: Bound, tallies: Tallies, side: Side) -> bool:
    """Say whether nothing of a side is counted, under every regime and in every layer."""
    total = tallies.total(labels=False).values()
    kind = (_DENOMINATORS[side], "micro")
    figures = [figure for figure in bound.figures if (figure.measure, figure.average) == kind]
    return bool(figures) and not any(_below(figure, bound, side, counts) for figure in figures for counts in total)


def _below(figure: Figure, bound: Bound, side: Side, counts: Counts) -> float:
    """Return the items of a side behind a figure or, where they have no name, what stands below its line.

    Published programs may put something else there if it is 0.
    """
    name = (figure.behind or {}).get(side)
    return (
        counts[bound.counts.index(name)] if isinstance(name, str) else figure.formula.over(bound.counts)(counts)[1] or 0
    )


def with_lacks(told: Iterable[str], lacking: Iterable[str]) -> tuple[str, ...]:
    """Return notes, and what a side lacks where none of them says it in words of its own."""
    notes = list(told)
    said = {note.side for note in notes if isinstance(note, Lack)}
    notes += [note for note in lacking if not (isinstance(note, Lack) and note.side in said)]
    return tuple(map(str, notes))  # which can be kept in a file
