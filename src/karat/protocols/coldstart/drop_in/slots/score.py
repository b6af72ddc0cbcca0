"""``score``: score runs against assessments (CS-Score)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.io import is_folder
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Options, Outlet, Outlets, Program
from karat.protocols.coldstart.drop_in.slots.reader import RunReader, sifted
from karat.protocols.coldstart.drop_in.slots.tables import (
    COMBOS,
    MACRO,
    UNION,
    CountRow,
    PrintedRow,
    Scored,
    macro_corrected,
    macro_published,
    micro,
    rows_of,
    table,
)
from karat.protocols.coldstart.judge import QueryJudge
from karat.protocols.coldstart.pool import AssessedClasses, Matcher, Tree, same_classes
from karat.protocols.coldstart.questions import Fill, HopQuery, Questions, expanded
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.queries import QuerySet, read_query_files
from karat.vocabularies.coldstart.query_ids import IdRules
from karat.vocabularies.coldstart.text import split_list
from karat.vocabularies.coldstart.text_files import text_of

QUERY_FILE = ".xml"
RUN_FILES = "*.tab.txt"


class ScoreInput(NamedTuple):
    """The loaded files, the questions and runs to score, how, and the outlets."""

    evaluation: SlotEvaluation
    questions: Sequence[HopQuery]
    run_ids: Sequence[str]
    combo: str
    tabs: bool
    output: Outlet
    outlets: Outlets


class ScoreResult(NamedTuple):
    """The input, and the rows of the table of each run, which are computed while they are printed."""

    asked: ScoreInput
    tables: Iterator[list[PrintedRow]]


def read(options: Options, files: Sequence[str], outlets: Outlets) -> ScoreInput:
    """Read the queries, runs and assessments among the files; stop if they have errors."""
    output = outlets.open(options["output_file"])
    outlets.open_log(options["error_file"])
    corrected = options["profile"] == CORRECTED
    evaluation = SlotEvaluation(files, options["discipline"], given(options, "expand"), corrected=corrected)
    chosen = evaluation.select(options.get("queries"))
    outlets.log.write(evaluation.log.report())
    if evaluation.log.errors:
        raise Stop("" if evaluation.log.errors == 1 else "sencountered")
    wanted = given(options, "runids")
    run_ids = evaluation.run_ids() if wanted is None else split_list(wanted)
    return ScoreInput(evaluation, chosen, run_ids, options["combo"], "tabs" in options, output, outlets)


def evaluate(asked: ScoreInput) -> ScoreResult:
    """Score the runs against the assessments."""
    return ScoreResult(asked, _tables(asked))


def _tables(asked: ScoreInput) -> Iterator[list[PrintedRow]]:
    times: dict[str, int] = {}
    for run_id in asked.run_ids:
        if asked.combo not in COMBOS:
            raise Stop(f"Unknown Scoring COMBO type: {asked.combo}")
        times[run_id] = 1 if asked.evaluation.corrected else times.get(run_id, 0) + 1
        yield list(asked.evaluation.rows(run_id, asked.questions, asked.combo, times[run_id]))


def printed(result: ScoreResult) -> ProgramOutput:
    """Write the table of each run."""
    for rows in result.tables:
        result.asked.output.write(table(rows, tabs=result.asked.tabs))
    return result.asked.outlets.program_output()


PROGRAM = Program(read, evaluate, printed)


def given(options: Options, name: str) -> str | None:
    """Return the value of a switch; the published program takes an empty one and ``0`` as if it was not given."""
    value = options.get(name)
    return None if value in ("", "0") else value


class SlotEvaluation:
    """Queries, runs and assessments, loaded once; every run is scored against the same pool."""

    def __init__(self, files: Sequence[str], discipline: str, prefix: str | None, *, corrected: bool) -> None:
        self.log = ProblemLog(["MULTIPLE_RUNIDS"])
        self.corrected = corrected
        queries = QuerySet(IdRules(), self.log)
        read_query_files([file for file in files if file.endswith(QUERY_FILE)], queries)
        self.origins: dict[str, str] = {}
        if prefix is not None:
            queries, self.origins = expanded(queries, prefix)
        self.questions = Questions.of(queries)
        data = [file for file in files if not file.endswith(QUERY_FILE)]
        if not data:
            raise Stop("EvaluationQueryOutput->new called with no filenames")
        loader = RunReader(self.questions, waiting=corrected)
        for file in data:
            for path in files_of(file):
                loader.load(path)
        loader.finish()
        answers, assessments = loader.answers, loader.assessments
        if corrected and loader.bad:
            lines = sifted([*answers, *assessments], self.log)
            answers = [line for line in lines if not line.judgment]
            assessments = [line for line in lines if line.judgment]
        self.pool = AssessedClasses(self.questions, answers, assessments, mends=lambda rule: corrected)
        self._answers: dict[str, dict[str, list[Fill]]] = {line.run_id: {} for line in loader.answers}
        for line in answers:
            self._answers[line.run_id].setdefault(line.question.base, []).append(line)
        self._trees: dict[str, Tree] = {}
        self._matcher = Matcher(self.pool, discipline)

    def run_ids(self) -> list[str]:
        """Return the ids of the runs."""
        return sorted(self._answers)

    def select(self, wanted: str | None) -> list[HopQuery]:
        """Return the questions to score, by id; those asked for are a file of ids, or ids separated by colons.

        Corrected, the id of a query that was expanded stands for all its entry points.
        """
        asked = {question.id: question for question in self.questions if not question.generated}
        if wanted is None:
            return [asked[name] for name in sorted(asked) if not (self.corrected and asked[name].level)]
        points: dict[str, list[str]] = {}
        for point, query in self.origins.items() if self.corrected else ():
            points.setdefault(query, []).append(point)
        chosen: set[str] = set()
        for name in dict.fromkeys(_ids(wanted)):
            matching = [name] if name in asked else points.get(name, [])
            chosen.update(matching)
            if not matching:
                self.log.record("UNKNOWN_QUERY_ID_WARNING", "", where=name)
        return [asked[name] for name in sorted(chosen)]

    def rows(self, run_id: str, chosen: Sequence[HopQuery], combo: str, times: int) -> Iterator[PrintedRow]:
        """Yield the rows of the table of a run, whose sums are ``times`` as large where it is asked for again."""
        if self.corrected and combo == UNION and self.origins:
            return micro(self._together(run_id, chosen), run_id)
        queries = (
            Scored(question.id, self._rows(run_id, question.base), counted=not question.level) for question in chosen
        )
        if combo != MACRO:
            return micro(queries, run_id, times)
        return macro_corrected(queries, run_id) if self.corrected else macro_published(queries, run_id, times)

    def _rows(self, run_id: str, base: str) -> list[CountRow]:
        """Return the rows of a query: what a run answers to it is judged and counted."""
        tree = self._trees.get(base)
        if tree is None:
            tree = self._trees[base] = self.pool.tree([base])
        judge = QueryJudge(self.pool, tree, self._matcher)
        return rows_of(judge.judge(self._answers.get(run_id, {}).get(base, ())))

    def _together(self, run_id: str, chosen: Sequence[HopQuery]) -> Iterator[Scored]:
        """Yield the queries with all their entry points as one."""
        groups: dict[str, list[str]] = {}
        for question in chosen:
            groups.setdefault(self.origins[question.id], []).append(question.id)
        for name in sorted(groups):
            bases = groups[name]
            tree = self.pool.tree(bases, same_classes(self.pool, bases, name, self._matcher.form))
            answers = [line for base in bases for line in self._answers.get(run_id, {}).get(base, ())]
            judge = QueryJudge(self.pool, tree, self._matcher, together=True)
            yield Scored(name, rows_of(judge.judge(answers)))


def _ids(wanted: str) -> list[str]:
    """Return the ids that a switch asks for: the lines of a file of that name, or the parts of a list."""
    try:
        is_file = Path(wanted).is_file()
    except (OSError, ValueError):
        is_file = False
    if not is_file:
        return split_list(wanted)
    text = text_of(wanted)
    return text.removesuffix("\n").split("\n") if text else []


def files_of(path: str) -> list[str]:
    """Return the files that a path stands for: those of a folder that are named as runs are, or itself."""
    return sorted(map(str, Path(path).glob(RUN_FILES))) if is_folder(path) else [path]
