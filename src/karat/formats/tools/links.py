"""Entity linkers, one document per line, or recorded CSV files: GENRE, ReFinED and spaCy EntityLinker.

GENRE regenerates the text with ``{ mention } [ title ]`` in it. The mark-up says where a mention stands: the text
without it is the text that was read, up to blanks. The published conversion stops at the first mark-up of a record that
has no blank behind it, such as one before a full stop, and so loses two of five links.

A span of ReFinED is ``['mention', Entity(wikidata_entity_id=Q1, wikipedia_entity_title=T), 'TYPE' or None]``; an entity
may be ``Entity not linked to a knowledge base``, or ``None`` for a number or a date. The published conversion stops at
the first span of a record that has a type, no entity, a mention with an apostrophe or a title with a bracket, and so
loses up to six of seven spans. ``conversion=published`` does the same as either.

An entity of spaCy EntityLinker (spacy_entity_linker) is ``{'indentifier': 48719890, 'label': 'Takeoff', 'description':
…}``; later results have a ``mention`` too. Where there is none, the results do not say which words are linked: the
title stands for them, and that is reported. So it is in CSV files with a row for each ``entity``, its title, and its
``qid``, a number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.annotations.location import SpanMap, align_words
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import IDS, TEXTS, ToolOptions, ToolReader, column_among, conversion, has_keys
from karat.formats.tools.draft import NIL, Origin, ToolDraft
from karat.formats.tools.recorded import PrintedDocuments
from karat.formats.typed_tables import Cell, TypedTable, read_table
from karat.io import lines
from karat.model import Document, Link, Span
from karat.settings import option

_QID = re.compile(r"Q[0-9]{1,18}")


def titles() -> Any:
    """Declare the option for the file of titles."""
    what = "a file of titles and identifiers with a tab between them; unless given, links are titles"
    return option("", what, metavar="FILE")


class Titles:
    """Identifiers by title of a Wikipedia page, from a file, since Karat never uses the network.

    The file has two columns separated by a tab: title, identifier. Without a file the title itself is the target of a
    link. A title on several lines has the largest number; one on no line is looked up in title case, and otherwise has
    no identifier.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._targets: dict[str, str] = {}
        for line_number, line in enumerate(lines(path) if path else (), start=1):
            title, tab, target = line.removeprefix("\ufeff").partition("\t")
            if not line.strip():
                continue
            if not tab or not _QID.fullmatch(target.strip()):
                message = f"{line[:40]!r} is no title with an identifier; expected TITLE, a tab and Q…"
                raise InputError(message, path=path, line=line_number)
            known = self._targets.get(title)
            if known is None or int(known[1:]) < int(target.strip()[1:]):
                self._targets[title] = target.strip()

    def links(self, title: str) -> tuple[Link, ...]:
        """Return the link for a title, or an empty tuple if it has no identifier.

        >>> Titles("").links("El Salvador")
        (Link(target='El Salvador', score=None),)
        """
        if not title:
            return ()
        if not self.path:
            return (Link(title),)
        target = self._targets.get(title) or self._targets.get(title.title())
        return (Link(target),) if target else ()


_MARKED = re.compile(r"\{([^{}]*)\}\s{0,20}\[([^\[\]]*)\]")


@dataclass(frozen=True)
class GenreOptions(ToolOptions):
    """Options for the output of GENRE."""

    titles: str = titles()
    conversion: str = conversion("links")


class TitledMention(NamedTuple):
    """A mention in the text without mark-up, and its linked title."""

    span: Span
    title: str
    published: bool = True
    """Whether the published conversion can read it."""


def parse_output(output: str) -> tuple[str, list[TitledMention]]:
    """Return the text without mark-up, and its mentions.

    >>> parse_output("RAN OUT OF { FUEL } [ El Salvador ] ON FERRY")
    ('RAN OUT OF FUEL ON FERRY', [TitledMention(span=(11, 15), title='El Salvador', published=True)])
    """
    parts: list[str] = []
    marked: list[TitledMention] = []
    offset = size = 0
    for match in _MARKED.finditer(output):
        mention, title = match[1].strip(), match[2].strip()
        between = output[offset : match.start()]
        parts += [between, mention]
        size += len(between)
        if mention:
            marked.append(TitledMention((size, size + len(mention)), title, output.startswith(" ", match.end())))
        size += len(mention)
        offset = match.end()
    parts.append(output[offset:])
    return "".join(parts), marked


