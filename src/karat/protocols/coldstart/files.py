"""The files beside the pool and the run: what is asked, and which LDC query an entry point belongs to.

They are read with the options, before pool and runs and once for all runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from karat.coldstart.problems import ProblemLog
from karat.coldstart.query_files import read_queries
from karat.coldstart.query_ids import CorrectedRules
from karat.coldstart.schema import Schema
from karat.coldstart.sf.ids import base
from karat.coldstart.sf.projection import read_pairs
from karat.coldstart.stops import Stop
from karat.errors import InputError
from karat.files import STDIN, digest

_ORDER = "the files are QUERIES, then the assessed POOL, then each RUN"


class Table(msgspec.Struct, frozen=True):
    """What a file says about each id, and the digest that stands for the file in a signature."""

    content: Mapping[str, Any]
    digest: str


def queries_of(path: str) -> Table:
    """Read a query file: the slots that each query asks for, hop by hop; follow-up queries are not read."""
    _refuse_standard_input(path)
    log = ProblemLog()
    try:
        queries = read_queries(path, CorrectedRules(), log, Schema())
    except Stop as stop:
        raise InputError(str(stop)) from stop
    if not len(queries):
        raise InputError(f"{_instead(path)}; {_ORDER}", path=path)
    errors = [one for one in log.findings() if one.kind.severity == "ERROR"]
    if errors:
        raise InputError(f"{errors[0].text.removeprefix('ERROR: ')}; {errors[0].kind.fix}".rstrip("; "), path=path)
    asked = {one.id.key: tuple(slot or "" for slot in one.slots) for one in queries if base(one.id.key) == one.id.key}
    return Table(asked, digest(path))


def _instead(path: str) -> str:
    """Say what is there instead of queries."""
    from karat.formats import sniff

    try:
        found = sniff(path).name
    except InputError:
        found = ""
    if found == "coldstart":
        return "has the lines of a pool or a run, where a query file is expected"
    return "is no query file: it has no query with an id and a slot0"


def index_of(path: str) -> Table:
    """Read the LDC query of each entry point, with a tab between the two."""
    return _pairs(path, "\t")


def mapping_of(path: str) -> Table:
    """Read the entry point that stands for each LDC query, with a blank between the two."""
    return _pairs(path, " ")


def _pairs(path: str, separator: str) -> Table:
    _refuse_standard_input(path)
    try:
        return Table(read_pairs(path, separator), digest(path))
    except Stop as stop:
        raise InputError(str(stop)) from stop


def _refuse_standard_input(path: str) -> None:
    if path == STDIN:
        raise InputError("standard input cannot be queries, an index or a mapping; give the name of a file")
