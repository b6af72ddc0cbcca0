"""``generate-queries``: the queries of the first round, or those that a run's answers lead to (CS-GenerateQueries)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.coldstart.drop_in.outlets import Options, Outlet, Outlets, Program
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import ProvenanceReader, normal, read_lengths
from karat.vocabularies.coldstart.queries import Query, QuerySet, answer_point, encode, query_file, read_queries
from karat.vocabularies.coldstart.query_ids import ID_RULES, follow_up_digits
from karat.vocabularies.coldstart.slot_lines import RUNS, SlotLine, is_usable, slot_lines
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import exists, lines_of


class GenerationInput(NamedTuple):
    """What queries are made from.

    Args:
        queries: The queries of the evaluation, with those that the answers lead to.
        answers: The answers of a run, or None for the queries of the first round.
        escape: Whether names are escaped as XML demands.
        conclusion: The last line of the log.
        closing: Where that line goes.
        output: Where the queries go.
        outlets: All outlets.

    """

    queries: QuerySet
    answers: list[_Answer] | None
    escape: bool
    conclusion: str
    closing: Outlet
    output: Outlet
    outlets: Outlets


class GenerationResult(NamedTuple):
    """The input, and the queries of the round."""

    asked: GenerationInput
    queries: QuerySet


def read(options: Options, outlets: Outlets) -> GenerationInput:
    """Read the queries of ``queryfile``, and with a ``runfile`` the answers of a run."""
    output = outlets.open(options["outputfile"])
    closing = outlets.open(options["error_file"])
    if closing is outlets.output:
        closing = output  # the published program has pointed its standard output at the output file by now
    else:
        outlets.log = closing
    if "docs" in options:
        read_lengths(options["docs"])  # it is asked for, read and never used
    log = ProblemLog()
    queries = read_queries(options["queryfile"], ID_RULES[options["profile"]], log)
    answers, conclusion = None, ""
    if "runfile" in options:
        if not exists(options["runfile"]):
            raise Stop(f"File {options['runfile']} does not exist")
        answers = list(_answers(options["runfile"], queries, log))
        outlets.log.write(log.report())
        conclusion = log.conclusion()
    return GenerationInput(queries, answers, "valid" in options, conclusion, closing, output, outlets)


def convert(asked: GenerationInput) -> GenerationResult:
    """Make the queries of the first round, or with answers those of the second."""
    if asked.answers is not None:
        return GenerationResult(asked, _second_round(asked.queries, asked.answers, escape=asked.escape))
    for query in asked.queries:
        query.slot = query.slots[0]
    return GenerationResult(asked, asked.queries)


def printed(result: GenerationResult) -> ProgramOutput:
    """Write the queries to ``outputfile``, and close the log."""
    asked = result.asked
    asked.output.write(query_file(result.queries))
    asked.closing.write(asked.conclusion)
    return asked.outlets.program_output()


PROGRAM = Program(read, convert, printed)


class _Answer(NamedTuple):
    """A line that can be used: the query it answers, what it says, and the digits of the query that it leads to."""

    query: Query
    value: str
    value_type: str
    place: str
    digits: str


def _answers(path: str, queries: QuerySet, log: ProblemLog) -> Iterator[_Answer]:
    """Yield the answers of a run, and add the queries that they lead to.

    A line that cannot be used is a problem and is passed over; one for a query that nobody asked stops the program.
    """
    places = ProvenanceReader(None, log)
    run_id = None
    for line in slot_lines(path, lines_of(path), log, RUNS):
        answer = _answer(line, queries, places)
        if not is_usable(line, answer.query.id.key, answer.query.slot or "", log):
            continue
        own = line.elements[line.layout.run_id]
        run_id = run_id or own
        if own != run_id:
            log.record("MULTIPLE_RUNIDS", run_id, own, where=line.where)
        yield answer


def _answer(line: SlotLine, queries: QuerySet, places: ProvenanceReader) -> _Answer:
    rules, columns = queries.rules, dict(zip(line.layout.columns, line.elements, strict=True))
    key = rules.line_key(line.query_id, full="VALUE_TYPE" in columns)
    query = queries.get(key)
    if query is None:
        raise Stop(f"Query {key} not loaded; caller = *")
    if queries.schema.knows_slot(line.slot) is None:
        places.log.record("UNKNOWN_SLOT_NAME", line.slot, where=line.where)
    places.repaired(columns["RELATION_PROVENANCE_TRIPLES"], line.path, line.number)
    place = places.repaired(columns["VALUE_PROVENANCE_TRIPLES"], line.path, line.number)
    digits = follow_up_digits(query.id.hashed, columns["VALUE"], normal(place))
    if queries.get(rules.second_round(query.id, digits).key) is None:
        follow_up = queries.follow_up(query, columns["VALUE"], place)
        if follow_up is not None:
            queries.add(follow_up)
    return _Answer(query, columns["VALUE"], columns.get("VALUE_TYPE", ""), place, digits)


def _second_round(queries: QuerySet, answers: list[_Answer], *, escape: bool) -> QuerySet:
    """Return the queries that the answers lead to: those whose type is that of the next slot."""
    asked = QuerySet(queries.rules, ProblemLog())
    for answer in answers:
        slots = answer.query.slots[1:]
        next_slot = slots[0] if slots else None
        if next_slot is None:
            continue
        kind, colon, _ = next_slot.partition(":")
        if not colon or kind != lower(answer.value_type):
            continue
        point = answer_point(encode(answer.value) if escape else answer.value, answer.place)
        query = Query(queries.rules.second_round(answer.query.id, answer.digits), kind, entry_points=[point])
        asked.set_slots(query, slots)
        asked.add(query)
    return asked
