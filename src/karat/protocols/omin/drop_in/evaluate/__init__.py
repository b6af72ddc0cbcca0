"""The whole comparison of OMIn: every file of results of a folder in every table it belongs to.

The published tables were put together by hand, from one run of a program for each cell group. Here a folder laid out as
the project's ``tool_results`` (a folder for each tool, CSV files in it) and a folder with the gold are enough.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, KaratError, many
from karat.io import digest, is_folder, open_bytes
from karat.io.outputs import in_folder
from karat.io.progress import step
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in.evaluate.plan import ComparisonPlan, PlannedRow
from karat.protocols.omin.drop_in.evaluate.results import (
    ResultFile,
    Skipped,
    as_rows,
    find_results,
    has_more,
    plain,
    reason,
)
from karat.protocols.omin.drop_in.evaluate.tables import ResultRow, ToolComparison, table_files
from karat.protocols.omin.drop_in.nel import AS_THE_SERVICE
from karat.settings import shown
from karat.signature import signature

TOKENS = ("tokens.conll", "faa.conll")
"""What the token file is called, where it is not named: beside the gold."""


class ComparisonInput(NamedTuple):
    """The folder of the results, the rows to be computed, what cannot be scored, and what rows are computed from."""

    results: str
    jobs: Sequence[PlannedRow]
    skipped: Sequence[Skipped]
    plan: ComparisonPlan


def read(
    results: str,
    gold: str,
    *,
    profile: str = "head",
    tokens: str = "",
    likeness: LikenessOptions = AS_THE_SERVICE,
    leave_out: str = "",
) -> ComparisonInput:
    """Find the results of a folder and the tables that they belong to; most files are read when a row is computed.

    Args:
        results: The folder of the results.
        gold: The folder of the gold.
        profile: The evaluation to reproduce.
        tokens: The token file; by default, the one beside the gold.
        likeness: Where the likeness of links comes from, if from anywhere.
        leave_out: A folder that holds no results even if it is below theirs, such as the one for the tables.

    """
    for folder in (results, gold):
        if not is_folder(folder):
            raise InputError("there is no such folder", path=folder)
    if tokens:
        open_bytes(tokens).close()
    likeness.refuse_input()
    likeness.opened()  # so that what cannot be asked is refused once, and not for every file
    files, skipped = find_results(results, [folder for folder in (gold, leave_out) if folder])
    plan = ComparisonPlan(gold, profile, tokens or _beside(gold), likeness)
    return ComparisonInput(results, list(_jobs(plan, files, skipped)), skipped, plan)


def evaluate(asked: ComparisonInput) -> ToolComparison:
    """Compute the rows of all tables; what cannot be scored is among the skipped."""
    plan, jobs, skipped = asked.plan, asked.jobs, list(asked.skipped)
    tables: dict[str, list[ResultRow]] = {}
    for done, job in enumerate(jobs):
        step(done, len(jobs), f"{job.results.name}: {job.table}")
        failed = _run(job, tables)
        skipped += [failed] if failed else []
    likeness = plan.likeness
    parts = {"program": "omin-evaluate", "profile": plan.profile, "rows": str(sum(map(len, tables.values())))}
    said = signature(parts | (shown(likeness) if likeness.given else {}) | {"gold": _digest(plan.used)})
    return ToolComparison(asked.results, plan.profile, tables, skipped, likeness.given, said)


def printed(comparison: ToolComparison, folder: str) -> ProgramOutput:
    """Return the tables as files of a folder, which is created if it is missing, and notes on what was skipped."""
    notes = [
        f"karat: skipped {name}{f' ({table})' if table else ''}: {reason}" for name, reason, table in comparison.skipped
    ]
    rows = sum(map(len, comparison.tables.values()))
    if not rows:
        what = f"{len(comparison.skipped)} skipped, as said above" if comparison.skipped else "there are no files"
        message = f"nothing could be scored: {what}; nothing was written"
        return ProgramOutput(notes=notes, failure=InputError(message, path=comparison.results))
    notes.append(f"karat: {many(rows, 'row')} in {many(len(comparison.tables), 'table')}, written to {folder}")
    return ProgramOutput(files=in_folder(folder, table_files(comparison)), notes=notes, makes_folders=True)


def _jobs(plan: ComparisonPlan, files: Iterable[ResultFile], skipped: list[Skipped]) -> Iterator[PlannedRow]:
    """Yield the rows to be computed, native output made into rows of a file before."""
    for results in files:
        rows, why = results, ""
        if (results.reader and results.task != "CR") or (plan.corrected and has_more(results)):
            try:
                rows, why = as_rows(results)
            except InputError as error:
                skipped.append(Skipped(results.name, reason(error, results.path)))
                continue
        skipped += [Skipped(results.name, why, "nel")] if why else []
        jobs = list(plan.jobs(rows))
        if not jobs:
            skipped.append(Skipped(results.name, f"has nothing that is scored with --profile {plan.profile}"))
        yield from jobs


def _run(job: PlannedRow, tables: dict[str, list[ResultRow]]) -> Skipped | None:
    """Compute a row and put it into its table, or say why it is not there."""
    results = job.results
    try:
        scored = job.compute()
    except KaratError as error:
        return Skipped(results.name, reason(error, results.path), job.table)
    row = ResultRow(plain(job.tool), results.name, scored.numbers, (*results.remarks, *scored.remarks))
    tables.setdefault(scored.table or job.table, []).append(row)
    return None


def _beside(gold: str) -> str:
    return next((str(path) for name in TOKENS if (path := Path(gold, name)).is_file()), "")


def _digest(used: Mapping[str, None]) -> str:
    """Return one digest of all gold files that were read."""
    total = hashlib.sha256()
    for path in sorted(used):
        total.update(f"{Path(path).name} {digest(path)}\n".encode())
    return total.hexdigest()[:12]
