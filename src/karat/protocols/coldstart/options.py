"""The options of slot filling, and the files that they name: what is asked, and the LDC queries of entry points.

The files are read with the options, before pool and runs and once for all runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.io import STDIN, digest, open_bytes, peek
from karat.protocols.coldstart.pool import DISCIPLINES
from karat.protocols.corrections import CorrectableOptions
from karat.settings import option, shared_option
from karat.vocabularies.coldstart.problems import LogEntry, ProblemLog
from karat.vocabularies.coldstart.queries import decode, read_queries
from karat.vocabularies.coldstart.query_ids import IdRules, base
from karat.vocabularies.coldstart.text_files import read_pairs, text_of

_ORDER = "the files are QUERIES, then the assessed POOL, then each RUN"
_SHOWN = 60
_SLOT_COLUMNS = (7, 8)
"""How many columns the lines of runs and pools have."""
_MALFORMED = re.compile(r'<query (?!\s*id="[^<]*">)')


class IdTable(msgspec.Struct, frozen=True):
    """The entry of each id in a file, and the digest of the file for the signature."""

    content: Mapping[str, Any]
    digest: str


class AskedQuery(NamedTuple):
    """What a query asks: the name of its entity, if it is given, and the slots, hop by hop."""

    name: str
    slots: tuple[str, ...]

    @property
    def title(self) -> str:
        """The question in short.

        >>> AskedQuery("Ada", ("per:children", "per:age")).title
        'Ada, per:children, then per:age'
        """
        return ", ".join(filter(None, (self.name, ", then ".join(filter(None, self.slots)))))


def queries_of(path: str) -> IdTable:
    """Read a query file: what each query asks; follow-up queries are not read."""
    _check(path)
    log = ProblemLog()
    queries = read_queries(path, IdRules(), log)
    for entry in log.findings():
        if entry.kind.severity == "ERROR":
            raise _fault(entry, path)
    if not len(queries):
        raise InputError(f"{_instead(path)}; {_ORDER}", path=path)
    asked = {}
    for query in queries:
        if base(query.id.key) == query.id.key:
            name = next((point.name for point in query.entry_points if point.name), "")
            asked[query.id.key] = AskedQuery(decode(name), tuple(slot or "" for slot in query.slots))
    return IdTable(asked, digest(path))


def _fault(finding: LogEntry, path: str) -> InputError:
    """Return the error for what is wrong in a query file, with the line where it stands."""
    text = text_of(path)
    message = finding.text.removeprefix("ERROR: ")
    name = finding.places[0].partition("In query ")[2]
    if finding.kind.name == "MALFORMED_QUERY":
        said = "a query is malformed"
        malformed = _MALFORMED.search(text)
        offset = malformed.start() if malformed else -1
    elif name:
        value, _, verb = message.partition(" is ")
        said = f"query {name}: {value[:_SHOWN]!r} is {verb}"
        query = text.find(f'id="{name}"')
        offset = max(query, text.find(f">{value}<", query) if value else -1)
    else:
        value = message.partition(": ")[2]
        said = f"unknown slot name {value[:_SHOWN]!r}"
        offset = text.find(f">{value}<")
    fix = finding.kind.fix.rstrip(".")
    line = text.count("\n", 0, offset) + 1 if offset >= 0 else None
    return InputError(f"{said}; {fix[:1].lower()}{fix[1:]}", path=path, line=line)


def _instead(path: str) -> str:
    """Return a description of a file that is no query file, for the error."""
    lines = (line for line in peek(path).splitlines() if line.strip() and not line.lstrip().startswith("#"))
    if next(lines, "").count("\t") + 1 in _SLOT_COLUMNS:
        return "has the lines of a pool or a run, where a query file is expected"
    return "is no query file: it has no query with an id and a slot0"


def _pairs(path: str, separator: str) -> IdTable:
    _check(path)
    return IdTable(read_pairs(path, separator), digest(path))


def _check(path: str) -> None:
    """Refuse standard input, and what cannot be opened."""
    if path == STDIN:
        raise InputError("standard input cannot be queries, an index or a mapping; give the name of a file")
    with open_bytes(path):
        pass


_digest = attrgetter("digest")


@dataclass(frozen=True)
class SlotOptions(CorrectableOptions):
    """Options of slot filling."""

    profile: str = shared_option("profile", help="as the published scorer counts, or with its named quirks put right")
    discipline: str = option(
        "ASSESSED",
        "when an assessment is about a fill: same line, same value, or same value but for case",
        choices=tuple(DISCIPLINES),
        always=True,
    )
    queries: IdTable | None = option(
        None,
        "the query file: only its queries are scored, and only what they ask for",
        parse=queries_of,
        metavar="QUERIES",
        show=_digest,
        argument=True,
        signed="query-file",
    )
    index: IdTable | None = option(
        None,
        "score LDC queries too: the LDC query of each entry point, two columns separated by a tab",
        parse=partial(_pairs, separator="\t"),
        metavar="FILE",
        show=_digest,
    )
    mapping: IdTable | None = option(
        None,
        "the entry point of each LDC query for ldc-random, separated by a blank",
        parse=partial(_pairs, separator=" "),
        metavar="FILE",
        show=_digest,
    )
