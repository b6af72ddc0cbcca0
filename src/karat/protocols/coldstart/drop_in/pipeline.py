"""The whole way from a knowledge base or a run to its scores: every step of the evaluation, one after the other.

Validate the knowledge base and resolve the queries in it (a run skips both), repair the query ids, validate the run,
score it, and project the scores to LDC queries. Every step leaves its files in one folder; the first that stops ends
the way. Nothing is begun before all files have been looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.files import write_whole
from karat.protocols.coldstart.drop_in.outlets import Outlets
from karat.protocols.coldstart.drop_in.plans import Plan, check
from karat.protocols.coldstart.drop_in.profiles import PROFILES, Profile
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text_files import exists, text_of


class Step(NamedTuple):
    """One step: its name, the program with its options, and the file that it makes."""

    name: str
    program: Callable[..., None]
    options: dict[str, str]
    made: str
    files: tuple[str, ...] | None = None
    profile: str = ""


def run(plan: Plan, tell: Callable[[str], None]) -> list[str]:
    """Take every step of a plan and return the files that were made; ``tell`` hears of each step."""
    check(plan)
    folder = Path(plan.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is no empty folder; name a new one with -o", path=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {(error.strerror or str(error)).lower()}", path=folder) from error
    made = []
    steps = list(_steps(plan))
    for number, step in enumerate(steps, 1):
        tell(f"{number}/{len(steps)} {step.name}: {step.made}")
        _take(step, PROFILES[step.profile or plan.profile])
        made.append(step.made)
    return made


def _take(step: Step, profile: Profile) -> None:
    """Run the program of a step; what it reports is in its log, and why it stops in the error."""
    outlets = Outlets()
    files = () if step.files is None else (step.files,)
    try:
        step.program(step.options, *files, outlets, profile)
    except Stop as stop:
        outlets.log.write(f"{stop.line}\n")
        outlets.deliver()
        raise InputError(
            f"{step.name} stopped: {str(stop) or 'its input has errors'}; see {step.options['error_file']}"
        ) from stop
    outlets.deliver()


def _steps(plan: Plan) -> Iterator[Step]:
    from karat.formats.coldstart.kb.review import looks_like_kb
    from karat.protocols.coldstart.drop_in.kb.resolve import resolve_queries
    from karat.protocols.coldstart.drop_in.kb.validate import validate_kb
    from karat.protocols.coldstart.drop_in.slots.project import project_scores
    from karat.protocols.coldstart.drop_in.slots.validate import validate_sf

    name = Path(plan.source).name

    def at(ending: str) -> str:
        return str(Path(plan.folder) / f"{name}{ending}")

    docs = {} if plan.docs is None else {"docs": plan.docs}
    answers = plan.source
    if looks_like_kb(plan.source):
        usual = {"task": "CSKB", "output": "tac", "labels": "TAC", "linkkb": "none", "multiple": "ONE"}
        streams = {"output_file": at(".valid"), "error_file": at(".validate-kb.log")}
        yield Step("validate-kb", validate_kb, usual | docs | streams | {"filename": plan.source}, at(".valid"))
        answers = at(".SF")
        options = {"queryfile": plan.queries, "runfile": at(".valid"), "output_file": answers}
        yield Step("resolve-queries", resolve_queries, options | {"error_file": at(".resolve-queries.log")}, answers)
    corrected = at(".SF.corrected")
    options = docs | {"queryfile": plan.queries, "filename": answers, "output_file": corrected}
    options["error_file"] = at(".correct-query-ids.log")
    yield Step("correct-query-ids", _correct, options, corrected, profile="corrected")
    valid = at(".valid.ldc.tab.txt")
    options = docs | {"queryfile": plan.queries, "filename": corrected, "output_file": valid}
    yield Step("validate-sf", validate_sf, options | {"error_file": at(".validate-sf.log")}, valid)
    if not plan.assessments:
        return
    scores = at(".score.cssf.txt")
    options = {"output_file": scores, "error_file": at(".score.log"), "combo": "MICRO", "discipline": plan.discipline}
    options |= {} if plan.query_ids is None else {"queries": plan.query_ids}
    yield Step("score", partial(_score, at), options, scores, (plan.queries, valid, *plan.pools))
    for how in ("MAX", "MEAN", *(["RANDOM"] if plan.mapping else [])) if plan.index_file else ():
        made = at(f".score.csldc.{how.lower()}.txt")
        options = {"score": how, "index_file": plan.index_file or "", "score_file": scores, "output_file": made}
        options |= {"mapping": plan.mapping or ""} if how == "RANDOM" else {}
        log = at(f".project-scores.{how.lower()}.log")
        yield Step(f"project-scores {how}", project_scores, options | {"error_file": log}, made)


def _correct(options: dict[str, str], outlets: Outlets, profile: Profile) -> None:
    """Repair the query ids of a run; one without answers is left as it is, and what is sorted goes to the folder."""
    from karat.protocols.coldstart.drop_in.slots.correct import correct_query_ids

    source = options["filename"]
    if exists(source) and not text_of(source).strip():
        outlets.open(options["output_file"])
        return
    correct_query_ids(options | {"sorted_file": options["output_file"] + ".sorted"}, outlets, profile)


def _score(
    at: Callable[[str], str], options: dict[str, str], files: Sequence[str], outlets: Outlets, profile: Profile
) -> None:
    """Score the run; the program tells query files by their name, so what is named otherwise gets a copy."""
    from karat.protocols.coldstart.drop_in.slots.score import QUERY_FILE, score

    queries, run, *pools = files
    if not text_of(run).strip():
        raise InputError(f"score stopped: no answer is left to score; see {at('.validate-sf.log')}")
    named = {} if queries.endswith(QUERY_FILE) else {queries: at(f".queries{QUERY_FILE}")}
    misleading = [pool for pool in pools if pool.endswith(QUERY_FILE)]
    named |= {pool: at(f".assessments{number}.txt") for number, pool in enumerate(misleading, 1)}
    write_whole({copy: text_of(file) for file, copy in named.items()})
    score(options, [named.get(file, file) for file in files], outlets, profile)
