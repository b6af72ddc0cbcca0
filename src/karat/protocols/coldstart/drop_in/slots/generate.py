"""``generate-queries``: the queries of the first round, or those that a run's answers lead to (CS-GenerateQueries)."""

from __future__ import annotations

from collections.abc import Mapping

from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.protocols.coldstart.drop_in.profiles import Profile
from karat.protocols.coldstart.drop_in.slots.answers import Answer, read_answers
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import read_lengths
from karat.vocabularies.coldstart.queries import Query, QuerySet, answer_point
from karat.vocabularies.coldstart.query_files import encode, query_file, read_queries
from karat.vocabularies.coldstart.query_ids import ID_RULES
from karat.vocabularies.coldstart.schema import Schema
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import exists


def generate_queries(options: Mapping[str, str], outlets: Outlets, profile: Profile) -> None:
    """Write the queries of the first round, or with a ``runfile`` those of the second, to ``outputfile``."""
    output = outlets.open(options["outputfile"])
    closing = outlets.open(options["error_file"])
    if closing is outlets.output:
        closing = output  # the published program has pointed its standard output at the output file by now
    else:
        outlets.log = closing
    if "docs" in options:
        read_lengths(options["docs"])  # it is asked for, read and never used
    log = ProblemLog()
    queries = read_queries(options["queryfile"], ID_RULES[profile.name], log, Schema())
    if "runfile" not in options:
        output.write(query_file(_first_round(queries)))
        return
    if not exists(options["runfile"]):
        raise Stop(f"File {options['runfile']} does not exist")
    answers = list(read_answers(options["runfile"], queries, log))
    outlets.log.write(log.report())
    conclusion = log.conclusion()
    output.write(query_file(_second_round(queries, answers, escape="valid" in options)))
    closing.write(conclusion)


def _first_round(queries: QuerySet) -> QuerySet:
    """Return the queries with what they ask first."""
    for query in queries:
        query.slot = query.slots[0]
    return queries


def _second_round(queries: QuerySet, answers: list[Answer], *, escape: bool) -> QuerySet:
    """Return the queries that the answers lead to: those whose type is that of the next slot."""
    asked = QuerySet(queries.rules, ProblemLog(), queries.schema)
    for answer in answers:
        slots = answer.query.slots[1:]
        next_slot = slots[0] if slots else None
        if next_slot is None:
            continue
        kind, colon, _ = next_slot.partition(":")
        if not colon or kind != lower(answer.columns.get("VALUE_TYPE", "")):
            continue
        value = answer.columns["VALUE"]
        point = answer_point(encode(value) if escape else value, answer.value_provenance)
        query = Query(queries.rules.second_round(answer.query.id, answer.digits), kind, entry_points=[point])
        asked.set_slots(query, slots)
        asked.add(query)
    return asked
