"""spaCy EntityLinker (spacy_entity_linker): linked entities as printed, one document a line, or recorded CSV files.

An entity is ``{'indentifier': 48719890, 'label': 'Takeoff', 'description': …}``; later results have a ``mention`` too.
Where there is none, the results do not say which words are linked: the title stands for them, and that is reported.
So it is in CSV files with a row for each ``entity``, its title, and its ``qid``, a number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import IDS, TEXTS, Records, ToolOptions, column_among
from karat.formats.tools.draft import Draft, Origin
from karat.formats.typed_tables import Cell, TypedTable, read_table
from karat.model import Document, Link

_PAIR = re.compile(
    r"""\s*+'(?P<key>\w{1,40})':\s*+
    (?:(?P<number>[0-9]{1,18})|(?P<none>None)|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<bare>[^,}]*+))
    \s*+(?P<end>[,}])""",
    re.VERBOSE,
)
_IDENTIFIERS = ("identifier", "indentifier", "id", "qid")
_EXPECTED = "expected [{'identifier': NUMBER, 'label': TITLE, 'description': TEXT}, …]"

Entity = dict[str, str]


def parse_entities(text: str) -> list[Entity]:
    """Return the entities of a printed list by what they say; what is ``None`` is left out.

    >>> parse_entities("[{'indentifier': 7950776, 'label': 'WING', 'description': None}]")
    [{'indentifier': '7950776', 'label': 'WING'}]
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        raise InputError(f"the entities {shown(text)} are no list; {_EXPECTED}")
    entities: list[Entity] = []
    offset, end = 1, len(text) - 1
    while offset < end and text[offset:end].strip():
        if text[offset] != "{":
            raise InputError(f"the entity {shown(text[offset:end])} cannot be read; {_EXPECTED}")
        entity, offset = _entity(text, offset + 1, end)
        entities.append(entity)
        offset += 2 if text.startswith(", ", offset) else 0
    return entities


def _entity(text: str, offset: int, end: int) -> tuple[Entity, int]:
    """Return the entity whose first key stands at an offset, and the offset behind it."""
    entity: Entity = {}
    while True:
        match = _PAIR.match(text, offset, end)
        if match is None:
            raise InputError(f"the entity {shown(text[offset:end])} cannot be read; {_EXPECTED}")
        offset = match.end()
        value = match["number"] or match["bare"]
        if match["text"] is not None:
            try:
                value = str(ast.literal_eval(match["text"]))  # one text: the pattern lets nothing else through
            except (SyntaxError, ValueError) as error:
                raise InputError(f"{shown(match['text'])} is no text; {_EXPECTED}") from error
        if value:
            entity[match["key"]] = value.strip()
        if match["end"] == "}":
            return entity, offset


class Builder:
    """Builds documents from printed entities."""

    def __init__(self, options: ToolOptions) -> None:
        self.records = Records(options.records)
        self._said = False

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document of what was printed."""
        draft = Draft(name, self.records.text(name, text), origin)
        for entity in parse_entities(printed):
            links = _links(next((entity[key] for key in _IDENTIFIERS if key in entity), ""))
            title = entity.get("label", "")
            if "mention" in entity:
                draft.named(entity["mention"], links=links, attributes={"title": title})
            else:
                self._titled(draft, title, links)
        return draft.document()

    def titled_rows(self, table: TypedTable, problems: Problems) -> Iterator[Document]:
        """Yield the documents of a table with a row for each title and its number."""
        titles, numbers, texts = (table.column(name) for name in ("entity", "qid", column_among(table, TEXTS)))
        for name, rows in recorded.by_document(table, IDS, problems):
            text, origin = texts[rows[0]], Origin(table.path, table.places[rows[0]], problems)
            draft = Draft(name, self.records.text(name, None if text is None else str(text)), origin)
            for row in rows:
                title, wikidata = _text(titles[row]), _text(numbers[row])
                if title or wikidata:
                    self._titled(draft, title, _links(wikidata))
            yield draft.document()

    def _titled(self, draft: Draft, title: str, links: tuple[Link, ...]) -> None:
        """Add a link without its words to a document; that this is so is reported once."""
        draft.at(None, given=title, links=links, attributes={"title": title, "phrase": "unknown"})
        if not self._said:
            self._said = True
            draft.origin.repair(
                "the results do not say which words are linked; the titles stand for them, without places"
            )


def _text(cell: Cell) -> str:
    """Return what a cell says; whole numbers in a column with gaps were read as fractions."""
    whole = int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    return "" if whole is None else str(whole)


def _links(wikidata: str) -> tuple[Link, ...]:
    return (Link(wikidata if wikidata.startswith("Q") else f"Q{wikidata}"),) if wikidata else ()


def recorded_rows(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of a recorded CSV file: rows of titles, or of mentions as the format omin has them."""
    table = read_table(path)
    if "entity" in table and "qid" in table:
        return Builder(options).titled_rows(table, problems)
    return recorded.entities(path, problems, options)
