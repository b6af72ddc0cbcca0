"""Reading CorefUD: rows, comments and brackets become documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from karat.annotations.faults import shown
from karat.formats._surfaces import Surfaces
from karat.formats.base import Problems
from karat.formats.conll.layout import ANAPHORA, HEADER, document_marker, is_anaphora
from karat.formats.corefud.brackets import ETYPE, HEAD, ROWS, Bracketed, BracketPlace, Brackets, Fields
from karat.formats.corefud.rows import COLUMNS, DIALECT, EMPTY_CELL, ID, RANGE, lay_out, written
from karat.formats.corefud.tables import ConlluDraft, DocumentIds
from karat.model import Chain, Document, Mention, TokenTable

GLOBAL_ENTITY = "global.Entity"
FIELDS = re.compile(r"#\s*global\.Entity\s*=(.*)")
ENTITY = "Entity="
EARLIER = "earlier_entities"
"""The metadata of a document whose entities are in earlier documents, too: which of them, in their order, between
bars. To the published scorer they begin there."""
BOM = "\ufeff"


def read_lines(source: Iterable[str], path: str, problems: Problems) -> Iterator[Document]:
    """Yield the documents in the lines of a file."""
    return _Reader(path, problems).documents(source)


@dataclass
class _Draft(ConlluDraft):
    """The rows of a document with their brackets, and what the fields of these are."""

    brackets: Brackets = field(kw_only=True)
    fields: str = field(kw_only=True)

    def keep(self, pending: list[str]) -> None:
        """Keep comments before the row that comes next."""
        if pending:
            self.comments += [(len(self.cells), comment) for comment in pending]
            pending.clear()


class _Reader:
    """Reads one file document by document."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path, self.problems = path, problems
        self.fields: Fields | None = None
        self.header = ""
        self.seen: dict[str, str] = {}
        self.ids = DocumentIds(path, problems)

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
                    yield from self._finished(draft, line_number)
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
        yield from self._finished(draft, line_number)

    def _draft(self, name: str = "", *, begun: bool = False) -> _Draft:
        brackets = Brackets(self.path, self.problems)
        brackets.fields = self.fields
        return _Draft(COLUMNS, name, begun, brackets=brackets, fields=self.header)

    def _is_header(self, line: str, line_number: int, draft: _Draft) -> bool:
        """Say whether a comment names the fields of brackets, and heed it."""
        columns = HEADER.match(line)
        if columns and is_anaphora(columns[1]):
            self.problems.error(self.path, line_number, ANAPHORA)
        elif columns and tuple(columns[1].split()) != COLUMNS:
            self.problems.error(
                self.path, line_number, f"the columns are {shown(columns[1])}; expected {' '.join(COLUMNS)}"
            )
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
        """Return the last word of a multiword token; its words must follow those that came before."""
        first, last = int(match[1]), int(match[2])
        if not covered < first <= last:
            expected = "expected the numbers of the first and last of the words that follow, such as 3-4"
            self.problems.error(self.path, line_number, f"the ID is {shown(match[0])}; {expected}")
        return max(last, covered)

    def _order(self, cells: list[str], last: tuple[int, int], line_number: int) -> tuple[int, int] | None:
        """Return the numbers in the ID of a row, which must go up; None after an error."""
        if len(cells) == len(COLUMNS) and cells[1] and cells[0] == str(last[0] + 1):
            return last[0] + 1, 0
        if len(cells) != len(COLUMNS):
            message = f"the row has {len(cells)} columns"
            self.problems.error(self.path, line_number, f"{message}; expected {len(COLUMNS)}, separated by tabs")
            return None
        found_id = ID.fullmatch(cells[0])
        order = (int(found_id[1]), int(found_id[2] or 0)) if found_id else (0, 0)
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

    def _finished(self, draft: _Draft, line_number: int) -> Iterator[Document]:
        """Yield the document, if it is one."""
        name = self.ids.take(draft, line_number) if draft.begun else None
        if name is None:
            return
        table = draft.table(DIALECT)
        document = Document(name, table=table, source=self.path)
        if draft.fields:
            document.metadata[GLOBAL_ENTITY] = draft.fields
        with self.problems.catching(self.path, draft.numbers[0] if draft.numbers else None):
            self._add_mentions(document, table, draft.brackets.mentions())
            yield document

    def _add_mentions(self, document: Document, table: TokenTable, bracketed: list[Bracketed]) -> None:
        layout = lay_out(table)
        document.text, table.starts = layout.text, layout.starts
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
        """Report entities that earlier documents have too, and note their order: an entity belongs to one document."""
        shared = [chain.id for chain in document.chains if chain.id in self.seen]
        if shared:
            begun = {entity: order for order, entity in enumerate(self.seen)}
            document.metadata[EARLIER] = "|".join(sorted(shared, key=begun.__getitem__))
            others = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
            before = shown(self.seen[shared[0]])
            line = next(mention.opened.line for mention in bracketed if mention.entity == shared[0])
            message = f"entity {shown(shared[0])}{others} is in document {before} too; read as another entity"
            self.problems.repair(self.path, line, message)
        for chain in document.chains:
            self.seen.setdefault(chain.id, document.id)
