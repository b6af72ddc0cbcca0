"""``run``: the whole way from a knowledge base or a run to its scores, one program of the evaluation after the other.

Validate the knowledge base and resolve the queries in it (a run skips both), repair the query ids, validate the run,
score it, and project the scores to LDC queries. Every step leaves its files in one folder, where the next one finds
them; the first that stops ends the way. Nothing is begun before all files have been looked at.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.files.outputs import write_whole
from karat.formats.coldstart.kb.review import looks_like_kb
from karat.protocols.coldstart.drop_in import CORRECTED
from karat.protocols.coldstart.drop_in.kb.resolve import resolve_queries
from karat.protocols.coldstart.drop_in.kb.validate import validate_kb
from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.protocols.coldstart.drop_in.plan import RunPlan, check
from karat.protocols.coldstart.drop_in.slots.correct import correct_query_ids
from karat.protocols.coldstart.drop_in.slots.project import project_scores
from karat.protocols.coldstart.drop_in.slots.score import QUERY_FILE, score
from karat.protocols.coldstart.drop_in.slots.validate import validate_sf
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text_files import exists, text_of


class ProgramStep(NamedTuple):
    """One step: its name, the program with its options, and the file that it makes; score takes files, too."""

    name: str
    program: Callable[..., None]
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
        for number, step in enumerate(steps, 1):
            tell(f"{number}/{len(steps)} {step.name}: {step.made}")
            _take(step)
    except KeyboardInterrupt:  # what stops by itself leaves its logs, but this leaves nothing
        shutil.rmtree(folder)
        raise
    return [step.made for step in steps]


def _take(step: ProgramStep) -> None:
    """Run the program of a step; what it reports is in its log, and why it stops in the error."""
    outlets = Outlets()
    try:
        step.program(step.options, *(() if step.files is None else (step.files,)), outlets)
    except Stop as stop:
        outlets.log.write(f"{stop.line}\n")
        outlets.deliver()
        reason = str(stop) or "its input has errors"
        raise InputError(f"{step.name} stopped: {reason}; see {step.options['error_file']}") from stop
    outlets.deliver()


def _steps(plan: RunPlan) -> Iterator[ProgramStep]:
    """Yield the steps: what one makes, a later one reads."""
    name = Path(plan.source).name

    def file(ending: str) -> str:
        return str(Path(plan.folder) / f"{name}{ending}")

    def step(title: str, program: Callable[..., None], made: str, **options: str) -> ProgramStep:
        log = file(f".{title.lower().replace(' ', '.')}.log")
        return ProgramStep(
            title, program, {"output_file": made, "error_file": log, "profile": plan.profile} | options, made
        )

    docs = {} if plan.docs is None else {"docs": plan.docs}
    queries, answers = plan.queries, plan.source
    if looks_like_kb(plan.source):
        kb, answers = file(".valid"), file(".SF")
        usual = {"task": "CSKB", "output": "tac", "labels": "TAC", "linkkb": "none", "multiple": "ONE"}
        yield step("validate-kb", validate_kb, kb, filename=plan.source, **usual, **docs)
        yield step("resolve-queries", resolve_queries, answers, queryfile=queries, runfile=kb)
    repaired, valid = file(".SF.corrected"), file(".valid.ldc.tab.txt")
    sort = {"sorted_file": f"{repaired}.sorted", "profile": CORRECTED}
    yield step("correct-query-ids", _correct, repaired, queryfile=queries, filename=answers, **sort, **docs)
    yield step("validate-sf", validate_sf, valid, queryfile=queries, filename=repaired, **docs)
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
        yield step(f"project-scores {score_kind}", project_scores, made, score=score_kind, **files, **mapping)


def _correct(options: dict[str, str], outlets: Outlets) -> None:
    """Repair the query ids of a run; one without answers is left as it is."""
    source = options["filename"]
    if exists(source) and not text_of(source).strip():
        outlets.open(options["output_file"])
    else:
        correct_query_ids(options, outlets)


def _score(options: dict[str, str], files: Sequence[str], outlets: Outlets) -> None:
    """Score the run; the program tells query files by their name, so what is named otherwise gets a copy."""
    queries, run, *pools = files
    beside = options["output_file"].removesuffix(".score.cssf.txt")
    if not text_of(run).strip():
        raise InputError(f"score stopped: no answer is left to score; see {beside}.validate-sf.log")
    named = {} if queries.endswith(QUERY_FILE) else {queries: f"{beside}.queries{QUERY_FILE}"}
    misleading = [pool for pool in pools if pool.endswith(QUERY_FILE)]
    named |= {pool: f"{beside}.assessments{number}.txt" for number, pool in enumerate(misleading, 1)}
    write_whole({copy: text_of(file) for file, copy in named.items()})
    score(options, [named.get(file, file) for file in files], outlets)
