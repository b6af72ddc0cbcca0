"""The lines of a slot-filling run: one answer each, tab-separated.

``query id, slot, run id, relation provenance, value, value type, value provenance, confidence`` in the layout of
2015; that of 2014 has no value type. The layout is recognised on the first line that is no comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from karat.coldstart.problems import NO_PLACE, ProblemLog
from karat.coldstart.provenance import Lengths, normal, parse
from karat.coldstart.queries import Query, QuerySet
from karat.coldstart.query_ids import follow_up_digits
from karat.coldstart.reading import lines_of
from karat.coldstart.stops import Stop
from karat.coldstart.tables import table
from karat.coldstart.text import is_blank, trim

COLUMNS = tuple(row["column"] for row in table("sf_columns"))
"""The columns of 2015."""
COLUMNS_2014 = tuple(column for column in COLUMNS if column != "VALUE_TYPE")

_TRIPLES = r"(?:[^:]+:\d+-\d+,){0,3}[^:]+:\d+-\d+"
PATTERNS = {
    "QUERY_ID": r".+",
    "SLOT_NAME": r"[^:]+:[^:]+",
    "RUNID": r".+",
    "RELATION_PROVENANCE_TRIPLES": _TRIPLES,
    "VALUE": r".+",
    "VALUE_TYPE": r"(?i:PER|ORG|GPE|STRING)",
    "VALUE_PROVENANCE_TRIPLES": _TRIPLES,
    "CONFIDENCE": r"\d+(?:\.\d+)?",
}
"""What the first line must have in each column for a file to be recognised; later lines are not held to it."""


class Answer(NamedTuple):
    """An accepted line: the query it answers, its columns by name, its provenances repaired.

    ``digits`` are those of the follow-up query that the answer leads to.
    """

    query: Query
    columns: dict[str, str]
    relation_provenance: str
    value_provenance: str
    digits: str
    line: int


def recognise(elements: list[str], path: str) -> tuple[str, ...]:
    """Return the columns of a run file, found by what stands on its first line; stop if it is no run."""
    for columns in (COLUMNS, COLUMNS_2014):
        if len(elements) == len(columns) and all(
            re.fullmatch(PATTERNS[column], element) for column, element in zip(columns, elements, strict=True)
        ):
            return columns
    raise Stop(f"Unknown file type: {path}")


def read_answers(path: str, queries: QuerySet, log: ProblemLog, lengths: Lengths | None = None) -> Iterator[Answer]:
    """Yield the answers of a run file, and add the queries that they lead to.

    A line that cannot be used is a problem and is passed over; one for a query that nobody asked stops the program.
    """
    columns: tuple[str, ...] = ()
    run_id = None
    number = 0
    for number, line in enumerate(lines_of(path), 1):
        if is_blank(line) or trim(line).startswith("#"):
            continue
        where = f"{path} line {number}"
        elements = line.replace("\r", "").rstrip("\t").split("\t")
        columns = columns or recognise(elements, path)
        if len(elements) != len(columns):
            log.record("WRONG_NUM_ENTRIES", len(columns), len(elements), where=where)
            continue
        answer = _read(dict(zip(columns, elements, strict=True)), number, where, queries, log, lengths)
        if not _is_usable(answer, columns, where, log):
            continue
        run_id = run_id or answer.columns["RUNID"]
        if answer.columns["RUNID"] != run_id:
            log.record("MULTIPLE_RUNIDS", run_id, answer.columns["RUNID"], where=where)
        yield answer
    if not number:
        log.record("EMPTY_FILE", path, where=NO_PLACE)
    elif not columns:
        raise Stop(f"Empty file: {path}")


def _read(
    columns: dict[str, str],
    number: int,
    where: str,
    queries: QuerySet,
    log: ProblemLog,
    lengths: Lengths | None,
) -> Answer:
    rules = queries.rules
    key = rules.line_key(columns["QUERY_ID"], full="VALUE_TYPE" in columns)
    query = queries.get(key)
    if query is None:
        raise Stop(f"Query {key} not loaded; caller = *")
    if queries.schema.knows_slot(columns["SLOT_NAME"]) is None:
        log.record("UNKNOWN_SLOT_NAME", columns["SLOT_NAME"], where=where)
    relation = parse(columns["RELATION_PROVENANCE_TRIPLES"], lengths, log, where)
    place = parse(columns["VALUE_PROVENANCE_TRIPLES"], lengths, log, where)
    digits = follow_up_digits(query.id.hashed, columns["VALUE"], normal(place))
    if queries.get(rules.second_round(query.id, digits).key) is None:
        follow_up = queries.follow_up(query, columns["VALUE"], place)
        if follow_up is not None:
            queries.add(follow_up)
    return Answer(query, columns, relation, place, digits, number)


def _is_usable(answer: Answer, columns: tuple[str, ...], where: str, log: ProblemLog) -> bool:
    """Say whether every column has a value and the slot is the one that was asked for."""
    for column in columns:
        if is_blank(answer.columns[column]):
            log.record("EMPTY_FIELD", column, where=where)
            return False
    slot = answer.query.slot or ""
    if answer.columns["SLOT_NAME"] != slot:
        log.record("WRONG_SLOT_NAME", answer.columns["SLOT_NAME"], answer.query.id.key, slot, where=where)
        return False
    return True
