"""Reads Universal Anaphora: builds documents from rows, comments, and markables in brackets.

A markable opens with its fields, ``(EntityID=1|MarkableID=m1|Min=2``, and closes with a bracket: ``)`` closes the last
one opened, ``m1)`` the markable of that name, so that markables may cross. One that opens again has a further part. On
an empty node a markable opens and closes at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from karat.annotations.faults import shown
from karat.formats.base import Problems
from karat.formats.conll.layout import HEADER, IDENTITY, document_marker
from karat.formats.parts.assembly import Surfaces
from karat.formats.parts.conllu import BOM, COLUMNS, EMPTY_CELL, ROWS, ConlluDraft, ConlluReader, RowPlaces, written
from karat.formats.parts.unread_names import NearNames
from karat.model import Argument, Chain, Document, Mention, Relation
from karat.settings import choice

DIALECT = "universal-anaphora"
BRIDGING = "BRIDGING"
LEADING = (*COLUMNS, IDENTITY)
"""The columns that every file has, in their order."""
ALL_COLUMNS = (*LEADING, BRIDGING, "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM")
NON_REFERRING = "non-referring"
"""The label of a markable that refers to nothing."""
PSEUDO = "-Pseudo"
"""How the entity of a markable ends that refers to nothing."""
ENTITY_ID, MARKABLE_ID = "EntityID", "MarkableID"
_ITEM = re.compile(r"\([^()]*\)?|[^()@]*\)|@")
_BRACKET = re.compile(r"\(([^()]*)\)?")


@dataclass(frozen=True)
class AnaphoraFileOptions:
    """Which column has the chains."""

    column: Literal["identity", "discourse-deixis"] = choice(
        ("identity", "discourse-deixis"),
        "the column whose markables are read: those of identity, or those of discourse deixis",
    )

    @property
    def name(self) -> str:
        """The name of the identity column in a header."""
        return self.column.upper().replace("-", "_")


class CellPlace(NamedTuple):
    """The location of a cell: its row in the table, whether that is an empty node, and its line in the file."""

    row: int
    is_zero: bool
    line: int


@dataclass(slots=True)
class Markable:
    """A markable with the first and last rows of its parts; ``first_row`` is that of an open part."""

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
        """Process a cell with brackets."""
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
        """Return the markables of the document in the order in which they open; one that is still open is an error."""
        for markable in self.open.values():
            self._error(markable.place, f"markable {shown(markable.id)} is never closed; close it with ')'")
        return [markable for markable in self.begun.values() if markable.id not in self.open]

    def _open(self, item: str, place: CellPlace) -> None:
        closes = item.endswith(")")
        values = _fields(item.removesuffix(")"), self.path, place, self.problems)
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
        """Return a markable that begins, or continues with a further part; None after an error."""
        known = self.begun.setdefault(markable.id, markable)
        if known is markable:
            return markable
        name, earlier = shown(markable.id), f"on line {known.place.line}"
        if markable.id in self.open:
            self._error(markable.place, f"markable {name} is opened again before it is closed; it was opened {earlier}")
        elif markable.place.is_zero or known.place.is_zero:
            self._error(markable.place, f"markable {name} has a part already, {earlier}; a zero has one part")
        elif markable.entity != known.entity:
            fault = f"is of entity {shown(markable.entity)} here and of {shown(known.entity)} {earlier}"
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

    def _error(self, place: CellPlace, message: str) -> None:
        self.problems.error(self.path, place.line, message)


def brackets(cell: str, path: str, place: CellPlace, problems: Problems) -> Iterator[dict[str, str]]:
    """Yield the fields of each bracket of a cell that marks no words, such as one of the column BRIDGING."""
    items = _BRACKET.findall(cell)
    if not items:
        problems.repair(path, place.line, f"the cell {shown(cell)} has no bracket; left out")
    for item in items:
        yield _fields(item.removesuffix("@"), path, place, problems)


def _fields(item: str, path: str, place: CellPlace, problems: Problems) -> dict[str, str]:
    """Return values by name; the last value of a repeated name counts."""
    values: dict[str, str] = {}
    for part in item.split("|"):
        name, equals, value = part.partition("=")
        if equals and name:
            values[name] = value
        else:
            problems.repair(path, place.line, f"{shown(part)} is no field such as Min=2; left out")
    return values


def read_lines(
    source: Iterable[str], path: str, problems: Problems, options: AnaphoraFileOptions
) -> Iterator[Document]:
    """Yield the documents in the lines of a file."""
    return _Reader(path, problems, options).documents(source)


@dataclass
class _Draft(ConlluDraft):
    """The rows of a document with their markables."""

    markables: Markables = field(kw_only=True)


class _Reader(ConlluReader["_Draft"]):
    """Reads one file document by document."""

    def __init__(self, path: str, problems: Problems, options: AnaphoraFileOptions) -> None:
        super().__init__(path, problems, DIALECT)
        self.marked = options.name
        self.columns: tuple[str, ...] = ALL_COLUMNS

    def documents(self, source: Iterable[str]) -> Iterator[Document]:
        """Yield the documents as they end."""
        draft = self._draft()
        gap = True
        line_number = 0
        for line_number, line in enumerate(source, 1):
            content = line.removeprefix(BOM) if line_number == 1 else line
            if not content or content.isspace():
                gap = True
            elif content[0] != "#":
                gap = not self._add_row(draft, content.split(), line_number, begins=gap) and gap
            elif (name := document_marker(content)) is not None:
                yield from self.finished(draft, line_number, [self.marked])
                comments_ahead = [] if draft.begun else draft.comments
                draft, gap = self._draft(name, begun=True), True
                draft.comments += comments_ahead
            elif header := HEADER.match(content):
                self._take_columns(draft, tuple(header[1].split()), line_number)
            else:
                draft.comments.append((len(draft.cells), content))
        yield from self.finished(draft, line_number, [self.marked])

    def _draft(self, name: str = "", *, begun: bool = False) -> _Draft:
        return _Draft(self.columns, name, begun, markables=Markables(self.path, self.problems))

    def _take_columns(self, draft: _Draft, names: tuple[str, ...], line_number: int) -> None:
        """Apply the names of columns, from the next document on, or now if the document has no rows."""
        wrong = ""
        if names[: len(LEADING)] != LEADING or len(set(names)) < len(names):
            wrong = f"expected {' '.join(LEADING)}, and others behind them"
        elif self.marked not in names:
            wrong = f"there is no column {self.marked}"
        elif draft.cells and names != draft.columns:
            wrong = "other ones can only begin with a document"
        if wrong:
            self.problems.error(self.path, line_number, f"the columns are {shown(' '.join(names))}; {wrong}")
            return
        if names != self.columns:
            near = NearNames(ALL_COLUMNS)
            near.look(names)
            near.report(self.path, self.problems, "column")
        self.columns = draft.columns = names

    def _add_row(self, draft: _Draft, cells: list[str], line_number: int, *, begins: bool) -> bool:
        """Add a row whose last cells may be missing; False after an error."""
        marked = draft.columns.index(self.marked)
        if not len(LEADING) <= len(cells) <= len(draft.columns):
            expected = f"expected {len(draft.columns)}, without blanks in them; those behind {IDENTITY} may be missing"
            self.problems.error(self.path, line_number, f"the row has {len(cells)} columns; {expected}")
            return False
        cells += [EMPTY_CELL] * (len(draft.columns) - len(cells))
        row = draft.add(cells, line_number, begins=begins)
        if cells[marked] != EMPTY_CELL:
            draft.markables.read(cells[marked], CellPlace(row, "." in cells[0], line_number))
        return True

    def annotate(self, document: Document, draft: _Draft, layout: RowPlaces) -> None:
        """Add the markables, their chains, and the bridging relations between them."""
        surfaces = Surfaces(layout.text)
        markables = draft.markables.closed()
        entities = {markable.entity for markable in markables}
        names = {markable.id: markable.id for markable in markables}
        names |= {name: f"({name})" for name in entities if name in names}  # a mention has no id of an entity
        chains: dict[str, list[str]] = {}
        for markable in markables:
            name, spans = names[markable.id], layout.spans(tuple(markable.parts))
            labels: tuple[str, ...] = ()
            attributes = {ROWS: written(tuple(markable.parts)), **markable.values}
            if markable.entity.endswith(PSEUDO):
                labels = (NON_REFERRING,)
                attributes[ENTITY_ID] = markable.entity
            else:
                chains.setdefault(markable.entity, []).append(name)
            document.mentions.append(Mention(name, spans, labels, surfaces.at(spans), attributes=attributes))
        document.chains = [Chain(entity, tuple(members)) for entity, members in chains.items()]
        if self.marked == IDENTITY and BRIDGING in draft.columns:
            document.relations = list(self._bridging(draft, names))

    def _bridging(self, draft: _Draft, names: dict[str, str]) -> Iterator[Relation]:
        """Yield the pairs of an anaphor and its anchor."""
        count, column = 0, draft.columns.index(BRIDGING)
        for row, cells in enumerate(draft.cells):
            cell = cells[column]
            if cell == EMPTY_CELL:
                continue
            place = CellPlace(row, is_zero=False, line=draft.numbers[row])
            for values in brackets(cell, self.path, place, self.problems):
                ends = [names.get(values.pop(end, "")) for end in (MARKABLE_ID, "MentionAnchor")]
                if ends[0] is None or ends[1] is None:
                    message = f"{shown(cell)} does not name two markables of the document; left out"
                    self.problems.repair(self.path, place.line, message)
                    continue
                count += 1
                arguments = Argument("anaphor", ends[0]), Argument("anchor", ends[1])
                yield Relation(f"bridging({count})", "bridging", arguments, attributes=values)
