"""``validate-sf`` and ``correct-query-ids``: check a run, or repair its ids, and write it in order.

The first holds a run against the queries it answers (CS-ValidateSF). The second repairs the ids of follow-up queries
that lack the digits of their entry point: before the evaluation the programs that participants got named the queries of
the second hop ``PREFIX_<12 digits>`` (CS-ValidateSF-QueryIDCorrector).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets
from karat.protocols.coldstart.drop_in.slots.reader import RunReader, sifted, surest_fills
from karat.protocols.coldstart.questions import Fill, HopQuery, Questions
from karat.vocabularies.coldstart.problems import NO_PLACE, STATUS, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import read_lengths
from karat.vocabularies.coldstart.queries import QuerySet, read_query_files
from karat.vocabularies.coldstart.query_ids import FOLLOW_UP_DIGITS, IdRules, base_without_entry_point, follow_up_digits
from karat.vocabularies.coldstart.slot_lines import RUN_2015
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import exists, lines_of


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


def correct_query_ids(options: Options, outlets: Outlets) -> None:
    """Write the run ``filename`` with its query ids repaired; its sorted form is kept, beside it if not told where."""
    corrected = options["profile"] == CORRECTED
    beside = options.get("sorted_file", options["filename"] + ".sorted")
    lines = grouped(_read(options["filename"]))
    outlets.open(beside, kind="DIE").write_all(line + "\n" for line in lines)
    queries, output = open_run(options, outlets)
    if not lines:
        raise Stop(f"Empty file: {beside}")
    loader, rename = (_corrected if corrected else _published)(queries, beside, lines)
    outlets.log.write(queries.log.report())
    conclusion = queries.log.conclusion()
    if output is not None:
        renamed_lines = _renamed(loader.answers, rename, loader.run_ids.get(beside, ""), by_text=corrected)
        output.write_all(line + "\n" for line in grouped(renamed_lines))
    outlets.log.write(conclusion)


def _read(path: str) -> Iterator[str]:
    """Yield the lines of a run; without it the program breaks off, before it has opened anything else."""
    try:
        yield from lines_of(path)
    except Stop as stop:
        error = stop.__cause__
        if isinstance(error, OSError):
            raise Stop(str(stop), kind="DIE", status=error.errno or STATUS) from error
        raise


def grouped(lines: Iterable[str]) -> list[str]:
    r"""Return lines grouped by their query id, short ids first; a line without a tab stays with the one before it.

    >>> grouped(["bb\t1", "a\t1", "# of a", "bb\t2"])
    ['a\t1', '# of a', 'bb\t1', 'bb\t2']
    """
    groups: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        first, tab, _ = line.partition("\t")
        name = first if tab else name
        groups.setdefault(name, []).append(line)
    return [line for name in sorted(groups, key=lambda query_id: (len(query_id), query_id)) for line in groups[name]]


Loaded = tuple[RunReader, Callable[[HopQuery], str]]
"""What has read the answers, and what gives the right id of their questions."""


def _published(queries: QuerySet, path: str, lines: list[str]) -> Loaded:
    """Load a run with ids as they were; those that are right already are unknown then."""
    loader = RunReader(Questions.of(queries, base_without_entry_point), queries.lengths, checked=False, early=True)
    loader.load(path, lines)
    parents = {line.target: line.question.id for line in loader.answers}

    def right(question: HopQuery) -> str:
        return f"{parents[question.id]}_{question.id[-FOLLOW_UP_DIGITS:]}" if question.generated else question.id

    return loader, right


def _corrected(queries: QuerySet, path: str, lines: list[str]) -> Loaded:
    """Load a run with ids as they were and as they should be, in any order and at any hop."""
    loader = _TolerantRunReader(Questions.of(queries), queries.lengths, checked=False, waiting=True)
    loader.load(path, lines)
    loader.finish()
    return loader, lambda question: question.id


class _TolerantRunReader(RunReader):
    """Knows every question by the id that it should have and by the one that the early programs gave it."""

    def lead(self, question: HopQuery, query_id: str, value: str, place: str) -> tuple[str, bool]:
        """Lead to a question under both ids."""
        target, is_new = super().lead(question, question.id, value, place)
        early = f"{base_without_entry_point(query_id)}_{follow_up_digits(query_id, value, place)}"
        self.questions.call(target, early)
        self.led_to = (target, early)
        return target, is_new


def _renamed(answers: Sequence[Fill], rename: Callable[[HopQuery], str], run_id: str, *, by_text: bool) -> list[str]:
    """Return the lines of a run in order, under the right ids and one run id; of equal neighbours the first.

    Lines of the same value and place are left in their order, or put in that of their text.
    """
    lines = []
    for line in answers:
        elements = [rename(line.question), *line.elements[1:]]
        text = written_line(line._replace(elements=elements), run_id).removesuffix("\n")
        lines.append(((line.question.id, lower(line.value), line.place), text))
    lines.sort(key=None if by_text else itemgetter(0))
    return [text for text, _ in groupby(text for _, text in lines)]
