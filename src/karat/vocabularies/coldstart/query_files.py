"""Query files: read as the published programs read them, and written.

The files look like XML, but were never parsed as such: a query is the text from ``<query`` to ``</query>``, its
fields are the shortest pairs of an opening and a closing tag, and entities are left alone. So nothing in a file can
expand or lead elsewhere, and reading takes a time that grows with the length of the file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from karat.vocabularies.coldstart import table
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import ProvenanceTriple, check_triple
from karat.vocabularies.coldstart.queries import EntryPoint, Query, QuerySet
from karat.vocabularies.coldstart.query_ids import IdRules
from karat.vocabularies.coldstart.schema import Schema
from karat.vocabularies.coldstart.text import BLANKS
from karat.vocabularies.coldstart.text_files import text_of

_HEADER = re.compile(rf'<query[{BLANKS}]+id="')
_SHOWN = 25
_POINT_FIELDS = {"NAME": "name", "DOCID": "docid", "BEG": "start", "END": "end", "OFFSET": "offset"}
_ENTITIES = {'"': "&quot;", "&": "&amp;", "'": "&apos;", "<": "&lt;", ">": "&gt;"}
_CHARACTERS = {entity: character for character, entity in _ENTITIES.items()}
_ENTITY = re.compile(r"&[a-z]+;")


@cache
def _levels() -> dict[str, str]:
    """Return whether a field belongs to the query or to an entry point, by tag."""
    return {row["tag"].upper(): row["level"] for row in table("query_fields")} | {"ENTRYPOINTS": "query"}


def read_queries(path: str, rules: IdRules, log: ProblemLog, schema: Schema) -> QuerySet:
    """Read a query file."""
    queries = QuerySet(rules, log, schema)
    _read_files([path], queries, slot_filling=False)
    return queries


def read_query_files(paths: Sequence[str], queries: QuerySet) -> None:
    """Add the queries of files to a set, in the way of the programs for slot filling."""
    _read_files(paths, queries, slot_filling=True)


def _read_files(paths: Sequence[str], queries: QuerySet, *, slot_filling: bool) -> None:
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
    """Read a query; of one that cannot be read, the programs for slot filling give the text as its place."""
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
    """Yield the shortest tag pairs in order: opening tag, value, closing tag, the tags in upper case."""
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
    """Set a field of a query, and say whether it was free."""
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
    """Add an entry point and record what is wrong with its offsets, which are kept all the same."""
    triple = ProvenanceTriple(*(point.get(key, "") for key in ("docid", "start", "end")))
    check_triple(triple, queries.lengths, queries.log, where)
    query.entry_points.append(EntryPoint(**point))


def encode(name: str) -> str:
    """Return a name with the five entities of XML where they are needed.

    >>> encode("AT&T <b>")
    'AT&amp;T &lt;b&gt;'
    """
    return "".join(_ENTITIES.get(character, character) for character in name)


def decode(name: str) -> str:
    """Return a name without entities, as people read it.

    >>> decode("AT&amp;T &lt;b&gt; &amp;lt;")
    'AT&T <b> &lt;'
    """
    return _ENTITY.sub(lambda match: _CHARACTERS.get(match[0], match[0]), name)


def query_file(queries: Iterable[Query]) -> str:
    """Return a query file; a query that lacks a required field stops the program.

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
