"""``run``: the whole way from a knowledge base or a run to its scores, one program of the evaluation after the other.

Validate the knowledge base and resolve the queries in it (a run skips both), repair the query ids, validate the run,
score it, and project the scores to LDC queries. Every step leaves its files in one folder, where the next one finds
them; the first that stops ends the way. A plan that cannot work is not begun: all files are looked at before the first
step.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, UsageError
from karat.formats.coldstart.kb.review import looks_like_kb
from karat.io import STDIN, peek
from karat.io.outputs import write_whole
from karat.protocols.coldstart.drop_in.kb import resolve
from karat.protocols.coldstart.drop_in.kb import validate as validate_kb
from karat.protocols.coldstart.drop_in.outlets import CORRECTED, Outlets, run_program
from karat.protocols.coldstart.drop_in.slots import correct, project, score
from karat.protocols.coldstart.drop_in.slots import validate as validate_sf
from karat.protocols.coldstart.drop_in.slots.score import QUERY_FILE, RUN_FILES, files_of
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.queries import read_queries
from karat.vocabularies.coldstart.query_ids import IdRules
from karat.vocabularies.coldstart.slot_lines import SlotColumns, recognise
from karat.vocabularies.coldstart.text import split_list, trim
from karat.vocabularies.coldstart.text_files import exists, lines_of, read_pairs, text_of


class RunPlan(NamedTuple):
    """What to evaluate, with what, and where to leave the files.

    ``docs``, ``assessments``, ``index_file`` and the rest may be missing; then there are no such checks or steps.
    """

    source: str
    queries: str
    folder: str
    docs: str | None = None
    assessments: Sequence[str] = ()
    index_file: str | None = None
    mapping: str | None = None
    query_ids: str | None = None
    discipline: str = "ASSESSED"
    profile: str = "2015"

    @property
    def pools(self) -> list[str]:
        """The files of the assessments; a folder stands for those of its files that are named as runs are."""
        return [file for path in self.assessments for file in _pool_files(path)]


def check(plan: RunPlan) -> None:
    """Refuse a plan with options that need others, or with files that are not there or not what they should be."""
    _check_options(plan)
    for path in (plan.source, plan.queries, plan.docs, *plan.pools, plan.index_file, plan.mapping):
        if path is not None:
            peek(path)
    if STDIN in (plan.queries, plan.docs, *plan.pools, plan.index_file, plan.mapping, plan.query_ids):
        raise InputError("standard input can only be the knowledge base or the run; name a file instead", path=STDIN)
    _check_source(plan.source)
    for path in plan.pools:
        _check_pool(path)
    _check_queries(plan.queries, plan.query_ids)
    if plan.index_file is not None:
        read_pairs(plan.index_file, "\t")
    if plan.mapping is not None:
        read_pairs(plan.mapping, " ")


def _check_options(plan: RunPlan) -> None:
    if plan.mapping is not None and plan.index_file is None:
        raise UsageError("--mapping needs --index, the LDC query of each entry point")
    for option, value in (("--index", plan.index_file), ("--query-ids", plan.query_ids)):
        if value is not None and not plan.assessments:
            raise UsageError(f"{option} needs --assessments, without which nothing is scored")


def _check_source(path: str) -> None:
    """Refuse what is neither a knowledge base nor a run."""
    if looks_like_kb(path):
        return
    layout = _layout(path, "a knowledge base or a run")
    if layout is None or not layout.is_run:
        content = "neither assertions nor answers" if layout is None else "the lines of a pool"
        raise InputError(f"has {content}; expected a knowledge base or a run", path=path)


def _check_pool(path: str) -> None:
    layout = _layout(path, "assessments")
    if layout is None:
        raise InputError("has no assessments; expected 8 columns separated by tabs", path=path)
    if layout.is_run:
        raise InputError("has the lines of a run; expected assessments", path=path)


def _check_queries(path: str, wanted: str | None) -> None:
    """Refuse a file without queries, and ids to be scored of which it has none."""
    known = {query.id.key for query in read_queries(path, IdRules(), ProblemLog())}
    if not known:
        raise InputError("is no query file: it has no query with an id and a slot0", path=path)
    if wanted is None:
        return
    if exists(wanted):
        peek(wanted)
        if known.isdisjoint(text_of(wanted).split("\n")):
            raise InputError(f"has no id of a query in {path}; expected ids, one a line", path=wanted)
        return
    names = split_list(wanted)
    for name in names:
        if name not in known:
            named = "of that id" if len(names) == 1 else name
            message = f"is no file, and {path} has no query {named}; give a file of ids, one a line"
            raise InputError(message, path=wanted)


def _layout(path: str, expected: str) -> SlotColumns | None:
    """Return the layout of a file by its first line that is not blank and no comment; refuse one without any."""
    lines = peek(path).split("\n") if path == STDIN else lines_of(path)  # standard input can be read only once
    for line in lines:
        if line.strip() and not trim(line).startswith("#"):
            try:
                return recognise(line.replace("\r", "").rstrip("\t").split("\t"), path)
            except Stop:
                return None
    raise InputError(f"is empty; expected {expected}", path=path)


def _pool_files(path: str) -> list[str]:
    files = files_of(path)
    if not files:
        raise InputError(f"has no file {RUN_FILES}; expected assessments", path=path)
    return files


class ProgramStep(NamedTuple):
    """One step: its name, the program with its options, and the file that it makes; score takes files, too."""

    name: str
    program: Callable[..., ProgramOutput]
    options: dict[str, str]
    made: str
    files: tuple[str, ...] | None = None


def run(plan: RunPlan, tell: Callable[[str], None]) -> list[str]:
    """Take every step of a plan and return the files that were made; ``tell`` hears of each step."""
    check(plan)
    folder = Path(plan.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is no empty folder; name a new one with -o", path=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {(error.strerror or str(error)).lower()}", path=folder) from error
    steps = list(_steps(plan))
    try:
        for step_number, step in enumerate(steps, 1):
            tell(f"{step_number}/{len(steps)} {step.name}: {step.made}")
            stop = run_program(step.program, step.options, step.files)
            if stop is not None:
                reason = str(stop) or "its input has errors"
                raise InputError(f"{step.name} stopped: {reason}; see {step.options['error_file']}") from stop
    except KeyboardInterrupt:  # what stops by itself leaves its logs, but this leaves nothing
        shutil.rmtree(folder)
        raise
    return [step.made for step in steps]


def _steps(plan: RunPlan) -> Iterator[ProgramStep]:
    """Yield the steps: what one makes, a later one reads."""
    name = Path(plan.source).name

    def file(ending: str) -> str:
        return str(Path(plan.folder) / f"{name}{ending}")

    def step(title: str, program: Callable[..., ProgramOutput], made: str, **options: str) -> ProgramStep:
        log = file(f".{title.lower().replace(' ', '.')}.log")
        return ProgramStep(
            title, program, {"output_file": made, "error_file": log, "profile": plan.profile} | options, made
        )

    docs = {} if plan.docs is None else {"docs": plan.docs}
    queries, answers = plan.queries, plan.source
    if looks_like_kb(plan.source):
        kb, answers = file(".valid"), file(".SF")
        usual = {"task": "CSKB", "output": "tac", "labels": "TAC", "linkkb": "none", "multiple": "ONE"}
        yield step("validate-kb", validate_kb.PROGRAM, kb, filename=plan.source, **usual, **docs)
        yield step("resolve-queries", resolve.PROGRAM, answers, queryfile=queries, runfile=kb)
    repaired, valid = file(".SF.corrected"), file(".valid.ldc.tab.txt")
    sort = {"sorted_file": f"{repaired}.sorted", "profile": CORRECTED}
    yield step("correct-query-ids", _correct, repaired, queryfile=queries, filename=answers, **sort, **docs)
    yield step("validate-sf", validate_sf.PROGRAM, valid, queryfile=queries, filename=repaired, **docs)
    if not plan.assessments:
        return
    scores = file(".score.cssf.txt")
    chosen = {} if plan.query_ids is None else {"queries": plan.query_ids}
    scoring = step("score", _score, scores, combo="MICRO", discipline=plan.discipline, **chosen)
    yield scoring._replace(files=(queries, valid, *plan.pools))
    if plan.index_file is None:
        return
    mapping = {} if plan.mapping is None else {"mapping": plan.mapping}
    for score_kind in ("MAX", "MEAN", "RANDOM") if mapping else ("MAX", "MEAN"):
        made = file(f".score.csldc.{score_kind.lower()}.txt")
        files = {"index_file": plan.index_file, "score_file": scores}
        yield step(f"project-scores {score_kind}", project.PROGRAM, made, score=score_kind, **files, **mapping)


def _correct(options: dict[str, str], outlets: Outlets) -> ProgramOutput:
    """Repair the query ids of a run; one without answers is left as it is."""
    source = options["filename"]
    if exists(source) and not text_of(source).strip():
        outlets.open(options["output_file"])
        return outlets.program_output()
    return correct.PROGRAM(options, outlets)


def _score(options: dict[str, str], files: Sequence[str], outlets: Outlets) -> ProgramOutput:
    """Score the run; the program tells query files by their name, so what is named otherwise gets a copy."""
    queries, run, *pools = files
    beside = options["output_file"].removesuffix(".score.cssf.txt")
    if not text_of(run).strip():
        raise InputError(f"score stopped: no answer is left to score; see {beside}.validate-sf.log")
    named = {} if queries.endswith(QUERY_FILE) else {queries: f"{beside}.queries{QUERY_FILE}"}
    misleading = [pool for pool in pools if pool.endswith(QUERY_FILE)]
    named |= {pool: f"{beside}.assessments{pool_number}.txt" for pool_number, pool in enumerate(misleading, 1)}
    write_whole({copy: text_of(file) for file, copy in named.items()})
    return score.PROGRAM(options, [named.get(file, file) for file in files], outlets)
