"""What is to be evaluated and with what, looked at before the first step: a plan that cannot work is not begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError, UsageError
from karat.files import STDIN, is_folder, peek
from karat.formats.coldstart.kb.review import looks_like_kb
from karat.protocols.coldstart.drop_in.slots.score import RUN_FILES
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.query_files import read_queries
from karat.vocabularies.coldstart.query_ids import CorrectedRules
from karat.vocabularies.coldstart.schema import Schema
from karat.vocabularies.coldstart.slot_lines import SlotColumns, recognise
from karat.vocabularies.coldstart.text import listed, trim
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
        return [file for path in self.assessments for file in _files(path)]


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
    known = {query.id.key for query in read_queries(path, CorrectedRules(), ProblemLog(), Schema())}
    if not known:
        raise InputError("is no query file: it has no query with an id and a slot0", path=path)
    if wanted is None:
        return
    if exists(wanted):
        peek(wanted)
        if known.isdisjoint(text_of(wanted).split("\n")):
            raise InputError(f"has no id of a query in {path}; expected ids, one a line", path=wanted)
        return
    names = listed(wanted)
    for name in names:
        if name not in known:
            named = "of that id" if len(names) == 1 else name
            message = f"is no file, and {path} has no query {named}; give a file of ids, one a line"
            raise InputError(message, path=wanted)


def _layout(path: str, expected: str) -> SlotColumns | None:
    """Return the layout of a file by its first line that is not blank and no comment; refuse one without any."""
    for line in _lines(path):
        if line.strip() and not trim(line).startswith("#"):
            try:
                return recognise(line.replace("\r", "").rstrip("\t").split("\t"), path)
            except Stop:
                return None
    raise InputError(f"is empty; expected {expected}", path=path)


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a file, but of standard input, which can be read only once, no more than its beginning."""
    yield from peek(path).split("\n") if path == STDIN else lines_of(path)


def _files(path: str) -> list[str]:
    if not is_folder(path):
        return [path]
    files = sorted(map(str, Path(path).glob(RUN_FILES)))
    if not files:
        raise InputError(f"has no file {RUN_FILES}; expected assessments", path=path)
    return files
