"""What ``validate-sf`` and ``correct-query-ids`` begin with: their streams, the queries, and the run to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from karat.coldstart.outlets import Outlet, Outlets
from karat.coldstart.problems import ProblemLog
from karat.coldstart.provenance import Lengths, read_lengths
from karat.coldstart.queries import QuerySet
from karat.coldstart.query_files import read_query_files
from karat.coldstart.query_ids import CorrectedRules
from karat.coldstart.reading import exists
from karat.coldstart.schema import Schema
from karat.coldstart.stops import Stop

NO_OUTPUT = "none"


class Opened(NamedTuple):
    """The run, what it answers, and where things go; without an output there is none."""

    path: str
    queries: QuerySet
    lengths: Lengths | None
    log: ProblemLog
    output: Outlet | None


def open_run(options: Mapping[str, str], outlets: Outlets) -> Opened:
    """Open output and log, read the queries of ``queryfile``, and make sure of the run ``filename``, in this order."""
    output = _open_streams(options, outlets)
    log = ProblemLog()
    lengths = read_lengths(options["docs"]) if "docs" in options else None
    queries = QuerySet(CorrectedRules(), log, Schema(), lengths)
    read_query_files([options["queryfile"]], queries)
    path = options["filename"]
    if not exists(path):
        raise Stop(f"File {path} does not exist")
    return Opened(path, queries, lengths, log, output)


def _open_streams(options: Mapping[str, str], outlets: Outlets) -> Outlet | None:
    """Open the output, if one is asked for, and the log.

    A log on standard output follows it into the output file, as the published programs have pointed the one at the
    other by then.
    """
    asked = options["output_file"]
    output = None if asked.lower() == NO_OUTPUT else outlets.open(asked)
    name = options["error_file"]
    if name.lower() not in ("stdout", "stderr") and exists(name):
        raise Stop(f"File {name} already exists")
    log = outlets.open(name)
    outlets.log = output if output is not None and log is outlets.output else log
    return output
