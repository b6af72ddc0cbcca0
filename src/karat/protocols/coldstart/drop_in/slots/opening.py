"""What ``validate-sf`` and ``correct-query-ids`` begin with: their streams, the queries, and the run to read."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.protocols.coldstart.drop_in import Options
from karat.protocols.coldstart.drop_in.outlets import Outlet, Outlets
from karat.vocabularies.coldstart.problems import ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, read_lengths
from karat.vocabularies.coldstart.queries import QuerySet
from karat.vocabularies.coldstart.query_files import read_query_files
from karat.vocabularies.coldstart.query_ids import CorrectedRules
from karat.vocabularies.coldstart.schema import Schema
from karat.vocabularies.coldstart.text_files import exists

NO_OUTPUT = "none"


class Opened(NamedTuple):
    """The run, what it answers, and where things go; without an output there is none."""

    path: str
    queries: QuerySet
    lengths: Lengths | None
    log: ProblemLog
    output: Outlet | None


def open_run(options: Options, outlets: Outlets) -> Opened:
    """Open output and log, make sure of the run ``filename``, and read the queries of ``queryfile``, in this order."""
    output = _open_streams(options, outlets)
    log = ProblemLog()
    lengths = read_lengths(options["docs"]) if "docs" in options else None
    path = options["filename"]
    if not exists(path):
        raise Stop(f"File {path} does not exist")
    queries = QuerySet(CorrectedRules(), log, Schema(), lengths)
    read_query_files([options["queryfile"]], queries)
    return Opened(path, queries, lengths, log, output)


def _open_streams(options: Options, outlets: Outlets) -> Outlet | None:
    """Open the output, if one is asked for, and the log.

    A log on standard output follows it into the output file, as the published programs have pointed the one at the
    other by then.
    """
    asked = options["output_file"]
    output = None if asked == NO_OUTPUT else outlets.open(asked)
    log = open_log(options["error_file"], outlets)
    is_redirected = log is outlets.output and output not in (None, outlets.error)
    outlets.log = output if output is not None and is_redirected else log
    return output


def open_log(name: str, outlets: Outlets) -> Outlet:
    """Return the outlet of a log: standard error without a name, else a new file or a standard stream."""
    if name in ("", "0"):
        return outlets.error
    if name.lower() not in ("stdout", "stderr") and exists(name):
        raise Stop(f"File {name} already exists")
    return outlets.open(name)


def is_file(path: str) -> bool:
    """Say whether there is such a file, and no folder or pipe."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
