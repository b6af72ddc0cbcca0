"""Mentions of CorefUD: the brackets that ``Entity=`` puts around words, read cell by cell.

An opening bracket has the fields that ``# global.Entity`` names, separated by hyphens; a closing one only the
entity. ``(e5[1/2]-…`` is the first part of two. What the scorer's own library refuses is an error here; what it reads
with a warning is a repair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import many
from karat.formats.base import Problems
from karat.formats.corefud.rows import Rows, merged, row_at

ETYPE, HEAD = "etype", "head"
ENTITY_NAMES = ("eid", "GRP")
ROWS = "rows"
_ITEM = re.compile(r"\([^()]*\)?|[^()]+\)?|\)")
_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}")


class Fields(NamedTuple):
    """The fields of an opening bracket, and which one is the entity."""

    names: tuple[str, ...]
    entity: int

    @classmethod
    def of(cls, header: str) -> Fields | None:
        """Return the fields that a ``# global.Entity`` line names; None if it makes no sense.

        >>> Fields.of("eid-etype-head-other").names
        ('eid', 'etype', 'head', 'other')
        """
        names = tuple(header.split("-"))
        entities = [place for place, name in enumerate(names) if name in ENTITY_NAMES]
        if len(entities) != 1 or "" in names or ROWS in names or len(set(names)) < len(names):
            return None
        return cls(names, entities[0])


class BracketPlace(NamedTuple):
    """Where a cell stands: its row in the table, its sentence, its line in the file."""

    row: int
    sentence: int
    line: int


@dataclass(slots=True)
class Bracketed:
    """A mention between brackets, numbered as it begins; ``part`` of ``parts`` is the one that was opened last."""

    number: int
    entity: str
    values: dict[str, str]
    opened: BracketPlace
    part: int
    parts: int
    is_open: bool = True
    fragments: list[tuple[int, int]] = field(default_factory=list)
    rows: Rows = ()
    head: int = 0


class Brackets:
    """Reads the brackets of one document."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path, self.problems = path, problems
        self.fields: Fields | None = None
        self.begun: list[Bracketed] = []
        self.open: dict[str, list[Bracketed]] = {}
        self.awaiting: dict[str, list[tuple[int, Bracketed]]] = {}

    def read(self, cell: str, place: BracketPlace) -> None:
        """Read the value of an ``Entity=``."""
        if self.fields is None:
            self._error(place, "'Entity=' without '# global.Entity' before it; add '# global.Entity = eid-etype-head'")
            return
        for item in _ITEM.findall(cell):
            body = item.removeprefix("(").removesuffix(")")
            if item[0] == "(":
                self._open(body, place, self.fields, closes=item[-1] == ")")
            elif item[-1] == ")":
                self._close(body, place)
            else:
                self.problems.repair(self.path, place.line, f"Entity={shown(item)} has no bracket; left out")

    def mentions(self) -> list[Bracketed]:
        """Return the mentions of the document in the order in which they open; unclosed ones are left out."""
        mentions: list[Bracketed] = []
        for mention in self.begun:
            if mention.is_open:
                message = f"the mention of entity {shown(mention.entity)} is never closed; left out"
                self.problems.repair(self.path, mention.opened.line, message)
            elif self._settle(mention):
                mentions.append(mention)
        return mentions

    def _open(self, body: str, place: BracketPlace, fields: Fields, *, closes: bool) -> None:
        cells = body.split("-")
        if len(cells) > len(fields.names):
            known = "-".join(fields.names)
            message = f"'({shown(body)[1:-1]}' has more fields than {shown(known)}; the rest is left out"
            self.problems.repair(self.path, place.line, message)
        name = cells[fields.entity] if fields.entity < len(cells) else ""
        match = _PART.fullmatch(name)
        if not name or (name.endswith("]") and not match):
            self._error(place, f"'({shown(body)[1:-1]}' names no entity; expected one such as (e5-… or (e5[1/2]-…")
            return
        entity, part, parts = (match[1], int(match[2]), int(match[3])) if match else (name, 1, 1)
        values = dict(zip(fields.names, cells, strict=False))
        del values[fields.names[fields.entity]]
        if HEAD in values and not _NUMBER.fullmatch(values[HEAD]):
            self._error(place, f"the head of entity {shown(entity)} is {shown(values[HEAD])}; expected a number")
            return
        if part == 1:
            mention = Bracketed(len(self.begun), entity, values, place, part, parts)
            self.begun.append(mention)
        else:
            continued = self._continued(entity, place, part, parts)
            if continued is None:
                return
            mention = continued
            mention.opened, mention.part, mention.parts, mention.is_open = place, part, parts, True
            if HEAD in values:
                mention.values[HEAD] = values[HEAD]
        if closes:
            self._end(mention, place)
        else:
            self.open.setdefault(entity, []).append(mention)

    def _continued(self, entity: str, place: BracketPlace, part: int, parts: int) -> Bracketed | None:
        """Return the mention that a later part belongs to, the first one that lacks a part; None after an error."""
        label = f"part {part}/{parts} of entity {shown(entity)}"
        awaiting = self.awaiting.get(entity)
        if not awaiting:
            self._error(place, f"{label} continues no mention; give a discontinuous mention all its parts")
            return None
        _, mention = heappop(awaiting)
        if (part, parts) != (mention.part + 1, mention.parts):
            message = f"{label} follows part {mention.part}/{mention.parts}; read as the next one"
            self.problems.repair(self.path, place.line, message)
        return mention

    def _close(self, body: str, place: BracketPlace) -> None:
        match = _PART.fullmatch(body)
        entity = match[1] if match else body
        stack = self.open.get(entity)
        if not stack:
            self._error(place, f"the mention of entity {shown(entity)} is closed, but not open")
            return
        mention = stack.pop()
        if match and (int(match[2]), int(match[3])) != (mention.part, mention.parts):
            how = f"opened as part {mention.part}/{mention.parts} on line {mention.opened.line}"
            self._error(place, f"the mention that {shown(body)} closes was {how}; give both the same part")
        elif mention.parts > 1 and not match:
            message = f"part {mention.part}/{mention.parts} of entity {shown(entity)} is closed without its number"
            self.problems.repair(self.path, place.line, f"{message}; read as if it were there")
        if mention.opened.sentence != place.sentence:
            begun = mention.opened.line
            message = f"the mention of entity {shown(entity)} began in an earlier sentence, on line {begun}"
            self._error(place, f"{message}; close it there, mentions cannot cross sentences")
        self._end(mention, place)

    def _end(self, mention: Bracketed, place: BracketPlace) -> None:
        mention.is_open = False
        mention.fragments.append((mention.opened.row, place.row))
        awaiting = self.awaiting.setdefault(mention.entity, []) if mention.parts > 1 else []
        if mention.part != mention.parts:
            heappush(awaiting, (mention.number, mention))
        elif awaiting or (mention.parts > 1 and self._is_inside(mention)):
            message = f"a discontinuous mention of entity {shown(mention.entity)} ends while another one lacks a part"
            self._error(place, f"{message}; brackets cannot tell which of them goes on")

    def _is_inside(self, mention: Bracketed) -> bool:
        """Say whether a discontinuous mention of the same entity that began later is still open."""
        stack = self.open.get(mention.entity, [])
        return bool(stack) and stack[-1].parts > 1 and stack[-1].number > mention.number

    def _settle(self, mention: Bracketed) -> bool:
        """Find the rows and the head of a mention that is complete; False after an error."""
        mention.rows = merged(mention.fragments)
        place = int(mention.values.get(HEAD, "1"))
        size = sum(last - first + 1 for first, last in mention.rows)
        wrong = f"the head of entity {shown(mention.entity)} is {place}, but the mention has {many(size, 'word')}"
        if place == 0 or size == 1 < place:
            self.problems.repair(self.path, mention.opened.line, f"{wrong}; read as the first one")
            place = 1
        head = row_at(mention.rows, place)
        if head is None:
            self._error(mention.opened, wrong)
            return False
        mention.head = head
        return True

    def _error(self, place: BracketPlace, message: str) -> None:
        self.problems.error(self.path, place.line, message)
