"""Reading Universal Anaphora: rows, comments and markables become documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from karat.annotations.faults import shown
from karat.formats._near_names import NearNames
from karat.formats._surfaces import Surfaces
from karat.formats.base import Problems
from karat.formats.conll.layout import HEADER, IDENTITY, document_marker
from karat.formats.corefud.brackets import ROWS
from karat.formats.corefud.read import BOM
from karat.formats.corefud.rows import COLUMNS, EMPTY_CELL, lay_out, written
from karat.formats.corefud.tables import ConlluDraft, DocumentIds
from karat.formats.universal_anaphora.cells import ENTITY_ID, MARKABLE_ID, CellPlace, Markable, Markables, brackets
from karat.model import Argument, Chain, Document, Mention, Relation, TokenTable
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


@dataclass(frozen=True)
class AnaphoraFileOptions:
    """Which column holds the chains."""

    column: Literal["identity", "discourse-deixis"] = choice(
        ("identity", "discourse-deixis"),
        "the column whose markables are read: those of identity, or those of discourse deixis",
    )

    @property
    def name(self) -> str:
        """The name of that column in a header."""
        return self.column.upper().replace("-", "_")


def read_lines(
    source: Iterable[str], path: str, problems: Problems, options: AnaphoraFileOptions
) -> Iterator[Document]:
    """Yield the documents in the lines of a file."""
    return _Reader(path, problems, options).documents(source)


@dataclass
class _Draft(ConlluDraft):
    """The rows of a document with their markables."""

    markables: Markables = field(kw_only=True)


class _Reader:
    """Reads one file document by document."""

    def __init__(self, path: str, problems: Problems, options: AnaphoraFileOptions) -> None:
        self.path, self.problems, self.marked = path, problems, options.name
        self.columns: tuple[str, ...] = ALL_COLUMNS
        self.ids = DocumentIds(path, problems)

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
                yield from self._finished(draft, line_number)
                before = [] if draft.begun else draft.comments
                draft, gap = self._draft(name, begun=True), True
                draft.comments += before
            elif header := HEADER.match(content):
                self._take_columns(draft, tuple(header[1].split()), line_number)
            else:
                draft.comments.append((len(draft.cells), content))
        yield from self._finished(draft, line_number)

    def _draft(self, name: str = "", *, begun: bool = False) -> _Draft:
        return _Draft(self.columns, name, begun, markables=Markables(self.path, self.problems))

    def _take_columns(self, draft: _Draft, names: tuple[str, ...], line_number: int) -> None:
        """Heed the names of columns; they hold from the next document on, or for one without rows."""
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

    def _finished(self, draft: _Draft, line_number: int) -> Iterator[Document]:
        """Yield the document, if it is one."""
        name = self.ids.take(draft, line_number) if draft.begun else None
        if name is None:
            return
        table = draft.table(DIALECT, without=[self.marked])
        document = Document(name, table=table, source=self.path)
        with self.problems.catching(self.path, draft.numbers[0] if draft.numbers else None):
            self._annotate(document, table, draft)
            yield document

    def _annotate(self, document: Document, table: TokenTable, draft: _Draft) -> None:
        layout = lay_out(table)
        document.text, table.starts = layout.text, layout.starts
        surfaces = Surfaces(layout.text)
        markables = draft.markables.closed()
        entities = {markable.entity for markable in markables}
        names = {markable.id: _unlike(markable.id, entities) for markable in markables}
        chains: dict[str, list[str]] = {}
        for markable in markables:
            spans = layout.spans(tuple(markable.parts))
            labels, attributes = _told(markable)
            mention = Mention(names[markable.id], spans, labels, surfaces.at(spans), attributes=attributes)
            document.mentions.append(mention)
            if not mention.labels:
                chains.setdefault(markable.entity, []).append(mention.id)
        document.chains = [Chain(entity, tuple(members)) for entity, members in chains.items()]
        if self.marked == IDENTITY and BRIDGING in table.columns:
            document.relations = list(self._bridging(table, draft.numbers, names))

    def _bridging(self, table: TokenTable, numbers: list[int], names: dict[str, str]) -> Iterator[Relation]:
        """Yield the pairs of an anaphor and its anchor."""
        count = 0
        for row, cell in enumerate(table.columns[BRIDGING]):
            if cell == EMPTY_CELL:
                continue
            place = CellPlace(row, is_zero=False, line=numbers[row])
            for values in brackets(cell, self.path, place, self.problems):
                ends = [names.get(values.pop(end, "")) for end in (MARKABLE_ID, "MentionAnchor")]
                if ends[0] is None or ends[1] is None:
                    message = f"{shown(cell)} does not name two markables of the document; left out"
                    self.problems.repair(self.path, place.line, message)
                    continue
                count += 1
                arguments = Argument("anaphor", ends[0]), Argument("anchor", ends[1])
                yield Relation(f"bridging({count})", "bridging", arguments, attributes=values)


def _unlike(name: str, entities: set[str]) -> str:
    """Return the id of a mention, which must not be that of an entity; brackets are in no name."""
    return f"({name})" if name in entities else name


def _told(markable: Markable) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the labels and the attributes of a mention; one that refers to nothing is in no chain."""
    attributes = {ROWS: written(tuple(markable.parts)), **markable.values}
    if not markable.entity.endswith(PSEUDO):
        return (), attributes
    return (NON_REFERRING,), {**attributes, ENTITY_ID: markable.entity}
