"""Reads CorefUD: builds documents from rows, comments and the brackets in ``Entity=``.

An opening bracket has the fields that ``# global.Entity`` names, separated by hyphens; a closing one only the
entity. ``(e5[1/2]-…`` is the first part of two. What the scorer's own library rejects is an error here; what it accepts
with a warning is a repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import many
from karat.formats.base import Problems
from karat.formats.conll.layout import ANAPHORA, HEADER, document_marker, is_anaphora
from karat.formats.parts.assembly import Surfaces
from karat.formats.parts.conllu import (
    BOM,
    COLUMNS,
    EMPTY_CELL,
    RANGE,
    ROWS,
    ConlluDraft,
    ConlluReader,
    RowPlaces,
    Rows,
    merged,
    row_at,
    written,
)
from karat.model import Chain, Document, Mention

DIALECT = "corefud"
GLOBAL_ENTITY = "global.Entity"
FIELDS = re.compile(r"#\s*global\.Entity\s*=(.*)")
ENTITY = "Entity="
EARLIER = "earlier_entities"
"""The metadata of a document whose entities are in earlier documents, too: which of them, in their order, between
bars. To the published scorer they begin there."""
ETYPE, HEAD = "etype", "head"
_ENTITY_NAMES = ("eid", "GRP")
_ITEM = re.compile(r"\([^()]*\)?|[^()]+\)?|\)")
_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}")
_ID = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")


class Fields(NamedTuple):
    """The fields of an opening bracket, and the index of the entity."""

    names: tuple[str, ...]
    entity: int

    @classmethod
    def of(cls, header: str) -> Fields | None:
        """Return the fields that a ``# global.Entity`` line names; None if it is invalid.

        >>> Fields.of("eid-etype-head-other").names
        ('eid', 'etype', 'head', 'other')
        """
        names = tuple(header.split("-"))
        entities = [index for index, name in enumerate(names) if name in _ENTITY_NAMES]
        if len(entities) != 1 or "" in names or ROWS in names or len(set(names)) < len(names):
            return None
        return cls(names, entities[0])


class BracketPlace(NamedTuple):
    """The location of a cell: its row in the table, its sentence, its line in the file."""

    row: int
    sentence: int
    line: int


@dataclass(slots=True)
class Bracketed:
    """A mention in brackets, numbered by its beginning; ``part`` of ``parts`` is the one opened last."""

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
        """Process the value of an ``Entity=``."""
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
        """Return the mention that a later part continues, the first one that lacks a part; None after an error."""
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
        """Tell whether a discontinuous mention of the same entity that began later is still open."""
        stack = self.open.get(mention.entity, [])
        return bool(stack) and stack[-1].parts > 1 and stack[-1].number > mention.number

    def _settle(self, mention: Bracketed) -> bool:
        """Determine the rows and the head of a complete mention; False after an error."""
        mention.rows = merged(mention.fragments)
        head_number = int(mention.values.get(HEAD, "1"))
        size = sum(last - first + 1 for first, last in mention.rows)
        wrong = f"the head of entity {shown(mention.entity)} is {head_number}, but the mention has {many(size, 'word')}"
        if head_number == 0 or size == 1 < head_number:
            self.problems.repair(self.path, mention.opened.line, f"{wrong}; read as the first one")
            head_number = 1
        head = row_at(mention.rows, head_number)
        if head is None:
            self._error(mention.opened, wrong)
            return False
        mention.head = head
        return True

    def _error(self, place: BracketPlace, message: str) -> None:
        self.problems.error(self.path, place.line, message)


def read_lines(source: Iterable[str], path: str, problems: Problems) -> Iterator[Document]:
    """Yield the documents in the lines of a file."""
    return _Reader(path, problems).documents(source)


@dataclass
class _Draft(ConlluDraft):
    """The rows of a document with their brackets, and the fields of these."""

    brackets: Brackets = field(kw_only=True)
    fields: str = field(kw_only=True)

    def keep(self, pending: list[str]) -> None:
        """Keep comments that precede the next row."""
        if pending:
            self.comments += [(len(self.cells), comment) for comment in pending]
            pending.clear()


class _Reader(ConlluReader["_Draft"]):
    """Reads one file document by document."""

    def __init__(self, path: str, problems: Problems) -> None:
        super().__init__(path, problems, DIALECT)
        self.fields: Fields | None = None
        self.header = ""
        self.seen: dict[str, str] = {}

    def documents(self, source: Iterable[str]) -> Iterator[Document]:
        """Yield the documents as they end."""
        draft = self._draft()
        pending: list[str] = []
        gap = True
        last = (0, 0)
        line_number = covered = 0
        for line_number, line in enumerate(source, 1):
            content = line.removeprefix(BOM) if line_number == 1 else line
            if not content or content.isspace():
                draft.keep(pending)
                gap, covered, last = True, 0, (0, 0)
            elif content[0] == "#":
                name = document_marker(content)
                if name is not None:
                    yield from self.finished(draft, line_number)
                    draft = self._draft(name, begun=True)
                    gap, covered, last = True, 0, (0, 0)
                elif not self._is_header(content, line_number, draft):
                    pending.append(content)
            else:
                cells = content.split("\t")
                if len(cells) == len(COLUMNS) and (match := RANGE.match(content)):
                    covered = self._range_end(match, max(covered, last[0]), line_number)
                    pending.append(content)
                elif order := self._order(cells, last, line_number):
                    last = order
                    draft.keep(pending)
                    self._add_row(draft, cells, line_number, begins=gap)
                    gap = False
        draft.keep(pending)
        yield from self.finished(draft, line_number)

    def _draft(self, name: str = "", *, begun: bool = False) -> _Draft:
        brackets = Brackets(self.path, self.problems)
        brackets.fields = self.fields
        return _Draft(COLUMNS, name, begun, brackets=brackets, fields=self.header)

    def _is_header(self, line: str, line_number: int, draft: _Draft) -> bool:
        """Tell whether a comment names the fields of brackets, and apply it."""
        columns = HEADER.match(line)
        if columns and is_anaphora(columns[1]):
            self.problems.error(self.path, line_number, ANAPHORA)
        elif columns and tuple(columns[1].split()) != COLUMNS:
            message = f"the columns are {shown(columns[1])}; expected {' '.join(COLUMNS)}"
            self.problems.error(self.path, line_number, message)
        match = FIELDS.match(line)
        if not match:
            return False
        header = match[1].strip()
        fields = Fields.of(header)
        if fields is None:
            expected = "expected names such as eid-etype-head-other, none of them twice, one of them eid"
            self.problems.error(self.path, line_number, f"the fields of Entity are {shown(header)}; {expected}")
        elif draft.cells and self.fields is not None and fields != self.fields:
            message = f"the fields of Entity were {shown(self.header)}; other ones can only begin with a document"
            self.problems.error(self.path, line_number, message)
        else:
            self.fields, self.header = fields, header
            draft.brackets.fields, draft.fields = fields, header
        return True

    def _range_end(self, match: re.Match[str], covered: int, line_number: int) -> int:
        """Return the last word of a multiword token, whose words must follow the previous ones."""
        first, last = int(match[1]), int(match[2])
        if not covered < first <= last:
            expected = "expected the numbers of the first and last of the words that follow, such as 3-4"
            self.problems.error(self.path, line_number, f"the ID is {shown(match[0])}; {expected}")
        return max(last, covered)

    def _order(self, cells: list[str], last: tuple[int, int], line_number: int) -> tuple[int, int] | None:
        """Return the numbers in the ID of a row, which must increase; None after an error."""
        if len(cells) == len(COLUMNS) and cells[1] and cells[0] == str(last[0] + 1):
            return last[0] + 1, 0
        if len(cells) != len(COLUMNS):
            message = f"the row has {len(cells)} columns"
            self.problems.error(self.path, line_number, f"{message}; expected {len(COLUMNS)}, separated by tabs")
            return None
        node_id = _ID.fullmatch(cells[0])
        order = (int(node_id[1]), int(node_id[2] or 0)) if node_id else (0, 0)
        if order <= last or (order[1] and order[0] != last[0]) or not cells[1]:
            expected = "expected a number above that of the row before, such as 8, or 8.1 for an empty node, and a form"
            self.problems.error(self.path, line_number, f"the ID is {shown(cells[0])}; {expected}")
            return None
        return order

    def _add_row(self, draft: _Draft, cells: list[str], line_number: int, *, begins: bool) -> None:
        row = draft.add(cells, line_number, begins=begins)
        misc = cells[-1]
        if ENTITY not in misc:
            return
        parts = misc.split("|")
        entities = [part for part in parts if part.startswith(ENTITY)]
        if entities:
            cells[-1] = "|".join([part for part in parts if not part.startswith(ENTITY)]) or EMPTY_CELL
            if len(entities) > 1:
                self.problems.repair(self.path, line_number, "MISC has Entity more than once; the last one counts")
            value = entities[-1].removeprefix(ENTITY)
            draft.brackets.read(value, BracketPlace(row, len(draft.segments), line_number))

    def annotate(self, document: Document, draft: _Draft, layout: RowPlaces) -> None:
        """Add the mentions in brackets, and their chains."""
        if draft.fields:
            document.metadata[GLOBAL_ENTITY] = draft.fields
        bracketed = draft.brackets.mentions()
        surfaces = Surfaces(layout.text)
        chains: dict[str, list[str]] = {}
        for position, mention in enumerate(bracketed, 1):
            spans = layout.spans(mention.rows)
            attributes = {ROWS: written(mention.rows), HEAD: str(mention.head)}
            attributes |= {name: value for name, value in mention.values.items() if name not in (ETYPE, HEAD)}
            etype = mention.values.get(ETYPE)
            labels = (etype,) if etype else ()
            document.mentions.append(Mention(f"m{position}", spans, labels, surfaces.at(spans), attributes=attributes))
            chains.setdefault(mention.entity, []).append(f"m{position}")
        document.chains = [Chain(entity, tuple(members)) for entity, members in chains.items()]
        self._note_shared(document, bracketed)

    def _note_shared(self, document: Document, bracketed: list[Bracketed]) -> None:
        """Report entities that also occur in earlier documents, and record their order."""
        shared = [chain.id for chain in document.chains if chain.id in self.seen]
        if shared:
            begun = {entity: order for order, entity in enumerate(self.seen)}
            document.metadata[EARLIER] = "|".join(sorted(shared, key=begun.__getitem__))
            more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
            earlier_document = shown(self.seen[shared[0]])
            line = next(mention.opened.line for mention in bracketed if mention.entity == shared[0])
            message = f"entity {shown(shared[0])}{more} is in document {earlier_document} too; read as another entity"
            self.problems.repair(self.path, line, message)
        for chain in document.chains:
            self.seen.setdefault(chain.id, document.id)
