"""Cells of Universal Anaphora: markables between brackets, and what bridges from one to another.

A markable opens with its fields, ``(EntityID=1|MarkableID=m1|Min=2``, and closes with a bracket: ``)`` closes what was
opened last, ``m1)`` the markable of that name, so that markables may cross. One that opens again has a further part. On
an empty node a markable opens and closes at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.formats.base import Problems
from karat.formats.corefud.brackets import ROWS

ENTITY_ID, MARKABLE_ID = "EntityID", "MarkableID"
_ITEM = re.compile(r"\([^()]*\)?|[^()@]*\)|@")
_BRACKET = re.compile(r"\(([^()]*)\)?")


class CellPlace(NamedTuple):
    """Where a cell stands: its row in the table, whether that is an empty node, and its line in the file."""

    row: int
    is_zero: bool
    line: int


@dataclass(slots=True)
class Markable:
    """A markable with the rows of its parts, first and last; ``first_row`` is that of a part that is still open."""

    id: str
    entity: str
    values: dict[str, str]
    place: CellPlace
    first_row: int
    parts: list[tuple[int, int]] = field(default_factory=list)


class Markables:
    """Reads the markables of one document, cell by cell."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path, self.problems = path, problems
        self.begun: dict[str, Markable] = {}
        self.open: dict[str, Markable] = {}

    def read(self, cell: str, place: CellPlace) -> None:
        """Read a cell with brackets."""
        items = _ITEM.findall(cell)
        if "".join(items) != cell:
            expected = "expected brackets such as (EntityID=1|MarkableID=m1, ) or m1)"
            self._error(place, f"the markables are {shown(cell)}; {expected}")
            return
        for item in items:
            if item[0] == "(":
                self._open(item[1:].removesuffix("@"), place)
            elif item != "@":
                self._close(item[:-1], place)

    def closed(self) -> list[Markable]:
        """Return the markables of the document in the order in which they open; an open one is an error."""
        for markable in self.open.values():
            self._error(markable.place, f"markable {shown(markable.id)} is never closed; close it with ')'")
        return [markable for markable in self.begun.values() if markable.id not in self.open]

    def _open(self, item: str, place: CellPlace) -> None:
        closes = item.endswith(")")
        values = self._fields(item.removesuffix(")"), place)
        name, entity = values.pop(MARKABLE_ID, ""), values.pop(ENTITY_ID, "")
        if not name or not entity or ROWS in values:
            expected = "expected one such as (EntityID=1|MarkableID=m1"
            self._error(place, f"the markable {shown(item)} lacks an {ENTITY_ID} or a {MARKABLE_ID}; {expected}")
            return
        if place.is_zero and not closes:
            self._error(place, f"markable {shown(name)} begins on an empty node; a zero must end where it begins")
            return
        markable = self._begun(Markable(name, entity, values, place, place.row))
        if markable is None:
            return
        if closes:
            markable.parts.append((place.row, place.row))
        else:
            self.open[name] = markable

    def _begun(self, markable: Markable) -> Markable | None:
        """Return a markable that begins, or goes on with a further part; None after an error."""
        known = self.begun.setdefault(markable.id, markable)
        if known is markable:
            return markable
        name, before = shown(markable.id), f"on line {known.place.line}"
        if markable.id in self.open:
            self._error(markable.place, f"markable {name} is opened again before it is closed; it was opened {before}")
        elif markable.place.is_zero or known.place.is_zero:
            self._error(markable.place, f"markable {name} has a part already, {before}; a zero has one part")
        elif markable.entity != known.entity:
            fault = f"is of entity {shown(markable.entity)} here and of {shown(known.entity)} {before}"
            self._error(markable.place, f"markable {name} {fault}; give its parts the same {ENTITY_ID}")
        else:
            known.values = {**markable.values, **known.values}
            known.first_row = markable.first_row
            return known
        return None

    def _close(self, name: str, place: CellPlace) -> None:
        if place.is_zero:
            self._error(place, "a markable ends on an empty node; end it on a word")
            return
        markable = self.open.pop(name, None) if name else self.open.popitem()[1] if self.open else None
        if markable is None:
            self._error(place, f"markable {shown(name)} is closed, but not open" if name else "')' closes nothing")
            return
        markable.parts.append((markable.first_row, place.row))

    def _fields(self, item: str, place: CellPlace) -> dict[str, str]:
        return dict(_fields(item, self.path, place, self.problems))

    def _error(self, place: CellPlace, message: str) -> None:
        self.problems.error(self.path, place.line, message)


def brackets(cell: str, path: str, place: CellPlace, problems: Problems) -> Iterator[dict[str, str]]:
    """Yield the fields of each bracket of a cell that marks no words, such as one of the column BRIDGING."""
    items = _BRACKET.findall(cell)
    if not items:
        problems.repair(path, place.line, f"the cell {shown(cell)} has no bracket; left out")
    for item in items:
        yield dict(_fields(item.removesuffix("@"), path, place, problems))


def _fields(item: str, path: str, place: CellPlace, problems: Problems) -> Iterator[tuple[str, str]]:
    """Yield names and values; the last value of a name counts."""
    for part in item.split("|"):
        name, equals, value = part.partition("=")
        if equals and name:
            yield name, value
        else:
            problems.repair(path, place.line, f"{shown(part)} is no field such as Min=2; left out")
