"""``validate-sf``: check a run against the queries it answers, and write it repaired (CS-ValidateSF)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets
from karat.protocols.coldstart.drop_in.slots.reader import RunReader, sifted, surest_fills
from karat.protocols.coldstart.questions import Fill, Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import read_lengths
from karat.vocabularies.coldstart.queries import QuerySet, read_query_files
from karat.vocabularies.coldstart.query_ids import IdRules
from karat.vocabularies.coldstart.slot_lines import RUN_2015
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import exists


def validate_sf(options: Options, outlets: Outlets) -> None:
    """Validate the run ``filename`` against ``queryfile``; with ``output_file``, write it repaired."""
    corrected = options["profile"] == CORRECTED
    queries, output = open_run(options, outlets)
    log = queries.log
    comments = "allow_comments" in options
    loader = RunReader(Questions.of(queries), queries.lengths, waiting=corrected, comments=comments)
    loader.load(options["filename"])
    loader.finish()
    if corrected:
        surest = {} if "groundtruth" in options else surest_fills(loader.answers, loader.questions)
        lines = rewritten(sifted(loader.answers, log, surest), loader)
    else:
        lines = repaired(loader.answers, loader, log)
    if output is not None:
        output.write_all(lines)
    outlets.log.write(log.report())
    outlets.log.write(log.conclusion())


def open_run(options: Options, outlets: Outlets) -> tuple[QuerySet, Outlet | None]:
    """Open output and log, make sure of the run ``filename``, and read the queries of ``queryfile``, in this order.

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
