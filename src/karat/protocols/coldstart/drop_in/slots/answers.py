"""The lines of a slot-filling run: one answer each, tab-separated.

``query id, slot, run id, relation provenance, value, value type, value provenance, confidence`` in the layout of
2015; that of 2014 has no value type. The layout is recognised on the first line that is no comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from karat.formats.coldstart.layouts import RUN_2014, RUN_2015, recognise
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, normal, parse
from karat.vocabularies.coldstart.queries import Query, QuerySet
from karat.vocabularies.coldstart.query_ids import follow_up_digits
from karat.vocabularies.coldstart.text import is_blank, trim
from karat.vocabularies.coldstart.text_files import lines_of

RUNS = (RUN_2015, RUN_2014)


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
        columns = columns or recognise(elements, path, RUNS).columns
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
