"""``validate-sf``: check a run against its queries, report its problems, write it repaired (CS-ValidateSF)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets, Program
from karat.protocols.coldstart.drop_in.slots.reader import RunReader, sifted, surest_fills
from karat.protocols.coldstart.questions import Fill, Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import read_lengths
from karat.vocabularies.coldstart.queries import QuerySet, read_query_files
from karat.vocabularies.coldstart.query_ids import IdRules
from karat.vocabularies.coldstart.slot_lines import RUN_2015
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import exists


class RunInput(NamedTuple):
    """What has read the run, the log of problems, two options of the program, and the outlets."""

    loader: RunReader
    log: ProblemLog
    corrected: bool
    is_groundtruth: bool
    output: Outlet | None
    outlets: Outlets


class RunResult(NamedTuple):
    """The input, and the lines of the repaired run; some problems are found only while they are printed."""

    asked: RunInput
    lines: Iterator[str]


def read(options: Options, outlets: Outlets) -> RunInput:
    """Read the run ``filename`` and the queries of ``queryfile``."""
    corrected = options["profile"] == CORRECTED
    queries, output = open_run(options, outlets)
    comments = "allow_comments" in options
    loader = RunReader(Questions.of(queries), queries.lengths, waiting=corrected, comments=comments)
    loader.load(options["filename"])
    return RunInput(loader, queries.log, corrected, "groundtruth" in options, output, outlets)


def check(asked: RunInput) -> RunResult:
    """Check the answers against the queries, and repair them."""
    loader, log = asked.loader, asked.log
    loader.finish()
    if not asked.corrected:
        return RunResult(asked, repaired(loader.answers, loader, log))
    surest = {} if asked.is_groundtruth else surest_fills(loader.answers, loader.questions)
    return RunResult(asked, rewritten(sifted(loader.answers, log, surest), loader))


def printed(result: RunResult) -> ProgramOutput:
    """Write the repaired run to ``output_file``, if there is one, and report the problems; errors stop the program."""
    asked = result.asked
    if asked.output is not None:
        asked.output.write_all(result.lines)
    asked.outlets.log.write(asked.log.report())
    asked.outlets.log.write(asked.log.conclusion())
    return asked.outlets.program_output()


PROGRAM = Program(read, check, printed)


def open_run(options: Options, outlets: Outlets) -> tuple[QuerySet, Outlet | None]:
    """Open output and log, check that the run ``filename`` exists, and read the queries, in this order.

    A log on standard output follows it into the output file, as the published programs have pointed the one at the
    other by then.
    """
    output = None if options["output_file"] == "none" else outlets.open(options["output_file"])
    outlets.open_log(options["error_file"])
    if outlets.log is outlets.output and output is not None and output is not outlets.error:
        outlets.log = output
    lengths = read_lengths(options["docs"]) if "docs" in options else None
    if not exists(options["filename"]):
        raise Stop(f"File {options['filename']} does not exist")
    queries = QuerySet(IdRules(), ProblemLog(), lengths)
    read_query_files([options["queryfile"]], queries)
    return queries, output


def repaired(answers: Iterable[Fill], loader: RunReader, log: ProblemLog) -> Iterator[str]:
    """Yield the lines of a repaired run in order; of equal lines next to each other the first."""
    last = ""
    for line in sorted(answers, key=_order):
        if line.question.id in loader.bad:
            log.record("BAD_QUERY", line.question.id, where=NO_PLACE)
            continue
        text = written_line(line, loader.run_ids[line.path])
        if text != last:
            yield text
        last = text


def rewritten(answers: Iterable[Fill], loader: RunReader) -> Iterator[str]:
    """Yield the lines of a repaired run in an order that does not depend on theirs, each once."""
    lines = {(_order(line), written_line(line, loader.run_ids[line.path])) for line in answers}
    yield from (text for _, text in sorted(lines))


def _order(line: Fill) -> tuple[int, str, str, str]:
    return line.question.level, line.question.id, lower(line.value), line.place


def written_line(line: Fill, run_id: str) -> str:
    """Return an answer as it is written: provenances repaired, under the run id of its file."""
    elements = list(line.elements)
    if len(elements) != len(RUN_2015.columns):
        raise Stop("No value present for column VALUE_TYPE", kind="DIE")
    elements[RUN_2015.run_id] = run_id
    elements[RUN_2015.relation] = line.relation
    elements[RUN_2015.place] = line.place
    return "\t".join(elements) + "\n"
