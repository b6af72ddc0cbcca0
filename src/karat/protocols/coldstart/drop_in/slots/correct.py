"""``correct-query-ids``: repair the ids of a run's follow-up queries (CS-ValidateSF-QueryIDCorrector).

Before the evaluation, the programs that participants got named the queries of the second hop ``PREFIX_<12 digits>``,
without the digits of their entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets, Program
from karat.protocols.coldstart.drop_in.slots.reader import RunReader
from karat.protocols.coldstart.drop_in.slots.validate import open_run, written_line
from karat.protocols.coldstart.questions import Fill, HopQuery, Questions
from karat.vocabularies.coldstart.problems import STATUS, Stop
from karat.vocabularies.coldstart.queries import QuerySet
from karat.vocabularies.coldstart.query_ids import FOLLOW_UP_DIGITS, base_without_entry_point, follow_up_digits
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import lines_of


class SortedInput(NamedTuple):
    """The queries, the sorted lines of a run with the path they are kept at, the profile, and the outlets."""

    queries: QuerySet
    lines: list[str]
    path: str
    corrected: bool
    output: Outlet | None
    outlets: Outlets


class CorrectedRun(NamedTuple):
    """The input, the lines of the run with right ids, and the last line of the log."""

    asked: SortedInput
    lines: list[str]
    conclusion: str


def read(options: Options, outlets: Outlets) -> SortedInput:
    """Read the run ``filename`` and the queries; the sorted run is kept, beside the run if not told where."""
    path = options.get("sorted_file", options["filename"] + ".sorted")
    lines = grouped(_read(options["filename"]))
    outlets.open(path, kind="DIE").write_all(line + "\n" for line in lines)
    queries, output = open_run(options, outlets)
    if not lines:
        raise Stop(f"Empty file: {path}")
    return SortedInput(queries, lines, path, options["profile"] == CORRECTED, output, outlets)


def convert(asked: SortedInput) -> CorrectedRun:
    """Repair the query ids, and report the problems of the run; errors stop the program."""
    queries, path = asked.queries, asked.path
    loader, rename = (_corrected if asked.corrected else _published)(queries, path, asked.lines)
    asked.outlets.log.write(queries.log.report())
    conclusion = queries.log.conclusion()
    lines: list[str] = []
    if asked.output is not None:
        run_id = loader.run_ids.get(path, "")
        lines = grouped(_renamed(loader.answers, rename, run_id, by_text=asked.corrected))
    return CorrectedRun(asked, lines, conclusion)


def printed(result: CorrectedRun) -> ProgramOutput:
    """Write the repaired run to ``output_file``, if there is one, and close the log."""
    asked = result.asked
    if asked.output is not None:
        asked.output.write_all(line + "\n" for line in result.lines)
    asked.outlets.log.write(result.conclusion)
    return asked.outlets.program_output()


PROGRAM = Program(read, convert, printed)


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
