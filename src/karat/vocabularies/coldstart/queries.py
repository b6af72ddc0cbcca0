"""Queries and their files: entry points into a knowledge base, and the slots to fill from there, hop by hop.

The files look like XML but were never parsed as XML: a query is the text from ``<query`` to ``</query>``, its fields
are the shortest pairs of an opening and a closing tag, and entities are not decoded. So nothing in a file can expand or
refer elsewhere, and reading takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from karat.vocabularies.coldstart import table
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, ProvenanceTriple, check_triple, normal, triples
from karat.vocabularies.coldstart.query_ids import IdRules, QueryId, entry_point_digits, follow_up_digits
from karat.vocabularies.coldstart.schema import standard_schema
from karat.vocabularies.coldstart.text import BLANKS
from karat.vocabularies.coldstart.text_files import text_of

_HEADER = re.compile(rf'<query[{BLANKS}]+id="')
_SHOWN = 25
_POINT_FIELDS = {"NAME": "name", "DOCID": "docid", "BEG": "start", "END": "end", "OFFSET": "offset"}
_ENTITIES = {'"': "&quot;", "&": "&amp;", "'": "&apos;", "<": "&lt;", ">": "&gt;"}
_CHARACTERS = {entity: character for character, entity in _ENTITIES.items()}
_ENTITY = re.compile(r"&[a-z]+;")


@dataclass(slots=True, frozen=True)
class EntryPoint:
    """A mention of the entity that a query asks about; fields are kept as written, None if absent."""

    name: str | None = None
    docid: str | None = None
    start: str | None = None
    end: str | None = None
    offset: str | None = None


@dataclass(slots=True)
class Query:
    """A question: the slots to fill one after the other, from one or more entry points of the same entity.

    ``slot`` is the slot of the first hop; ``generated`` marks a query that an answer led to, not one from a file.
    """

    id: QueryId
    entity_type: str | None = None
    slot: str | None = None
    slots: list[str | None] = field(default_factory=list)
    entry_points: list[EntryPoint] = field(default_factory=list)
    generated: bool = False


class QuerySet:
    """Queries by the key of their id, under the id rules of a revision; ``lengths`` are for checking entry points."""

    def __init__(self, rules: IdRules, log: ProblemLog, lengths: Lengths | None = None) -> None:
        self.rules = rules
        self.log = log
        self.schema = standard_schema()
        self.lengths = lengths
        self._queries: dict[str, Query] = {}

    def __iter__(self) -> Iterator[Query]:
        return iter(self._queries.values())

    def __len__(self) -> int:
        return len(self._queries)

    def get(self, key: str) -> Query | None:
        """Return the query with that key, or None."""
        return self._queries.get(key)

    def add(self, query: Query) -> None:
        """Add a query; it replaces one with the same key, unless it was only generated."""
        if not (query.generated and query.id.key in self._queries):
            self._queries[query.id.key] = query
        if self.rules.adds_entry_points and not query.id.expanded:
            for entry_point in query.entry_points:
                self.add(self.of_entry_point(query, entry_point))

    def set_slot(self, query: Query, level: int, slot: str | None) -> None:
        """Set the slot of a query at a hop; an unknown slot is recorded as a problem, but kept."""
        query.slots += [None] * (level + 1 - len(query.slots))
        query.slots[level] = slot
        if self.schema.knows_slot(slot or "") is None:
            self.log.record("UNKNOWN_SLOT_NAME", slot or "", where=NO_PLACE)
        elif level == 0:
            query.slot = slot

    def set_slots(self, query: Query, slots: list[str | None]) -> None:
        """Set all slots of a query."""
        query.slot = slots[0] if slots else None
        for level, slot in enumerate(slots):
            self.set_slot(query, level, slot)

    def follow_up(self, query: Query, value: str, provenance: str) -> Query | None:
        """Return the query for the next hop from an answer, or None if the query has no further slot.

        The answer becomes the entry point, at the first triple of its provenance.
        """
        if len(query.entry_points) > 1:
            raise Stop(
                f"Attempt to execute method generate_query on query {query.id.key}, which has multiple entrypoints"
            )
        digits = follow_up_digits(query.id.hashed, value, normal(provenance))
        identity = self.rules.follow_up(query.id, digits)
        if self.rules.ends_without_slots and len(query.slots) <= 1:
            return None
        if not query.slots:
            raise Stop("Can't use an undefined value as an ARRAY reference", kind="DIE")
        new_query = Query(identity, entry_points=[answer_point(value, provenance)], generated=True)
        self.set_slots(new_query, query.slots[1:])
        return new_query

    def of_entry_point(self, query: Query, entry_point: EntryPoint, prefix: str = "") -> Query:
        """Return the query for a single entry point of a query; ``prefix`` precedes the digits of its id."""
        slots = [slot or "" for slot in query.slots]
        mention = (entry_point.docid or "", entry_point.start or "", entry_point.end or "")
        identity = self.rules.parse(prefix + entry_point_digits(*mention, slots))
        own_query = Query(identity, query.entity_type, entry_points=[entry_point], generated=query.generated)
        self.set_slots(own_query, query.slots)
        return own_query


def answer_point(value: str, provenance: str) -> EntryPoint:
    """Return an answer as an entry point: its text at the first triple of its provenance."""
    for triple in triples(provenance):
        return EntryPoint(value, triple.docid, triple.start, triple.end)
    return EntryPoint(value)


@cache
def _levels() -> dict[str, str]:
    """Return by tag whether a field belongs to the query or to an entry point."""
    return {row["tag"].upper(): row["level"] for row in table("query_fields")} | {"ENTRYPOINTS": "query"}


def read_queries(path: str, rules: IdRules, log: ProblemLog) -> QuerySet:
    """Return the queries of a file."""
    queries = QuerySet(rules, log)
    read_query_files([path], queries, slot_filling=False)
    return queries


def read_query_files(paths: Sequence[str], queries: QuerySet, *, slot_filling: bool = True) -> None:
    """Add the queries of files to a set; ``slot_filling`` follows the slot-filling programs, not the others."""
    for path in paths:
        for text in _query_texts(text_of(path)):
            query = _read_query(text, queries, slot_filling=slot_filling)
            if query is not None and query.slots:
                queries.add(query)
    if not len(queries):
        queries.log.record("NO_QUERIES_LOADED", where=f"files({', '.join(paths)})")


def _query_texts(text: str) -> Iterator[str]:
    """Yield the text of each query, from ``<query `` to the next ``</query>``."""
    end = 0
    while (start := text.find("<query ", end)) >= 0:
        opened = text.find(">", start)
        closed = text.find("</query>", opened + 1) if opened >= 0 else -1
        if closed < 0:
            return
        end = closed + len("</query>")
        yield text[start:end]


def _read_query(text: str, queries: QuerySet, *, slot_filling: bool) -> Query | None:
    """Read a query; for one that cannot be read, the slot-filling programs report the text as its location."""
    header = _HEADER.match(text)
    end = text.find('">', header.end()) if header else -1
    body = text[end + 2 : -len("</query>")]
    if header is None or end < 0 or end + 2 > len(text) - len("</query>"):
        start = text[:_SHOWN]
        what = f'Query starting with "{start}" in text beginning <<{start}>>'
        said, where = ("", what) if slot_filling else (what, "In file $filename")
        queries.log.record("MALFORMED_QUERY", said, where=where)
        return None
    name = text[header.end() : end]
    query = Query(queries.rules.parse(name))
    _read_fields(body, query, queries, f" line In query {name}")
    return query


def _read_fields(body: str, query: Query, queries: QuerySet, where: str) -> None:
    point: dict[str, str] = {}
    for tag, value, closer in _fields(body):
        if tag != closer:
            queries.log.record("MISMATCHED_TAGS", tag, closer, where=where)
        level = _levels().get(tag)
        if level is None:
            queries.log.record("UNKNOWN_QUERY_FIELD", tag, where=where)
        elif level == "entry point":
            if _POINT_FIELDS[tag] in point:
                _add_entry_point(point, query, queries, where)
                point = {}
            point[_POINT_FIELDS[tag]] = value
        elif not _set_field(query, tag, value, queries):
            queries.log.record("DUPLICATE_QUERY_FIELD", tag, where=where)
    if point:
        _add_entry_point(point, query, queries, where)


def _fields(body: str) -> Iterator[tuple[str, str, str]]:
    """Yield opening tag, value and closing tag of the shortest tag pairs in order, tags in upper case."""
    end = 0
    while (start := body.find("<", end)) >= 0:
        opened = body.find(">", start + 1)
        slash = body.find("</", opened + 1) if opened >= 0 else -1
        closed = body.find(">", slash + 2) if slash >= 0 else -1
        if closed < 0:
            return
        yield body[start + 1 : opened].upper(), body[opened + 1 : slash], body[slash + 2 : closed].upper()
        end = closed + 1


def _set_field(query: Query, tag: str, value: str, queries: QuerySet) -> bool:
    """Set a field of a query, and tell whether it was unset before."""
    if tag == "ENTRYPOINTS":
        return False
    if tag == "ENTTYPE":
        free = query.entity_type is None
        query.entity_type = value if free else query.entity_type
    elif tag == "SLOT":
        free = query.slot is None
        query.slot = value if free else query.slot
    else:
        level = int(tag.removeprefix("SLOT"))
        free = len(query.slots) <= level or query.slots[level] is None
        if free:
            queries.set_slot(query, level, value)
    return free


def _add_entry_point(point: dict[str, str], query: Query, queries: QuerySet, where: str) -> None:
    """Add an entry point, even with invalid offsets, which are recorded as problems."""
    triple = ProvenanceTriple(*(point.get(key, "") for key in ("docid", "start", "end")))
    check_triple(triple, queries.lengths, queries.log, where)
    query.entry_points.append(EntryPoint(**point))


def encode(name: str) -> str:
    """Return a name with the five predefined entities of XML escaped.

    >>> encode("AT&T <b>")
    'AT&amp;T &lt;b&gt;'
    """
    return "".join(_ENTITIES.get(character, character) for character in name)


def decode(name: str) -> str:
    """Return a name with the five predefined entities of XML unescaped.

    >>> decode("AT&amp;T &lt;b&gt; &amp;lt;")
    'AT&T <b> &lt;'
    """
    return _ENTITY.sub(lambda match: _CHARACTERS.get(match[0], match[0]), name)


def query_file(queries: Iterable[Query]) -> str:
    """Return the text of a query file; a query without a required field raises :class:`Stop`.

    Values are written as they were read.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<query_set>"]
    for query in sorted((asked for asked in queries if not asked.generated), key=lambda asked: asked.id.key):
        lines.append(f'  <query id="{query.id.written}">')
        lines += (f"    <{tag}>{value}</{tag}>" for tag, value in _written_fields(query))
        lines.append("  </query>")
    return "\n".join([*lines, "</query_set>", ""])


def _written_fields(query: Query) -> Iterator[tuple[str, str]]:
    rows = sorted(table("query_fields"), key=lambda row: int(row["output_order"]))
    for point in query.entry_points:
        for row in rows:
            if row["level"] == "entry point":
                yield from _written(row, getattr(point, _POINT_FIELDS[row["tag"].upper()]), "<{}>")
    values: dict[str, str | None] = {"enttype": query.entity_type, "slot": query.slot}
    values |= {f"slot{level}": slot for level, slot in enumerate(query.slots)}
    for row in rows:
        if row["level"] == "query":
            yield from _written(row, values.get(row["tag"]), "{}")


def _written(row: dict[str, str], value: str | None, named: str) -> Iterator[tuple[str, str]]:
    if value is not None:
        yield row["tag"], value
    elif row["required_on_output"] == "yes":
        raise Stop(f"Missing query field: {named.format(row['tag'].upper())}")
