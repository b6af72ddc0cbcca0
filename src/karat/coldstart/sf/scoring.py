"""``score``: score runs against assessments (CS-Score)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from karat.coldstart.outlets import Outlets
from karat.coldstart.problems import ProblemLog
from karat.coldstart.profiles import Profile
from karat.coldstart.queries import QuerySet
from karat.coldstart.query_files import read_query_files
from karat.coldstart.query_ids import CorrectedRules
from karat.coldstart.reading import exists, text_of
from karat.coldstart.schema import Schema
from karat.coldstart.sf.averages import COMBOS, MACRO, UNION, Scored, macro_corrected, macro_published, micro
from karat.coldstart.sf.classes import Pool, Tree
from karat.coldstart.sf.judging import Judge, Judged
from karat.coldstart.sf.loading import Line, Loader
from karat.coldstart.sf.matching import Matcher
from karat.coldstart.sf.questions import Question, Questions, expanded
from karat.coldstart.sf.score_tables import Printed, table
from karat.coldstart.stops import Stop
from karat.coldstart.validation import listed
from karat.files import is_folder

QUERY_FILE = ".xml"
RUN_FILES = "*.tab.txt"


def score(options: Mapping[str, str], files: Sequence[str], outlets: Outlets, profile: Profile) -> None:
    """Score the runs among the files against the assessments among them, and write a table for each."""
    output = outlets.open(options["output_file"])
    error_file = options["error_file"]
    if error_file.lower() not in ("stdout", "stderr") and exists(error_file):
        raise Stop(f"File {error_file} already exists")
    outlets.log = outlets.open(error_file)
    evaluation = Evaluation(files, options.get("expand"), corrected=profile.corrected)
    chosen = evaluation.select(options.get("queries"))
    outlets.log.write(evaluation.log.report())
    if evaluation.log.errors:
        raise Stop("" if evaluation.log.errors == 1 else "sencountered")
    combo = options["combo"]
    for run_id in listed(options["runids"]) if "runids" in options else evaluation.run_ids():
        if combo not in COMBOS:
            raise Stop(f"Unknown Scoring COMBO type: {combo}")
        rows = evaluation.rows(run_id, chosen, combo, options["discipline"])
        output.write(table(rows, tabs="tabs" in options))


class Evaluation:
    """Queries, runs and assessments, loaded once; every run is scored against the same pool."""

    def __init__(self, files: Sequence[str], prefix: str | None = None, *, corrected: bool = False) -> None:
        self.log = ProblemLog(["MULTIPLE_RUNIDS"])
        self.corrected = corrected
        queries = QuerySet(CorrectedRules(), self.log, Schema())
        read_query_files([file for file in files if file.endswith(QUERY_FILE)], queries)
        self.origins: dict[str, str] = {}
        if prefix is not None:
            queries, self.origins = expanded(queries, prefix)
        self.questions = Questions(queries)
        data = [file for file in files if not file.endswith(QUERY_FILE)]
        if not data:
            raise Stop("EvaluationQueryOutput->new called with no filenames")
        loader = Loader(self.questions, waiting=corrected)
        for file in data:
            for one in _files(file):
                loader.load(one)
        loader.finish()
        self.pool = Pool(self.questions, loader.answers, loader.assessments, corrected=corrected)
        self._answers: dict[str, dict[str, list[Line]]] = {}
        for line in loader.answers:
            self._answers.setdefault(line.run_id, {}).setdefault(line.question.base, []).append(line)
        self._trees: dict[str, Tree] = {}
        self._matchers: dict[str, Matcher] = {}

    def run_ids(self) -> list[str]:
        """Return the ids of the runs."""
        return sorted(self._answers)

    def select(self, wanted: str | None = None) -> list[Question]:
        """Return the questions to score, by id; those asked for are a file of ids, or ids separated by colons."""
        asked = {one.id: one for one in self.questions if not one.generated}
        if wanted is None:
            return [asked[name] for name in sorted(asked) if not (self.corrected and asked[name].level)]
        names = text_of(wanted).removesuffix("\n").split("\n") if exists(wanted) else listed(wanted)
        for name in dict.fromkeys(names):
            if name not in asked:
                self.log.record("UNKNOWN_QUERY_ID_WARNING", "", where=name)
        return [asked[name] for name in sorted(set(names) & asked.keys())]

    def rows(self, run_id: str, chosen: Sequence[Question], combo: str, discipline: str) -> Iterator[Printed]:
        """Yield the rows of the table of a run."""
        if self.corrected and combo == UNION and self.origins:
            return micro(self._together(run_id, chosen, discipline), run_id)
        queries = (
            Scored(one.id, self.judge(run_id, one.base, discipline).rows, counted=not one.level) for one in chosen
        )
        if combo != MACRO:
            return micro(queries, run_id)
        return (macro_corrected if self.corrected else macro_published)(queries, run_id)

    def judge(self, run_id: str, base: str, discipline: str) -> Judged:
        """Judge what a run answers to a query."""
        tree = self._trees.get(base)
        if tree is None:
            tree = self._trees[base] = self.pool.tree([base])
        judge = Judge(self.pool, tree, self._matcher(discipline))
        return judge.judge(self._answers.get(run_id, {}).get(base, ()))

    def _matcher(self, discipline: str) -> Matcher:
        if discipline not in self._matchers:
            self._matchers[discipline] = Matcher(self.pool, discipline)
        return self._matchers[discipline]

    def _together(self, run_id: str, chosen: Sequence[Question], discipline: str) -> Iterator[Scored]:
        """Yield the queries with all their entry points as one: classes of the same number are the same."""
        groups: dict[str, list[str]] = {}
        for one in chosen:
            groups.setdefault(self.origins[one.id], []).append(one.id)
        for name in sorted(groups):
            bases = groups[name]
            tree = self.pool.tree(bases, dict.fromkeys(bases, name))
            answers = [line for base in bases for line in self._answers.get(run_id, {}).get(base, ())]
            judge = Judge(self.pool, tree, self._matcher(discipline), together=True)
            yield Scored(name, judge.judge(answers).rows)


def _files(path: str) -> list[str]:
    """Return the files that a path stands for: those of a folder that are named as runs are, or itself."""
    return sorted(map(str, Path(path).glob(RUN_FILES))) if is_folder(path) else [path]