class _Genre(PrintedDocuments):
    """Builds documents from texts with mark-up."""

    def __init__(self, options: GenreOptions) -> None:
        super().__init__(options)
        self.titles = Titles(options.titles)

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document for printed output."""
        regenerated, marked = parse_output(printed)
        if any(bracket in regenerated for bracket in "{}"):
            origin.repair(f"document {shown(name)}: there is mark-up that is not closed; it is read as text")
        kept = self.kept(marked, "links", name, origin)
        known = self.records.text(name, text)
        draft = ToolDraft(name, regenerated if known is None else known, origin)
        places = None if known is None else _moved(regenerated, known)
        for mention in kept:
            phrase = regenerated[slice(*mention.span)]
            links = self.titles.links(mention.title)
            if not links:
                draft.repair(f"the title {shown(mention.title)} has no identifier in {self.titles.path}")
            span = mention.span if places is None else places.of(mention.span)
            if span is None:
                draft.repair(f"{shown(phrase)} is hallucinated: it does not stand there")
            draft.at(span, given=phrase, links=links, attributes={"title": mention.title})
        return draft.document()


def _moved(regenerated: str, text: str) -> SpanMap:
    """Return a map from spans of the regenerated text to the text of a record, aligned word by word."""
    runs = [match.span() for match in re.finditer(r"\w+|[^\w\s]", regenerated)]
    return SpanMap(zip(runs, align_words([regenerated[slice(*run)] for run in runs], text), strict=True))


def _is_marked(head: str) -> bool:
    """Tell whether the first line has an output with mark-up."""
    return has_keys(head, "output") and _MARKED.search(head.partition("\n")[0]) is not None


GENRE = ToolReader(_Genre, GenreOptions, _is_marked)


_SPAN = re.compile(
    r"""\[(?P<mention>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\s
    (?:(?P<none>None|Entity\ not\ linked\ to\ a\ knowledge\ base)|Entity\((?P<entity>[^\n]*?)\)),\s
    (?P<type>None|'[^']*')\]""",
    re.VERBOSE,
)
_ID = re.compile(r"wikidata_entity_id=(Q[0-9]+)")
_TITLE = re.compile(r"wikipedia_entity_title=(.*)")
_EXPECTED_SPAN = "expected ['MENTION', Entity(…) or None, 'TYPE' or None]"


@dataclass(frozen=True)
class RefinedOptions(ToolOptions):
    """Options for the output of ReFinED."""

    conversion: str = conversion("spans")


class RefinedSpan(NamedTuple):
    """A span of ReFinED with empty missing fields. Numbers and dates have no target, others a target or NIL."""

    mention: str
    target: str
    title: str
    label: str
    published: bool
    """Whether the published conversion can read it: without a type, an apostrophe, or a bracket in the title."""


def parse_spans(text: str) -> list[RefinedSpan]:
    """Return the spans of a document.

    >>> [span[:4] for span in parse_spans("[['FUEL', Entity(wikidata_entity_id=Q42501), 'ORG']]")]
    [('FUEL', 'Q42501', '', 'ORG')]
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        raise InputError(f"the spans {shown(text)} are no list; {_EXPECTED_SPAN}")
    spans: list[RefinedSpan] = []
    offset, end = 1, len(text) - 1
    while offset < end:
        match = _SPAN.match(text, offset, end)
        if match is None:
            raise InputError(f"the span {shown(text[offset:end])} cannot be read; {_EXPECTED_SPAN}")
        spans.append(_linked(match))
        offset = match.end() + (2 if text.startswith(", ", match.end()) else 0)
    return spans


def _linked(match: re.Match[str]) -> RefinedSpan:
    entity = match["entity"] or ""
    target = NIL if (match["none"] or "").startswith("Entity") else ""
    identifier, title = _ID.search(entity), _TITLE.search(entity)
    label = "" if match["type"] == "None" else match["type"][1:-1]
    try:
        mention = str(ast.literal_eval(match["mention"]))  # one text: the pattern lets nothing else through
    except (SyntaxError, ValueError) as error:
        raise InputError(f"the mention {shown(match['mention'])} is no text; {_EXPECTED_SPAN}") from error
    plain = match["mention"].startswith("'") and "\\" not in match["mention"] and ")" not in entity
    published = plain and not label and match["none"] != "None"
    return RefinedSpan(mention, identifier[1] if identifier else target, title[1] if title else "", label, published)


class _Refined(PrintedDocuments):
    """Builds documents from printed spans."""

    def add(self, draft: ToolDraft, printed: str) -> None:
        """Add the spans to a document."""
        for span in self.kept(parse_spans(printed), "spans", draft.name, draft.origin):
            attributes = {"title": span.title} if span.title else {}
            labels = (span.label,) if span.label else ()
            draft.named(span.mention, labels, links=(Link(span.target),) if span.target else (), attributes=attributes)


REFINED = ToolReader(_Refined, RefinedOptions)


_PAIR = re.compile(
    r"""\s*+'(?P<key>\w{1,40})':\s*+
    (?:(?P<number>[0-9]{1,18})|(?P<none>None)|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<bare>[^,}]*+))
    \s*+(?P<end>[,}])""",
    re.VERBOSE,
)
_IDENTIFIERS = ("identifier", "indentifier", "id", "qid")
_EXPECTED_ENTITY = "expected [{'identifier': NUMBER, 'label': TITLE, 'description': TEXT}, …]"

LinkedEntity = dict[str, str]


def parse_entities(text: str) -> list[LinkedEntity]:
    """Return the entities of a printed list as dictionaries; fields with ``None`` are left out.

    >>> parse_entities("[{'indentifier': 7950776, 'label': 'WING', 'description': None}]")
    [{'indentifier': '7950776', 'label': 'WING'}]
    """
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        raise InputError(f"the entities {shown(text)} are no list; {_EXPECTED_ENTITY}")
    entities: list[LinkedEntity] = []
    offset, end = 1, len(text) - 1
    while offset < end and text[offset:end].strip():
        if text[offset] != "{":
            raise InputError(f"the entity {shown(text[offset:end])} cannot be read; {_EXPECTED_ENTITY}")
        entity, offset = _entity(text, offset + 1, end)
        entities.append(entity)
        offset += 2 if text.startswith(", ", offset) else 0
    return entities


def _entity(text: str, offset: int, end: int) -> tuple[LinkedEntity, int]:
    """Return the entity whose first key is at an offset, and the offset after it."""
    entity: LinkedEntity = {}
    while True:
        match = _PAIR.match(text, offset, end)
        if match is None:
            raise InputError(f"the entity {shown(text[offset:end])} cannot be read; {_EXPECTED_ENTITY}")
        offset = match.end()
        value = match["number"] or match["bare"]
        if match["text"] is not None:
            try:
                value = str(ast.literal_eval(match["text"]))  # one text: the pattern lets nothing else through
            except (SyntaxError, ValueError) as error:
                raise InputError(f"{shown(match['text'])} is no text; {_EXPECTED_ENTITY}") from error
        if value:
            entity[match["key"]] = value.strip()
        if match["end"] == "}":
            return entity, offset


class _SpacyLinker(PrintedDocuments):
    """Builds documents from printed entities."""

    said_once = False

    def add(self, draft: ToolDraft, printed: str) -> None:
        """Add the entities to a document."""
        for entity in parse_entities(printed):
            links = _wikidata_links(next((entity[key] for key in _IDENTIFIERS if key in entity), ""))
            title = entity.get("label", "")
            if "mention" in entity:
                draft.named(entity["mention"], links=links, attributes={"title": title})
            else:
                self._titled(draft, title, links)

    def titled_rows(self, table: TypedTable, problems: Problems) -> Iterator[Document]:
        """Yield the documents of a table with a row for each title and its number."""
        titles, qids, texts = (table.column(name) for name in ("entity", "qid", column_among(table, TEXTS)))
        for name, rows in recorded.by_document(table, IDS, problems):
            text, origin = texts[rows[0]], Origin(table.path, table.places[rows[0]], problems)
            draft = ToolDraft(name, self.records.text(name, None if text is None else str(text)), origin)
            for row in rows:
                title, wikidata = _text(titles[row]), _text(qids[row])
                if title or wikidata:
                    self._titled(draft, title, _wikidata_links(wikidata))
            yield draft.document()

    def _titled(self, draft: ToolDraft, title: str, links: tuple[Link, ...]) -> None:
        """Add a link whose words are unknown, which is reported once."""
        draft.at(None, given=title, links=links, attributes={"title": title, "phrase": "unknown"})
        if not self.said_once:
            self.said_once = True
            message = "the results do not say which words are linked"
            draft.origin.repair(f"{message}; the titles stand for them, without places")


def _text(cell: Cell) -> str:
    """Return the text of a cell; integers in a column with empty cells were read as floats."""
    whole = int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    return "" if whole is None else str(whole)


def _wikidata_links(wikidata: str) -> tuple[Link, ...]:
    return (Link(wikidata if wikidata.startswith("Q") else f"Q{wikidata}"),) if wikidata else ()


def _spacy_rows(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of a recorded CSV file: rows of titles, or of mentions as in the format omin."""
    table = read_table(path)
    if "entity" in table and "qid" in table:
        return _SpacyLinker(options).titled_rows(table, problems)
    return recorded.entities(path, problems, options)


SPACY_LINKER = ToolReader(_SpacyLinker, recorded=_spacy_rows)
